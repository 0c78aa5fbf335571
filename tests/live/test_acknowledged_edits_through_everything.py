"""Every acknowledged edit is in every read and at every client, whatever happens to the document in whatever order."""

import random
import signal

import pytest

from tests.live.random_walk import Model, Walk
from tests.support.suite.rounds import ROUNDS, seed

pytestmark = pytest.mark.slow
STEPS = 20 if ROUNDS == 1 else 100 * ROUNDS  # a thousand in full
SEED = seed()
STEPS_BY_WEIGHT = {
    "type": 30,
    "leave": 8,
    "come_back": 8,
    "append": 8,
    "replace_a_passage": 6,
    "import_an_update": 6,
    "compact": 10,
    "restore": 5,
    "forge": 7,
    "kill": 4,
    "restart": 3,
}


async def test_every_acknowledged_edit_is_in_every_read_and_at_every_client(tmp_path, clients):
    chance = random.Random(SEED)
    walk = Walk(tmp_path / "data", clients, chance)
    await walk.start()
    try:
        model = Model(await walk.world.document())
        await walk.open(model)
        steps = chance.choices([*STEPS_BY_WEIGHT], [*STEPS_BY_WEIGHT.values()], k=STEPS)
        for number, step in enumerate(steps):
            await getattr(walk, step)(model)
            await walk.check(model, (number, step, steps[max(0, number - 12) : number + 1]))
    finally:
        await walk.stop(signal.SIGTERM)
