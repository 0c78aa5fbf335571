"""What can be followed: the record of a drive, as it grows."""

from collections.abc import AsyncIterator
from typing import Annotated

import strawberry

from domain.drive import member_of
from domain.key import still_held
from domain.questions import Both, DriveFor, EventPlace, KeysOf, NewsOf
from graphql_api import views
from graphql_api.arguments import DriveId
from graphql_api.connections import event_number
from graphql_api.context import Info, context_of
from graphql_api.errors import unwrap
from graphql_api.types import ID, DriveEvent

BATCH = 100


@strawberry.type(description="Everything that can be followed.")
class Subscription:
    @strawberry.subscription(description="What happens in a drive from now on, or since `after`; for its members.")
    async def drive_events(
        self,
        info: Info,
        drive_id: DriveId,
        after: Annotated[ID | None, strawberry.argument(description="The id of the last event you know.")] = None,
    ) -> AsyncIterator[DriveEvent]:
        context = context_of(info)
        store = context.ports.store
        unwrap(member_of(await store.read(DriveFor(context.user_id, drive_id))))
        place = await store.read(EventPlace(event_number(after)))
        rights = Both(DriveFor(context.user_id, drive_id), KeysOf(context.user_id))
        async for _ in store.changes(drive_id):
            more = True
            while more:
                # INVARIANT: rights are asked in the snapshot in which the events are read, each time that some are, so
                # that nobody is told of what happened after they lost access or their key, however slowly they read.
                (facts, keys), news = await store.read(Both(rights, NewsOf(drive_id, place, BATCH)))
                unwrap(member_of(facts))
                unwrap(still_held(context.caller.key_id, keys))
                for event in news.events:
                    yield views.event(event)
                place, more = news.place, news.more
