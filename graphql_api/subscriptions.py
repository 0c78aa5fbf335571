"""The subscription to the events of a drive."""

from collections.abc import AsyncIterator, Iterator
from heapq import merge
from operator import attrgetter
from typing import Annotated

import strawberry

from domain.commit import DOCUMENT_EDITED
from domain.drive import member_of
from domain.key import still_held
from domain.questions import Both, DriveFor, EventPlace, EventsOf, KeysOf, NewsOf, Recorded
from graphql_api import views
from graphql_api.arguments import By, ByAgent, DriveId, OfItem, OfTypes, Since, event_filter
from graphql_api.connections import event_number
from graphql_api.context import Info, context_of
from graphql_api.drive_feed import LiveEdit
from graphql_api.errors import unwrap
from graphql_api.types import ID, DriveEvent

BATCH = 100


@strawberry.type(description="Everything that can be followed.")
class Subscription:
    @strawberry.subscription(
        description="What happens in a drive from now on, or since `after`; for its members. The audit has one entry a "
        "minute of what an author types in a document. What they type in between comes as `documentEdited`, too, at most "
        "once in ten seconds for each author and document, with `live` in its `details` and the `id` of the entry before it."
    )
    async def drive_events(
        self,
        info: Info,
        drive_id: DriveId,
        after: Annotated[ID | None, strawberry.argument(description="The id of the last event you know.")] = None,
        by: By = None,
        agent: ByAgent = None,
        item_id: OfItem = None,
        types: OfTypes = None,
        since: Since = None,
    ) -> AsyncIterator[DriveEvent]:
        context, wanted = context_of(info), event_filter(by, agent, item_id, types, since)
        store = context.ports.store
        unwrap(member_of(await store.read(DriveFor(context.user_id, drive_id))))
        place, latest = await store.read(Both(EventPlace(event_number(after)), EventsOf(drive_id, 1)))
        last = after or (str(latest[0].sequence) if latest else "0")
        rights = Both(DriveFor(context.user_id, drive_id), KeysOf(context.user_id))
        async for edits in context.ports.drive_feed.changes(drive_id):
            more = True
            while more:
                # INVARIANT: rights are read in the snapshot of the events, each time, so that no event is delivered that
                # was committed after its reader lost access or their key, however slowly they read.
                (facts, keys), news = await store.read(Both(rights, NewsOf(drive_id, place, BATCH)))
                unwrap(member_of(facts))
                unwrap(still_held(context.caller.key_id, keys))
                place, more = news.place, news.more
                merged: Iterator[Recorded | LiveEdit] = merge(news.events, () if more else edits, key=attrgetter("at"))
                for event in merged:
                    if isinstance(event, LiveEdit):
                        if wanted.passes(DOCUMENT_EDITED, event.item_id, event.by, event.at):
                            yield views.live_edit(event, last)
                    else:
                        last = str(event.sequence)
                        if wanted.passes(event.type, event.item_id, event.by, event.at):
                            yield views.event(event)
