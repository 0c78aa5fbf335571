"""What can be followed: the record of a drive, as it grows."""

from collections.abc import AsyncIterator
from typing import Annotated

import strawberry

from domain.drive import member_of
from domain.key import still_held
from domain.questions import DriveFor, EventsOf, KeysOf
from graphql_api import present
from graphql_api.connections import event_number
from graphql_api.context import Asked, context_of
from graphql_api.queries import DriveId
from graphql_api.refused import accepted
from graphql_api.types import ID, DriveEvent

BATCH = 100


@strawberry.type(description="Everything that can be followed.")
class Subscription:
    @strawberry.subscription(description="What happens in a drive from now on, or since `after`; for its members.")
    async def drive_events(
        self,
        info: Asked,
        drive_id: DriveId,
        after: Annotated[ID | None, strawberry.argument(description="The id of the last event you know.")] = None,
    ) -> AsyncIterator[DriveEvent]:
        context = context_of(info)
        store = context.ports.store
        accepted(member_of(await store.read(DriveFor(context.user_id, drive_id))))
        known = event_number(after)
        if known is None:
            last = await store.read(EventsOf(drive_id, 1))
            known = last[0].sequence if last else 0
        async for _ in store.changes(drive_id):
            # INVARIANT: asked anew before anything is told, so that losing access or the key ends the story at once.
            accepted(member_of(await store.read(DriveFor(context.user_id, drive_id))))
            accepted(still_held(context.caller.key_id, await store.read(KeysOf(context.user_id))))
            while rows := await store.read(EventsOf(drive_id, BATCH, after=known)):
                for row in rows:
                    yield present.event(row)
                known = rows[-1].sequence
