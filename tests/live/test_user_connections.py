"""What many connections of one user may do together: no more than one."""

import asyncio
from dataclasses import dataclass, field

import pytest

from live.user_connections import MAX_UNPROCESSED, PAUSE, UserConnections

MIB = 2**20


@dataclass(eq=False)
class Connection:
    """Records what it is told; `on_release` is what it does with its turn."""

    told: list = field(default_factory=list)
    reads: bool = True
    on_release: object = lambda: None

    def hold(self):
        self.told.append("hold")

    def release(self):
        self.told.append("release")
        self.on_release()

    def pause(self, *, reading):
        assert reading is not self.reads
        self.reads = reading


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """What an answer takes, in seconds: nothing, unless a test says so."""
    told = [0.0]
    monkeypatch.setattr("live.user_connections.perf_counter", lambda: told[0])
    return told


@pytest.fixture
def shared():
    return UserConnections()


@pytest.fixture
def three(shared):
    made = [Connection() for _ in range(3)]
    for each in made:
        shared.add(each)
    return made


class Loop:
    """A clock that a test sets, and the timers that wait for it."""

    def __init__(self):
        self.now, self.timers = 100.0, []

    def time(self):
        return self.now

    def call_at(self, at, act):
        self.timers.append((at, act))
        return self

    def pass_to(self, now):
        self.now = now
        due, self.timers = (
            [each for each in self.timers if each[0] <= now],
            [each for each in self.timers if each[0] > now],
        )
        for _, act in due:
            act()


@pytest.fixture
def loop(monkeypatch):
    made = Loop()
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: made)
    return made


def test_after_a_costly_message_all_connections_of_the_user_wait_as_long_as_it_took(shared, three, loop):
    shared.throttle(2.0)
    late = Connection()
    shared.add(late)
    loop.pass_to(101.9)
    assert [each.told for each in (*three, late)] == [["hold"]] * 4
    loop.pass_to(102.0)
    assert [each.told for each in (*three, late)] == [["hold", "release"]] * 4


def test_connections_with_costly_messages_take_turns(shared, three, loop):
    served = []

    def costly(connection):
        served.append(three.index(connection))
        shared.throttle(1.0)

    for each in three:
        each.on_release = lambda each=each: costly(each)
    costly(three[0])
    for _ in range(6):
        loop.pass_to(loop.now + 1.0)
    assert served[1:] == [0, 1, 2, 0, 1, 2]


def test_a_connection_that_is_closed_is_held_no_longer(shared, three, loop):
    shared.throttle(1.0)
    shared.remove(three[0])
    loop.pass_to(101.0)
    assert [each.told for each in three] == [["hold", "release"]] * 3


def test_what_is_not_processed_of_all_connections_together_is_bounded(shared, three):
    one, two, three_ = three
    shared.unprocessed(one, 20 * MIB)
    shared.unprocessed(two, 12 * MIB)
    assert one.reads
    assert two.reads
    shared.unprocessed(three_, 1)
    assert not three_.reads
    shared.unprocessed(three_, 2)
    shared.unprocessed(one, 19 * MIB)
    assert three_.reads


def test_of_messages_that_arrive_together_the_first_is_read_to_its_end_and_then_the_next(shared, three):
    sizes = dict.fromkeys(three, 0)
    done = []
    while len(done) < 3:
        reading = [each for each in three if each.reads and each not in done]
        assert reading, "nobody is read from any more"
        for each in reading:
            sizes[each] += MIB
            shared.arriving(each, sizes[each])
            assert sum(sizes.values()) <= MAX_UNPROCESSED + 16 * MIB + MIB
            if sizes[each] == 16 * MIB:
                shared.arriving(each, 0)
                shared.unprocessed(each, 16 * MIB)
                done.append(each)
                shared.unprocessed(each, 0)
                sizes[each] = 0
    assert done == three


def test_nothing_more_is_read_while_whole_messages_wait(shared, three):
    one, two, three_ = three
    shared.arriving(one, 10 * MIB)
    shared.unprocessed(two, 16 * MIB)
    shared.unprocessed(three_, 16 * MIB)
    shared.arriving(one, 11 * MIB)
    assert not one.reads
    shared.unprocessed(two, 0)
    assert one.reads


def test_a_connection_that_is_closed_makes_room(shared, three):
    one, two, _ = three
    shared.unprocessed(one, 32 * MIB)
    shared.unprocessed(two, 1)
    assert not two.reads
    shared.remove(one)
    assert two.reads
    shared.unprocessed(one, 32 * MIB)
    shared.unprocessed(two, 2)
    assert two.reads


def test_after_a_costly_answer_the_next_to_another_connection_waits_a_multiple_of_it(shared, three, loop, clock):
    sent = []

    def act(number):
        clock[0] += 0.5
        sent.append(number)
        shared.answered(three[number])

    for number, each in enumerate(three):
        shared.answer(each, lambda number=number: act(number))
    assert sent == [0]
    loop.pass_to(loop.now + PAUSE * 0.5 - 0.1)
    assert sent == [0]
    loop.pass_to(loop.now + 0.1)
    assert sent == [0, 1]
    loop.pass_to(loop.now + PAUSE * 0.5)
    assert sent == [0, 1, 2]


def test_whole_answers_are_sent_to_one_connection_at_a_time(shared, three):
    sent = []
    for number, each in enumerate(three):
        shared.answer(each, lambda number=number: sent.append(number))
    shared.answer(three[0], lambda: sent.append("again"))
    assert sent == [0, "again"]
    shared.answered(three[1])
    assert sent == [0, "again"]
    shared.answered(three[0])
    assert sent == [0, "again", 1]
    shared.remove(three[1])
    assert sent == [0, "again", 1, 2]


def test_an_answer_to_a_connection_that_is_closed_is_not_sent(shared, three):
    sent = []
    for number, each in enumerate(three):
        shared.answer(each, lambda number=number: sent.append(number))
    shared.remove(three[1])
    shared.answered(three[0])
    assert sent == [0, 2]


def test_answers_that_end_at_once_are_all_sent(shared, three):
    sent = []

    def act(connection):
        sent.append(connection)
        shared.answered(connection)

    shared.answer(three[0], lambda: sent.append(three[0]))
    for _ in range(2_000):
        shared.answer(three[1], lambda: act(three[1]))
    shared.answered(three[0])
    assert len(sent) == 2_001
