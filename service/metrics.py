"""Serves the metrics to programs of this machine that come directly, and to whoever has their token."""

import hmac
from collections.abc import Iterable
from typing import Any, Final

from litestar import Request, route
from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest

from accounts.mail_sender import MailSender
from computing.runner import JobReport, JobRunner
from contract.errors import RejectionError
from domain.errors import NOT_FOUND, Code, Rejection
from edge.credentials import token_of
from edge.observability import SLOW_SECONDS
from edge.proxies import address_in
from edge.responses import NO_STORE, Response, error_response
from persistence.access_barrier import AccessBarrier
from persistence.bell import Bell
from persistence.update_log import UpdateLog

METRICS: Final = "/metrics"
WRONG_TOKEN: Final = Rejection(Code.UNAUTHORIZED, "send the token of the metrics as `Authorization: Bearer TOKEN`")
_FORWARDING: Final = (b"forwarded", b"via")
_FORWARDED: Final = b"x-forwarded-"


def comes_directly(peer: str, headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether a request comes from this machine, and no proxy says that it passes on somebody else's."""
    address = address_in(peer)
    if address is None or not address.is_loopback:
        return False
    return not any(name in _FORWARDING or name.startswith(_FORWARDED) for name, _ in headers)


def count_jobs(registry: CollectorRegistry, runner: JobRunner) -> None:
    """Have the jobs that processes run counted in the metrics of a registry."""
    jobs = Counter(
        "codrive_jobs_total", "Jobs that processes of their own ran to an end", ["job", "outcome"], registry=registry
    )
    seconds = Counter("codrive_job_cpu_seconds_total", "CPU time of these processes", ["job"], registry=registry)

    def count(report: JobReport) -> None:
        jobs.labels(report.job, "done" if report.done else "killed").inc()
        seconds.labels(report.job).inc(report.cpu_seconds)

    refused = Counter(
        "codrive_jobs_refused_total", "Jobs that were refused before they began", ["reason"], registry=registry
    )
    runner.listeners.append(count)
    runner.refusals.append(lambda reason: refused.labels(reason).inc())


def time_nodes(registry: CollectorRegistry, bell: Bell | None, barrier: AccessBarrier, edits: UpdateLog) -> None:
    """Have what servers wait for each other counted and timed in the metrics of a registry."""
    refused = Counter(
        "codrive_appends_refused_total",
        "Documents of which an append was refused, since another server wrote or the lease was gone",
        registry=registry,
    )
    waited = Histogram(
        "codrive_barrier_seconds",
        "How long changes of access waited for other servers",
        buckets=SLOW_SECONDS,
        registry=registry,
    )
    read = Histogram(
        "codrive_ring_to_read_seconds",
        "How long it took from a ring of another server until what it wrote was read",
        buckets=SLOW_SECONDS,
        registry=registry,
    )
    edits.on_refused, barrier.on_passed = refused.inc, waited.observe
    if bell:
        bell.on_read = read.observe


def count_emails(registry: CollectorRegistry, sender: MailSender) -> None:
    """Have what becomes of e-mails counted in the metrics of a registry."""
    ended = Counter("codrive_emails_total", "E-mails that wait no more", ["outcome"], registry=registry)
    sender.on_ended = lambda outcome: ended.labels(outcome).inc()


def metrics_handler(registry: CollectorRegistry, token: str | None) -> HTTPRouteHandler:
    """Return the handler of `/metrics`; without a `token` it is not there for anybody else."""

    @route(METRICS, http_method=[HttpMethod.GET, HttpMethod.HEAD], status_code=200)
    async def metrics(request: Request[Any, Any, Any]) -> ASGIApp:
        headers, client = [*request.scope["headers"]], request.scope["client"]
        if not comes_directly(client[0] if client else "", headers):
            if token is None:
                raise RejectionError(NOT_FOUND)
            if not hmac.compare_digest(token_of(headers) or "", token):
                return error_response(WRONG_TOKEN, (b"www-authenticate", b"Bearer"))
        return Response(200, ((b"content-type", CONTENT_TYPE_LATEST.encode()), NO_STORE), generate_latest(registry))

    return metrics
