"""What a restore is to those who have the document open, and when the running server cuts versions by itself."""

from datetime import timedelta

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from domain.credit import Credit
from graphql_api.system import now
from live.version_reader import VersionReader
from persistence.store import PostgresStore
from service.version_scheduler import cut_ended
from tests.support.database.updates import append, row
from tests.support.documents.jobs import JOBS
from tests.support.live.npm import converged
from tests.support.processes.servers import async_eventually

VERSIONS = """query($d: ID!) { document(id: $d) {
  versions { nodes { number restoredFrom markdown authors { name agent } } } } }"""
EDIT = "mutation($d: ID!, $e: EditInput!) { editDocument(documentId: $d, edit: $e) { id } }"
RESTORE = "mutation($d: ID!, $n: Int!) { restoreVersion(documentId: $d, number: $n) { markdown } }"
HOUR = timedelta(hours=1)


async def versions(world, document, who="ada"):
    return (await world.ask(VERSIONS, who, d=document))["document"]["versions"]["nodes"]


async def written_long_ago(served, document, *texts):
    """Let the log say that Ada wrote these paragraphs, one an hour, until two hours ago."""
    ada = Credit(served.credentials["users"]["ada"]["userId"], "Ada")
    begin = now() - (len(texts) + 1) * HOUR
    rows = [
        row(document, from_tree(parse(text), 100 + place), ada, begin + place * HOUR, told=True)
        for place, text in enumerate(texts)
    ]
    async with PostgresStore(served.database, readers=1, writers=1) as beside:
        await append(beside, rows)


async def cut_into(world, document, number):
    """Return the versions of the document, where they are so many."""
    found = await versions(world, document)
    return found if len(found) == number else None


async def cut_beside(served, document):
    """Cut what has ended, as the running server does three times a minute."""
    async with PostgresStore(served.database, readers=1, writers=1) as beside:
        await cut_ended(beside, VersionReader(beside, runner=JOBS), now, document)


async def test_the_running_server_cuts_what_was_written_an_hour_apart(world, served):
    document = await world.document()
    await written_long_ago(served, document, "one", "two", "three")
    third, second, first = await async_eventually(lambda: cut_into(world, document, 3), origin=served.origin)
    assert [each["markdown"] for each in (first, second)] == ["one\n", "one\n\ntwo\n"]
    assert third["markdown"] == (await world.read(document))["markdown"]
    assert third["authors"] == [{"name": "Ada Lovelace", "agent": None}]


async def test_a_restore_reaches_open_editors_and_what_they_type_meanwhile_stays(clients, world, served):
    document = await world.document()
    await world.ask(EDIT, d=document, e={"replace": "# Plan\n\nMilk and bread"})
    await world.ask(EDIT, d=document, e={"replace": "# Plan\n\nTea"})
    await written_long_ago(served, document, "old")  # so that there is something to cut
    for name, who, client in (("a", "ada", "4"), ("b", "ben", "y")):
        await clients("open", name, **world.way(document, who, client))
        await clients("synced", name)
    await cut_beside(served, document)
    found = await versions(world, document)
    number = found[-1]["number"]
    wanted = found[-1]["markdown"]
    await world.ask(EDIT, d=document, e={"replace": "All else"})
    await clients("sees", "a", text="All else")
    await clients("off", "b")
    await clients("type", "b", text="typed offline")
    restored = await world.ask(RESTORE, "ben", d=document, n=number)
    assert restored["restoreVersion"]["markdown"] == wanted
    await clients("sees", "a", text=wanted.split()[-1])
    await clients("place", "a", user="Ben Franklin")
    await clients("on", "b")
    await clients("sees", "a", text="typed offline")
    await converged(clients, "a", "b")
    after, before, *_ = await versions(world, document)
    assert (after["restoredFrom"], before["restoredFrom"]) == (number, None)
    assert (after["markdown"], before["markdown"]) == (wanted, "All else\n")
    read = (await world.read(document))["markdown"]
    assert "typed offline" in read
    assert "All else" not in read
