"""Rooms without sockets: what each connection is sent, when, and what happens when the log takes nothing."""

import asyncio
import gc as garbage
import json
import random
from contextlib import aclosing
from dataclasses import dataclass, replace
from weakref import ref

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from computing.runner import JobRunner
from documents.admission.known_clocks import contradicts
from documents.markdown.markdown_in import parse
from documents.projection.projection import project
from documents.tree.build import from_tree
from documents.tree.tree import depth
from documents.yjs.lib0 import Decoder, uint
from documents.yjs.scan import IMPORT, Refused, scan
from documents.yjs.slices import MAX_PARTS
from documents.yjs.snapshot import encode_state, load
from documents.yjs.structs import read_struct
from domain.credit import Credit
from domain.document import DocumentLog, LoggedUpdate
from domain.errors import Unavailable
from live import codec
from live.client_ids import MAX_SHOWN
from live.commit_queue import AUDIT_INTERVAL
from live.document_reader import slices_of
from live.group_commit import EditAuthor
from live.live_document import MAX_COMPARED_SIZE, MAX_TOUCHED_SIZE, MEASURE_INTERVAL
from live.protocol import CloseCode
from live.room import Checked, UnreadPairs
from live.rooms import Rooms
from persistence.commit_feed import CommitHold
from tests.support.documents.encoding import client, edited, element, gc, inside, item, miscounted, string
from tests.support.documents.encoding import update as encoded
from tests.support.documents.halves import BEGUN, CUTS
from tests.support.documents.hostile import HOSTILE, mutated
from tests.support.documents.jobs import JOBS
from tests.support.live.room_fakes import ADA, AT, BEN, Log, join
from tests.support.processes.servers import async_eventually
from tests.support.suite.rounds import ROUNDS, seed

NOW = 1_795_000_000_000  # milliseconds since 1970
SEED = seed()
APPLIED, REFUSED = codec.sync_status(applied=True), codec.sync_status(applied=False)


@pytest.fixture
def log():
    made = Log()
    made.open.set()
    return made


@pytest.fixture
def rooms(log):
    return Rooms(log, log.append, lambda: NOW, runner=JOBS)


def is_awareness(message):
    return message[0] == codec.AWARENESS


async def ticks():
    """Let everything happen that can."""
    for _ in range(20):
        await asyncio.sleep(0)


async def edit(rooms, room, connection, update, *, whole=False):
    """Send an update as a WebSocket does: what is to be checked first is checked."""
    unchecked = room.edit(connection, update, whole=whole)
    while unchecked:
        checked = await rooms.check(room, connection, update, unchecked)
        unchecked = checked and room.edit(connection, update, whole=whole, checked=checked)


def typist(client=1):
    """A document and the updates of one who types in it."""
    doc, updates = Doc(client_id=client), []
    doc.observe(lambda event: updates.append(event.update))
    root = doc.get("default", type=XmlFragment)
    root.children.append(XmlElement("paragraph"))
    text = root.children[0].children.append(XmlText())
    return updates, text


async def test_nothing_is_acknowledged_or_relayed_before_its_commit(rooms, log):
    room, ada, transport = await join(rooms)
    _, _, others = await join(rooms, BEN)
    log.open.clear()
    room.edit(ada, from_tree(parse("text"), 1), whole=False)
    await ticks()
    assert log.batches == [1]
    assert transport.messages == others.messages == []
    log.open.set()
    await rooms.drained()
    assert transport.messages == [APPLIED]
    ((author, update),) = log.rows
    assert others.messages == [codec.update(update)]
    assert (author.by, log.lines) == (ADA, [(ADA, NOW)])


async def test_the_audit_has_a_line_of_each_author_now_and_then_however_many_sockets_they_have(log):
    now = NOW
    rooms = Rooms(log, log.append, lambda: now, runner=JOBS)
    updates, text = typist()
    room, ada, _ = await join(rooms)
    _, again, _ = await join(rooms)

    async def typed(connection, at):
        nonlocal now
        now = NOW + at
        text.insert(len(text), "a")
        for update in updates:
            room.edit(connection, update, whole=False)
        updates.clear()
        await rooms.drained()

    await typed(ada, 0)
    await typed(again, AUDIT_INTERVAL - 2)
    rooms.leave(room, ada)
    room, ada, _ = await join(rooms)
    await typed(ada, AUDIT_INTERVAL - 1)
    assert log.lines == [(ADA, NOW)]
    await typed(again, AUDIT_INTERVAL)
    await typed(ada, AUDIT_INTERVAL + 1)
    assert log.lines == [(ADA, NOW), (ADA, NOW + AUDIT_INTERVAL)]


async def test_an_answer_with_what_is_not_committed_yet_waits_for_the_commit(rooms, log):
    room, ada, _ = await join(rooms)
    _, ben, transport = await join(rooms, BEN)
    log.open.clear()
    room.edit(ada, from_tree(parse("text"), 1), whole=False)
    room.sync(ben, b"\0")
    await ticks()
    assert transport.messages == []
    log.open.set()
    await rooms.drained()
    assert [message[:2] for message in transport.messages] == [b"\0\2", b"\0\0", b"\0\1"]
    assert b"text" in transport.messages[2]


async def test_what_comes_while_a_batch_is_in_flight_goes_with_the_next(rooms, log):
    updates, text = typist()
    room, ada, transport = await join(rooms)
    log.open.clear()
    for letter in "abc":
        text.insert(len(text), letter)
    room.edit(ada, updates[0], whole=False)
    await ticks()
    for update in updates[1:]:
        room.edit(ada, update, whole=False)
    log.open.set()
    await rooms.drained()
    assert log.batches == [1, len(updates) - 1]
    assert transport.messages == [APPLIED] * len(updates)


async def test_what_was_refused_is_written_and_acknowledged_before_what_came_later(rooms, log):
    room, ada, transport = await join(rooms)
    _, ben, others = await join(rooms, BEN)
    log.open.clear()
    updates = [encoded(client(number, element(f"p{number}"))) for number in range(1, 5)]
    for who, update in zip((ada, ben, ben, ada), updates, strict=True):
        await edit(rooms, room, who, update)
        await ticks()
    assert log.batches == [1]
    log.locked = 1
    log.open.set()
    await rooms.drained()
    assert [update for _, update in log.rows] == updates
    first, second, third, last = map(codec.update, updates)
    assert transport.messages == [APPLIED, second, third, APPLIED]
    assert others.messages == [first, APPLIED, APPLIED, last]


@pytest.mark.parametrize("keystrokes", [1, 40, 600])
async def test_whoever_comes_while_somebody_types_on_gets_all_that_was_typed(rooms, log, keystrokes):
    room, ada, transport = await join(rooms)
    updates, text = typist()
    for number in range(keystrokes):
        text += "abcdefghij"[number % 10]
        if number % 10 == 9:
            del text[len(text) - 1]
    for number, update in enumerate(updates):
        room.edit(ada, update, whole=False, message=codec.update(update))
        if number % 7 == 0:
            await ticks()
    await rooms.drained()
    _, ben, others = await join(rooms, BEN)
    room.sync(ben, b"\0")
    await rooms.drained()
    answer = next(message for message in others.messages if message.startswith(b"\0\1"))
    assert str(load(Decoder(answer[2:]).bytes()).get("default", type=XmlFragment)) == f"<paragraph>{text}</paragraph>"
    assert transport.messages == [APPLIED] * len(updates)
    assert [update for _, update in log.rows] == updates


async def test_a_fault_while_an_edit_is_broadcast_makes_everybody_come_back(rooms, log, monkeypatch):
    room, ada, transport = await join(rooms)
    _, _, others = await join(rooms, BEN)

    def broken(*_):
        raise RuntimeError("this connection cannot be written to")

    monkeypatch.setattr(others, "write", broken)
    room.edit(ada, from_tree(parse("text"), 1), whole=False)
    await rooms.drained()
    assert transport.code is others.code is CloseCode.RESET
    assert len(log.rows) == 1
    assert rooms.open == {}


async def test_an_update_that_was_scanned_when_its_room_was_closed_brings_its_sender_back(rooms, log):
    room, ada, transport = await join(rooms)
    rooms.leave(room, ada)
    assert room.edit(ada, from_tree(parse("text"), 1), whole=False) is None
    await rooms.drained()
    assert (transport.code, log.rows) == (CloseCode.RESET, [])


@pytest.mark.parametrize("fails", [False, True])
async def test_of_a_document_that_nobody_has_open_nothing_stays_in_memory(rooms, log, fails):
    room, ada, _ = await join(rooms)
    await edit(rooms, room, ada, from_tree(parse("text"), 1))
    log.broken = fails
    await rooms.drained()
    document = ref(room.doc)
    rooms.leave(room, ada)
    del room, ada
    await ticks()
    garbage.collect()
    assert document() is None


async def test_a_failed_commit_closes_everybody_and_the_next_room_begins_from_the_log(rooms, log):
    room, ada, transport = await join(rooms)
    _, _, others = await join(rooms, BEN)
    log.broken = True
    room.edit(ada, from_tree(parse("text"), 1), whole=False)
    await rooms.drained()
    assert transport.code is others.code is CloseCode.RESET
    assert transport.messages == []
    log.broken = False
    again, ben, transport = await join(rooms, BEN)
    assert again is not room
    again.sync(ben, b"\0")
    assert transport.messages[1] == codec.step2(b"\0\0")


async def test_what_breaks_a_room_costs_the_others_one_new_beginning_and_from_then_on_its_sender_alone(rooms, log):
    poison = [encoded(client(70 + at, element(parent=inside(1, 3)))) for at in range(3)]  # inside of a text's character
    for at, each in enumerate(poison):
        room, ada, transport = await join(rooms)
        _, ben, others = await join(rooms, BEN)
        if not at:
            room.edit(ada, from_tree(parse("text"), 1), whole=False)
            await rooms.drained()
        await edit(rooms, room, ben, each, whole=at == 1)
        await rooms.drained()
        assert others.code is CloseCode.REFUSED
        assert transport.code is (None if at else CloseCode.RESET)
        assert len(log.rows) == 1
    _, ben, others = await join(rooms, BEN)
    await edit(rooms, room, ben, encoded(client(80, element())))
    await rooms.drained()
    assert others.code is None
    assert [author.by for author, _ in log.rows] == [ADA, BEN]


async def test_an_update_with_which_the_library_does_not_do_what_the_scan_said_costs_its_sender_the_socket(rooms, log):
    room, ada, transport = await join(rooms)
    _, ben, others = await join(rooms, BEN)
    room.edit(ada, from_tree(parse("text"), 1), whole=False)
    await rooms.drained()
    room.edit(ada, encoded(client(2, element())), whole=False)
    two, one = (encoded(client(3, *[element()] * count)) for count in (2, 1))
    room.edit(ben, two, whole=False, checked=Checked(scan(one)))
    await rooms.drained()
    assert (transport.code, others.code) == (CloseCode.RESET, CloseCode.REFUSED)
    assert transport.messages == [APPLIED]
    assert len(log.rows) == 1


async def test_keystrokes_with_which_the_library_does_not_do_what_they_say_are_not_stored(rooms, log):
    begun, between, behind = miscounted()
    log.rows += [(EditAuthor(ADA), begun), (EditAuthor(BEN), between)]  # from before such updates were refused
    room, ada, transport = await join(rooms)
    _, _, others = await join(rooms, BEN)
    room.edit(ada, behind, whole=False, message=codec.update(behind))
    await rooms.drained()
    assert (transport.code, others.code) == (CloseCode.REFUSED, CloseCode.RESET)
    assert [update for _, update in log.rows] == [begun, between]
    again, _, _ = await join(rooms)
    assert not again.failed


async def test_what_was_committed_elsewhere_and_does_not_do_what_it_says_makes_everybody_come_back(rooms):
    room, _, transport = await join(rooms)
    log = tuple(LoggedUpdate(update, "ben", None, AT) for update in miscounted())
    for upto, code in ((2, None), (3, CloseCode.RESET)):
        since = DocumentLog(None, None, log[:upto], upto)
        await room.apply_committed(since, slices_of(since))
        assert transport.code is code


async def test_updates_that_came_too_early_wait_and_are_acknowledged_when_they_fit(rooms, log):
    updates, text = typist()
    text.insert(0, "a")
    text.insert(1, "b")
    room, ada, transport = await join(rooms)
    ada.awaiting_sync = False
    room.edit(ada, updates[-1], whole=False)
    assert transport.messages == [codec.step1(b"\0")]
    for update in updates[:-1]:
        room.edit(ada, update, whole=False)
    await rooms.drained()
    assert transport.messages[1:] == [APPLIED] * len(updates)
    assert len(log.rows) == len(updates)


async def test_what_is_known_already_is_acknowledged_and_not_written_again(rooms, log):
    room, ada, transport = await join(rooms)
    update = from_tree(parse("text"), 1)
    for _ in range(3):
        room.edit(ada, update, whole=True)
    room.edit(ada, b"\0\0", whole=True)
    await rooms.drained()
    assert transport.messages == [APPLIED] * 4
    assert len(log.rows) == 1


@pytest.mark.parametrize("durable", [True, False])
@pytest.mark.parametrize("damaged", [True, False])
async def test_what_differs_from_the_document_is_refused_unless_its_encoding_is_wrong(rooms, log, durable, damaged):
    text, xml_text = item(4, string("a😀b"), parent=inside(1, 1)), b"\x06"
    behind = [element(origin=(1, 0)), item(7, xml_text, parent=inside(1, 6)), item(4, string("c"), parent=inside(1, 7))]
    begun = encoded(client(1, element(), item(7, xml_text, parent=inside(1, 0)), text, *behind))
    half_of_the_pair = b"\0\1\1\1\3\1"
    said = begun if damaged else encoded(client(1, element("heading")))
    if damaged:  # before updates were refused that cut a pair
        log.rows += [(EditAuthor(ADA), begun), (EditAuthor(ADA), half_of_the_pair)]
    room, ada, transport = await join(rooms)
    if not durable:
        log.open.clear()
    room.edit(ada, encoded(client(2, element())) if damaged else begun, whole=False)
    await (rooms.drained() if durable else ticks())
    assert room.edit(ada, said, whole=True), "the two seem to differ"
    await edit(rooms, room, ada, said, whole=True)
    log.open.set()
    await rooms.drained()
    assert transport.code is (None if damaged else CloseCode.FORBIDDEN)
    assert len(log.rows) == (3 if damaged else 1)


@pytest.mark.parametrize("case", CUTS)
async def test_an_update_that_cuts_a_surrogate_pair_costs_its_sender_the_socket_and_changes_nothing(rooms, log, case):
    room, ada, transport = await join(rooms)
    _, ben, others = await join(rooms, BEN)
    room.edit(ada, BEGUN, whole=False)
    await edit(rooms, room, ben, CUTS[case])
    await rooms.drained()
    assert (transport.code, others.code) == (None, CloseCode.REFUSED)
    assert [update for _, update in log.rows] == [BEGUN]
    assert project(room.doc).markdown == "a😀b\n"


async def test_an_update_that_waits_for_the_pair_it_cuts_is_refused_when_that_has_come(rooms, log):
    room, ada, _ = await join(rooms)
    _, ben, transport = await join(rooms, BEN)
    room.edit(ben, CUTS["text between the halves"], whole=False)
    room.edit(ada, BEGUN, whole=False)
    room.edit(ben, encoded(client(3, element())), whole=False)
    await rooms.drained()
    assert transport.code is CloseCode.REFUSED
    assert CUTS["text between the halves"] not in [update for _, update in log.rows]


async def test_a_large_update_is_read_in_a_thread_for_the_pairs_that_it_cuts(rooms, log):
    room, ada, transport = await join(rooms)
    room.edit(ada, BEGUN, whole=False)
    pairs = "😀" * MAX_COMPARED_SIZE
    for origin, code in ((5, None), (3, CloseCode.REFUSED)):
        large = encoded(client(2 + origin, item(4, string(pairs), origin=(1, origin))))
        assert isinstance(room.edit(ada, large, whole=False), UnreadPairs)
        await edit(rooms, room, ada, large)
        await rooms.drained()
        assert transport.code is code
    half = encoded(client(9, item(4, string("x"), origin=(7, 0))))
    _, ben, others = await join(rooms, BEN)
    await edit(rooms, room, ben, half)
    assert others.code is CloseCode.REFUSED
    assert len(log.rows) == 2


async def test_a_pair_that_is_typed_in_an_open_document_is_not_cut_afterwards(rooms, log):
    updates, text = typist()
    room, ada, _ = await join(rooms)
    text.insert(0, "plain")
    text.insert(5, "😀")
    for update in updates:
        room.edit(ada, update, whole=False)
    _, ben, transport = await join(rooms, BEN)
    room.edit(ben, encoded(client(2, item(4, string("x"), origin=(1, 7)))), whole=False)
    assert transport.code is CloseCode.REFUSED
    await rooms.drained()
    assert len(log.rows) == len(updates)


async def test_deletions_that_are_repeated_are_no_news(rooms, log):
    updates, text = typist()
    text.insert(0, "gone")
    del text[0:4]
    room, ada, _ = await join(rooms)
    for update in updates:
        room.edit(ada, update, whole=False)
    await rooms.drained()
    written = len(log.rows)
    room.edit(ada, room.doc.get_update(), whole=True)
    await rooms.drained()
    assert len(log.rows) == written


async def test_a_reader_changes_nothing_and_is_told_so(rooms, log):
    updates, text = typist()
    text.insert(0, "gone")
    room, ada, _ = await join(rooms)
    for update in updates:
        room.edit(ada, update, whole=False)
    known = room.doc.get_update()
    del text[0:4]
    _, ben, transport = await join(rooms, BEN, may_edit=False)
    room.edit(ben, from_tree(parse("text"), 2), whole=False)
    room.edit(ben, from_tree(parse("text"), 2), whole=True)
    room.edit(ben, updates[-1], whole=True)
    room.edit(ben, known, whole=True)
    room.edit(ben, b"\0\0", whole=True)
    await rooms.drained()
    statuses = [message for message in transport.messages if message in (APPLIED, REFUSED)]
    assert statuses == [REFUSED, REFUSED, REFUSED, APPLIED, APPLIED]
    assert len(log.rows) == len(updates) - 1
    assert transport.code is None


async def test_what_a_reader_says_of_a_document_is_compared_as_bytes_and_never_struct_by_struct(
    rooms, log, monkeypatch
):
    read = []

    def counted(module, function):
        def call(*given):
            read.append(given)
            return function(*given)

        monkeypatch.setattr(f"{module}.{function.__name__}", call)

    sections = [
        client(name, element(), *[item(4, string("a"), parent=inside(name, 0)) for _ in range(20_000)])
        for name in (2, 1)
    ]
    stored = encoded(*sections)
    log.rows.append((EditAuthor(ADA), stored))
    room, ben, transport = await join(rooms, BEN, may_edit=False)
    counted("live.room", scan)
    rooms._runner.listeners.append(read.append)
    counted("documents.admission.known_clocks", read_struct)
    counted("live.live_document", contradicts)
    for said in (room.doc.get_update(), encoded(*reversed(sections)), encoded(sections[0]), stored + b"\0"):
        await edit(rooms, room, ben, said, whole=True)
    await rooms.drained()
    statuses = [message for message in transport.messages if message in (APPLIED, REFUSED)]
    assert statuses == [APPLIED, REFUSED, REFUSED, REFUSED]
    assert not read
    assert len(log.rows) == 1


async def test_a_reader_that_repeats_what_came_after_the_state_it_was_asked_about_is_in_step(rooms):
    updates, text = typist()
    text.insert(0, "first")
    room, ada, _ = await join(rooms)
    _, ben, transport = await join(rooms, BEN, may_edit=False)
    for update in updates:
        room.edit(ada, update, whole=False)
    room.sync(ben, b"\0")
    await rooms.drained()
    asked = room.doc.get_state()
    text.insert(5, " second")
    del text[0:2]
    for update in updates[-2:]:
        room.edit(ada, update, whole=False)
    await rooms.drained()
    room.edit(ben, room.doc.get_update(asked), whole=True)
    await rooms.drained()
    assert [message for message in transport.messages if message in (APPLIED, REFUSED)] == [APPLIED]


async def test_many_deletions_of_a_reader_are_compared_in_a_thread(rooms, log):
    def deletes(*runs):
        return b"\1\1" + uint(len(runs)) + b"".join([uint(clock) + uint(length) for clock, length in runs])

    deleted = [(2 + 2 * at, 1) for at in range(18_000)]
    text = item(4, string("a" * 40_000), parent=inside(1, 1))
    stored = encoded(client(1, element(), item(7, b"\6", parent=inside(1, 0)), text), deletes=deletes(*deleted))
    log.rows.append((EditAuthor(ADA), stored))
    room, ben, transport = await join(rooms, BEN, may_edit=False)
    for is_known, said in (
        (True, deletes(*deleted)),
        (True, deletes(*deleted[1:])),
        (False, deletes(*deleted, (39_000, 1))),
        (False, deletes(*deleted) + b"\0"),
    ):
        assert room.edit(ben, b"\0" + said, whole=True)
        await edit(rooms, room, ben, b"\0" + said, whole=True)
        await rooms.drained()
        assert transport.messages[-1] == (APPLIED if is_known else REFUSED)


async def test_large_updates_are_scanned_by_jobs_of_whoever_sends_them(log):
    async with aclosing(JobRunner()) as runner:
        reports = []
        runner.listeners.append(reports.append)
        rooms = Rooms(log, log.append, lambda: NOW, runner=runner)
        _, ada, _ = await join(rooms)
        update = from_tree(parse("text"), 1)
        assert await rooms.scan(ada, update, IMPORT) == scan(update, IMPORT)
        assert await rooms.scan(ada, b"", IMPORT) == scan(b"", IMPORT)

        async def both():
            return len(reports) == 2

        await async_eventually(both)
        assert [(each.job, each.user_id) for each in reports] == [("scan_update", "ada")] * 2


async def test_a_client_id_belongs_to_whoever_used_it_first(rooms, log):
    updates, text = typist(client=7)
    text.insert(0, "a")
    room, ada, _ = await join(rooms)
    for update in updates:
        room.edit(ada, update, whole=False)
    text.insert(1, "forged")
    _, ben, transport = await join(rooms, BEN)
    room.edit(ben, updates[-1], whole=False)
    assert transport.code is CloseCode.FORBIDDEN
    await rooms.drained()
    _, again, transport = await join(rooms)
    room.edit(again, updates[-1], whole=False)
    await rooms.drained()
    assert transport.code is None
    assert transport.messages[-1] == APPLIED
    assert len(log.rows) == len(updates)


async def test_a_client_id_that_an_editor_shows_is_kept_for_what_they_write_first(rooms, log):
    room, ada, transport = await join(rooms)
    _, ben, others = await join(rooms, BEN)
    room.update_awareness(ada, (codec.ClientState(77, 1, "{}"),))
    forged, mine = encoded(client(77, element("heading"))), encoded(client(77, element("paragraph")))
    await edit(rooms, room, ben, forged)
    assert others.code is CloseCode.FORBIDDEN
    await edit(rooms, room, ada, mine)
    await rooms.drained()
    assert transport.code is None
    assert [update for _, update in log.rows] == [mine]


async def test_a_client_id_that_an_editor_showed_is_kept_for_them_when_they_have_left(rooms):
    room, ada, _ = await join(rooms)
    _, ben, others = await join(rooms, BEN)
    room.update_awareness(ada, (codec.ClientState(77, 1, "{}"),))
    rooms.leave(room, ada)
    await edit(rooms, room, ben, encoded(client(77, element("heading"))))
    assert others.code is CloseCode.FORBIDDEN
    room, ada, transport = await join(rooms)
    await edit(rooms, room, ada, encoded(client(77, element("paragraph"))))
    await rooms.drained()
    assert transport.messages[-1] == APPLIED


async def test_of_one_user_so_many_client_ids_are_kept_and_all_of_the_others(rooms):
    room, ben, _ = await join(rooms, BEN)
    room.update_awareness(ben, (codec.ClientState(1, 1, "{}"),))
    for number in range(MAX_SHOWN + 1):
        _, ada, _ = await join(rooms)
        room.update_awareness(ada, (codec.ClientState(1_000 + number, 1, "{}"),))
    assert [each.client for each in room.shown] == [1, *range(1_001, 1_001 + MAX_SHOWN)]


async def test_nobody_is_told_of_a_client_id_before_it_is_recorded(log, monkeypatch):
    """Else whoever was told may be the first to write under it when the process has ended."""
    monkeypatch.setattr("live.awareness.BROADCAST_SECONDS", 0.0)
    monkeypatch.setattr("live.shown_client_ids.AGAIN_SECONDS", 0.0)
    recorded, may_record = [], asyncio.Event()

    async def record(shown):
        recorded.append([(each.document_id, each.client, each.author) for each in shown])
        await may_record.wait()
        if len(recorded) == 1:
            raise Unavailable("the database is away")

    rooms = Rooms(log, log.append, lambda: NOW, record_shown=record, runner=JOBS)
    room, ada, _ = await join(rooms)
    _, ben, others = await join(rooms, BEN)
    room.update_awareness(ada, (codec.ClientState(7, 1, "{}"),))
    room.update_awareness(ada, (codec.ClientState(7, 2, "{}"),))
    await ticks()
    room.update_awareness(ben, (codec.ClientState(8, 1, "{}"),))
    room.send_awareness(ben)
    await ticks()
    assert others.messages == []
    may_record.set()
    await ticks()
    await ticks()
    adas, bens = ("doc", 7, ("ada", None)), ("doc", 8, ("ben", "scribe"))
    assert recorded == [[adas], [adas, bens]]
    told = [state for each in others.messages for state in codec.read(each, named=False)[1].states]
    assert {(state.client, state.clock) for state in told} == {(7, 2), (8, 1)}


async def test_of_one_connection_one_client_id_is_recorded_and_none_of_a_reader(log):
    recorded = []

    async def record(shown):
        recorded.extend([each.client for each in shown])

    rooms = Rooms(log, log.append, lambda: NOW, record_shown=record, runner=JOBS)
    room, ada, _ = await join(rooms)
    _, ben, _ = await join(rooms, BEN, may_edit=False)
    room.update_awareness(ben, (codec.ClientState(9, 1, "{}"),))
    for number in (7, 8):
        room.update_awareness(ada, (codec.ClientState(number, 1, "{}"),))
        room.update_awareness(ada, (codec.ClientState(number, 2, "null"),))
        await ticks()
    assert recorded == [7]


async def test_a_client_id_stays_whose_it_was_when_nobody_has_the_document_open(rooms, log):
    updates, text = typist(client=7)
    text.insert(0, "a")
    room, ada, _ = await join(rooms)
    for update in updates:
        room.edit(ada, update, whole=False)
    await rooms.drained()
    rooms.leave(room, ada)
    assert not rooms.open
    text.insert(1, "b")
    room, ben, transport = await join(rooms, BEN)
    for whole in (False, True):
        room.edit(ben, updates[-1], whole=whole)
        assert transport.code is CloseCode.FORBIDDEN
    room, ada, transport = await join(rooms)
    room.edit(ada, updates[-1], whole=False)
    await rooms.drained()
    assert transport.messages == [APPLIED]
    assert len(log.rows) == len(updates)


async def test_whoever_repeats_what_somebody_wrote_beside_their_own_does_not_take_their_client_id(rooms, log):
    room, ada, transport = await join(rooms)
    _, ben, others = await join(rooms, BEN)
    await edit(rooms, room, ada, encoded(client(7, element())))
    await edit(rooms, room, ben, encoded(client(8, element()), client(7, element())), whole=True)
    await edit(rooms, room, ada, encoded(client(7, element(), clock=1)))
    await rooms.drained()
    assert (transport.code, others.code) == (None, None)
    assert [author.by for author, _ in log.rows] == [ADA, BEN, ADA]


async def test_whoever_brings_several_clients_at_once_owns_them_as_the_log_says(rooms, log):
    both = encoded(client(70, element()), client(80, element()))
    room, ada, _ = await join(rooms)
    _, ben, transport = await join(rooms, BEN)
    room.edit(ada, both, whole=True)
    room.edit(ben, encoded(client(80, element(), clock=1)), whole=False)
    await rooms.drained()
    assert transport.code is CloseCode.FORBIDDEN
    assert len(log.rows) == 1


async def test_what_others_commit_of_a_client_decides_over_edits_that_are_not_written_yet(rooms, log):
    room, ada, transport = await join(rooms)
    await rooms.commits.hold("doc")
    room.edit(ada, encoded(client(7, element("heading"))), whole=False)
    log.rows.append((EditAuthor(BEN), encoded(client(7, element("paragraph")))))
    await rooms.catch_up("doc")
    rooms.commits.release("doc")
    await rooms.drained()
    assert (transport.code, transport.messages) == (CloseCode.RESET, [])
    assert len(log.rows) == 1
    room, ada, transport = await join(rooms)
    await edit(rooms, room, ada, encoded(client(7, element("heading"))), whole=True)
    assert transport.code is CloseCode.FORBIDDEN


async def test_what_others_commit_is_theirs_in_an_open_document_too(rooms, log):
    room, ada, transport = await join(rooms)
    log.rows.append((EditAuthor(BEN), encoded(client(7, element()))))
    await rooms.catch_up("doc")
    room.edit(ada, encoded(client(7, element(), clock=1)), whole=False)
    assert transport.code is CloseCode.FORBIDDEN


async def test_a_reader_reserves_no_client_id_and_is_not_shown_under_that_of_an_editor(rooms, monkeypatch):
    monkeypatch.setattr("live.awareness.BROADCAST_SECONDS", 0.0)
    room, ada, transport = await join(rooms)
    _, ben, others = await join(rooms, BEN, may_edit=False)
    room.update_awareness(ben, (codec.ClientState(7, 9, "{}"),))
    await ticks()
    room.edit(ada, encoded(client(7, element())), whole=False)
    await rooms.drained()
    await ticks()
    assert transport.code is None
    assert codec.awareness([codec.ClientState(7, 9, "null")]) in others.messages
    room.update_awareness(ben, (codec.ClientState(7, 10, "{}"),))
    room.update_awareness(ada, (codec.ClientState(7, 1, "{}"),))
    await ticks()
    assert b'"name":"Ada"' in others.messages[-1]
    room.update_awareness(ben, (codec.ClientState(8, 9, "{}"),))
    room.update_awareness(ada, (codec.ClientState(8, 1, "{}"),))
    await ticks()
    assert b'"name":"Ben"' in others.messages[-1]


async def test_an_editor_is_shown_under_their_client_id_though_a_reader_was_first(rooms, monkeypatch):
    monkeypatch.setattr("live.awareness.BROADCAST_SECONDS", 0.0)
    room, ada, _ = await join(rooms)
    _, ben, transport = await join(rooms, BEN, may_edit=False)
    room.update_awareness(ben, (codec.ClientState(7, 9, "{}"),))
    room.update_awareness(ada, (codec.ClientState(7, 1, "{}"),))
    await ticks()
    assert b'"name":"Ada"' in transport.messages[-1]


async def test_a_document_does_not_grow_deeper_than_it_may(rooms, log):
    doc, updates = Doc(client_id=1), []
    doc.observe(lambda event: updates.append(event.update))
    here = doc.get("default", type=XmlFragment)
    room, ada, transport = await join(rooms)
    for _ in range(130):
        here = here.children.append(XmlElement("blockquote"))
    for update in updates:
        if transport.code is None:
            room.edit(ada, update, whole=False)
            await rooms.drained()
    assert transport.code is CloseCode.REFUSED
    assert 90 < len(log.rows) <= 101


def nested(number, levels, *, padding=0, **where):
    """An update of client `number`: elements in each other, and behind them some that make it longer."""
    inner = [element(parent=inside(number, at)) for at in range(levels - 1)]
    return encoded(client(number, element(**where), *inner, *[element(parent=inside(number, 0))] * padding))


async def test_a_document_does_not_grow_deeper_than_it_may_by_updates_that_touch_little(rooms, log):
    room, ada, transport = await join(rooms)
    room.edit(ada, nested(1, 60, padding=1_000), whole=False)
    room.edit(ada, nested(2, 40, parent=inside(1, 57)), whole=False)
    await rooms.drained()
    assert len(log.rows) == 2
    room.edit(ada, nested(3, 39, parent=inside(2, 39)), whole=False)
    await rooms.drained()
    assert transport.code is CloseCode.REFUSED
    assert len(log.rows) == 2


async def test_an_update_that_nests_at_one_place_and_writes_deep_at_another_is_taken(rooms, log):
    room, ada, transport = await join(rooms)
    room.edit(ada, nested(1, 90), whole=False)
    deep, shallow = element(parent=inside(1, 88)), [element(), *[element(parent=inside(2, at + 1)) for at in range(20)]]
    room.edit(ada, encoded(client(2, deep, *shallow)), whole=False)
    await rooms.drained()
    assert (transport.code, len(log.rows)) == (None, 2)


async def test_a_document_that_is_read_is_read_once_for_all_who_come_meanwhile(rooms, log):
    log.rows.append((EditAuthor(ADA), from_tree(parse("stored"), 1)))
    one, other = await asyncio.gather(join(rooms), join(rooms, BEN))
    assert one[0] is other[0]
    one[0].sync(one[1], b"\0")
    assert b"stored" in one[2].messages[1]


async def stopped(task):
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def opened(rooms):
    """Join, and ask for the document at once."""
    room, connection, transport = await join(rooms)
    room.sync(connection, b"\0")
    return transport


@pytest.mark.parametrize("forgotten", [False, True])
async def test_nobody_opens_a_document_before_it_is_loaded_whatever_became_of_an_earlier_load(rooms, log, forgotten):
    log.rows.append((EditAuthor(ADA), from_tree(parse("stored"), 1)))
    log.may_read = asyncio.Semaphore(0)
    first = asyncio.create_task(opened(rooms))
    await ticks()
    if forgotten:
        rooms.forget("doc")
    else:
        await stopped(first)
    second = asyncio.create_task(opened(rooms))
    await ticks()
    log.may_read.release()
    await ticks()
    third = asyncio.create_task(opened(rooms))
    await ticks()
    log.may_read.release()
    await ticks()
    for entering in (second, third):
        assert entering.done()
        assert entering.result().code is None
        assert b"stored" in entering.result().messages[1]


async def test_one_who_gives_up_while_a_document_is_loaded_does_not_make_it_load_again(rooms, log):
    log.may_read = asyncio.Semaphore(0)
    first, second = asyncio.create_task(opened(rooms)), asyncio.create_task(opened(rooms))
    await ticks()
    await stopped(first)
    third = asyncio.create_task(opened(rooms))
    await ticks()
    log.may_read.release()
    await ticks()
    assert (second.done(), third.done()) == (True, True)


async def test_a_document_is_closed_when_it_is_loaded_and_nobody_waits_for_it_any_more(rooms, log):
    log.may_read = asyncio.Semaphore(0)
    first = asyncio.create_task(join(rooms))
    await ticks()
    await stopped(first)
    log.may_read.release()
    await ticks()
    assert not rooms.open


async def test_the_last_to_leave_closes_the_room(rooms, log):
    room, ada, _ = await join(rooms)
    log.open.clear()
    room.edit(ada, from_tree(parse("text"), 1), whole=False)
    rooms.leave(room, ada)
    assert len(rooms.open) == 1
    log.open.set()
    await rooms.drained()
    assert not rooms.open
    assert len(log.rows) == 1


async def test_what_is_held_is_written_after_it_was_released(rooms):
    room, ada, transport = await join(rooms)
    await rooms.commits.hold("doc")
    room.edit(ada, from_tree(parse("text"), 1), whole=False)
    await ticks()
    assert transport.messages == []
    rooms.commits.release("doc")
    await rooms.drained()
    assert transport.messages == [APPLIED]


async def held_by_a_transaction(rooms):
    hold = CommitHold(rooms)
    try:
        await hold.add("doc")
    finally:
        hold.release()


async def follow(rooms):
    await rooms.follow("doc")


@pytest.mark.parametrize("held", [follow, held_by_a_transaction])
async def test_what_is_cancelled_while_a_batch_is_in_flight_holds_nothing_back(rooms, log, held):
    room, ada, transport = await join(rooms)
    log.open.clear()
    room.edit(ada, from_tree(parse("text"), 1), whole=False)
    await ticks()
    waiting = asyncio.create_task(held(rooms))
    await ticks()
    await stopped(waiting)
    log.open.set()
    room.edit(ada, encoded(client(2, element())), whole=False)
    await rooms.drained()
    assert transport.messages == [APPLIED] * 2


async def test_a_room_whose_edits_cannot_be_taken_costs_the_others_nothing(rooms, log, monkeypatch):
    room, ada, transport = await join(rooms)
    broken, ben, others = await join(rooms, BEN, document="another")

    def fails(*_):
        raise RuntimeError("these edits cannot be taken")

    monkeypatch.setattr(broken, "take", fails)
    updates = [from_tree(parse("text"), 1), encoded(client(2, element()))]
    room.edit(ada, updates[0], whole=False)
    broken.edit(ben, updates[1], whole=False)
    await rooms.drained()
    room.edit(ada, updates[1], whole=False)
    await rooms.drained()
    assert [update for _, update in log.rows] == updates
    assert (transport.code, transport.messages) == (None, [APPLIED] * 2)
    assert (others.code, others.messages) == (CloseCode.RESET, [])


@pytest.mark.parametrize("locked", [0, 3])
async def test_what_is_refused_is_appended_again_after_what_others_wrote(rooms, log, locked):
    room, ada, transport = await join(rooms)
    _, ben, others = await join(rooms, BEN)
    theirs, mine = from_tree(parse("elsewhere"), 3), from_tree(parse("here"), 1)
    log.rows.append((EditAuthor(BEN), theirs))
    log.locked = locked
    room.edit(ada, mine, whole=False)
    await rooms.drained()
    assert [update for _, update in log.rows] == [theirs, mine]
    assert [each for each in transport.messages if not is_awareness(each)] == [codec.update(theirs), APPLIED]
    assert [each for each in others.messages if not is_awareness(each)] == [codec.update(theirs), codec.update(mine)]
    assert room.sequence == 2
    assert log.lines == [(ADA, NOW)] * len(log.batches), "each try has the line that the one before did not write"
    assert ada.author.audited_at == NOW
    room.edit(ben, from_tree(parse("more"), 2), whole=False)
    await rooms.drained()
    assert (len(log.rows), room.sequence) == (3, 3)


async def test_what_is_committed_over_the_api_reaches_an_open_document_once(rooms, log):
    room, _, transport = await join(rooms)
    log.rows.append((EditAuthor(BEN), from_tree(parse("elsewhere"), 3)))
    await asyncio.gather(rooms.catch_up("doc"), rooms.catch_up("doc"), rooms.catch_up("another"))
    assert transport.messages == [codec.update(log.rows[0][1])]
    assert room.sequence == 1


async def test_of_two_who_catch_up_at_once_only_one_applies_and_broadcasts_what_came(rooms, log):
    room, _, transport = await join(rooms)
    sliced = encoded(client(3, *[gc(1)] * 2 * MAX_PARTS))
    log.rows += [(EditAuthor(BEN), sliced), (EditAuthor(BEN), from_tree(parse("more"), 4))]
    await asyncio.gather(rooms.catch_up("doc"), rooms.catch_up("doc"))
    assert transport.messages == [codec.update(update) for _, update in log.rows]
    assert room.sequence == 2


async def test_what_is_committed_over_the_api_while_a_document_is_read_is_there_when_it_is_open(rooms, log):
    entering = asyncio.create_task(join(rooms))
    await asyncio.sleep(0)
    log.rows.append((EditAuthor(BEN), from_tree(parse("elsewhere"), 3)))
    await rooms.catch_up("doc")
    room, _, _ = await entering
    assert room.sequence == 1
    assert "elsewhere" in project(room.doc).markdown


async def test_a_room_is_given_up_where_its_document_is_gone_or_what_it_lacks_is_no_more(rooms, log):
    for gone, snapshot in ((True, None), (False, b"\0\0")):
        log.gone, log.snapshot, log.locked = False, None, 0
        room, ada, transport = await join(rooms)
        log.gone, log.snapshot, log.locked = gone, snapshot, 1
        room.edit(ada, from_tree(parse("text"), 1), whole=False)
        await rooms.drained()
        assert transport.code is CloseCode.RESET
        assert transport.messages == log.rows == []


async def test_a_room_of_which_the_log_takes_nothing_for_long_is_given_up(rooms, log, monkeypatch):
    monkeypatch.setattr("live.room.MAX_REFUSED_SECONDS", 0.0)
    room, ada, transport = await join(rooms)
    log.locked = 1
    room.edit(ada, from_tree(parse("text"), 1), whole=False)
    await rooms.drained()
    assert transport.code is CloseCode.RESET
    assert transport.messages == log.rows == []


async def test_presence_is_the_servers_word_on_who_somebody_is(rooms, monkeypatch):
    monkeypatch.setattr("live.awareness.BROADCAST_SECONDS", 0.0)
    room, ada, _ = await join(rooms)
    _, ben, transport = await join(rooms, BEN)
    room.update_awareness(ada, (codec.ClientState(7, 1, '{"user":{"name":"King","color":"#f00","x":1},"cursor":1}'),))
    await ticks()
    assert transport.messages == [
        codec.awareness(
            [codec.ClientState(7, 1, '{"user":{"color":"#f00","id":"ada","name":"Ada","agent":null},"cursor":1}')]
        )
    ]
    room.update_awareness(
        ben, (codec.ClientState(7, 2, '{"user":{}}'), codec.ClientState(7, 3, "null"), codec.ClientState(8, 1, "[1]"))
    )
    await ticks()
    assert len(transport.messages) == 1
    room.leave(ada)
    await ticks()
    assert transport.messages[1:] == [codec.awareness([codec.ClientState(7, 1, "null")])]


@dataclass
class LoopClock:
    """The clock of the event loop, which stands still until it is set on."""

    now: float

    async def set_on(self, seconds):
        self.now += seconds
        await ticks()


@pytest.fixture
async def loop_clock(monkeypatch):
    loop = asyncio.get_running_loop()
    clock = LoopClock(loop.time())
    monkeypatch.setattr(loop, "time", lambda: clock.now)
    return clock


async def over_the_api(rooms, log, text, number, by=BEN):
    log.rows.append((EditAuthor(by), from_tree(parse(text), number)))
    await rooms.follow("doc", [by])


def shown(transport):
    """The states that a connection was sent, in order, by client ids."""
    messages = [codec.read(message, named=False)[1] for message in transport.messages]
    return [state for each in messages if isinstance(each, codec.AwarenessUpdate) for state in each.states]


async def test_an_edit_over_the_api_is_shown_for_ten_seconds_after_the_last_one_of_its_author(rooms, log, loop_clock):
    _, _, transport = await join(rooms)
    await over_the_api(rooms, log, "one", 3)
    await loop_clock.set_on(1)
    (first,) = shown(transport)
    place = {"type": None, "tname": None, "item": {"client": 3, "clock": 4}, "assoc": -1}
    assert json.loads(first.json) == {
        "user": {"id": "ben", "name": "Ben", "agent": "scribe"},
        "cursor": {"anchor": place, "head": place},
    }
    await loop_clock.set_on(8)
    await over_the_api(rooms, log, "two", 4)
    await loop_clock.set_on(9.9)
    _, second = shown(transport)
    assert (second.client, second.clock) == (first.client, first.clock + 1)
    await loop_clock.set_on(0.2)
    assert shown(transport)[2:] == [codec.ClientState(first.client, second.clock + 1, "null")]
    await over_the_api(rooms, log, "three", 5)
    await loop_clock.set_on(1)
    assert (shown(transport)[3].client, shown(transport)[3].clock) == (first.client, second.clock + 2)


async def test_an_edit_over_the_api_is_shown_also_where_its_row_was_read_before_it_was_told_of(rooms, log, loop_clock):
    _, _, transport = await join(rooms)
    log.rows.append((EditAuthor(BEN), from_tree(parse("one"), 3)))
    await rooms.bring_up("doc")
    await loop_clock.set_on(1)
    assert shown(transport) == []
    await rooms.follow("doc", [BEN])
    await loop_clock.set_on(1)
    assert [json.loads(state.json)["user"]["name"] for state in shown(transport)] == ["Ben"]


async def test_what_somebody_types_at_another_node_is_not_shown_as_an_edit_over_the_api(rooms, log, loop_clock):
    room, ada, transport = await join(rooms)
    log.rows.append((EditAuthor(BEN), from_tree(parse("typed there"), 3)))
    room.edit(ada, from_tree(parse("typed here"), 1), whole=False)  # refused at first, and brought up
    await rooms.drained()
    await rooms.follow("doc")
    await loop_clock.set_on(1)
    assert len(log.rows) == 2
    assert not any(is_awareness(message) for message in transport.messages)


async def test_edits_over_the_api_are_broadcast_no_more_often_than_other_awareness(rooms, log, loop_clock):
    _, _, transport = await join(rooms)
    for number in range(100):
        await over_the_api(rooms, log, "again", 100 + number)
        await ticks()
    await loop_clock.set_on(1)
    assert [state.clock for state in shown(transport)] == [1, 100]


async def test_nobody_takes_the_client_id_under_which_an_edit_is_shown(rooms, log, loop_clock):
    room, ada, transport = await join(rooms)
    _, cleo, _ = await join(rooms, Credit("cleo", "Cleo"), may_edit=False)
    await over_the_api(rooms, log, "one", 3)
    await loop_clock.set_on(1)
    (state,) = shown(transport)
    for _ in range(2):  # while the edit is shown, and when it is not any more
        for connection in (ada, cleo):
            room.update_awareness(connection, [replace(state, clock=99), replace(state, clock=100, json="null")])
        await loop_clock.set_on(10)
    assert [each.json for each in shown(transport)] == [state.json, "null"]


async def test_however_many_agents_edit_a_document_a_hundred_are_shown_in_it(rooms, log, loop_clock):
    room, _, transport = await join(rooms)
    agents = [Credit("ben", "Ben", f"agent {number}") for number in range(150)]
    for number, agent in enumerate(agents):
        await over_the_api(rooms, log, "again", 100 + number, agent)
        await loop_clock.set_on(0.06)
    _, cleo, late = await join(rooms)
    room.send_awareness(cleo)
    assert [json.loads(state.json)["user"]["agent"] for state in shown(late)] == [by.agent for by in agents[50:]]
    there = {state.client for state in shown(transport)} - {
        state.client for state in shown(transport) if state.json == "null"
    }
    assert there == {state.client for state in shown(late)}


async def test_nothing_is_shown_nor_asked_where_nobody_has_the_document_open(rooms, log):
    await over_the_api(rooms, log, "one", 3)
    assert not rooms.open
    _, _, transport = await join(rooms)
    await ticks()
    assert shown(transport) == []


async def test_a_keystroke_that_the_library_does_not_take_is_never_written(rooms, log, monkeypatch):
    updates, text = typist()
    text.insert(0, "a")
    room, ada, transport = await join(rooms)
    for update in updates:
        room.edit(ada, update, whole=False)
    await rooms.drained()
    written = len(log.rows)
    text.insert(1, "b")
    monkeypatch.setattr("live.live_document.apply_exactly", lambda *_: Refused("the library does not take it"))
    room.edit(ada, updates[-1], whole=False)
    await rooms.drained()
    assert len(log.rows) == written
    assert transport.messages == [APPLIED] * written
    assert transport.code is CloseCode.REFUSED


async def test_whoever_does_not_read_the_answer_to_a_sync_is_answered_once_more_when_it_was_read(rooms, log):
    log.rows.append((EditAuthor(BEN), from_tree(parse("stored"), 1)))
    room, ada, _ = await join(rooms)
    _, ben, transport = await join(rooms, BEN, may_edit=False)
    transport.reads = False
    for _ in range(1_500):
        room.sync(ben, b"\0")
    assert transport.messages == []
    log.open.clear()
    room.edit(ada, from_tree(parse("later"), 2), whole=False)
    log.open.set()
    await rooms.drained()
    transport.reads = True
    transport.go_on()
    answers = [message for message in transport.messages if message.startswith(b"\0\1")]
    assert len(answers) == 1
    assert b"stored" in answers[0]
    assert b"later" in answers[0]


async def test_updates_that_wait_for_what_they_build_on_are_scanned_once(rooms, monkeypatch):
    scans = []

    def counted(update, limits):
        scans.append(update)
        return scan(update, limits)

    monkeypatch.setattr("live.room.scan", counted)
    early = [encoded(client(at, element(origin=(99, 0)))) for at in range(100, 160)]
    room, ben, transport = await join(rooms, BEN)
    for update in early:
        room.edit(ben, update, whole=False)
    mine, text = typist()
    for letter in "typed meanwhile":
        text.insert(0, letter)
    for update in mine:
        room.edit(ben, update, whole=False)
    assert [update for update in scans if update in early] == early
    room.edit(ben, encoded(client(99, element())), whole=False)
    await rooms.drained()
    assert [update for update in scans if update in early] == early
    assert transport.messages.count(APPLIED) == len(early) + len(mine) + 1
    assert transport.code is None


async def test_an_update_that_waited_may_free_one_that_came_before_it(rooms, log):
    room, ben, _ = await join(rooms, BEN)
    for at in (4, 3, 2, 1):
        room.edit(ben, encoded(client(100 + at, element(origin=(99 + at, 0)))), whole=False)
    room.edit(ben, encoded(client(100, element())), whole=False)
    await rooms.drained()
    assert len(log.rows) == 5
    assert not ben.pending


@pytest.fixture
def copies(monkeypatch):
    """How often a whole document was encoded."""
    made = []

    def counted(doc):
        made.append(doc)
        return encode_state(doc)

    monkeypatch.setattr("live.live_document.encode_state", counted)
    return made


async def test_a_reader_is_told_whether_what_it_says_is_known_without_a_copy_of_the_document(rooms, copies):
    updates, text = typist()
    text.insert(0, "here and gone")
    del text[5:9]
    room, ada, _ = await join(rooms)
    for update in updates:
        room.edit(ada, update, whole=False)
    _, ben, transport = await join(rooms, BEN, may_edit=False)
    for deleted, known in ((b"\x07\x02", True), (b"\x07\x04", True), (b"\x07\x05", False), (b"\x06\x02", False)):
        room.edit(ben, b"\0\1\1\1" + deleted, whole=True)
        await rooms.drained()
        assert transport.messages[-1] == (APPLIED if known else REFUSED)
    del text[0]
    room.edit(ada, updates[-1], whole=False)
    room.edit(ben, updates[-1], whole=True)
    await rooms.drained()
    assert transport.messages[-1] == APPLIED
    assert not copies


@dataclass
class Quota:
    """The quota of one drive."""

    bytes: int

    def left(self, drive_id):
        assert drive_id == "drive"
        return self.bytes

    def wrote(self, drive_id, size):
        assert drive_id == "drive"
        self.bytes -= size


async def test_who_writes_more_than_the_drive_has_left_is_closed_and_what_was_taken_is_acknowledged(log):
    updates, text = typist()
    for letter in "abcdefgh" * 20:
        text.insert(len(text), letter)
    quota = Quota(sum(map(len, updates[:100])))
    rooms = Rooms(log, log.append, lambda: NOW, quotas=quota, runner=JOBS)
    room, ada, transport = await join(rooms)
    _, _, others = await join(rooms, BEN)
    log.open.clear()
    for update in updates[:101]:
        room.edit(ada, update, whole=False)
    assert transport.code is CloseCode.STORAGE_FULL
    log.open.set()
    await rooms.drained()
    assert [update for _, update in log.rows] == updates[:100]
    assert transport.messages == [APPLIED] * 100
    assert len(others.messages) == 100
    assert others.code is None


async def test_what_deletes_alone_and_what_is_known_is_taken_where_the_drive_is_full(log):
    updates, text = typist()
    text.insert(0, "letters")
    before = len(updates)
    del text[0:3]
    quota = Quota(sum(map(len, updates[:before])))
    rooms = Rooms(log, log.append, lambda: NOW, quotas=quota, runner=JOBS)
    room, ada, transport = await join(rooms)
    for update in (*updates, room.doc.get_update()):
        room.edit(ada, update, whole=False)
    text.insert(0, "x")
    await rooms.drained()
    assert (transport.code, len(log.rows)) == (None, len(updates) - 1)
    assert quota.bytes < 0
    _, again, said = await join(rooms)
    room.edit(again, updates[-1], whole=True)
    assert said.code is CloseCode.STORAGE_FULL


async def test_a_document_that_is_nearly_full_is_measured_now_and_then_and_not_for_each_edit(log, copies, monkeypatch):
    now = NOW
    rooms = Rooms(log, log.append, lambda: now, runner=JOBS)
    monkeypatch.setattr("live.live_document.IMPORT", replace(IMPORT, size=20_000))
    updates, text = typist()
    text.insert(0, "x" * 19_000)
    for letter in "abcdefgh" * 20:
        text.insert(0, letter)
    room, ada, transport = await join(rooms)
    for update in updates:
        room.edit(ada, update, whole=False)
    assert transport.code is CloseCode.FULL
    assert len(copies) == 1
    now += MEASURE_INTERVAL
    _, ada, transport = await join(rooms)
    room.edit(ada, room.doc.get_update(), whole=True)
    await rooms.drained()
    assert transport.code is None


async def test_a_document_that_is_nearly_as_deep_as_it_may_be_is_not_copied_for_each_edit(rooms, log, copies):
    doc, updates = Doc(client_id=1), []
    root = here = doc.get("default", type=XmlFragment)
    for _ in range(97):
        here = here.children.append(XmlElement("blockquote"))
    log.rows.append((EditAuthor(ADA), doc.get_update()))
    doc.observe(lambda event: updates.append(event.update))
    room, ada, transport = await join(rooms)
    for _ in range(200):
        root.children.append(XmlElement("paragraph"))
    for _ in range(3):
        here = here.children.append(XmlElement("blockquote"))
    for update in updates:
        room.edit(ada, update, whole=False)
        await rooms.drained()
    assert not copies
    assert len(log.rows) == 203
    assert transport.code is CloseCode.REFUSED


async def test_the_depth_of_a_document_is_walked_once_and_not_at_each_paste_and_edit_of_others(rooms, log, monkeypatch):
    walked = []

    def counted(doc):
        walked.append(doc)
        return depth(doc)

    monkeypatch.setattr("live.live_document.depth", counted)
    room, ada, transport = await join(rooms)
    for number_ in range(20):
        paste = from_tree(parse(f"{number_} is a long line of text\n\n" * 200), 100 + number_)
        assert len(paste) > MAX_TOUCHED_SIZE
        room.edit(ada, paste, whole=False)
        await rooms.drained()
        log.rows.append((EditAuthor(BEN), from_tree(parse("theirs"), 200 + number_)))
        await rooms.follow("doc")
    assert len(walked) == 1
    assert transport.code is None
    assert room.sequence == 40


@pytest.mark.slow
@pytest.mark.parametrize("round_", range(20 * ROUNDS))
async def test_damaged_updates_leave_a_room_that_says_what_is_stored(rooms, log, round_):
    """500 at a time, 100,000 in full, of one document's edits that go on meanwhile."""
    chance = random.Random(f"{SEED} {round_}")
    sources = [*edited(2 * round_, 40)[1], *edited(2 * round_ + 1, 40)[1], *HOSTILE.values()]
    mine, text = typist(client=2**31)
    room, ada, transport = await join(rooms)
    _, _, follower = await join(rooms, BEN, may_edit=False)
    _, ben, damaged = await join(rooms, BEN)
    refused, typed = [], 0
    for step in range(500):
        update = mutated(chance.choice(sources), chance)
        room.edit(ben, update, whole=chance.random() < 0.2)
        if damaged.code is not None:
            refused.append(update)
            rooms.leave(room, ben)
            _, ben, damaged = await join(rooms, BEN)
        if step % 50 == 0:
            text.insert(0, "x")
            while mine:
                room.edit(ada, mine.pop(0), whole=False)
                typed += 1
            await rooms.drained()
        if transport.code is not None:
            break
    await rooms.drained()
    assert refused
    assert not {update for author, update in log.rows if author.by == BEN} & set(refused)
    stored, heard = load(None, [update for _, update in log.rows]), Doc()
    if transport.code is not None:
        # That a parent is none only the library finds out, midway: then everybody begins anew from the log.
        assert transport.code is follower.code is CloseCode.RESET
        room, _, _ = await join(rooms)
        assert project(stored) == project(room.doc)
        return
    assert len([author for author, _ in log.rows if author.by == ADA]) == transport.messages.count(APPLIED) == typed
    for message in follower.messages:
        _, said = codec.read(message, named=False)
        heard.apply_update(said.update)
    assert project(stored) == project(room.doc) == project(heard)


async def test_what_closed_connections_wrote_is_stored_before_their_end_is_answered(rooms, log):
    room, ada, _ = await join(rooms)
    _, ben, _ = await join(rooms, BEN)
    log.open.clear()
    for number, each in enumerate((ada, ben, ada)):
        await edit(rooms, room, each, from_tree(parse(f"edit {number}"), 10 + number))
        await ticks()
    rooms.leave(room, ben)
    settling = asyncio.create_task(rooms.settled())
    await ticks()
    assert not settling.done()
    log.open.set()
    await settling
    assert BEN in [author.by for author, _ in log.rows]


async def test_what_others_write_meanwhile_is_not_waited_for(rooms, log):
    room, ada, _ = await join(rooms)
    await rooms.hold("doc")
    await edit(rooms, room, ada, from_tree(parse("held"), 10))
    await rooms.settled()
    assert log.rows == []


async def test_what_closed_connections_wrote_is_never_stored_where_it_cannot_be_in_time(rooms, log, monkeypatch):
    monkeypatch.setattr("live.rooms.SETTLE_SECONDS", 0.0)
    room, _, transport = await join(rooms)
    _, ben, _ = await join(rooms, BEN)
    await rooms.hold("doc")
    await edit(rooms, room, ben, from_tree(parse("held"), 10))
    rooms.leave(room, ben)
    await rooms.settled()
    rooms.release("doc")
    await ticks()
    assert transport.code is CloseCode.RESET
    assert log.rows == []
