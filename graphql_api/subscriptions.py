"""The subscriptions to the events of a drive, and to those of everything that the caller sees."""

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from heapq import merge
from operator import attrgetter
from typing import Annotated

import strawberry

from contract.errors import unwrap
from domain.commit import DOCUMENT_EDITED
from domain.cursor import Cursor
from domain.drive import member_of
from domain.errors import NOT_FOUND, UNAUTHORIZED
from domain.questions import (
    Both,
    CredentialIsValid,
    DriveFor,
    EventsOf,
    EventsSince,
    FeedPositionAfter,
    Follower,
    Recorded,
    SharedWith,
    VisibleEventCount,
    VisibleEventsSince,
)
from graphql_api import views
from graphql_api.arguments import By, ByAgent, DriveId, OfItem, OfTypes, Since, event_filter
from graphql_api.connections import event_number
from graphql_api.context import Info, context_of
from graphql_api.drive_feed import LiveEdit
from graphql_api.enums import EventType
from graphql_api.ports import StateReader
from graphql_api.types import ID, DriveEvent, ViewerEvent

BATCH = 100
MAX_RESUMED = 1_000  # events that are delivered after a lost connection


@strawberry.type(description="Everything that can be followed.")
class Subscription:
    @strawberry.subscription(
        description="What happens in a drive from now on, or since `after`; for its members. The audit has one entry a "
        "minute of what an author types in a document. What they type in between comes as `documentEdited`, too, at most "
        "once in ten seconds for each author and document, with `live` in its `details` and the `id` of the entry before it; with "
        "`unseen` where what they typed went with a block that somebody else deleted without having seen it."
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
        place, latest = await store.read(Both(FeedPositionAfter(event_number(after)), EventsOf(drive_id, 1)))
        last = after or (str(latest[0].sequence) if latest else "0")
        ports, follower = context.ports, Follower(context.user_id, context.caller.credential)
        async for edits in context.ports.drive_feed.changes(drive_id):
            more = True
            while more:
                # INVARIANT: rights are read in the snapshot of the events, each time, so that no event is delivered that
                # was committed after its reader lost access or their credential, however slowly they read.
                rights, batch = await ports.shared_reads.read_events(
                    store, EventsSince(drive_id, place, BATCH), follower, ports.drive_reads.slot(drive_id)
                )
                unwrap(None if rights.is_member else NOT_FOUND)
                unwrap(None if rights.is_valid else UNAUTHORIZED)
                place, more = batch.place, batch.more
                merged: Iterator[Recorded | LiveEdit] = merge(batch.events, () if more else edits, key=attrgetter("at"))
                for event in merged:
                    if isinstance(event, LiveEdit):
                        if wanted.passes(DOCUMENT_EDITED, event.item_id, event.by, event.at):
                            yield views.live_edit(event, last)
                    else:
                        last = str(event.sequence)
                        if wanted.passes(event.type, event.item_id, event.by, event.at):
                            yield views.event(event)

    @strawberry.subscription(
        description="What happens from now on, or since `after`, to everything that you see: all of your drives, and what is "
        "shared with you. Live edits come as in `driveEvents`. Events of what you may not see at that moment are left out; where "
        "you come to see more or less, `accessChanged` says so."
    )
    async def changes(
        self,
        info: Info,
        after: Annotated[Cursor | None, strawberry.argument(description="The id of the last one you know.")] = None,
    ) -> AsyncIterator[ViewerEvent]:
        context = context_of(info)
        store, user_id, own = context.ports.store, context.user_id, context.caller.email
        credential = context.caller.credential
        behind = 0 if after is None else await store.read(VisibleEventCount(user_id, after, MAX_RESUMED + 1))
        place = after if behind is not None and behind <= MAX_RESUMED else None
        notice = EventType.reload if place != after else None
        roots = await _shared_roots(store, user_id)
        async with aclosing(context.ports.drive_feed.changes(user_id, own)) as feed:
            edits = await anext(feed)
            while True:
                more = True
                while more:
                    # INVARIANT: rights are read in the snapshot of the events, each time, as above.
                    items = tuple(sorted({edit.item_id for edit in edits}))
                    question = Both(CredentialIsValid(credential), VisibleEventsSince(user_id, place, BATCH, items))
                    turn = context.ports.reads.slot(user_id)
                    is_valid, batch = await context.ports.shared_reads.read(store, question, turn)
                    unwrap(None if is_valid else UNAUTHORIZED)
                    place, more = batch.place, batch.more
                    for event in filter(None, (views.viewer_event(each, own) for each in batch.events)):
                        yield event
                    if batch.hid or batch.regranted:
                        before, roots = roots, await _shared_roots(store, user_id)
                        notice = notice or (EventType.accessChanged if roots != before else None)
                    if batch.left or batch.regranted:
                        notice = notice or EventType.accessChanged
                    if notice:
                        yield views.viewer_notice(notice, batch.place)
                        notice = None
                for edit in edits:
                    if edit.item_id in batch.seen:
                        yield views.viewer_live_edit(edit, batch.place)
                edits = await feed.asend({user_id, own, *batch.drives})


async def _shared_roots(store: StateReader, user_id: str) -> frozenset[str]:
    """Return what is shared with the user directly and is not in the trash."""
    return frozenset([facts.item.id for facts in await store.read(SharedWith(user_id))])
