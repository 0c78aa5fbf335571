"""People type in real editors, online, late and offline, beside agents that delete, move, retype, wrap, undo and restore.

The server is stopped or killed meanwhile, and logs are compacted. Every letter of a person that the server took is in the read, or
was deleted by somebody who saw it, or is listed as unseen. What was written into a moved block follows it, once, and stands beside
what it was written beside.
"""

import asyncio
import pickle
import random
import signal
from collections import Counter
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from computing.runner import JobRunner
from documents.tree.schema import SCHEMA
from documents.yjs.item_list import Items, text_of_item
from documents.yjs.structs import read_update
from domain.questions import LogOf
from live.version_reader import VersionReader
from persistence.compaction import CompactionLog
from persistence.postgres.embedded import url_of_running
from persistence.store import PostgresStore
from service.compactor import Compactor
from service.version_scheduler import cut_ended
from tests.live.agents import AGENTS, AGENTS_OWN, PERSONS, Agent
from tests.live.random_walk import LATER, RESTORE, VERSIONS, Walk
from tests.support.documents.histories import last_writings, letters_of
from tests.support.documents.jobs import JOBS
from tests.support.documents.logs import placed, written_by
from tests.support.live import npm
from tests.support.live.people import me
from tests.support.suite.rounds import ROUNDS, seed

pytestmark = pytest.mark.slow
TOGETHER = 10  # documents at one server
ROUNDS_OF_RUNS = 10 * ROUNDS  # 1,000 runs in full
STEPS = 20  # of each document, before the server is started again and after it
SEED = seed()
KEPT = Path(__file__).parents[2] / "build" / "moves"
WRITERS = ("ada", "ben")
KEEPER = "keeper"  # the agent that undoes and restores
UNDO = """mutation($d: ID!, $u: ID!, $a: String!, $r: Int!) {
  undoChanges(documentId: $d, userId: $u, agent: $a, sinceRevision: $r) { revision } }"""
REFUSED = {"REVISION_GONE", "REVISION_CHANGED"}  # it was compacted, or is being changed
STEPS_BY_WEIGHT = {
    "type": 30,
    "type_beside_an_agent": 14,
    "act": 14,
    "become_late": 6,
    "leave": 6,
    "come_back": 8,
    "undo": 5,
    "restore": 2,
    "compact": 3,
}


class Wrapper(Agent):
    """An agent that also puts blocks into quotes."""

    def rewritten(self, text):
        blocks = text.strip("\n").split("\n\n")
        if self.chance.random() < 0.8:
            return super().rewritten(text)
        at = self.chance.randrange(len(blocks))
        blocks[at] = "\n".join(f"> {line}" for line in blocks[at].split("\n"))
        return "\n\n".join(blocks)


class Run:
    """One document, in which two people write, and its log as it was before any of it was compacted."""

    def __init__(self, walk, clients, number):
        self.walk, self.clients, self.chance = walk, clients, random.Random(f"{SEED} {number}")
        self.names = {f"{who} {number}": who for who in WRITERS}
        self.away, self.late, self.log, self.steps = set(), set(), [], []
        self.persons, self.own = map(chr, PERSONS), map(chr, AGENTS_OWN)

    @property
    def world(self):
        return self.walk.world

    async def begin(self):
        self.document = await self.world.document()
        self.agents = [
            Wrapper(each, None, self.document, random.Random(self.chance.random()), self.own) for each in AGENTS
        ]
        self.come_to_server()
        await self.agents[0].api.patch(self.path, json={"append": "\n\n".join(self.words() for _ in range(5))})
        for name, who in self.names.items():
            client = self.chance.choice((*npm.HOCUSPOCUS, "y"))
            await self.clients("open", name, **self.world.way(self.document, who, client))
            await self.clients("synced", name)
            await self.clients("edits", name, schema=SCHEMA)

    def come_to_server(self):
        for agent in self.agents:
            agent.api = self.world.api["ben"]

    @property
    def path(self):
        return f"/api/v1/documents/{self.document}"

    def words(self):
        return " ".join("".join(next(self.own) for _ in range(3)) for _ in range(4))

    def one(self):
        return self.chance.choice([*self.names])

    # Steps

    async def go(self):
        for step in self.chance.choices([*STEPS_BY_WEIGHT], [*STEPS_BY_WEIGHT.values()], k=STEPS):
            self.steps.append(step)
            await getattr(self, step)()

    async def type(self):
        letters = [f"{next(self.persons)}{self.chance.choice(['', ' '])}" for _ in range(4)]
        seed_ = 1 + self.chance.randrange(1 << 30)
        await self.clients("person", self.one(), times=1 + self.chance.randrange(4), seed=seed_, letters=letters)

    async def act(self):
        await self.chance.choice(self.agents).act()

    async def type_beside_an_agent(self):
        await asyncio.gather(self.type(), self.act(), self.type())

    async def become_late(self):
        name = self.one()
        if name not in self.away | self.late:
            self.late.add(name)
            await self.clients("deaf", name)

    async def leave(self):
        name = self.one()
        await self.hear(name)
        if name not in self.away:
            self.away.add(name)
            await self.clients("off", name)

    async def come_back(self):
        for name in self.names:
            await self.hear(name)
        for name in sorted(self.away):
            await self.clients("on", name)
            await self.clients("synced", name)
            await self.clients("acknowledged", name)
            self.away.discard(name)

    async def hear(self, name):
        if name in self.late:
            self.late.discard(name)
            await self.clients("hears", name)

    async def undo(self):
        who, agent = self.chance.choice([("ben", AGENTS[0]), ("ada", ""), ("ben", "")])
        revision = (await self.world.read(self.document))["item"]["revision"]
        since = max(0, revision - self.chance.randrange(30))
        await self.keep(UNDO, d=self.document, u=await me(self.world, who), a=agent, r=since)

    async def restore(self):
        versions = (await self.world.ask(VERSIONS, id=self.document))["document"]["versions"]["nodes"]
        if versions:
            await self.keep(RESTORE, id=self.document, number=self.chance.choice(versions)["number"])

    async def keep(self, query, **variables):
        asked = {"query": query, "variables": variables}
        answer = (await self.world.api["ben"].post("/graphql", json=asked, headers={"x-service-agent": KEEPER})).json()
        assert {each["extensions"]["code"] for each in answer.get("errors", ())} <= REFUSED, answer

    async def compact(self):
        """Cut a version at the end of the log and compact all of it, as if days had passed."""

        def clock():
            return datetime.now(UTC) + LATER

        async with PostgresStore(url_of_running(self.walk.data / "postgres"), readers=1, writers=1) as store:
            await cut_ended(store, VersionReader(store, runner=JOBS), clock, self.document)
            await self.note(store)
            compactor = Compactor(CompactionLog(store, rows=1, from_bytes=1), JobRunner(), clock)
            while await compactor.compact(self.document):
                pass

    async def note(self, store):
        """Keep what was added to the log."""
        stored = await store.read(LogOf(self.document, after=len(self.log)))
        begun = stored.sequence - len(stored.log)
        assert begun <= len(self.log)
        self.log += stored.log[len(self.log) - begun :]

    async def after_start(self):
        self.come_to_server()
        for name in self.names.keys() - self.away:
            await self.clients("synced", name)

    # What is asked of it in the end

    async def end(self):
        await self.come_back()
        await npm.settled(self.clients, self.names, "end", partial(self.world.followed, self.document))
        read = await self.world.read(self.document)
        for name in self.names:
            there = (await self.clients("differs", name, tree=read["prosemirrorDoc"]))["there"]
            assert there is None, "\n".join(there)
        async with PostgresStore(url_of_running(self.walk.data / "postgres"), readers=1, writers=1) as store:
            await self.note(store)
        self.check({*letters_of(read["prosemirrorDoc"])}, await self.unseen())
        for name in self.names:
            await self.clients("gone", name)

    async def write_log(self):
        """Write the log, in which what failed can be looked at: it seldom happens again. `build/moves/` has it, pickled."""
        async with PostgresStore(url_of_running(self.walk.data / "postgres"), readers=1, writers=1) as store:
            await self.note(store)
        KEPT.mkdir(parents=True, exist_ok=True)
        read = await self.world.read(self.document)
        (KEPT / f"{SEED}-{self.document}.pickle").write_bytes(pickle.dumps((self.log, self.steps, read)))

    async def unseen(self):
        """All the letters that are listed as unseen, page by page."""
        found, cursor = set(), None
        while True:
            asked = {"cursor": cursor} if cursor else {}
            page = (await self.world.api["ada"].get(f"{self.path}/changes", params=asked)).raise_for_status().json()
            found |= {letter for each in page["changes"] for lost in each["unseen"] for letter in lost["text"]}
            cursor = page["nextCursor"]
            if cursor is None:
                return found

    def check(self, there, listed):
        written, deleted = last_writings(self.log)
        letters = {letter for letter in written if ord(letter) in PERSONS}
        told = self.document, self.steps
        assert letters - there - deleted <= listed, (letters - there - deleted - listed, told)
        # What an editor wrote twice may be there and unseen.
        times = Counter(letter for each in self.log if not is_brought(each) for letter in written_by(each))
        once = {letter for letter in letters if times[letter] == 1}
        assert there.isdisjoint(listed & once), (there & listed & once, told)
        clients = [{*read_update(each.update).runs} for each in self.log if is_brought(each)]
        assert len(set().union(*clients)) == len(clients)
        for at, each in enumerate(self.log):
            if is_brought(each):
                check_brought(self.log[:at], each, told)


def is_brought(logged):
    """Whether an edit is one of the server, by which letters follow what was moved: it has copies, and nobody undid anything."""
    return logged.copied is not None and logged.agent != KEEPER


def check_brought(log, logged, told):
    """Check that letters come that were in no read, and moves none, and that each stands beside what it was written beside."""
    updates = [each.update for each in log]
    before, after = placed(updates), placed([*updates, logged.update])
    known = {*before}
    assert [each for each in after if each in known] == before, told
    came = [at for at, each in enumerate(after) if each not in known]
    times = Counter(letter for each in log if not is_brought(each) for letter in written_by(each))
    assert came, told
    # each letter as often at most as it was written: what an editor wrote twice may come twice
    letters = Counter(letter for letter, _ in after if letter.isalpha())
    assert letters <= times, (letters - times, told)
    beside = neighbours(updates)
    runs = []
    for at in came:
        if runs and runs[-1][-1] == at - 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    for run in runs:
        wanted = set().union(*(beside.get(after[at][0], set()) for at in run))
        edges = [*after[max(0, run[0] - 1) : run[0]], *after[run[-1] + 1 : run[-1] + 2]]
        assert wanted.intersection(letter for letter, _ in edges), (after, run, told)


def neighbours(updates):
    """By each letter, the letters of all the texts in which it ever stood, deleted ones too."""
    items = Items()
    for update in updates:
        items.add(read_update(update))
    found, waiting = {}, [*items.roots.values()]
    while waiting:
        branch = waiting.pop()
        said = {letter for item in branch for letter in text_of_item(item)}
        for letter in said:
            found[letter] = found.get(letter, set()) | said
        waiting += [item.branch for item in branch if item.branch]
    return found


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("moves") / "data"


@pytest.mark.parametrize("number", range(ROUNDS_OF_RUNS))
async def test_every_letter_is_there_or_deleted_by_who_saw_it_or_listed_and_follows_once(data, clients, number):
    walk = Walk(data, clients, random.Random(f"{SEED} {number}"))
    await walk.start()
    try:
        runs = [Run(walk, clients, TOGETHER * number + each) for each in range(TOGETHER)]
        await asyncio.gather(*(run.begin() for run in runs))
        await asyncio.gather(*(run.go() for run in runs))
        for run in runs:
            for name in run.names:
                await run.hear(name)
        await walk.stop(walk.chance.choice([signal.SIGKILL, signal.SIGTERM]))
        await walk.start()
        await asyncio.gather(*(run.after_start() for run in runs))
        await asyncio.gather(*(run.go() for run in runs))
        for run in runs:
            try:
                await run.end()
            except AssertionError:
                await run.write_log()
                raise
    finally:
        await walk.stop(signal.SIGTERM)
