"""Fills databases with a given number of items by SQL alone; a million takes a minute or two.

The shape is the same at every size. Three of four items are in `BIG_DRIVE`, nine documents in each folder of a tree; the others in
drives of `SMALL_DRIVE` items with an owner each. Every eleventh document is indexed and has one update. The rows by which two sizes
are compared are equally many in both and have the same ids: the constants below.

The statements of `DERIVED` fill columns that the server derives from others.
"""

from typing import Final
from uuid import UUID

import psycopg

from documents.projection.search_text import folded_name
from domain.sort_key import sort_key
from persistence.postgres.migrations import migrate


def identifier(number: int) -> str:
    """Return the id that the statements make of a number; ids sort like the numbers."""
    return str(UUID(hex=f"0190{number:08x}7000{0x8 << 60:016x}"))


CHAINS: Final = 20  # paths of folders down to `DEPTH`, with `CHILDREN` documents at the end of each
DEPTH: Final = 50
CHILDREN: Final = 20
GROWING: Final = 13  # `GROWING_FOLDER` holds one of so many items
GRANTED: Final = 20  # one of so many of those is shared with `MANY_GUEST`
WIDE: Final = 1_000  # children of `WIDE_FOLDER`
FEW: Final = 20  # items that `FEW_OWNER` and `GUEST` reach
TALL: Final = 10_000  # items below `TALL_FOLDER`, 99 documents in each of its folders; not there among few items
MANY: Final = 1_000  # drives of `MANY_OWNER`, with a document each
SMALL_DRIVE: Final = 30
HOMES: Final = 2

OWNER: Final = identifier(1)  # of the big drive and of those that are named here
FEW_OWNER: Final = identifier(2)  # of a drive of `FEW` items, and of nothing else
GUEST: Final = identifier(
    3
)  # created a folder of `FEW` items in the big drive, reaches it by a grant, and nothing else
MANY_OWNER: Final = identifier(4)
MANY_GUEST: Final = identifier(5)  # has grants on single documents, 5,000 among 1.3 million items
BIG_DRIVE: Final = identifier(100)
DEEP_DRIVE: Final = identifier(101)
FEW_DRIVE: Final = identifier(102)
WIDE_DRIVE: Final = identifier(103)  # holds nothing but `WIDE_FOLDER`
GROWING_DRIVE: Final = identifier(104)  # holds nothing but `GROWING_FOLDER`
DEEP_FOLDERS: Final = tuple(identifier(10_000 + DEPTH * CHAINS + chain) for chain in range(CHAINS))
WIDE_FOLDER: Final = identifier(14_000)
GROWING_FOLDER: Final = identifier(50_000_000)
SHARED_FOLDER: Final = identifier(16_000)
TALL_FOLDER: Final = identifier(20_000)
HOME_FOLDERS: Final = tuple(identifier(18_000 + home) for home in range(HOMES))  # at the root of the big drive

RARE_WORD: Final = "quasar"  # in five texts and five names of the big drive, and in one each that few users reach
COMMON_WORD: Final = "everywhere"  # in every text
COMMON_NAME: Final = "report"  # in every fourth name

_FUNCTIONS: Final = """
create function pg_temp.identifier(number bigint) returns uuid language sql immutable as
    $$ select ('0190' || lpad(to_hex(number), 8, '0') || '70008000000000000000')::uuid $$;
create function pg_temp.name(number bigint) returns text language sql immutable as $$
    select (array['Report', 'Budget', 'Minutes', 'Launch plan'])[1 + number % 4] || ' ' || number || ' '
        || (array['spring', 'summer', 'autumn', 'winter', 'harbour', 'orbit', 'draft'])[1 + number / 4 % 7] $$;
create function pg_temp.sort_key(name text) returns text language sql immutable as $$
    select lower(regexp_replace(name, '[0-9]+', coalesce(length(substring(name from '[0-9]+'))::text, '') || '\\&'))
        || chr(1) || name $$;
create function pg_temp.folded_name(name text) returns text language sql immutable as $$
    select lower(name) || chr(10) || chr(10) || lower(name) $$"""
_PEOPLE: Final = """
insert into account (id, name, sort_key, email, created_at)
select pg_temp.identifier(n), 'User ' || n, pg_temp.sort_key('User ' || n), 'user' || n || '@example.com', now()
from (select generate_series(1, 5) union all select generate_series(100000, 99999 + {drives})) a (n);
insert into drive (id, kind, name, sort_key, created_at, updated_at, depth)
select pg_temp.identifier(n), 'personal', '', pg_temp.sort_key(''), now(), now(), 60
from (select generate_series(100, 104) union all select generate_series(200000, 199999 + {drives})
    union all select generate_series(600000, 599999 + {many})) d (n);
insert into drive_member (drive_id, user_id, role, added_at)
select pg_temp.identifier(drive), pg_temp.identifier(owner), 'owner', now()
from (values (100, 1), (101, 1), (102, 2), (103, 1), (104, 1)) m (drive, owner)
union all
select pg_temp.identifier(200000 + n), pg_temp.identifier(100000 + n), 'owner', now() from generate_series(0, {drives} - 1) n
union all
select pg_temp.identifier(600000 + n), pg_temp.identifier(4), 'owner', now() from generate_series(0, {many} - 1) n"""
# The number of each item with those of its drive and parent. What is as large at all sizes comes between the others, as if
# it had been made over the same years. `k` counts the items of the big drive, every tenth a folder; `m` those of other drives.
_ITEMS: Final = """
create temp table made as
select 1000000 + n as number, n as position, 100 as drive, k % 10 = 0 as folder,
    case when k % 10 = 0 then (k / 10 - 1) / 20 else least(k / 10 + 1, {folders}) end as parent
from (select n, n - n / 4 as k from generate_series(1, {others}) n where n % 4 <> 0) big;
update made set parent = case when parent = 0 then null
    else 1000000 + 4 * ((10 * parent - 1) / 3) + (10 * parent - 1) % 3 + 1 end;
insert into made
select 1000000 + 4 * m, 4 * m, 200000 + (m - 1) % {drives}, (m - 1) / {drives} % 10 = 0,
    case when (m - 1) / {drives} % 10 > 0 then 1000000 + 4 * (m - (m - 1) / {drives} % 10 * {drives}) end
from generate_series(1, {others} / 4) m;
insert into made
select number, number::bigint * 7919 % {others}, drive, folder, parent from (
    select 10000 + level * {chains} + chain as number, 101 as drive, true as folder,
        case when level > 1 then 10000 + (level - 1) * {chains} + chain end as parent
    from generate_series(1, {depth}) level, generate_series(0, {chains} - 1) chain
    union all
    select 12000 + child * {chains} + chain, 101, false, 10000 + {depth} * {chains} + chain
    from generate_series(0, {children} - 1) child, generate_series(0, {chains} - 1) chain
    union all
    select 13000 + n, 102, n = 0, case when n > 0 then 13000 end from generate_series(0, {few} - 1) n
    union all
    select 14000 + n, 103, n = 0, case when n > 0 then 14000 end from generate_series(0, {wide}) n
    union all
    select 50000000 + n, 104, n = 0, case when n > 0 then 50000000 end from generate_series(0, {growing}) n
    union all
    select 16000 + n, 100, n = 0, case when n > 0 then 16000 end from generate_series(0, {few} - 1) n
    union all
    select 18000 + n, 100, true, null from generate_series(0, {homes} - 1) n
    union all
    select 600000 + n, 600000 + n, false, null from generate_series(0, {many} - 1) n
    union all
    select 20000 + n, 100, n % 100 = 1 or n = 0,
        case when n % 100 = 1 then 20000 when n > 0 then 20000 + (n - 1) / 100 * 100 + 1 end
    from generate_series(0, {tall}) n where {tall} > 0) fixed;
insert into item (id, drive_id, parent_id, kind, name, sort_key, folded_name, created_at, updated_at, created_by_user, updated_by_user,
    sequence)
select pg_temp.identifier(number), pg_temp.identifier(drive), pg_temp.identifier(parent),
    case when folder then 'folder' else 'docs_workbook' end,
    named.name, pg_temp.sort_key(named.name), pg_temp.folded_name(named.name),
    timestamptz '2026-01-01' + position * interval '1 second', timestamptz '2026-02-01' + position * interval '1 second',
    pg_temp.identifier(1), pg_temp.identifier(1), case when {indexed} then 1 else 0 end
from made cross join lateral (
    select pg_temp.name(number) || case when {named} then ' {rare}' else '' end as name) named order by position;
update item set created_by_user = pg_temp.identifier(3)
where id between pg_temp.identifier(16000) and pg_temp.identifier(15999 + {few});
insert into item_grant (item_id, email, user_id, permission, given_by, created_at)
select pg_temp.identifier(16000), email, id, 'read_only', pg_temp.identifier(1), now() from account
where id = pg_temp.identifier(3);
insert into item_grant (item_id, email, user_id, permission, given_by, created_at)
select pg_temp.identifier(number), email, id, 'read_only', pg_temp.identifier(1),
    timestamptz '2026-03-01' + number::bigint * 7919 % 100000 * interval '1 second'
from account, made where id = pg_temp.identifier(5) and number between 50000001 and 50000000 + {growing} / {granted}"""
# Those that are common come often, as in any language.
_TEXTS: Final = """
select setseed(0.5);
insert into document_update (item_id, sequence, user_id, at, update)
select pg_temp.identifier(number), 1, pg_temp.identifier(1), now(), '\\x0000' from made where {indexed};
insert into document_text (item_id, sequence, passages, folded, words)
select pg_temp.identifier(number), 1, array[text], array[' ' || text || ' '], array_to_tsvector(words) from (
    select number, words, array_to_string(words, ' ') as text from (
        select number, array(
            select distinct 'word' || floor(20000 * power(random() + 0 * number, 3)) from generate_series(1, 80)
        ) || '{common}'::text || case when {said} then array['{rare}'] else '{{}}' end as words
        from made where {indexed}) spoken) spelled;
drop table made"""
_NAMED: Final = "number in (13005, 16005) or number % 1000 = 1 and number between 1001001 and 1006000"
_SAID: Final = "number in (13006, 16006) or number % 1000 = 9 and number between 1001001 and 1006000"
_INDEXED: Final = f"not folder and (number % 11 = 5 or number in (13006, 16006) or {_SAID})"

_COUNTED: Final = """
update drive set items = counted.items
from (select drive_id, count(*) as items from item group by drive_id) counted where drive.id = counted.drive_id"""
# Made once everything is there, which takes a quarter of the time.
_GIN: Final = "select indexname, indexdef from pg_indexes where schemaname = 'public' and indexdef like '% USING gin %'"

_CHILDREN: Final = """
update item set children = counted.children
from (select parent_id, count(*) as children from item where trashed_at is null group by parent_id) counted
where item.id = counted.parent_id"""
DERIVED: Final = (_COUNTED, _CHILDREN)


def populate(url: str, items: int) -> None:
    """Bring an empty database to today's tables and fill it with about so many items, at least 10,000."""
    migrate(url)
    tall = TALL if items > 2 * TALL else 0
    growing = items // GROWING
    others = items - growing - 1 - CHAINS * (DEPTH + CHILDREN) - 2 * FEW - WIDE - 1 - HOMES - MANY - tall
    sizes = {
        "others": others,
        "drives": max(1, others // 4 // SMALL_DRIVE),
        "folders": (others - others // 4) // 10,
        "chains": CHAINS,
        "depth": DEPTH,
        "children": CHILDREN,
        "few": FEW,
        "growing": growing,
        "granted": GRANTED,
        "wide": WIDE,
        "homes": HOMES,
        "many": MANY,
        "tall": tall,
    }
    words = {"rare": RARE_WORD, "common": COMMON_WORD, "named": _NAMED, "said": _SAID, "indexed": _INDEXED}
    with psycopg.connect(url, autocommit=True) as connection:
        # The references are right by construction, and checking them would take as long as everything else.
        connection.execute("set session_replication_role = replica; set jit = off; set maintenance_work_mem = '256MB'")
        indexes = connection.execute(_GIN).fetchall()
        for name, _ in indexes:
            connection.execute(f"drop index {name}".encode())
        for statements in (_FUNCTIONS, _PEOPLE, _ITEMS, _TEXTS, *DERIVED):
            text = statements if statements is _FUNCTIONS else statements.format(**sizes, **words)
            connection.execute(text.encode())
        _check_names(connection)
        for _, definition in indexes:
            connection.execute(definition.encode())
        connection.execute("vacuum (analyze, freeze)")
        connection.execute("checkpoint")


def _check_names(connection: psycopg.Connection) -> None:
    """Hold what the statements made of some names against what the domain and the search make of them."""
    sample = (
        b"(select name, sort_key, folded_name from item limit 1000) union all select name, sort_key, null from drive"
    )
    for name, key, folded in connection.execute(sample):
        if key != sort_key(name) or folded not in (None, folded_name(name)):
            raise SystemExit(
                f"the sort key of {name!r} is {key!r}, and the folded name {folded!r}: not those of the server"
            )
