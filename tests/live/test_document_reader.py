"""Documents read from stored updates alone: what is kept, what is read anew, what may not be added."""

import asyncio
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime

import msgspec
import pytest
from pycrdt import Doc, Text, XmlElement, XmlFragment, XmlText

from documents.editing.edit import Append, Edit, EditRequest, Passage, Passages, Whole
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree
from documents.tree.tree import tree
from documents.yjs.scan import IMPORT
from documents.yjs.snapshot import load
from domain.credit import Credit
from domain.document import WRITTEN_MEANWHILE, Computed, DocumentLog, DocumentLogSince, DocumentState, LoggedUpdate
from domain.errors import BudgetSpent, Code, Rejection
from domain.questions import LogOf, LogSinceOf, Question, StateOf
from live.document_reader import DocumentReader
from tests.support.documents.encoding import miscounted
from tests.support.documents.jobs import JOBS, with_budget_spent

NOW = datetime(2026, 11, 22, tzinfo=UTC)
ADA, BEN = Credit("ada", "Ada"), Credit("ben", "Ben")


@dataclass
class Log:
    """The updates of one document, counting how often they are read."""

    updates: list[bytes] = field(default_factory=list)
    reads: int = 0

    async def read(self, question: Question) -> DocumentState | DocumentLog | DocumentLogSince:
        if isinstance(question, LogOf):
            logged = [LoggedUpdate(update, "ada", None, NOW) for update in self.updates]
            return DocumentLog(None, None, tuple(logged), len(logged))
        if isinstance(question, LogSinceOf):
            logged = [LoggedUpdate(update, "ada", None, NOW) for update in self.updates]
            at = question.revision
            return DocumentLogSince(at, tuple(self.updates[:at]), (), tuple(logged[at:]), None)
        assert isinstance(question, StateOf)
        self.reads += 1
        updates = self.updates[: question.sequence]
        return DocumentState(None, tuple(updates[question.after :]), len(updates))


def written(markdown: str, client: int = 1) -> bytes:
    return from_tree(parse(markdown), client)


async def test_an_empty_document_is_an_empty_tree_and_no_markdown():
    read = await DocumentReader(Log(), runner=JOBS).read("d", 0)
    assert msgspec.json.decode(read.tree) == {"type": "doc", "content": []}
    assert read.markdown == ""


async def test_both_projections_come_from_the_same_number():
    log = Log([written("# One"), written("Two", client=2)])
    documents = DocumentReader(log, runner=JOBS)
    assert (await documents.read("d", 1)).markdown == "# One\n"
    later = await documents.read("d", 2)
    assert "Two" in later.markdown
    assert b"Two" in bytes(later.tree)


async def test_a_document_that_has_not_changed_is_not_read_again():
    log = Log([written("# One")])
    documents = DocumentReader(log, runner=JOBS)
    first, second = await documents.read("d", 1), await documents.read("d", 1)
    assert first is second
    assert log.reads == 1


async def test_those_who_read_at_once_share_one_reading_and_its_failure():
    log = Log([written("# One"), b"broken"])
    documents = DocumentReader(log, runner=JOBS)
    first, second = await asyncio.gather(documents.read("d", 1), documents.read("d", 1))
    assert first is second
    assert log.reads == 1
    for failure in await asyncio.gather(*(documents.read("d", 2) for _ in range(2)), return_exceptions=True):
        assert isinstance(failure, RuntimeError)
    assert log.reads == 2


async def test_what_is_kept_is_bounded_and_the_oldest_goes():
    log = Log([written("x" * 300)])
    documents = DocumentReader(log, answer_bytes=2_600, runner=JOBS)
    for name in ("a", "b", "c", "d", "e", "a"):
        await documents.read(name, 1)
    assert log.reads == 6


async def test_what_nobody_has_read_between_two_turns_is_let_go_of_and_nothing_else():
    log = Log([written("# One")])
    documents = DocumentReader(log, runner=JOBS)
    await documents.read("d", 1)
    log.updates.append(written("Two", client=2))
    followed = await documents.read("d", 2)
    for _ in range(3):
        await documents.turn()
        assert await documents.read("d", 2) is followed
    log.updates[0] = b"broken"
    await documents.turn()
    await documents.turn()
    with pytest.raises(RuntimeError):
        await documents.read("d", 2)


async def test_of_a_document_that_was_read_before_only_what_came_since_is_read():
    log = Log([written("# One")])
    documents = DocumentReader(log, runner=JOBS)
    await documents.read("d", 1)
    for number in (2, 3, 4):  # from the second on it is followed
        log.updates[: max(0, number - 2)] = [b"not read again"] * max(0, number - 2)
        log.updates.append(written(f"paragraph {number}", client=number))
        assert f"paragraph {number}" in (await documents.read("d", number)).markdown
    assert (await documents.read("d", 4)).markdown.startswith("# One\n")


async def test_an_older_number_is_still_answered_as_it_was_and_the_newer_one_stays():
    log = Log([written("# One"), written("Two", client=2)])
    documents = DocumentReader(log, runner=JOBS)
    newer = await documents.read("d", 2)
    assert (await documents.read("d", 1)).markdown == "# One\n"
    assert await documents.read("d", 2) is newer


async def test_a_document_that_did_not_go_on_as_its_updates_say_is_read_again_from_the_log():
    *begun, last = miscounted()
    log = Log(begun)
    documents = DocumentReader(log, runner=JOBS)
    await documents.read("d", 1)
    await documents.read("d", 2)
    log.updates.append(last)
    read = await documents.read("d", 3)
    assert read == await DocumentReader(log, runner=JOBS).read("d", 3)


async def test_what_came_broken_is_not_in_what_is_read_later():
    log = Log([written("# One")])
    documents = DocumentReader(log, runner=JOBS)
    await documents.read("d", 1)
    log.updates += [written("Two", client=2), b"broken"]
    with pytest.raises(RuntimeError):
        await documents.read("d", 3)
    log.updates[2] = written("Three", client=3)
    assert sorted((await documents.read("d", 3)).markdown.split()) == ["#", "One", "Three", "Two"]


async def test_a_document_too_large_to_be_kept_is_read_anew_and_the_same():
    log = Log([written("# One")])
    small, large = DocumentReader(log, 100, 100, runner=JOBS), DocumentReader(log, runner=JOBS)
    for number in range(1, 5):
        assert await small.read("d", number) == await large.read("d", number)
        log.updates.append(written(f"paragraph {number}", client=number + 1))


async def test_reads_of_many_numbers_at_once_each_get_theirs():
    log = Log([written(f"paragraph {number}", client=number + 1) for number in range(8)])
    documents = DocumentReader(log, runner=JOBS)
    numbers = [3, 1, 8, 5, 8, 2, 4]
    answers = await asyncio.gather(*(documents.read("d", number) for number in numbers))
    assert [answer.markdown.count("paragraph") for answer in answers] == numbers


async def test_a_large_document_is_projected_beside_the_loop():
    log = Log([written("word " * 20_000)])
    beside = asyncio.create_task(DocumentReader(log, runner=JOBS).read("d", 1))
    assert "word" in (await beside).markdown


def nested(depth: int) -> bytes:
    document = Doc(client_id=7)
    parent = document.get("default", type=XmlFragment)
    for _ in range(depth):
        parent = parent.children.append(XmlElement("blockquote"))
    parent.children.append(XmlText("deep"))
    return document.get_update()


def unrelated() -> bytes:
    document = Doc(client_id=9)
    text = document.get("text", type=Text)
    text += "first"
    state = document.get_state()
    text += " second"
    return document.get_update(state)


@pytest.mark.parametrize(
    "update",
    [b"", b"\x00", b"not an update", nested(150), unrelated(), b"\x01" * 40],
    ids=lambda update: update[:8].hex(),
)
async def test_an_update_that_is_broken_too_deep_or_not_whole_is_refused(update: bytes):
    log = Log([written("# One")])
    refused = await DocumentReader(log, runner=JOBS).imported("d", update, ADA)
    assert isinstance(refused, Rejection)
    assert refused.code is Code.BAD_REQUEST
    assert refused.message.startswith("`update` is refused: ")


async def test_a_sound_update_may_be_added():
    log = Log([written("# One")])
    update = written("Two", client=2)
    made = await DocumentReader(log, runner=JOBS).imported("d", update, ADA)
    assert isinstance(made, Computed)
    assert (made.update, made.sequence) == (update, 1)


def typed(document: Doc, text: str) -> bytes:
    state = document.get_state()
    document.get("default", type=XmlFragment).children.append(XmlElement("paragraph", contents=[XmlText(text)]))
    return document.get_update(state)


async def test_nobody_goes_on_with_a_client_of_somebody_else_and_everybody_may_bring_those_that_are_unknown():
    client = Doc(client_id=7)
    log = Log([typed(client, "ada's")])
    documents = DocumentReader(log, runner=JOBS)
    more = typed(client, "more")
    refused = await documents.imported("d", more, BEN)
    assert isinstance(refused, Rejection)
    assert refused.code is Code.FORBIDDEN
    assert "`7`" in refused.message
    assert isinstance(await documents.imported("d", more, ADA), Computed)
    agents = await documents.imported("d", more, Credit("ada", "Ada", "scribe"))
    assert isinstance(agents, Rejection)
    assert isinstance(await documents.imported("d", typed(Doc(client_id=8), "from elsewhere"), BEN), Computed)
    assert isinstance(await documents.imported("d", log.updates[0], BEN), Computed)


async def test_what_a_document_has_of_a_client_may_not_be_said_otherwise_even_by_whoever_wrote_it():
    log = Log([typed(Doc(client_id=7), "as it was")])
    for by in (ADA, BEN):
        refused = await DocumentReader(log, runner=JOBS).imported("d", typed(Doc(client_id=7), "as it is"), by)
        assert isinstance(refused, Rejection)
        assert refused.code is Code.FORBIDDEN


async def computed(documents, *asked):
    """Return the update that an edit makes, without what is told of it."""
    made = await documents.edited(*asked)
    return made if isinstance(made, Rejection) else made.computed


async def test_edits_over_the_api_and_restores_are_written_under_clients_that_are_nobodys_yet():
    log = Log([written("# One")])
    documents = DocumentReader(log, runner=JOBS)
    for number in range(3):
        made = await computed(documents, "d", EditRequest(Append(f"paragraph {number}")), ADA)
        assert isinstance(made, Computed)
        assert isinstance(await documents.imported("d", made.update, BEN), Computed)
        log.updates.append(made.update)


async def test_whose_a_client_is_that_somebody_began_to_write_under_meanwhile_is_looked_at_again():
    log = Log()
    documents = DocumentReader(log, runner=JOBS)
    brought = await documents.imported("d", typed(Doc(client_id=7), "brought"), BEN)
    beside = await documents.imported("d", typed(Doc(client_id=8), "beside"), BEN)
    assert isinstance(brought, Computed)
    assert isinstance(beside, Computed)
    log.updates.append(typed(Doc(client_id=7), "typed"))
    assert isinstance(await documents.bytes_added_since("d", beside, BEN, log, beside.sequence + 1), int)
    refused = await documents.bytes_added_since("d", brought, BEN, log, brought.sequence + 1)
    assert isinstance(refused, Rejection)
    assert refused.code is Code.FORBIDDEN
    log.updates[0] = brought.update
    assert (
        await documents.bytes_added_since("d", brought, ADA, log, brought.sequence + 1) is WRITTEN_MEANWHILE
    )  # and computed again, it adds nothing
    again = await documents.imported("d", brought.update, ADA)
    assert isinstance(again, Computed)
    assert again.update == b""


async def test_an_edit_is_an_update_that_may_be_added_and_none_where_nothing_changes():
    log = Log([written("# One\n\ntwo")])
    documents = DocumentReader(log, runner=JOBS)
    made = await computed(documents, "d", EditRequest(Passages((Passage("two", "2"),))), ADA)
    assert isinstance(made, Computed)
    assert isinstance(await documents.imported("d", made.update, ADA), Computed)
    log.updates.append(made.update)
    assert (await documents.read("d", 2)).markdown == "# One\n\n2\n"
    nothing = await computed(documents, "d", EditRequest(Whole("# One\n\n2")), ADA)
    assert isinstance(nothing, Computed)
    assert nothing.update == b""


async def test_an_edit_fits_a_document_that_others_went_on_with_until_that_is_full():
    log = Log([written("# One")])
    documents = DocumentReader(log, runner=JOBS)
    made = await computed(documents, "d", EditRequest(Append("two")), ADA)
    assert isinstance(made, Computed)
    log.updates.append(written("Three", client=3))
    assert isinstance(await documents.bytes_added_since("d", made, ADA, log, made.sequence + 1), int)
    log.updates.append(bytes(IMPORT.size))
    refused = await documents.bytes_added_since("d", made, ADA, log, made.sequence + 1)
    assert isinstance(refused, Rejection)
    assert refused.code is Code.LIMIT_EXCEEDED


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (Passages((Passage("three", "3"),)), Code.PASSAGE_NOT_FOUND),
        (Passages((Passage("\n", "3"),)), Code.PASSAGE_AMBIGUOUS),
        (Append("> " * 120 + "deep"), Code.BAD_REQUEST),
    ],
)
async def test_an_edit_that_does_not_fit_is_refused(wanted: Edit, code: Code):
    log = Log([written("# One\n\ntwo")])
    refused = await computed(DocumentReader(log, runner=JOBS), "d", EditRequest(wanted), ADA)
    assert isinstance(refused, Rejection)
    assert refused.code is code


async def test_an_edit_whose_deleted_block_somebody_began_to_write_in_is_not_added():
    log = Log([written("One\n\ntwo")])
    documents = DocumentReader(log, runner=JOBS)
    deletes = await computed(documents, "d", EditRequest(Whole("two")), ADA)
    shortens = await computed(documents, "d", EditRequest(Whole("O\n\ntwo")), ADA)
    assert isinstance(deletes, Computed)
    assert isinstance(shortens, Computed)
    assert (deletes.deletes_nodes, shortens.deletes_nodes) == (True, False)
    doc = Doc(client_id=9)
    doc.apply_update(log.updates[0])
    before = doc.get_state()
    doc.get("default", type=XmlFragment).children[0].children[0].insert(3, " by hand")
    log.updates.append(doc.get_update(before))
    assert await documents.bytes_added_since("d", deletes, ADA, log, deletes.sequence + 1) is WRITTEN_MEANWHILE
    assert isinstance(await documents.bytes_added_since("d", shortens, ADA, log, shortens.sequence + 1), int)


async def test_an_edit_that_moves_letters_into_a_block_that_somebody_deleted_is_not_added():
    log = Log([written("one and\n\nanother")])
    documents = DocumentReader(log, runner=JOBS)
    made = await computed(documents, "d", EditRequest(Whole("one and another")), ADA)
    assert isinstance(made, Computed)
    doc = Doc(client_id=9)
    doc.apply_update(log.updates[0])
    before = doc.get_state()
    del doc.get("default", type=XmlFragment).children[1]
    log.updates.append(doc.get_update(before))
    told = await documents.bytes_added_since("d", made, ADA, log, made.sequence + 1)
    lost = "one and" not in markdown(tree(load(None, [*log.updates, made.update])))
    assert (lost, told) == (True, WRITTEN_MEANWHILE)


async def test_an_edit_that_deletes_letters_alone_and_writes_them_into_a_list_that_somebody_deleted_is_not_added():
    first = written("a b c d e f g h\n\n- three")
    doc = Doc(client_id=9)
    doc.apply_update(first)
    root = doc.get("default", type=XmlFragment)
    log = Log([first])
    documents = DocumentReader(log, runner=JOBS)
    made = await computed(documents, "d", EditRequest(Whole("e f g h\n\n- a b c d\n- three"), base=1), ADA)
    assert isinstance(made, Computed)
    assert not made.deletes_nodes
    before = doc.get_state()
    del root.children[1]
    log.updates.append(doc.get_update(before))
    told = await documents.bytes_added_since("d", made, ADA, log, made.sequence + 1)
    lost = "a b" not in markdown(tree(load(None, [*log.updates, made.update])))
    assert (lost, told) == (True, WRITTEN_MEANWHILE)


async def test_what_is_written_beside_deleted_letters_of_an_emptied_block_counts_as_written_in_it():
    doc = Doc(client_id=9)
    doc.apply_update(written("- One\n\ntwo"))
    text = doc.get("default", type=XmlFragment).children[0].children[0].children[0].children[0]
    del text[0:3]  # what is typed next stands beside what is deleted already, and names no more than that
    log = Log([doc.get_update()])
    documents = DocumentReader(log, runner=JOBS)
    made = await computed(documents, "d", EditRequest(Whole("two")), ADA)
    assert isinstance(made, Computed)
    before = doc.get_state()
    text.insert(0, "by hand")
    log.updates.append(doc.get_update(before))
    told = await documents.bytes_added_since("d", made, ADA, log, made.sequence + 1)
    lost = "by hand" not in markdown(tree(load(None, [*log.updates, made.update])))
    assert (lost, told) == (True, WRITTEN_MEANWHILE)


def test_a_chart_begins_with_one_and_a_document_with_nothing():
    documents = DocumentReader(Log(), runner=JOBS)
    chart = documents.first_update("viz_workbook")
    assert chart == documents.first_update("viz_workbook")
    assert b"vega-lite" in (chart or b"")
    assert documents.first_update("docs_workbook") is None


async def test_the_first_chart_shows_its_months_in_the_order_of_its_data():
    started = DocumentReader(Log(), runner=JOBS).first_update("viz_workbook")
    read = await DocumentReader(Log([started]), runner=JOBS).read("d", 1)
    chart = json.loads(json.loads(bytes(read.tree))["content"][0]["content"][0]["text"])
    assert [each["month"] for each in chart["data"]["values"]] == ["Jan", "Feb", "Mar"]
    assert chart["encoding"]["x"] == {"field": "month", "sort": None}, "without `sort` Vega-Lite sorts by the alphabet"


async def test_those_who_share_a_read_are_refused_with_one_look_at_the_log_unless_another_can_pay():
    log = Log([written("# One")])
    documents = DocumentReader(log, runner=with_budget_spent(ADA))
    asked = await asyncio.gather(
        *[documents.read("d", 1, by) for by in (ADA, ADA, ADA, BEN, ADA)], return_exceptions=True
    )
    refused = [asked[at] for at in (0, 1, 2, 4)]
    assert [type(each) for each in refused] == [BudgetSpent] * 4
    assert asked[3].markdown == "# One\n"
    assert log.reads == 2
