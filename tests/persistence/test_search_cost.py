"""What a search looks at, in rows: what answers or what somebody reaches, and not all that lies around."""

from hashlib import md5
from uuid import UUID

import pytest

from domain.questions import SearchFilter, SearchFor
from persistence.reads import READS
from persistence.search import MAX_NEAR
from tests.persistence.seeds import ADA, ADAS, BEN, PEOPLE, new_id, write

OTHERS = 3 * MAX_NEAR
SMALL_DRIVE = new_id(70)
SIXTY = md5(b"60", usedforsecurity=False).hexdigest()
FOLDER = str(UUID(f"{SIXTY[:12]}7{SIXTY[13:16]}8{SIXTY[17:]}"))  # has 29 items
# Ben created one of 240 items. In the big drive every name and text has the common word and three have the rare one; Ben has three documents of his own.
FILL = """
create function pg_temp.item(n int) returns uuid language sql as
    $$ select overlay(overlay(md5(n::text) placing '7' from 13) placing '8' from 17)::uuid $$;
insert into drive (id, kind, name, sort_key, created_at, updated_at, items) values ('{small}', 'personal', '', '', now(), now(), 3);
insert into drive_member (drive_id, user_id, role, added_at) values ('{small}', '{ben}', 'owner', now());
insert into item (id, drive_id, parent_id, kind, name, sort_key, created_at, updated_at, created_by_user, updated_by_user)
select pg_temp.item(n), case when n <= 3 then '{small}' else '{big}' end::uuid,
    case when n > 30 and n % 30 <> 0 then pg_temp.item(n - n % 30) end, case when n % 30 = 0 then 'folder' else 'docs_workbook' end,
    'Common ' || n || case when n % ({others} / 4) = 0 then ' quasar' else '' end, '', now(), now(),
    case when n % 240 = 1 then '{ben}' else '{ada}' end::uuid, '{ada}'
from (select n from generate_series(1, {others}) n order by n % 30, n) n;
update drive set items = {others} - 3 where id = '{big}';
insert into document_text (item_id, sequence, passages, folded, words)
select id, 0, array['everywhere'], array[' everywhere '], array_to_tsvector(array['everywhere'])
from item where name like 'Common %';
analyze"""
READ = "select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) from pg_stat_xact_user_tables where relname in ('item', 'document_text')"


@pytest.fixture
async def filled(store):
    await write(store, *PEOPLE)
    words = {"small": SMALL_DRIVE, "big": ADAS, "ada": ADA.user_id, "ben": BEN.user_id, "others": OTHERS}
    async with store.writers.connection() as connection:
        await connection.execute(FILL.format(**words))
    return store


@pytest.mark.parametrize(
    ("by", "text", "found"),
    [
        (ADA, "quasar", 4),
        (ADA, "quasar everywhere", 4),
        (ADA, "nowhere", 0),
        (BEN, "common", 3),
        (BEN, "everywhere", 3),
    ],
)
async def test_a_search_reads_what_answers_or_what_is_reached_and_not_all_that_lies_around(filled, by, text, found):
    async def ask(connection):
        async with connection.transaction():
            page = await READS[SearchFor].run(connection, SearchFor(by.user_id, text, None, 20, None))
            (rows,) = await (await connection.execute(READ)).fetchone()
        return len(page.rows), rows

    answers, rows = await filled.autocommit(ask)
    assert answers == found
    assert rows < MAX_NEAR + 200


@pytest.mark.parametrize("text", ["", "common", "quasar"])
@pytest.mark.parametrize("by_author", [True, False])
async def test_a_filtered_search_reads_what_its_author_or_its_folder_has_and_not_all_that_is_reached(
    filled, text, by_author
):
    wanted = SearchFilter(author_id=BEN.user_id) if by_author else SearchFilter(folder_id=FOLDER)

    async def ask(connection):
        async with connection.transaction():
            page = await READS[SearchFor].run(connection, SearchFor(ADA.user_id, text, None, 20, None, wanted))
            (rows,) = await (await connection.execute(READ)).fetchone()
        return len(page.rows), rows

    answers, rows = await filled.autocommit(ask)
    assert answers == (20 if text != "quasar" else 0)
    assert rows < 400
