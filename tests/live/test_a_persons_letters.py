"""A person types through a real provider while agents edit over REST: nothing that the person wrote is lost."""

import asyncio
import json
import random
import re
from collections import Counter
from itertools import combinations

from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.tree.schema import SCHEMA
from documents.tree.tree import text_of, tree
from documents.yjs.snapshot import load
from domain.questions import LogOf, RevisionOf
from persistence.store import PostgresStore
from tests.live.agents import AGENTS, AGENTS_OWN, PERSONS, Agent
from tests.support.documents.logs import placed, written_by
from tests.support.processes.servers import async_http
from tests.support.suite.rounds import ROUNDS, seed

RUNS = 10 if ROUNDS == 1 else 50 * ROUNDS  # of each transport; 1,000 in full
SEED = seed()
EDITS = 30  # of the person, in one run
ACTS = 5  # of each agent
ATTRIBUTIONS = (
    """query($id: ID!) { document(id: $id) { prosemirrorDoc attributions { path start end by { agent } } } }"""
)


class Revision:
    """A document as it was: its tree, and its characters and letters in their order, each with the id under which Yjs has it."""

    def __init__(self, state):
        updates = [each for each in (state.snapshot, *state.updates) if each]
        self.tree = tree(load(None, updates))
        self.characters = [*placed(updates)]
        self.placed = [each for each in self.characters if each[0].isalpha()]
        self.letters = [letter for letter, _ in self.placed]


def persons(letters):
    return [each for each in letters if ord(each) in PERSONS]


def steady(base, wanted):
    """The letters of the blocks that an edit leaves alone: they are in both texts once, and none of these is moved over them.

    Of equal blocks, such as empty ones, nobody can say which is moved over which.
    """
    texts = [[json.dumps(block) for block in parse(text)["content"]] for text in (base, wanted)]
    if any(len(set(text)) < len(text) for text in texts):
        return set()
    common = [each for each in texts[0] if all(text.count(each) == 1 for text in texts)]
    before, after = ({each: text.index(each) for each in common} for text in texts)
    return {
        letter
        for one in common
        if all((before[one] < before[other]) == (after[one] < after[other]) for other in common)
        for letter in text_of(json.loads(one))
    }


def split_off(made, trees):
    """The letters of a word into which the edit puts a space: letters stay only in one word of those that one becomes.

    The agent read a word that began there, and the person has joined it to the one before it since, and may have split it again
    while the edit was computed. In Markdown, the signs of a mark may stand between the two.
    """
    pieces = [re.compile(rf"\w+{re.escape(each['old'])}\w*") for each in made.asked.get("passages", ())]
    found = [piece.search(text) for piece in pieces for tree in trees for text in texts_of(tree)]
    return {letter for each in found if each for letter in each[0]}


def texts_of(node):
    """The text of each block in a tree."""
    if any(child["type"] == "text" for child in node.get("content", ())):
        return [text_of(node)]
    return [text for child in node.get("content", ()) for text in texts_of(child)]


def check_edit(made, base, meanwhile, before, after):
    """Check what an agent's edit did to the letters that were there, and return those of the person that it wrote again.

    `meanwhile` are the trees from which it may have been computed.

    A block that is retyped or moved is deleted and written again, so that the agent gets the credit of its letters: that is
    how Yjs does both. Only of blocks for which the agent asked that, and in which nobody wrote since it read them.
    """
    told = (made, markdown(base.tree), markdown(before.tree), markdown(after.tree))
    wanted = made.wanted
    # Undo may bring a letter back beside its copy: the agent may then have left out one, and the person deleted the other.
    left_out = Counter() if wanted is None else Counter(base.letters) - Counter(wanted)
    assert Counter(persons(before.letters)) - left_out <= Counter(after.letters), told
    assert Counter(after.letters) - Counter(before.letters) <= Counter(made.words), told

    known, stays = {*before.placed}, {*after.placed}
    assert [each for each in after.placed if each in known] == [each for each in before.placed if each in stays], told
    again = {letter for letter, _ in stays - known if ord(letter) in PERSONS}
    if wanted is None:
        assert again <= split_off(made, meanwhile), told
        return again
    single = {letter for letter, count in Counter(base.letters).items() if count == 1}
    assert again <= {*base.letters} - (steady(markdown(base.tree), wanted) & single), told
    assert made.kind != "refuse" or not made.answer["kept"], told
    if base is not before:
        return again  # what others retyped meanwhile stands where Yjs puts it beside what the agent did
    once = [
        each
        for each in persons(before.letters)
        if all(of.count(each) == 1 for of in (before.letters, after.letters, wanted))
    ]
    for one, other in combinations(once, 2):
        if {one, other} & again and wanted.index(one) < wanted.index(other):
            assert after.letters.index(one) < after.letters.index(other), told
    return again


def check_brought(before, after, log):
    """Check that an edit of the server, by which text follows what was moved, brings letters that were nowhere, and moves none.

    Of what the person typed, a space alone may be left to follow. What an editor wrote again, as in a block that it splits, is
    another letter to Yjs than the one that was moved: both are there. `log` is what others wrote before.
    """
    times = Counter(letter for each in log for letter in written_by(each))
    known = {*before.placed}
    assert [each for each in after.placed if each in known] == before.placed
    came = [letter for letter, name in after.placed if (letter, name) not in known]
    assert {*after.characters} - {*before.characters}
    there = {letter for letter in before.letters if times[letter] == 1}
    assert len({*came}) == len(came), (came, markdown(before.tree))
    assert there.isdisjoint(came), (came, markdown(before.tree))


async def check(store, world, document, agents):
    """Compare what was there before each edit of an agent, and of the server, with what is there after it."""
    known = {}

    async def at(number):
        if number not in known:
            known[number] = Revision(await store.read(RevisionOf(document, number)))
        return known[number]

    stored = await store.read(LogOf(document))
    written_again = set()
    begun = stored.sequence - len(stored.log) + 1
    brought = {number for number, each in enumerate(stored.log, begun) if each.copied is not None}
    for number in brought:
        log = [each for at_, each in enumerate(stored.log, begun) if at_ < number and at_ not in brought]
        check_brought(await at(number - 1), await at(number), log)
    for agent in agents:
        written = {
            each.answer["revision"]: each for each in sorted(agent.made, key=lambda each: bool(each.answer["changes"]))
        }
        logged = {number for number, each in enumerate(stored.log, begun) if each.agent == agent.name} - brought
        # Nothing of what was refused or only tried; and what changes nothing that is told may be no edit.
        assert {number for number, each in written.items() if each.answer["changes"]} <= logged <= {*written}
        for made in (written[number] for number in logged):
            revision = made.answer["revision"]
            before, after = await at(revision - 1), await at(revision)
            meanwhile = [(await at(number)).tree for number in range(made.base, revision) if made.wanted is None]
            written_again |= check_edit(made, await at(made.base), meanwhile, before, after)
            assert markdown(after.tree) == made.answer["markdown"]
        for made in agent.tried:
            before, after = (await at(made.answer["revision"])).letters, persons(made.answer["markdown"])
            left_out = (
                Counter((await at(made.base)).letters) - Counter(made.wanted) if made.wanted is not None else Counter()
            )
            assert Counter(persons(before)) - left_out <= Counter(after) <= Counter(before), made
    said = (await world.ask(ATTRIBUTIONS, id=document))["document"]
    for each in said["attributions"]:
        node = said["prosemirrorDoc"]
        for place in each["path"]:
            node = node["content"][place]
        units = node["text"].encode("utf-16-le")[2 * each["start"] : 2 * each["end"]].decode("utf-16-le")
        mine = {*persons(units)} - written_again
        assert not mine or each["by"]["agent"] is None, (units, each, [agent.made for agent in agents])


async def run(clients, world, store, seed):
    chance = random.Random(seed)
    document = await world.document(name=f"Run {seed}")
    name = f"person {seed}"
    await clients("open", name, **world.way(document, "ada"))
    await clients("synced", name)
    await clients("edits", name, schema=SCHEMA)
    own = iter(map(chr, AGENTS_OWN))
    async with async_http(world.served.origin, headers=world.served.headers("ben")) as api:
        agents = [Agent(each, api, document, random.Random(f"{seed} {each}"), own) for each in AGENTS]
        letters = [f"{chr(each)} " for each in PERSONS][: 2 * EDITS]

        async def edits(agent):
            for _ in range(ACTS):
                await agent.act()

        typing = clients("person", name, times=EDITS, seed=1 + chance.randrange(1 << 30), letters=letters)
        await asyncio.gather(typing, *map(edits, agents))
    await clients("acknowledged", name)
    await world.followed(document)
    await check(store, world, document, agents)
    await clients("gone", name)
    return sum(len(agent.made) + agent.refused for agent in agents)


async def test_nothing_that_a_person_types_is_lost_to_agents_that_edit_meanwhile(clients, world, served):
    async with PostgresStore(served.database, readers=1, writers=1) as store:
        asked = 0
        for number in range(RUNS):
            asked += await run(clients, world, store, SEED + number)
    assert asked > RUNS * len(AGENTS) * ACTS / 2  # whether one is made or refused depends on who comes first
