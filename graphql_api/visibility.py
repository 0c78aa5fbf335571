"""The part of a lock scope that the caller sees, so that hidden things are not locked by those who cannot see them."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Final

from cachetools import LRUCache

from domain.drive import DriveFacts, member_of
from domain.errors import Rejection
from domain.item import ItemFacts
from domain.organization import OrganizationFacts, require_member
from domain.questions import DriveFor, ItemFor, OrganizationFor, Question
from graphql_api.ports import LockScope, StateReader

MAX_SEEN: Final = 10_000  # pairs of a user and an id


class VisibilityCache:
    """Ids that users saw lately, so that a further change of the same thing costs no look-up."""

    def __init__(self, most: int = MAX_SEEN) -> None:
        self._pairs: LRUCache[tuple[str, str], bool] = LRUCache(most)

    async def visible_part(self, reader: StateReader, user_id: str, touches: LockScope) -> LockScope:
        """Return the part of `touches` that the user sees."""
        items = await self._seen(reader, user_id, touches.items, ItemFor, _is_reached)
        return replace(
            touches,
            items=items,
            documents=tuple([each for each in touches.documents if each in items]),
            drives=await self._seen(reader, user_id, touches.drives, DriveFor, _is_member),
            organizations=await self._seen(reader, user_id, touches.organizations, OrganizationFor, _belongs),
        )

    def forget(self, user_id: str, touches: LockScope) -> None:
        for name in fields(touches):
            for each in getattr(touches, name.name):
                self._pairs.pop((user_id, each), None)

    async def _seen[Facts](
        self,
        reader: StateReader,
        user_id: str,
        ids: Sequence[str],
        question: Callable[[str, str], Question[Facts]],
        is_seen: Callable[[Facts], bool],
    ) -> tuple[str, ...]:
        found = []
        for each in ids:
            if (user_id, each) in self._pairs or is_seen(await reader.read(question(user_id, each))):
                self._pairs[user_id, each] = True
                found.append(each)
        return tuple(found)


def _is_reached(facts: ItemFacts | None) -> bool:
    """Whether the user has a role or a share that reaches the item, be it in the trash."""
    if facts is None:
        return False
    return facts.role is not None or any(step.permission is not None for step in facts.path)


def _is_member(facts: DriveFacts | None) -> bool:
    return not isinstance(member_of(facts), Rejection)


def _belongs(facts: OrganizationFacts | None) -> bool:
    return not isinstance(require_member(facts), Rejection)
