"""What becomes of versions when the server that cuts and compacts is killed: the same ones, once, saying the same."""

import random
import signal
from datetime import timedelta

import psycopg

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from domain.credit import Credit
from graphql_api.system import now
from persistence.postgres.embedded import url_of_running
from persistence.store import PostgresStore
from tests.failures.writers import SEED, hire
from tests.support.database.updates import append, row
from tests.support.processes.servers import ask, eventually, serving

HOURS = 12
COMPACT = ("--compact-rows", "5")  # without it so few rows are never compacted
DUE = """insert into compaction_due (item_id, sequence, due_at) select item_id, max(sequence), now() from document_version
  where item_id = %s group by item_id on conflict (item_id) do update set due_at = now()"""
VERSIONS = """query($d: ID!) { document(id: $d) {
  markdown attributions { path start end by { userId editedAt } }
  versions(first: 20) { nodes { number createdAt authors { userId } markdown } } } }"""


def database(served):
    return url_of_running(served.data / "postgres")


async def written(served, document):
    """Let the log say that Ada wrote a paragraph an hour, two days ago: rows of the last day would be kept."""
    ada = Credit(served.credentials["users"]["ada"]["userId"], "Ada")
    begin = now() - timedelta(days=2, hours=HOURS)
    rows = [
        row(document, from_tree(parse(f"hour {hour}"), 100 + hour), ada, begin + timedelta(hours=hour), told=True)
        for hour in range(HOURS)
    ]
    async with PostgresStore(database(served), readers=1, writers=1) as beside:
        await append(beside, rows)


def left(served, document):
    with psycopg.connect(database(served)) as connection:
        rows = connection.execute("select count(*) from document_update where item_id = %s", [document])
        return rows.fetchone()[0]


def compact(served, document):
    """Have the document looked at again, as its next version would."""
    with psycopg.connect(database(served)) as connection:
        connection.execute(DUE, [document])


def told(served, document):
    with served.client() as client:
        return ask(client, VERSIONS, d=document)["document"]


def whole(served, document):
    found = told(served, document)
    return found if len(found["versions"]["nodes"]) == HOURS else None


async def test_a_killed_server_cuts_and_compacts_what_it_left_when_it_is_back(home):
    chance = random.Random(f"{SEED} history")
    data = home / "history"
    with serving(data) as served:
        with served.client() as client:
            (writer,) = hire(client, 1)
        document = writer.document
        await written(served, document)
        wanted = chance.randint(0, HOURS)
        eventually(lambda: len(told(served, document)["versions"]["nodes"]) >= wanted or None)
        served.end(signal.SIGKILL)
    with serving(data) as served:
        before = eventually(lambda: whole(served, document))
        assert [each["number"] for each in before["versions"]["nodes"]] == list(range(HOURS, 0, -1))
        assert [each["markdown"].count("hour") for each in before["versions"]["nodes"]] == list(range(HOURS, 0, -1))
        assert left(served, document) == HOURS
        served.end(signal.SIGKILL)
    with serving(data, *COMPACT) as served:
        compact(served, document)
        eventually(lambda: left(served, document) == 0 or None)
        assert told(served, document) == before
        served.end(signal.SIGKILL)
    with serving(data, *COMPACT) as served:
        assert told(served, document) == before
