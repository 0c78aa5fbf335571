"""Composes what one process serves over its database, from the settings."""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from math import inf
from secrets import token_hex
from typing import Final

import structlog
from litestar.types import ASGIApp
from prometheus_client import CollectorRegistry

from accounts.mail_sender import PAUSES, MailSender
from accounts.mail_writer import MailWriter
from computing.runner import JobRunner
from domain.commit import ACCESS_EVENTS, DOCUMENT_EDITED
from domain.credit import Credit
from domain.errors import Unavailable
from edge.proxies import proxies
from edge.rate_limit import RateLimiter, sign_in_rate_headers
from graphql_api import system
from graphql_api.drive_feed import DriveFeed, LiveEdit
from graphql_api.live_notices import LiveNotices
from graphql_api.not_found_timing import next_step
from live.connection_registry import ConnectionRegistry
from live.document_reader import DocumentReader
from live.edit_notices import EditNotices
from live.picows_transport import protocol_factory
from live.unseen import UnseenNotice
from live.version_reader import VersionReader
from persistence.access_barrier import AccessBarrier
from persistence.admission import Admission
from persistence.audit_feed import CUTTING, AuditFeed, EditedLog
from persistence.bell import Bell, Topic
from persistence.blob_removals import BlobRemovals
from persistence.commit_feed import CommitListener
from persistence.compaction import CompactionLog
from persistence.cursor_key import cursor_key
from persistence.housekeeping import Housekeeping
from persistence.last_uses import LastUses
from persistence.log_tail import LogTail
from persistence.name_folding import NameFolding
from persistence.node_lease import OWN_SECONDS, NodeLease
from persistence.oauth_store import OAuthStore
from persistence.outbox import Outbox
from persistence.quarantine import Quarantine
from persistence.repair import documents_with_unread_updates
from persistence.restored import reset_restored
from persistence.search_index import SearchIndex
from persistence.service_origin import note_origin
from persistence.shown_client_ids import ShownClientIdStore
from persistence.storage_counter import COUNTED, StorageCounter
from persistence.store import PostgresStore
from persistence.tickets import TicketTable
from persistence.update_log import UpdateLog
from service.application import State, allowed_origins, application, authenticator_of, budgets, rates
from service.blobs import BlobCleaner, BlobSweep, ObjectBlobs, blobs_of
from service.collaboration_auth import collaboration_auth, is_collaboration
from service.compactor import Compactor
from service.database import Database
from service.disks import Disks, disks_of
from service.drain import Drain
from service.first_start import Announcement, first_start
from service.followed_text import recorder
from service.gauges import Gauge
from service.image_copier import ImageCopier
from service.metrics import count_emails, time_nodes
from service.native_heap import HeapTrimmer
from service.node_settings import TOLD, common_settings, with_blobs
from service.one_port import OnePort, one_port
from service.pages import lifetimes, mailer_of
from service.settings import Settings
from service.socket_revocation import socket_watch
from service.version_scheduler import VersionScheduler
from service.workers import Led, Worker, run_in_background, run_workers

_log: Final = structlog.get_logger("service")

type Listeners = Sequence[tuple[CommitListener, Collection[str] | None]]
"""Who hears of commits, in this order, and of which types; of all where there are none."""


@dataclass(frozen=True, slots=True)
class Process:
    """`app` answers requests, `http` makes the protocols of the port, which has the sockets of documents, too.

    `announcement` is for the operator once it answers; `drain` comes before the end.
    """

    app: ASGIApp
    http: type[OnePort]
    workers: Sequence[Worker]
    announcement: Announcement
    drain: Drain


@dataclass(frozen=True, slots=True, kw_only=True)
class _Live:
    """What hears of commits and works on documents in the background."""

    store: PostgresStore
    registry: ConnectionRegistry
    drive_feed: DriveFeed
    notices: LiveNotices
    edit_notices: EditNotices
    index: SearchIndex
    copier: ImageCopier
    storage: StorageCounter
    bell: Bell | None


@asynccontextmanager
async def build_process(settings: Settings, opened: Database, origin: str) -> AsyncIterator[Process]:
    """Build the process over the database; when the block ends, its edits are durable and its connections closed.

    `origin` is how people reach it.
    """
    is_alone = opened.running is not None  # no other process is on a database of the server's own
    blobs = blobs_of(settings)
    async with (
        _store(settings, opened.url) as store,
        _last_uses(store, apps := OAuthStore(store, system.now)) as uses,
        aclosing(Quarantine(store, settings.data / "loading", system.now)) as quarantine,
        aclosing(JobRunner(quarantine.loading, quarantine.crashed, quarantine.is_suspect, budgets(settings))) as runner,
        _leased(NodeLease(store, inf) if is_alone else await _among_others(settings, store, blobs)) as lease,
        _access_read(store, lease, barrier := AccessBarrier(store, lease)) as audit,
        aclosing(UpdateLog(store.writers, lease, store.feed)) as edits,
        aclosing(LogTail(store)) as tail,
    ):
        store.feed.barrier = None if is_alone else barrier
        runner.start()
        await reset_restored(store)
        await quarantine.begin()
        documents = DocumentReader(store, runner=runner)
        disks, mailer = disks_of(settings), mailer_of(settings)
        announcement = await first_start(store, documents, settings, was_new=opened.was_new)
        await note_origin(store, origin)
        client_ids, storage = (
            ShownClientIdStore(store),
            StorageCounter(store, settings.drive_bytes, leads=lambda: lease.leads),
        )
        await storage.begin()
        registry = ConnectionRegistry.over(
            store,
            edits.append,
            tickets := TicketTable(store),
            system.milliseconds,
            None if settings.no_rate_limits else settings.sockets_per_user,
            next_step,
            client_ids.record,
            runner=runner,
            quotas=storage,
            node=lease,
            read_tail=tail.read,
        )
        lease.on_lost, lease.on_renewed = registry.reset, registry.rooms.awareness.keep
        client_ids.shown = registry.rooms.shown_client_ids
        store.feed.open_documents = registry.rooms
        drive_feed = DriveFeed()
        notices = LiveNotices(drive_feed, lambda: lease.has_others)
        edit_notices = EditNotices(lease, registry.rooms)
        topics: Mapping[str, Topic] = {"a": registry.rooms.awareness, "e": edit_notices, "n": notices}
        live = _Live(
            store=store,
            registry=registry,
            drive_feed=drive_feed,
            notices=notices,
            edit_notices=edit_notices,
            index=SearchIndex(store, runner=runner, leads=lambda: lease.leads),
            copier=ImageCopier(store, documents, runner, system.now, storage, lambda: lease.leads),
            storage=storage,
            bell=None
            if is_alone
            else Bell(store, lease, registry.rooms, audit.turn, audit.answer, barrier.rung, topics),
        )
        _tell_what_went_unseen(live)
        for listener, types in _listeners(live):
            store.feed.subscribe(listener, types)
        outbox = Outbox(store, PAUSES)
        writer = MailWriter(store, outbox, system.now, system.random_bits, origin, mailer.delivers)
        sender = MailSender(outbox, writer, mailer, store.posted)
        drain = Drain(settings.drain_seconds, lambda: lease.has_others)
        state = State(
            store=store,
            documents=documents,
            tickets=tickets,
            blobs=blobs,
            used=uses.keys.add,
            ready=store.ready,
            draining=drain,
            seen=uses.sessions.add,
            apps=apps,
            mailer=mailer,
            watch=socket_watch(registry),
            runner=runner,
            drive_feed=live.drive_feed,
            cursor_key=await cursor_key(store),
            disks=disks,
            gauges=[
                *_gauges(registry, store, quarantine, disks, runner, storage),
                *_gauges_of_nodes(lease, live.bell),
                Gauge(
                    "codrive_emails",
                    "E-mails to be sent",
                    "state",
                    lambda: {"waiting": sender.waiting if lease.leads else 0},
                ),
            ],
            quotas=storage,
            measure=partial(_measure, live=live, barrier=barrier, edits=edits, sender=sender),
        )
        limiter = rates(settings, lambda: lease.others + 1)
        of_one: Sequence[Worker] = (
            Housekeeping(store, trash_days=settings.trash_days, sessions=lifetimes(settings), apps=apps),
            _scheduler(store, runner),
            _compactor(settings, store, runner, storage),
            NameFolding(store),
            BlobCleaner(blobs, BlobRemovals(store)),
            BlobSweep(blobs, BlobRemovals(store), system.now),
            sender,
        )
        of_each: Sequence[Worker] = (
            *((live.bell, tail) if live.bell else ()),
            live.index,
            live.copier,
            quarantine,
            client_ids,
            storage,
            disks,
            documents,
            HeapTrimmer(),
        )
        async with (
            aclosing(live.bell) if live.bell else nullcontext(),
            run_in_background(_tell_of_unread_updates(store)),
            _watched(registry),
        ):
            app = application(settings, state, origin, limiter)
            http = await _protocols(settings, state, registry, origin, limiter, drain)
            yield Process(app, http, (*(Led(each, lease) for each in of_one), *of_each), announcement, drain)


async def _protocols(
    settings: Settings,
    state: State,
    registry: ConnectionRegistry,
    origin: str,
    limiter: RateLimiter | None,
    drain: Drain,
) -> type[OnePort]:
    authenticator, trusted = authenticator_of(settings, state, origin), proxies(settings.trusted_proxies)
    look = collaboration_auth(authenticator, allowed_origins(settings), trusted, limiter)
    engine = await protocol_factory(registry, look)
    return one_port(is_collaboration, engine, partial(sign_in_rate_headers, limiter), drain)


def _measure(
    registry: CollectorRegistry, live: _Live, barrier: AccessBarrier, edits: UpdateLog, sender: MailSender
) -> None:
    time_nodes(registry, live.bell, barrier, edits)
    count_emails(registry, sender)


def _listeners(live: _Live) -> Listeners:
    return [
        # first, so that others work meanwhile
        *([(live.bell.committed, None)] if live.bell else []),
        *([(each.committed, {DOCUMENT_EDITED}) for each in (live.notices, live.edit_notices)] if live.bell else []),
        (live.drive_feed.committed, None),
        (live.index.committed, {DOCUMENT_EDITED}),
        (live.copier.committed, {DOCUMENT_EDITED}),
        (live.storage.committed, COUNTED),
        (live.registry.committed, {DOCUMENT_EDITED, *ACCESS_EVENTS}),
    ]


def _tell_what_went_unseen(live: _Live) -> None:
    unseen = live.registry.rooms.unseen
    unseen.record = recorder(live.store, system.now)

    def tell(notice: UnseenNotice) -> None:
        edit = _live_edit(notice, system.now())
        live.drive_feed.notice(edit)
        live.notices.tell(edit)

    unseen.listeners.append(tell)


def _scheduler(store: PostgresStore, runner: JobRunner) -> VersionScheduler:
    edited = EditedLog(store, CUTTING)
    return VersionScheduler(
        store, VersionReader(store, runner=runner), edited.edited_documents, system.now, edited.finished
    )


def _compactor(settings: Settings, store: PostgresStore, runner: JobRunner, storage: StorageCounter) -> Compactor:
    log = CompactionLog(store, rows=settings.compact_rows, from_bytes=settings.compact_bytes)
    return Compactor(log, runner, system.now, storage.compacted)


def _gauges(
    registry: ConnectionRegistry,
    store: PostgresStore,
    quarantine: Quarantine,
    disks: Disks,
    runner: JobRunner,
    storage: StorageCounter,
) -> Sequence[Gauge]:
    pools = {"readers": store.readers, "writers": store.writers}

    def pooled(figure: str) -> Callable[[], Mapping[str, float]]:
        return lambda: {name: pool.get_stats().get(figure, 0) for name, pool in pools.items()}

    return (
        Gauge(
            "codrive_documents",
            "Documents that are open, and those that are quarantined",
            "state",
            lambda: {"open": len(registry.rooms.open), "quarantined": quarantine.count},
        ),
        Gauge(
            "codrive_document_sockets",
            "Connections to live documents",
            "state",
            lambda: {"open": len(registry.connections)},
        ),
        Gauge("codrive_jobs_waiting", "Jobs that wait for a turn", "lane", runner.waiting),
        Gauge("codrive_database_connections", "Connections to the database", "pool", pooled("pool_size")),
        Gauge("codrive_database_idle_connections", "Those that nobody uses", "pool", pooled("pool_available")),
        Gauge(
            "codrive_database_waiting", "Who waits for a connection to the database", "pool", pooled("requests_waiting")
        ),
        Gauge("codrive_storage_bytes", "Bytes of content in all drives", "state", lambda: {"stored": storage.stored}),
        Gauge("codrive_full_drives", "Drives that may store nothing more", "state", lambda: {"full": storage.full}),
        Gauge("codrive_disk_free_bytes", "Free bytes of the disk of a folder", "folder", disks.free),
    )


def _gauges_of_nodes(lease: NodeLease, bell: Bell | None) -> Sequence[Gauge]:
    return (
        Gauge(
            "codrive_servers", "Servers that have a lease on the database", "state", lambda: {"live": lease.others + 1}
        ),
        Gauge(
            "codrive_lease_losses",
            "How often the server closed everything, since others may have taken it for gone",
            "state",
            lambda: {"lost": lease.losses},
        ),
        Gauge(
            "codrive_tail_lag_seconds",
            "How long the oldest ring of another server waits until what it is about is read",
            "state",
            lambda: {"oldest": bell.lag if bell else 0.0},
        ),
    )


def _live_edit(notice: UnseenNotice, at: datetime) -> LiveEdit:
    who = notice.deleted_by
    deleter = Credit(who.user_id, who.name, who.agent) if who else None
    return LiveEdit(notice.drive_id, notice.document_id, notice.by, at, is_unseen=True, deleted_by=deleter)


async def _tell_of_unread_updates(store: PostgresStore) -> None:
    try:
        found = await documents_with_unread_updates(store)
    except Unavailable as fault:
        _log.warning("the logs of documents were not checked", error=str(fault))
        return
    if found:
        _log.error("acknowledged edits are in no read: run `codrive-server repair`", documents=found)


@asynccontextmanager
async def _watched(registry: ConnectionRegistry) -> AsyncIterator[None]:
    try:
        async with run_in_background(registry.watch()):
            yield
    finally:
        await registry.rooms.drained()
        registry.rooms.unseen.end()


def _store(settings: Settings, url: str) -> PostgresStore:
    pooled = settings.connections - 4  # the update log, its tail, the lease and the bell have one each
    return PostgresStore(url, readers=(pooled + 1) // 2, writers=pooled // 2, sessions=f"codrive {token_hex(8)}")


async def _among_others(settings: Settings, store: PostgresStore, blobs: ObjectBlobs) -> NodeLease:
    admission = Admission(store, partial(with_blobs, await common_settings(settings, store), blobs), TOLD)
    return NodeLease(store, OWN_SECONDS, admitted=admission.admitted)


@asynccontextmanager
async def _leased(lease: NodeLease) -> AsyncIterator[NodeLease]:
    """Hold the lease until all edits are durable."""
    async with aclosing(lease):
        await lease.begin()
        async with run_workers(lease):
            yield lease


@asynccontextmanager
async def _access_read(store: PostgresStore, lease: NodeLease, barrier: AccessBarrier) -> AsyncIterator[AuditFeed]:
    """Read the audit from when the lease is taken: others wait for this process from then on."""
    audit = AuditFeed(store, lease.confirm, barrier.acknowledge, since=lease.taken_at)
    async with run_workers(audit):
        yield audit


@asynccontextmanager
async def _last_uses(store: PostgresStore, apps: OAuthStore) -> AsyncIterator[LastUses]:
    uses = LastUses(store, apps)
    try:
        async with run_workers(uses):
            yield uses
    finally:
        await uses.turn()
