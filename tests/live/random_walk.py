"""A random walk through all that may happen to a document, with what must be there after each step."""

import asyncio
import base64
import re
import signal
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from computing.runner import JobRunner
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from live.version_reader import VersionReader
from persistence.compaction import CompactionLog
from persistence.postgres.embedded import url_of_running
from persistence.store import PostgresStore
from service.compactor import Compactor
from service.version_scheduler import cut_ended
from tests.support.documents.jobs import JOBS
from tests.support.live.people import World
from tests.support.live.streams import read_again
from tests.support.processes import servers

LATER = timedelta(days=3)  # so that whatever is there is old enough to be cut and compacted
MARK = re.compile(r"m\d+;")
EDIT = "mutation($id: ID!, $edit: EditInput!) { editDocument(documentId: $id, edit: $edit) { id } }"
IMPORT = "mutation($id: ID!, $update: String!) { importYjsUpdate(documentId: $id, update: $update) { id } }"
RESTORE = "mutation($id: ID!, $number: Int!) { restoreVersion(documentId: $id, number: $number) { item { id } } }"
VERSIONS = "query($id: ID!) { document(id: $id) { versions(first: 20) { nodes { number markdown } } } }"
CLIENTS = {"a": ("ada", "4"), "b": ("ben", "3")}


@dataclass
class Model:
    """What everybody must see (`expected`), and what clients that are away have still to bring (`pending`)."""

    document: str
    expected: set = field(default_factory=set)
    pending: dict = field(default_factory=lambda: {name: set() for name in CLIENTS})
    away: set = field(default_factory=set)
    made: int = 0

    def mark(self):
        self.made += 1
        return f"m{self.made};"


class Walk:
    """One server after another on the same data, with the same clients."""

    def __init__(self, data, clients, chance):
        self.data, self.clients, self.chance = data, clients, chance
        self.flags = ("--port", servers.free_port(), "--log-level", "warning")
        self.forgers = 0

    async def start(self):
        self.served = await asyncio.to_thread(servers.launch_demo, self.data, *self.flags)
        assert await asyncio.to_thread(lambda: self.served.origin)
        self.world = World(self.served)

    async def stop(self, order):
        await self.world.__aexit__()
        await asyncio.to_thread(self.served.end, order)

    async def open(self, model):
        """Open the document in each client, and have each write once: an id that nobody wrote under is nobody's yet."""
        for name, (who, client) in CLIENTS.items():
            await self.clients("open", name, **self.world.way(model.document, who, client))
            await self.clients("synced", name)
            mark = model.mark()
            await self.clients("paragraph", name, text=mark)
            await self.clients("acknowledged", name)
            model.expected.add(mark)

    # Steps

    async def type(self, model):
        name, mark = self.chance.choice([*CLIENTS]), model.mark()
        await self.clients("paragraph", name, text=mark)
        if name in model.away:
            model.pending[name].add(mark)
        else:
            await self.clients("acknowledged", name)
            model.expected.add(mark)

    async def leave(self, model):
        name = self.chance.choice([*CLIENTS])
        if name not in model.away:
            await self.clients("off", name)
            model.away.add(name)

    async def come_back(self, model):
        for name in sorted(model.away):
            await self.clients("on", name)
            await self.clients("synced", name)
            await self.clients("acknowledged", name)
            model.expected |= model.pending[name]
            model.pending[name] = set()
            model.away.discard(name)

    async def append(self, model):
        mark = model.mark()
        await self.world.ask(EDIT, self.chance.choice(["ada", "ben"]), id=model.document, edit={"append": mark})
        model.expected.add(mark)

    async def replace_a_passage(self, model):
        if model.expected:
            old, mark = self.chance.choice(sorted(model.expected)), model.mark()
            passages = [{"old": old, "new": f"{old} {mark}"}]
            await self.world.ask(EDIT, "ben", id=model.document, edit={"passages": passages})
            model.expected.add(mark)

    async def import_an_update(self, model):
        mark = model.mark()
        update = from_tree(parse(mark), self.chance.randrange(1 << 20, 1 << 31))
        await self.world.ask(IMPORT, "ada", id=model.document, update=base64.b64encode(update).decode())
        model.expected.add(mark)

    async def compact(self, model):
        """Cut a version at the end of the log and compact all of it, as if days had passed."""

        def clock():
            return datetime.now(UTC) + LATER

        async with PostgresStore(url_of_running(self.data / "postgres"), readers=1, writers=1) as store:
            await cut_ended(store, VersionReader(store, runner=JOBS), clock, model.document)
            compactor = Compactor(CompactionLog(store, rows=1, from_bytes=1), JobRunner(), clock)
            while await compactor.compact(model.document):
                pass

    async def restore(self, model):
        versions = (await self.world.ask(VERSIONS, id=model.document))["document"]["versions"]["nodes"]
        if versions:
            chosen = self.chance.choice(versions)
            await self.world.ask(RESTORE, "ben", id=model.document, number=chosen["number"])
            model.expected = {*MARK.findall(chosen["markdown"])}

    async def forge(self, model):
        """Ben writes under the id of Ada's client, at the clocks at which she may have written while she was away."""
        self.forgers += 1
        name, mark = f"forger {self.forgers}", model.mark()
        await self.clients("open", name, **self.world.way(model.document, "ben", "4"))
        await self.clients("synced", name)
        await self.clients("forge", name, clientID=(await self.clients("id", "a"))["client"])
        await self.clients("paragraph", name, text=mark)
        assert 4403 in (await self.clients("closed", name))["codes"]
        await self.clients("gone", name)

    async def kill(self, model):
        await self._come_again(model, signal.SIGKILL)

    async def restart(self, model):
        await self._come_again(model, signal.SIGTERM)

    async def _come_again(self, model, order):
        await self.stop(order)
        await self.start()
        for name in CLIENTS.keys() - model.away:
            await self.clients("synced", name)

    async def check(self, model, step):
        read = await read_again(self.world, model.document)
        there = Counter(MARK.findall(read["markdown"]))
        assert there == Counter(model.expected), (step, there, model.expected)
        assert Counter(MARK.findall(str(read["prosemirrorDoc"]))) == there
        await self.clients("open", "fresh", **self.world.way(model.document, "ben", "4"))
        await self.clients("synced", "fresh")
        assert Counter(MARK.findall((await self.clients("text", "fresh"))["text"])) == there, step
        text = (await self.clients("text", "fresh"))["text"]
        await self.clients("gone", "fresh")
        for name in CLIENTS.keys() - model.away:
            await self.clients("same", name, text=text)
