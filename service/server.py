"""Starts, serves and stops the service: the database first and last, the port in between."""

import asyncio
import gc
import socket
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager, nullcontext, suppress
from datetime import datetime
from functools import partial
from math import inf
from types import FrameType
from typing import Final

import structlog
import uvicorn
from litestar.types import ASGIApp

from accounts.share_mailer import ITEM_SHARED, ShareMailer
from computing.runner import JobRunner
from demo.populate import write_credentials
from domain.commit import ACCESS_EVENTS, DOCUMENT_EDITED
from domain.credit import Credit
from domain.errors import Unavailable
from edge.proxies import proxies
from edge.rate_limit import sign_in_rate_headers
from graphql_api import system
from graphql_api.drive_feed import DriveFeed, LiveEdit
from graphql_api.not_found_timing import next_step
from live.connection_registry import ConnectionRegistry
from live.document_reader import DocumentReader
from live.picows_transport import protocol_factory
from live.protocol import MAX_MESSAGE
from live.unseen import UnseenNotice
from live.version_reader import VersionReader
from persistence.audit_feed import CUTTING, AuditFeed, EditedLog
from persistence.bell import Bell
from persistence.blob_removals import BlobRemovals
from persistence.commit_feed import CommitListener
from persistence.compaction import CompactionLog
from persistence.cursor_key import cursor_key
from persistence.housekeeping import Housekeeping
from persistence.last_uses import LastUses
from persistence.name_folding import NameFolding
from persistence.node_lease import OWN_SECONDS, NodeLease
from persistence.oauth_store import OAuthStore
from persistence.postgres.embedded import supervise
from persistence.postgres.installation import CannotStart
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
from service import shutdown
from service.application import State, allowed_origins, application, authenticator_of, budgets, rates
from service.blobs import BlobCleaner, BlobSweep, blobs_of
from service.collaboration_auth import collaboration_auth, is_collaboration
from service.compactor import Compactor
from service.database import Database
from service.disks import Disks, disks_of
from service.first_start import Announcement, first_start
from service.followed_text import recorder
from service.gauges import Gauge
from service.image_copier import ImageCopier
from service.native_heap import HeapTrimmer
from service.one_port import OnePort, one_port
from service.pages import lifetimes, mailer_of
from service.settings import Settings
from service.socket_revocation import socket_watch
from service.uvicorn_internals import forget_signals
from service.version_scheduler import VersionScheduler
from service.workers import run_in_background, run_workers
from service.write_deadline import BoundedWebSocket

GRACE_SECONDS: Final = 10
_log: Final = structlog.get_logger("service")


class Server(uvicorn.Server):
    """Uvicorn, with a callback when it answers, and without its handling of what follows the shutdown."""

    def __init__(self, config: uvicorn.Config, answers: Callable[[], None]) -> None:
        super().__init__(config)
        self._answers = answers
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._answers()

    async def main_loop(self) -> None:
        """Tick once a second, or when told to stop, instead of ten times a second: each tick wakes the process."""
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), 1.0)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        shutdown.begin()
        super().handle_exit(sig, frame)
        self._loop.call_soon_threadsafe(self._woken.set)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Uvicorn would raise the signal again when it has drained, and so end us before the database is stopped."""
        with super().capture_signals():
            try:
                yield
            finally:
                forget_signals(self)


def serve(settings: Settings, say: Callable[[str], None], opened: Database) -> None:
    """Run until told to stop; `say` prints messages for the operator."""
    runner, running = asyncio.Runner(loop_factory=_loop_factory()), opened.running
    with shutdown.ended_in_time(runner, running.stop if running else None), runner:
        runner.run(_serve(settings, say, opened))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    import uvloop  # noqa: PLC0415 - only a server needs it

    return uvloop.new_event_loop


async def _serve(settings: Settings, say: Callable[[str], None], opened: Database) -> None:
    running = opened.running
    listening = _listen(settings)
    at = f"http://{_shown(settings.host)}:{listening.getsockname()[1]}"
    origin = settings.origin or at
    async with (
        run_in_background(supervise(running)) if running else nullcontext(),
        _store(settings, opened.url) as store,
        _last_uses(store, apps := OAuthStore(store, system.now)) as uses,
        aclosing(Quarantine(store, settings.data / "loading", system.now)) as quarantine,
        aclosing(JobRunner(quarantine.loading, quarantine.crashed, quarantine.is_suspect, budgets(settings))) as runner,
        _leased(NodeLease(store, inf if running else OWN_SECONDS)) as lease,
        aclosing(UpdateLog(store.writers, lease, store.feed)) as edits,
    ):
        runner.start()
        await reset_restored(store)
        await quarantine.begin()
        documents = DocumentReader(store, runner=runner)
        blobs = blobs_of(settings)
        announcement = await first_start(store, documents, settings, was_new=opened.was_new)
        await note_origin(store, origin)
        most = None if settings.no_rate_limits else settings.sockets_per_user
        client_ids, storage = ShownClientIdStore(store), StorageCounter(store, settings.drive_bytes)
        await storage.begin()
        registry = ConnectionRegistry.over(
            store,
            edits.append,
            tickets := TicketTable(store),
            system.milliseconds,
            most,
            next_step,
            client_ids.record,
            runner=runner,
            quotas=storage,
            node=lease,
        )
        lease.on_lost = registry.reset
        client_ids.shown = registry.rooms.shown_client_ids
        mailer, index, drive_feed = mailer_of(settings), SearchIndex(store, runner=runner), DriveFeed()
        store.feed.open_documents = registry.rooms
        registry.rooms.unseen.record = recorder(store, system.now)
        registry.rooms.unseen.listeners.append(lambda notice: drive_feed.went_unseen(_live_edit(notice, system.now())))
        copier = ImageCopier(store, documents, runner, system.now, storage)
        audit = AuditFeed(store, lease.confirm)
        # no other process is on a database of the server's own
        bell = None if running else Bell(store, lease, registry.rooms, audit.turn)
        listeners: list[tuple[CommitListener, Collection[str] | None]] = [
            (drive_feed.committed, None),
            (index.committed, {DOCUMENT_EDITED}),
            (copier.committed, {DOCUMENT_EDITED}),
            (storage.committed, COUNTED),
            (registry.committed, {DOCUMENT_EDITED, *ACCESS_EVENTS}),
        ]
        if bell:
            listeners.append((bell.committed, None))
        if mailer.delivers:
            listeners.append((ShareMailer(store, mailer, origin).committed, {ITEM_SHARED}))
        for listener, types in listeners:
            store.feed.subscribe(listener, types)
        state = State(
            store,
            documents,
            tickets,
            blobs,
            uses.keys.add,
            store.ready,
            uses.sessions.add,
            apps,
            mailer,
            socket_watch(registry),
            runner,
            drive_feed,
            await cursor_key(store),
            disks := disks_of(settings),
            _gauges(registry, store, quarantine, disks, runner, storage),
            storage,
        )
        authenticator, limiter = authenticator_of(settings, state, origin), rates(settings)
        trusted = proxies(settings.trusted_proxies)
        look = collaboration_auth(authenticator, allowed_origins(settings), trusted, limiter)
        engine = await protocol_factory(registry, look)
        http = one_port(is_collaboration, engine, partial(sign_in_rate_headers, limiter))
        config = _config(application(settings, state, origin, limiter), http)

        def answers() -> None:
            gc.freeze()
            gc.set_threshold(20_000, 50, 100)  # a cycle may hold a body of megabytes until it is collected
            _announce(settings, announcement, say, origin)

        log = CompactionLog(store, rows=settings.compact_rows, from_bytes=settings.compact_bytes)
        compactor = Compactor(log, runner, system.now, storage.compacted)
        edited = EditedLog(store, CUTTING)
        versions = VersionReader(store, runner=runner)
        scheduler = VersionScheduler(store, versions, edited.edited_documents, system.now, edited.finished)
        async with (
            aclosing(bell) if bell else nullcontext(),
            run_in_background(_tell_of_unread_updates(store)),
            _watched(registry),
            run_workers(
                audit,
                *([bell] if bell else []),
                Housekeeping(store, trash_days=settings.trash_days, sessions=lifetimes(settings), apps=apps),
                scheduler,
                compactor,
                index,
                copier,
                NameFolding(store),
                quarantine,
                client_ids,
                storage,
                disks,
                BlobCleaner(blobs, BlobRemovals(store)),
                BlobSweep(blobs, BlobRemovals(store), system.now),
                HeapTrimmer(),
            ),
        ):
            await Server(config, answers).serve([listening])


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


def _config(app: ASGIApp, http: type[OnePort]) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=http,
        ws=BoundedWebSocket,
        ws_max_size=MAX_MESSAGE,
        ws_per_message_deflate=False,  # on the loop, a large answer would keep everybody waiting
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


@asynccontextmanager
async def _watched(registry: ConnectionRegistry) -> AsyncIterator[None]:
    try:
        async with run_in_background(registry.watch()):
            yield
    finally:
        await registry.rooms.drained()
        registry.rooms.unseen.end()


def _store(settings: Settings, url: str) -> PostgresStore:
    pooled = settings.connections - 3  # the update log, the lease and the bell have one each
    return PostgresStore(url, readers=(pooled + 1) // 2, writers=pooled // 2)


def _listen(settings: Settings) -> socket.socket:
    """Take the port before anything else, so that its number is known and nobody else has it."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as fault:
        raise CannotStart(f"cannot listen on {settings.host}:{settings.port}: {fault.strerror}") from fault
    return listening


def _shown(host: str) -> str:
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104


@asynccontextmanager
async def _leased(lease: NodeLease) -> AsyncIterator[NodeLease]:
    """Hold the lease until all edits are durable."""
    async with aclosing(lease):
        await lease.begin()
        async with run_workers(lease):
            yield lease


@asynccontextmanager
async def _last_uses(store: PostgresStore, apps: OAuthStore) -> AsyncIterator[LastUses]:
    uses = LastUses(store, apps)
    try:
        async with run_workers(uses):
            yield uses
    finally:
        await uses.turn()


def _announce(settings: Settings, announcement: Announcement, say: Callable[[str], None], origin: str) -> None:
    if settings.credentials and announcement.demo:
        base = {"baseUrl": f"{origin}/api/v1", "origin": origin}
        write_credentials(settings.credentials, base | announcement.demo)
    say(announcement.text(origin))
    _log.info("ready", origin=origin)
