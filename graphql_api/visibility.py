"""The part of a lock scope that the caller sees, so that hidden things are not locked by those who cannot see them."""

from dataclasses import fields, replace
from typing import Final

from cachetools import LRUCache

from domain.drive import member_of
from domain.errors import Rejection
from domain.item import ItemFacts
from domain.organization import require_member
from domain.questions import DriveFor, ItemFor, OrganizationFor
from graphql_api.ports import LockScope, StateReader

MAX_SEEN: Final = 10_000  # pairs of a user and an id


class VisibilityCache:
    """Ids that users saw lately, so that a further change of the same thing costs no look-up."""

    def __init__(self, most: int = MAX_SEEN) -> None:
        self._pairs: LRUCache[tuple[str, str], bool] = LRUCache(most)

    async def visible_part(self, reader: StateReader, user_id: str, touches: LockScope) -> LockScope:
        """Return the part of `touches` that the user sees."""
        items = tuple([each for each in touches.items if await self._sees_item(reader, user_id, each)])
        return replace(
            touches,
            items=items,
            documents=tuple(each for each in touches.documents if each in items),
            drives=tuple([each for each in touches.drives if await self._sees_drive(reader, user_id, each)]),
            organizations=tuple(
                [each for each in touches.organizations if await self._sees_organization(reader, user_id, each)]
            ),
        )

    def forget(self, user_id: str, touches: LockScope) -> None:
        for name in fields(touches):
            for each in getattr(touches, name.name):
                self._pairs.pop((user_id, each), None)

    async def _sees_item(self, reader: StateReader, user_id: str, item_id: str) -> bool:
        if self._knows(user_id, item_id):
            return True
        facts = await reader.read(ItemFor(user_id, item_id))
        return self._note(user_id, item_id, seen=facts is not None and _is_reached(facts))

    async def _sees_drive(self, reader: StateReader, user_id: str, drive_id: str) -> bool:
        if self._knows(user_id, drive_id):
            return True
        facts = await reader.read(DriveFor(user_id, drive_id))
        return self._note(user_id, drive_id, seen=not isinstance(member_of(facts), Rejection))

    async def _sees_organization(self, reader: StateReader, user_id: str, organization_id: str) -> bool:
        if self._knows(user_id, organization_id):
            return True
        facts = await reader.read(OrganizationFor(user_id, organization_id))
        return self._note(user_id, organization_id, seen=not isinstance(require_member(facts), Rejection))

    def _knows(self, user_id: str, id_: str) -> bool:
        return self._pairs.get((user_id, id_), False)

    def _note(self, user_id: str, id_: str, *, seen: bool) -> bool:
        if seen:
            self._pairs[user_id, id_] = True
        return seen


def _is_reached(facts: ItemFacts) -> bool:
    """Whether the user has a role or a share that reaches the item, be it in the trash."""
    return facts.role is not None or any(step.permission is not None for step in facts.path)
