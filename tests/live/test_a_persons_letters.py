"""A person types through a real provider while agents edit over REST: nothing that the person wrote is lost."""

import asyncio
import os
import random
import re
from collections import Counter

import httpx
import pytest

from documents.markdown_out import markdown
from documents.schema import SCHEMA
from documents.snapshot import load
from documents.tree import tree
from domain.questions import RevisionOf
from persistence.postgres.embedded import url_of_running
from persistence.store import PostgresStore

pytestmark = pytest.mark.slow
RUNS = 50 * int(os.environ.get("CODRIVE_ROUNDS", "1"))  # of each transport; 1,000 in full
SEED = int(os.environ.get("CODRIVE_SEED", "20261123"))
EDITS = 30  # of the person, in one run
ACTS = 5  # of each agent
# The person took the letter away, or wrote it again; or writes faster than the edit is computed.
REFUSED = ("PASSAGE_NOT_FOUND", "PASSAGE_AMBIGUOUS", "REVISION_CHANGED")
AGENTS = ("scribe", "scout")
PERSONS = range(0x4E00, 0x9F00)  # letters of the person, each of which is written once
AGENTS_OWN = range(0xAC00, 0xD7A0)
# The first letter of a word; an edit may write again what is within a word that it changes.
BEGINS = re.compile(rf"(?<=[ \n])[{chr(PERSONS[0])}-{chr(PERSONS[-1])}]")
ATTRIBUTIONS = (
    """query($id: ID!) { document(id: $id) { prosemirrorDoc attributions { path start end by { agent } } } }"""
)


def letters_of(node):
    """The letters of the person in a tree, in their order."""
    own = [each for each in node.get("text", "") if ord(each) in PERSONS]
    return own + [each for child in node.get("content", ()) for each in letters_of(child)]


class Agent:
    """Edits a document over REST as agents do, and remembers what it asked and which revision that made."""

    def __init__(self, name, api, document, chance, letters):
        self.name, self.api, self.document, self.chance, self.letters = name, api, document, chance, letters
        self.made = []

    def word(self):
        return "".join(next(self.letters) for _ in range(1 + self.chance.randrange(3)))

    async def read(self):
        read = (await self.api.get(f"/api/v1/documents/{self.document}")).raise_for_status().json()
        return read["markdown"], read["item"]["revision"]

    async def act(self):
        text, revision = await self.read()
        kind = self.chance.choice(["append", "passages", "insert", "insert", "rewrite", "rewrite", "rewrite"])
        if kind == "append":
            asked = {"append": f"{self.word()}\n\n- {self.word()}"}
        elif kind == "passages":
            old = self.chance.choice(BEGINS.findall(text) or ["?"])
            asked = {"passages": [{"old": old, "new": f"{self.word()} {old}"}]}
        else:
            wanted = self.inserted(text) if kind == "insert" else self.rewritten(text)
            asked = {"replace": wanted, "base": revision}
        answer = await self.api.patch(
            f"/api/v1/documents/{self.document}", json=asked, headers={"x-service-agent": self.name}
        )
        if answer.status_code == 409:
            assert answer.json()["code"] in REFUSED, answer.text
            return
        assert answer.status_code == 200, answer.text
        self.made.append((kind, revision, asked.get("replace", ""), answer.json()))

    def inserted(self, text):
        """The text with words of the agent's own before some of the person's, and without some of its own."""
        own = rf"(?<=\w )[{chr(AGENTS_OWN[0])}-{chr(AGENTS_OWN[-1])}]+ "
        kept = re.sub(own, lambda found: "" if self.chance.random() < 0.2 else found[0], text)
        return BEGINS.sub(lambda found: f"{self.word()} {found[0]}" if self.chance.random() < 0.2 else found[0], kept)

    def rewritten(self, text):
        blocks = text.strip("\n").split("\n\n")
        for _ in range(1 + self.chance.randrange(3)):
            at = self.chance.randrange(len(blocks)) if blocks else 0
            match self.chance.randrange(5) if blocks else 0:
                case 0:
                    blocks.insert(at, self.word())
                case 1:
                    del blocks[at]
                case 2:
                    blocks[at] = "# " + blocks[at].lstrip("#->* ").replace("\n", " ")
                case 3:
                    blocks[at] = "- " + blocks[at].lstrip("#->* ")
                case 4:
                    blocks.insert(self.chance.randrange(len(blocks)), blocks.pop(at))
        return "\n\n".join(blocks)


async def revisions(store, document, numbers):
    found = {}
    for number in numbers:
        state = await store.read(RevisionOf(document, number))
        found[number] = tree(load(state.snapshot, state.updates))
    return found


async def check(store, world, document, agents):
    """Compare what was there before each edit of an agent with what is there after it."""
    rewritable = set()
    for kind, base, wanted, answer in (made for agent in agents for made in agent.made):
        if not answer["changes"]:
            continue
        revision = answer["revision"]
        trees = await revisions(store, document, {base, revision - 1, revision})
        before, after = letters_of(trees[revision - 1]), letters_of(trees[revision])
        # undo may bring a letter back beside its copy; the agent may then have left out one, and the person deleted the other
        deleted = Counter(letters_of(trees[base])) - Counter(wanted) if kind == "rewrite" else Counter()
        assert Counter(before) - deleted <= Counter(after), (kind, answer, wanted, markdown(trees[base]))
        others = set(before)
        if kind == "rewrite":
            others -= set(letters_of(trees[base]))
            rewritable |= set(letters_of(trees[base]))
        assert [each for each in after if each in others] == [each for each in before if each in others], (
            kind,
            answer,
            markdown(trees[base]),
            markdown(trees[revision - 1]),
        )
        assert markdown(trees[revision]) == answer["markdown"]
    said = (await world.ask(ATTRIBUTIONS, id=document))["document"]
    for each in said["attributions"]:
        node = said["prosemirrorDoc"]
        for place in each["path"]:
            node = node["content"][place]
        units = node["text"].encode("utf-16-le")[2 * each["start"] : 2 * each["end"]].decode("utf-16-le")
        mine = [letter for letter in units if ord(letter) in PERSONS and letter not in rewritable]
        wrote = [
            (base, wanted, answer)
            for agent in agents
            for _, base, wanted, answer in agent.made
            if any(letter in change["inserted"] for change in answer["changes"] for letter in mine)
        ]
        assert not mine or each["by"]["agent"] is None, (units, each, wrote)


async def run(clients, world, store, seed):
    chance = random.Random(seed)
    document = await world.document(name=f"Run {seed}")
    name = f"person {seed}"
    await clients("open", name, **world.way(document, "ada"))
    await clients("synced", name)
    await clients("edits", name, schema=SCHEMA)
    own = iter(map(chr, AGENTS_OWN))
    async with httpx.AsyncClient(base_url=world.served.origin, headers=world.served.headers("ben"), timeout=60) as api:
        agents = [Agent(each, api, document, random.Random(f"{seed} {each}"), own) for each in AGENTS]
        letters = [f"{chr(each)} " for each in PERSONS][: 2 * EDITS]

        async def edits(agent):
            for _ in range(ACTS):
                await agent.act()

        typing = clients("person", name, times=EDITS, seed=1 + chance.randrange(1 << 30), letters=letters)
        await asyncio.gather(typing, *map(edits, agents))
    await clients("acknowledged", name)
    await check(store, world, document, agents)
    await clients("gone", name)
    return sum(len(agent.made) for agent in agents)


async def test_nothing_that_a_person_types_is_lost_to_agents_that_edit_meanwhile(clients, world, served):
    async with PostgresStore(url_of_running(served.data / "postgres"), readers=1, writers=1) as store:
        made = 0
        for number in range(RUNS):
            made += await run(clients, world, store, SEED + number)
    assert made > RUNS * len(AGENTS) * ACTS / 2
