"""Look-ups of one kind for which the fields of an operation ask at once, made together.

A list of folders asks for the children of each. What is asked for in one turn of the event loop is one question.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

MAX_BATCH: Final = 500  # of one question


class BatchLoader[Key, Id, Answer]:
    """Questions by what they have in common, each for many ids; `ask` returns the answers by their ids."""

    def __init__(self, ask: Callable[[Key, tuple[Id, ...]], Awaitable[dict[Id, Answer]]]) -> None:
        self._ask = ask
        self._waiting: dict[Key, dict[Id, asyncio.Future[Answer | None]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def load(self, key: Key, id_: Id) -> Answer | None:
        """Return the answer for an id, None where there is none; raises what asking raises."""
        waiting = self._waiting.get(key)
        if waiting is None or len(waiting) == MAX_BATCH:
            waiting = self._waiting[key] = {}
            task = asyncio.create_task(self._answer(key, waiting))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if id_ not in waiting:
            waiting[id_] = asyncio.get_running_loop().create_future()
        return await asyncio.shield(waiting[id_])

    async def _answer(self, key: Key, waiting: dict[Id, asyncio.Future[Answer | None]]) -> None:
        if self._waiting.get(key) is waiting:
            del self._waiting[key]
        try:
            found = await self._ask(key, tuple(waiting))
        except Exception as error:  # noqa: BLE001 - it is raised where each of the answers is awaited
            for each in waiting.values():
                each.set_exception(error)
                each.exception()  # whoever does not wait any more leaves it unseen
            return
        for id_, each in waiting.items():
            each.set_result(found.get(id_))
