"""Who has had too much computed is refused until their bucket has filled again; the clock is the test's own."""

import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest

from computing.budgets import RESERVED, SECONDS_PER_BYTE, Budget, Budgets
from computing.edits import EditedRevision
from computing.jobs import AT_ONCE, EDIT, READ, TRY_UPDATE
from computing.runner import JobRunner, TooBusy, TooCostly
from documents.editing.edit import EditRequest, Passage, Passages
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from domain.credit import Credit
from domain.document import DocumentState
from domain.errors import BudgetSpent
from tests.computing.expensive_updates import DOCUMENT, searching, typed_backwards, until

AGENT, SESSION = Credit("ada", "Ada", "scribe"), Credit("ada", "Ada", is_session=True)
BEN = Credit("ben", "Ben")
SHARED = 60 * (1 - RESERVED)
EDITS_PER_MINUTE = 40


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def budgets(clock):
    return Budgets(now=clock)


@pytest.fixture
async def paying(budgets):
    async with aclosing(JobRunner(budgets=budgets)) as runner:
        yield runner


def spend(budgets, by, seconds):
    budgets.reserve(by, 0)(seconds)


def wait(budgets, by, size=0):
    """In how many seconds a job of this size is taken."""
    try:
        budgets.reserve(by, size)(0.0)
    except BudgetSpent as refused:
        return refused.seconds
    return 0


def test_a_budget_fills_again_by_what_was_really_taken(budgets, clock):
    spend(budgets, AGENT, SHARED - 1)
    assert wait(budgets, AGENT) == 0
    spend(budgets, AGENT, 10)
    refill = 0.5 * (1 - RESERVED)
    assert wait(budgets, AGENT) == 9 / refill
    clock.now += 9 / refill - 1
    assert wait(budgets, AGENT) == 1
    clock.now += 1
    assert wait(budgets, AGENT) == 0
    clock.now += 10_000
    spend(budgets, AGENT, SHARED + refill)
    assert wait(budgets, AGENT) == 1, "no bucket holds more than it does when it is full"


def test_a_quarter_is_for_the_web_session_alone(budgets):
    spend(budgets, AGENT, SHARED + 30)
    assert wait(budgets, AGENT)
    assert wait(budgets, SESSION) == 0
    spend(budgets, SESSION, 60 * RESERVED + 1)
    assert wait(budgets, SESSION)
    assert wait(budgets, BEN) == 0


def test_a_session_spends_its_own_part_first_and_then_what_is_shared(budgets):
    spend(budgets, SESSION, 60 * RESERVED + 1)
    assert wait(budgets, SESSION) == 0
    spend(budgets, SESSION, SHARED + 1)
    assert wait(budgets, SESSION)
    assert wait(budgets, AGENT)


def test_what_surely_takes_too_much_is_refused_before_it_begins(budgets):
    size = round(20 / SECONDS_PER_BYTE)
    spend(budgets, AGENT, SHARED - 10)
    assert wait(budgets, AGENT) == 0
    assert wait(budgets, AGENT, size) > 0
    assert wait(budgets, BEN, round(1000 / SECONDS_PER_BYTE)) == 0, "a full bucket has enough for anything"
    first = budgets.reserve(BEN, round(40 / SECONDS_PER_BYTE))
    assert wait(budgets, BEN, size) > 0, "what runs counts as its estimate"
    first(1.0)
    assert wait(budgets, BEN, size) == 0


def test_the_service_pays_for_nothing_and_a_document_for_itself(budgets):
    spend(budgets, "", 1_000)
    assert wait(budgets, "") == 0
    spend(budgets, DOCUMENT, 1_000)
    assert wait(budgets, DOCUMENT)


def test_only_so_many_buckets_are_kept_and_the_emptiest_are(clock):
    budgets = Budgets(Budget(), clock, most=10)
    spend(budgets, AGENT, 1_000)
    for number in range(100):
        spend(budgets, Credit(f"user {number}", ""), 1)
    assert len(budgets._buckets) <= 10
    assert wait(budgets, AGENT)


async def test_a_user_pays_what_their_jobs_took_also_those_that_were_killed(paying, budgets):
    reports = []
    paying.listeners.append(reports.append)
    stored, endless = typed_backwards(20_000), searching(20_000)
    with pytest.raises(TooCostly):
        await paying.run(replace(TRY_UPDATE, cpu_seconds=1), AGENT, DOCUMENT, stored, endless)
    await until(lambda: reports)
    spent = SHARED - budgets._buckets["ada"].left
    assert spent == pytest.approx(reports[0].cpu_seconds)
    assert spent > 0.5


async def test_a_user_without_budget_is_refused_and_all_others_are_served(paying, budgets):
    refused = []
    paying.refusals.append(refused.append)
    spend(budgets, AGENT, SHARED + 10)
    text = from_tree(parse("text"), 1)
    for state in (DocumentState(None, (text,), 1), DocumentState(None, (from_tree(parse("word " * 20_000), 1),), 1)):
        with pytest.raises(BudgetSpent):
            await paying.run(READ, AGENT, DOCUMENT, state)
        assert (await paying.run(READ, BEN, DOCUMENT, state)).markdown
        assert (await paying.run(READ, SESSION, DOCUMENT, state)).markdown
    assert refused == ["budget", "budget"]


async def test_a_job_that_got_no_turn_costs_nothing(paying, budgets):
    job = replace(TRY_UPDATE, lane=replace(TRY_UPDATE.lane_of(0), slots=1, patience=0.0, beside=0))
    running = asyncio.create_task(paying.run(job, BEN, DOCUMENT, typed_backwards(20_000), searching(20_000)))
    await asyncio.sleep(0)
    with pytest.raises(TooBusy):
        await paying.run(job, AGENT, DOCUMENT, from_tree(parse("text"), 1), b"\0\0")
    assert budgets._buckets["ada"].left == SHARED
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_an_agent_that_edits_a_document_of_200_kb_forty_times_a_minute_is_never_refused(paying, clock):
    paragraphs = "\n\n".join(f"n{number:04} " + "word " * 40 for number in range(1_000))
    stored = from_tree(parse(paragraphs), 1)
    assert len(stored) > 200_000 > AT_ONCE
    reports = []
    paying.listeners.append(reports.append)
    for number in range(5):  # real jobs, of which the budget counts the CPU
        asked = EditRequest(Passages((Passage(f"n{number:04} word", f"n{number:04} changed"),)))
        made = await paying.run(EDIT, AGENT, DOCUMENT, EditedRevision((stored,), (), 1), asked)
        assert made.computed.update
        clock.now += 60 / EDITS_PER_MINUTE
    await until(lambda: len(reports) == 5)
    least = min(each.cpu_seconds for each in reports)
    budgets = Budgets(now=clock)
    for _ in range(60 * EDITS_PER_MINUTE):  # an hour of edits that cost as much
        budgets.reserve(AGENT, len(stored))(least)
        clock.now += 60 / EDITS_PER_MINUTE
