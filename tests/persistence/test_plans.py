"""Pages of long lists cost what they hold: Postgres takes their rows from an index, in order, and stops."""

from dataclasses import replace

import psycopg
import pytest

from domain.questions import (
    AccessOf,
    AgentsOf,
    BacklinksFor,
    ChildrenFor,
    HoldersOf,
    PlaceFor,
    RootItemsFor,
    SharedItemsFor,
    StarredItemsFor,
)
from domain.values import Email
from persistence.reads import READS
from tests.persistence.seeds import ADA, BEN, DRIVE, FOLDERS, PEOPLE, UNDER_B, A, write

MANY = 2_000
FILL = f"""
insert into item (id, drive_id, parent_id, kind, name, sort_key, created_at, updated_at, created_by_user, updated_by_user)
select ('0190' || lpad(to_hex(n), 8, '0') || '70008' || lpad('', 15, '0'))::uuid, i.drive_id,
    case when n % 2 = 0 then i.id end, 'folder', 'Name ' || n, 'name ' || md5(n::text), now(), now(),
    i.created_by_user, i.created_by_user
from item i, generate_series(1, 2 * {MANY}) n where i.id = '{A}';
update item set children = 1 + {MANY} where id = '{A}';
insert into item_grant (item_id, email, user_id, permission, given_by, created_at)
select i.id, a.email, a.id, 'read_only', '{ADA.user_id}', now() + make_interval(secs => abs(hashtext(i.id::text)))
from item i, account a where i.parent_id = '{A}' and a.id = '{BEN.user_id}';
insert into item_star (user_id, item_id, starred_at)
select '{ADA.user_id}', id, now() + make_interval(secs => abs(hashtext(id::text))) from item where drive_id = '{DRIVE}';
insert into document_link (item_id, linked_id) select id, '{UNDER_B}' from item where drive_id = '{DRIVE}' and id <> '{UNDER_B}';
analyze"""


@pytest.fixture
async def filled(store):
    await write(store, *PEOPLE, *FOLDERS)
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo, autocommit=True) as connection:
        await connection.execute(FILL)
    return store


async def touched(store, question):
    """Return how many rows of items, of grants, of stars and of the audit were read to answer."""
    read = READS[type(question)]

    async def explained(connection):
        asked = f"explain (analyze, format json, timing off) {read.sql}"
        return await (await connection.execute(asked, read.arguments(question))).fetchone()

    (plan,) = await store.autocommit(explained)
    found, rows = [plan[0]["Plan"]], {"item": 0, "item_grant": 0, "item_star": 0, "event": 0}
    while found:
        node = found.pop()
        found += node.get("Plans", ())
        if node.get("Relation Name") in rows:
            rows[node["Relation Name"]] += node["Actual Rows"] * node["Actual Loops"]
    return rows


@pytest.mark.parametrize("page", [1, 20])
async def test_a_page_of_a_long_list_reads_the_rows_of_that_page(filled, page):
    for question in (
        ChildrenFor(ADA.user_id, A, 50, None),
        RootItemsFor(ADA.user_id, DRIVE, 50, None),
        SharedItemsFor(BEN.user_id, 50, None),
        StarredItemsFor(ADA.user_id, 50, None),
        BacklinksFor(ADA.user_id, UNDER_B, 50, None),
    ):
        after = None
        for _ in range(page - 1):
            after = (await filled.read(replace(question, after=after))).next_cursor
        rows = await touched(filled, replace(question, after=after))
        assert rows["item"] <= 51 * 3, question
        assert rows["item_grant"] <= 51 * 4, question
        assert rows["item_star"] <= 51, question


async def test_a_place_in_a_full_folder_is_found_without_counting(filled):
    assert (await filled.read(PlaceFor(ADA.user_id, None, A))).children == 1 + MANY
    rows = await touched(filled, PlaceFor(ADA.user_id, None, A))
    assert rows["item"] <= 10


@pytest.mark.parametrize("question", [HoldersOf(None, A), AccessOf(A, Email("ben@example.com"))])
async def test_who_reaches_an_item_is_found_without_the_grants_of_others(filled, question):
    assert (await touched(filled, question))["item_grant"] <= 1


EDITED = f"""
insert into api_key (id, user_id, digest, name, agent, prefix, last_four, created_at)
select gen_random_uuid(), '{BEN.user_id}', 'digest ' || n, 'key', 'agent ' || n, 'cdr_', 'last', now() from generate_series(1, 5) n;
insert into event (type, drive_id, item_id, user_id, agent, at, details)
select 'documentEdited', '{DRIVE}', '{A}', '{BEN.user_id}', 'agent ' || n % 3, now(), '{{}}' from generate_series(1, 5000) n;
analyze"""


async def test_the_last_edits_of_agents_are_found_without_reading_others(filled):
    async with await psycopg.AsyncConnection.connect(filled.writers.conninfo, autocommit=True) as connection:
        await connection.execute(EDITED)
    agents = await filled.read(AgentsOf(BEN.user_id))
    assert [(each.name, each.item_id) for each in agents] == [
        ("agent 1", A), ("agent 2", A), ("agent 3", None), ("agent 4", None), ("agent 5", None)
    ]  # fmt: skip
    assert (await touched(filled, AgentsOf(BEN.user_id)))["event"] == 2
