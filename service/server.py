"""Starts, serves and stops the service: the database first and last, the port in between."""

import asyncio
import gc
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from types import FrameType
from typing import Final

import structlog
import uvicorn
from litestar.types import ASGIApp

from demo.populate import write_credentials
from live.protocol import MAX_MESSAGE
from persistence.postgres.embedded import supervise
from persistence.postgres.installation import CannotStart
from service import shutdown
from service.database import Database
from service.drain import Drain
from service.first_start import Announcement
from service.one_port import OnePort
from service.process import build_process
from service.settings import Settings
from service.uvicorn_internals import forget_signals
from service.workers import run_in_background, run_workers
from service.write_deadline import BoundedWebSocket

GRACE_SECONDS: Final = 10
_log: Final = structlog.get_logger("service")


class Server(uvicorn.Server):
    """Uvicorn, with a callback when it answers, a drain before it stops, and without its handling of what follows the shutdown."""

    def __init__(self, config: uvicorn.Config, answers: Callable[[], None], drain: Drain) -> None:
        super().__init__(config)
        self._answers = answers
        self._drain = drain
        self._draining: asyncio.Task[None] | None = None
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
        """Stop; where others serve on and this is a polite request, when they have the clients. A second signal ends that."""
        seconds = self._drain.seconds if sig == signal.SIGTERM and self.started else 0.0
        shutdown.begin(seconds)
        if seconds:
            self._loop.call_soon_threadsafe(self._begin_drain)
            return
        super().handle_exit(sig, frame)
        self._loop.call_soon_threadsafe(self._woken.set)

    def _begin_drain(self) -> None:
        if self._draining is None:
            self._draining = self._loop.create_task(self._drain_and_stop())

    async def _drain_and_stop(self) -> None:
        await self._drain.run(self.server_state.connections)
        self.should_exit = True
        self._woken.set()

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
    origin = settings.origin or f"http://{_shown(settings.host)}:{listening.getsockname()[1]}"
    async with (
        run_in_background(supervise(running)) if running else nullcontext(),
        build_process(settings, opened, origin) as process,
        run_workers(*process.workers),
    ):

        def answers() -> None:
            gc.freeze()
            gc.set_threshold(20_000, 50, 100)  # a cycle may hold a body of megabytes until it is collected
            _announce(settings, process.announcement, say, origin)

        await Server(_config(process.app, process.http), answers, process.drain).serve([listening])


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


def _announce(settings: Settings, announcement: Announcement, say: Callable[[str], None], origin: str) -> None:
    if settings.credentials and announcement.demo:
        base = {"baseUrl": f"{origin}/api/v1", "origin": origin}
        write_credentials(settings.credentials, base | announcement.demo)
    say(announcement.text(origin))
    _log.info("ready", origin=origin)
