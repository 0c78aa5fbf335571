"""Three people and an agent write in one document; one author's part is taken back, and everybody else's stays."""

import base64
import json
from bisect import bisect_left
from random import Random

import pytest

from computing.runner import JobRunner
from domain.questions import LogSinceOf
from persistence.compaction import CompactionLog
from service.compactor import Compactor
from tests.graphql_api.asked import UNDO, cut
from tests.support.documents.histories import World as History
from tests.support.documents.histories import fates, letters_of
from tests.support.suite.rounds import ROUNDS

pytestmark = pytest.mark.slow
RUNS = 100 * ROUNDS  # 1,000 in full
CALLERS = {("ada", None): "ada", ("ada", "bot"): "agent", ("ben", None): "ben", ("cleo", None): "grace"}
IMPORT = "mutation($id: ID!, $update: String!) { importYjsUpdate(documentId: $id, update: $update) { revision } }"
READ = """query($id: ID!) { document(id: $id) {
  markdown prosemirrorDoc item { revision } versions(first: 2) { nodes { markdown } } } }"""
ATTRIBUTIONS = """query($id: ID!, $after: Cursor) { documentAttributions(documentId: $id, first: 200, after: $after) {
  nextCursor attributions { path start end by { userId agent } } } }"""
NEW = """mutation($drive: ID!) {
  createItem(driveId: $drive, name: "Together", driveItemType: docs_workbook) { id } }"""


class Played:
    """A history whose every edit was sent to the service; `revisions` has the document's after each of them."""

    def __init__(self, world, document, chance):
        self.world, self.document, self.chance = world, document, chance
        self.history, self.revisions = History(chance), [0]
        self.compacted, self.ends = 0, []

    async def go_on(self, steps):
        for _ in range(steps):
            known = len(self.history.log)
            self.history.step()
            for each in self.history.log[known:]:
                update = base64.b64encode(each.update).decode()
                who = CALLERS[each.user_id, each.agent]
                made = await self.world.ask(who, IMPORT, id=self.document, update=update)
                self.revisions.append(made["importYjsUpdate"]["revision"])

    async def compact(self):
        """Let two days pass, and compact all that there is."""
        for _ in range(48):
            self.world.later()
        await cut(self.world, self.document)
        log = CompactionLog(self.world.ports.store, rows=1, from_bytes=1)
        while await Compactor(log, JobRunner(), self.world.ports.clock).compact(self.document):
            self.compacted = len(self.history.log)
        stored = await self.world.ports.store.read(LogSinceOf(self.document, 0))
        self.ends = [self.revisions.index(version.sequence) for version in stored.versions]

    def is_forgotten(self, came, went):
        """Whether what came and went with these edits was in no version, so that only its clocks are kept."""
        return went <= self.compacted and bisect_left(self.ends, came) == bisect_left(self.ends, went)

    async def read(self):
        found = (await self.world.ask("grace", READ, id=self.document))["document"]
        return found | {"prosemirrorDoc": json.loads(bytes(found["prosemirrorDoc"]))}

    async def authors(self, document):
        """Return the author of each letter, as the service tells them."""
        found, after = {}, None
        while True:
            page = (await self.world.ask("grace", ATTRIBUTIONS, id=self.document, after=after))["documentAttributions"]
            for each in page["attributions"]:
                node = document
                for index in each["path"]:
                    node = node["content"][index]
                units = node["text"].encode("utf-16-le")[2 * each["start"] : 2 * each["end"]]
                found |= dict.fromkeys(units.decode("utf-16-le"), (each["by"]["userId"], each["by"]["agent"]))
            after = page["nextCursor"]
            if after is None:
                return found


@pytest.mark.parametrize("seed", range(RUNS))
async def test_one_authors_part_goes_and_everybody_elses_stays(world, seed):
    chance = Random(seed)
    drive = await world.drive("grace", "Engineering")
    document = (await world.ask("grace", NEW, drive=drive))["createItem"]["id"]
    played = Played(world, document, chance)
    await played.go_on(chance.randrange(10, 30))
    if seed % 3 == 0 and played.history.log:
        await played.compact()
    await played.go_on(chance.randrange(10, 30))
    log, revisions = played.history.log, played.revisions
    since = chance.choice([0, *range(played.compacted, len(log))])
    user, agent = chance.choice(list(CALLERS))
    caller = world.callers[CALLERS[user, agent]].credit
    only = chance.choice([None, caller.agent or ""])

    def takes(number):
        each = log[number - 1]
        return number > since and each.user_id == user and only in (None, caller.agent if each.agent else "")

    before = await played.read()
    asked = {"id": document, "u": caller.user_id, "a": only, "r": revisions[since]}
    done = (await world.ask("grace", UNDO, **asked))["undoChanges"]
    after = await played.read()

    came, went = fates(log)
    wanted = {
        letter for letter, number in came.items() if not takes(number) and (letter not in went or takes(went[letter]))
    }
    old, new = letters_of(before["prosemirrorDoc"]), letters_of(after["prosemirrorDoc"])
    assert len(set(new)) == len(new)
    assert set(new) & {*came} <= wanted
    if not {"place_gone", "content_gone"} & {each["reason"] for each in done["skipped"]}:
        # Of letters in a block that somebody deleted without having seen them, nothing tells whose block it was.
        assert all(letter in went and played.is_forgotten(came[letter], went[letter]) for letter in wanted - {*new})
    assert set(old) & wanted <= set(new)  # whatever was skipped, nothing of others goes
    assert [letter for letter in new if letter in old] == [letter for letter in old if letter in new]
    credited = await played.authors(after["prosemirrorDoc"])
    assert {*credited} == {*new}
    for letter in came.keys() & credited.keys():  # letters typed into a deleted block came into sight by the undo
        author = log[came[letter] - 1]
        assert credited[letter] == identity(world, author)

    if done["revision"] == before["item"]["revision"]:
        assert after["prosemirrorDoc"] == before["prosemirrorDoc"]
        return
    assert done["changes"]
    assert [each["markdown"] for each in after["versions"]["nodes"]] == [after["markdown"], before["markdown"]]
    again = {"id": document, "u": world.callers["grace"].credit.user_id, "a": "", "r": before["item"]["revision"]}
    back = (await world.ask("ben", UNDO, **again))["undoChanges"]
    assert back["skipped"] == []
    restored = await played.read()
    assert restored["markdown"] == before["markdown"]
    assert restored["prosemirrorDoc"] == before["prosemirrorDoc"]


def identity(world, author):
    credit = world.callers[CALLERS[author.user_id, author.agent]].credit
    return credit.user_id, credit.agent
