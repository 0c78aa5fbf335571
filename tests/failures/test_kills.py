"""What is there after `kill -9` at a moment that nobody chose: every answered write, once, and nothing by halves."""

import logging
import os
import random
import signal
from dataclasses import replace

import pytest

from persistence.postgres import processes
from tests.failures.writers import AT_ONCE, KILLS, SEED, Claim, Shift, hire, settle
from tests.support.processes.servers import eventually, serving

log = logging.getLogger(__name__)
SHARE = {"email": "stranger@example.com", "permission": "read_only"}


def kill(pid):
    os.kill(pid, signal.SIGKILL)


async def shift(served, chance, strike, after):
    """Let people write, strike, and return them with the shift they worked."""
    with served.client() as client:
        writers = hire(client, AT_ONCE)
    work = Shift(
        served.origin, served.headers(), writers, chance, strike, chance.randint(5, 60), after, chance.uniform(0, 0.02)
    )
    await work.work()
    assert work.struck
    return work


def occupants(served):
    return processes.occupants(served.data / "postgres" / "cluster")


@pytest.mark.parametrize("round_", range(KILLS))
async def test_a_killed_server_comes_back_with_every_answered_write(round_, home):
    data = home / "killed"
    chance = random.Random(f"{SEED} server {round_}")
    log.warning("CODRIVE_SEED=%d round %d", SEED, round_)
    also_postgres = chance.random() < 0.5
    with serving(data) as served:

        def strike():
            victims = [served.process.pid, *([served.postmaster] if also_postgres else [])]
            for victim in chance.sample(victims, len(victims)):
                kill(victim)

        work = await shift(served, chance, strike, after=0)
        assert served.ended() == -signal.SIGKILL
    with serving(data) as again, again.client() as client:
        for writer in work.writers:
            writer.check(client)
        await settle(again, work.writers)
        for writer in work.writers:
            writer.check(client)
    log.warning("%d answered, postgres killed as well: %s", work.answered, also_postgres)


@pytest.mark.parametrize("round_", range(KILLS))
async def test_the_server_outlives_a_killed_postgres_with_every_answered_write(round_, served):
    chance = random.Random(f"{SEED} postgres {round_}")
    log.warning("CODRIVE_SEED=%d round %d", SEED, round_)
    before = served.postmaster
    victim = before if chance.random() < 0.5 else chance.choice(sorted(occupants(served) - {before}))
    work = await shift(served, chance, lambda: kill(victim), after=chance.randint(20, 60))
    assert served.process.poll() is None
    await settle(served, work.writers)
    with served.client() as client:
        eventually(lambda: client.get("/readyz").status_code == 200 or None)
        for writer in work.writers:
            writer.check(client)
    what = "postmaster" if victim == before else "another process of Postgres"
    log.warning("%d answered, %d told to come back, killed: %s", work.answered, work.told_to_wait, what)


async def test_a_write_that_is_not_there_is_found_out(served):
    """The check itself: an answer that left nothing, and a thing that nobody wrote."""
    with served.client() as client:
        (writer,) = hire(client, 1)
        writer.check(client)
        for kind in ("child", "share", "import", "rename"):
            lie = Claim(kind, f"never-{kind}", "POST", "/", {}, "", answer={"item": {"id": "none"}})
            with pytest.raises(AssertionError):
                replace(writer, claims=[lie]).check(client)
        client.post(f"/api/v1/drive-items/{writer.document}/access", json=SHARE).raise_for_status()
        with pytest.raises(AssertionError, match="nobody wrote"):
            writer.check(client)
