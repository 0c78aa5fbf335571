"""The one ASGI application: REST, MCP, GraphQL with its sockets, and pages with the addresses for monitoring."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_bytes
from typing import Any, Final

from litestar import MediaType, Request, Response, route
from litestar.enums import HttpMethod
from litestar.types import ASGIApp
from prometheus_client import CollectorRegistry

from accounts.mail_limits import MailLimits
from accounts.ports import Mailer
from computing.budgets import Budget, Budgets
from computing.runner import JobRunner
from contract.contract import Contract, contract
from domain.item import TreeLimits
from domain.questions import CredentialIsValid, Published, PublishedAs
from domain.storage import StorageQuotas, Unlimited
from edge.app import Edge, EdgeParts, by_path
from edge.cookies import Cookies
from edge.cors import CORS
from edge.credentials import Authenticator, CallerLookup, bearers
from edge.in_flight import MAX_ARRIVING, MAX_UNREAD, InFlight
from edge.litestar_app import MinimalLitestar, as_response
from edge.mcp_resources import MCP_RESOURCES
from edge.observability import RequestObserver, access_log
from edge.one_spelling import OneSpelling, first_segments
from edge.origins import parse_origins
from edge.proxies import proxies
from edge.proxy_headers import ProxyHeaders
from edge.rate_limit import Rate, RateLimiter, Rates
from graphql_adapter.endpoint import MAX_LONG_BODIES, GraphQLEndpoint, Sizes, SocketTickets, Watch
from graphql_adapter.http import PATH as GRAPHQL
from graphql_adapter.http import graphql_app
from graphql_adapter.socket import MAX_SUBSCRIPTIONS
from graphql_api import system
from graphql_api.context import Context, Ports, ServiceLimits
from graphql_api.contract_execution import Api
from graphql_api.drive_feed import DriveFeed
from graphql_api.ports import SOCKET, Blobs, LiveDocuments, Store, Tickets
from graphql_api.prepared_documents import PreparedDocuments
from graphql_api.schema import build
from graphql_api.strawberry_internals import core_schema
from live.version_reader import VersionReader
from mcp_adapter.app import mcp_app
from rest_adapter.app import BASE, IMAGES, rest_app
from rest_adapter.images import ImageUploads
from service.disks import Disks
from service.gauges import Gauge, Gauges
from service.http_server import Draining, ServesOn
from service.image_jobs import ImageJobs
from service.logs import is_text
from service.metrics import count_jobs, metrics_handler
from service.pages import OPERATIONS, lifetimes, oauth_routers, web_context
from service.settings import Settings
from web.app import web_handlers
from web.application import prepared_texts
from web.errors import as_page
from web.graphiql import graphiql_page
from web.oauth_ports import Apps
from web.published import HTML, Publications, published_pages

_READ: Final = [HttpMethod.GET, HttpMethod.HEAD]


@dataclass(frozen=True, slots=True)
class State:
    """The state that the application is built over.

    `used` and `seen` are called with each key and each browser that signs in, `ready` returns whether the state answers.
    `draining` says whether the server stops soon.
    `gauges` are told beside those of the application itself, and `measure` adds what is counted elsewhere.
    """

    store: Store
    documents: LiveDocuments
    tickets: Tickets
    blobs: Blobs
    used: Callable[[str], None]
    ready: Callable[[], Awaitable[bool]]
    seen: Callable[[str], None]
    apps: Apps
    mailer: Mailer
    watch: Watch
    runner: JobRunner
    drive_feed: DriveFeed = field(default_factory=DriveFeed)
    cursor_key: bytes = field(default_factory=lambda: token_bytes(32))
    disks: Disks = field(default_factory=lambda: Disks({}))
    gauges: Sequence[Gauge] = ()
    draining: Draining = field(default_factory=ServesOn)
    quotas: StorageQuotas = field(default_factory=Unlimited)
    measure: Callable[[CollectorRegistry], None] = lambda _: None


def ports(settings: Settings, state: State, origin: str, limiter: RateLimiter | None) -> Ports:
    tree = TreeLimits(settings.most_drive_items, settings.most_folder_children, settings.most_depth)
    limit = ServiceLimits(
        tree=tree,
        members=settings.most_members,
        grants=settings.most_grants,
        open_invitations=settings.most_open_invitations,
        listed_items=settings.listed_items,
        listed_drives=settings.listed_drives,
        image_bytes=settings.image_bytes,
        request_bytes=settings.body_bytes,
        drive_bytes=settings.drive_bytes,
        reads_per_minute=None if settings.no_rate_limits else settings.reads_per_minute,
        writes_per_minute=None if settings.no_rate_limits else settings.writes_per_minute,
    )
    return Ports(
        state.store,
        state.documents,
        state.tickets,
        state.blobs,
        system.now,
        system.new_id,
        system.random_bits,
        origin,
        VersionReader(state.store, runner=state.runner),
        MailLimits(state.mailer.delivers, limiter),
        ImageJobs(state.runner),
        limit,
        drive_feed=state.drive_feed,
        cursor_key=state.cursor_key,
        quotas=state.quotas,
    )


def rates(settings: Settings, servers: Callable[[], int]) -> RateLimiter | None:
    """Return the limiter of this process; `servers` counts those on the database."""
    if settings.no_rate_limits:
        return None
    return RateLimiter(
        Rates(
            reads=Rate("reads", settings.reads_per_minute, divided=True),
            writes=Rate("writes", settings.writes_per_minute, divided=True),
            images=Rate("images", settings.images_per_minute),
            failed_sign_ins=Rate("failed-sign-ins", settings.bad_sign_ins_per_minute),
            invitations=Rate("invitations", settings.invitations_per_day, 86_400.0),
            accounts=Rate("accounts", settings.accounts_per_hour, 3_600.0),
            registrations=Rate("registrations", settings.registrations_per_hour, 3_600.0),
            token_requests=Rate("token-requests", settings.token_requests_per_minute),
        ),
        servers=servers,
    )


def budgets(settings: Settings) -> Budgets | None:
    if settings.no_rate_limits:
        return None
    return Budgets(Budget(2.0 * settings.cpu_seconds_per_minute, settings.cpu_seconds_per_minute / 60))


def callers(settings: Settings, state: State) -> CallerLookup:
    return CallerLookup(state.store, system.now, state.used, state.seen, lifetimes(settings))


def authenticator_of(settings: Settings, state: State, origin: str) -> Authenticator:
    found = callers(settings, state)
    by_bearer = bearers(state.apps.bearer, {each.point: each.at(origin) for each in MCP_RESOURCES})
    return Authenticator(found.by_key, by_bearer, found.by_session, Cookies(origin))


def allowed_origins(settings: Settings) -> list[str]:
    return parse_origins(settings.allowed_origins)


def application(settings: Settings, state: State, origin: str, limiter: RateLimiter | None) -> ASGIApp:
    """Return everything that is served on the one port; `origin` is how people reach it, without a slash at the end.

    `limiter` is None where nothing is limited.
    """
    schema, wired = build(), ports(settings, state, origin, limiter)
    api, observer = Api(schema, wired), RequestObserver(access_log(text=is_text(settings.log_format)))
    count_jobs(observer.registry, state.runner)
    state.measure(observer.registry)
    parts = EdgeParts(
        authenticator_of(settings, state, origin),
        limiter,
        observer.observe,
        bodies=InFlight(None if settings.no_rate_limits else MAX_ARRIVING),
        unread=InFlight(None if settings.no_rate_limits else MAX_UNREAD),
    )
    rest, tools = _surfaces(settings, parts, api, contract(core_schema(schema)), origin)
    pages_context = web_context(settings, schema, wired, callers(settings, state), limiter, state.mailer, state.runner)
    endpoint = GraphQLEndpoint(
        schema,
        parts,
        lambda caller: {"context": Context(wired, caller)},
        page=graphiql_page(pages_context),
        origins=allowed_origins(settings),
        sizes=Sizes(body=settings.body_bytes),
        watch=state.watch,
        prepared=PreparedDocuments(schema, prepared_texts()),
        long_bodies=InFlight(None if settings.no_rate_limits else MAX_LONG_BODIES),
        sockets=InFlight(None if settings.no_rate_limits else settings.graphql_sockets_per_user),
        subscriptions=InFlight(None if settings.no_rate_limits else MAX_SUBSCRIPTIONS),
        requests=wired.requests,
        tickets=SocketTickets(
            lambda ticket: state.tickets.take(ticket, SOCKET),
            lambda caller: state.store.read(CredentialIsValid(caller.credential)),
        ),
    )
    observer.registry.register(Gauges([*state.gauges, _open_sockets(endpoint)]))
    published = published_pages(
        Publications(origin, _published(state.store), state.documents, state.blobs, state.runner),
        limiter,
        Rate("published-reads", settings.published_reads_per_minute),
    )
    of_people = [published, *web_handlers(pages_context)]
    pages = MinimalLitestar(
        route_handlers=[
            *operator_pages(state.ready, state.disks, state.draining),
            metrics_handler(observer.registry, settings.metrics_token),
            *of_people,
            *oauth_routers(pages_context, state.apps, documents=settings.client_documents),
        ],
        exception_handlers={Exception: _as_asked},
        openapi_config=None,
        logging_config=None,
    )
    named = {f"/{name}": name for name in ("healthz", "readyz", "metrics")} | OPERATIONS
    places = [route.path for router in of_people for route in router.routes if not route.path.startswith("/static/")]
    spelled = OneSpelling(pages, first_segments(places))
    visited = Edge(spelled, parts, operations=named | {"/p/": "published"})
    origins = frozenset(each.encode() for each in endpoint.origins)
    served = by_path({**tools, GRAPHQL: graphql_app(endpoint)}, {BASE: rest, IMAGES: rest}, visited)
    answering = CORS(served, origins) if origins else served
    trusted = proxies(settings.trusted_proxies)
    return ProxyHeaders(answering, trusted) if trusted else answering


def _as_asked(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Return an error in the form that the client accepts: a page for browsers, the envelope for all others."""
    return (as_page if HTML in request.headers.get("accept", "") else as_response)(request, error)


def _surfaces(
    settings: Settings, parts: EdgeParts, api: Api, rows: Contract, origin: str
) -> tuple[ASGIApp, Mapping[str, ASGIApp]]:
    """Return the contract's rows over REST, and as tools by the path of each MCP address."""
    rest = rest_app(
        rows,
        parts,
        run=api.run,
        gallery=ImageUploads(api, most_bytes=settings.image_bytes),
        max_body=settings.body_bytes,
    )
    tools = {
        resource.path: mcp_app(
            rows,
            parts,
            resource,
            run=api.run,
            published_id=api.published_id,
            origin=origin,
            allowed_origins=allowed_origins(settings),
            max_body=settings.body_bytes,
        )
        for resource in MCP_RESOURCES
    }
    return rest, tools


def _published(store: Store) -> Callable[[str], Awaitable[Published | None]]:
    async def read(slug: str) -> Published | None:
        return await store.read(PublishedAs(slug))

    return read


def _open_sockets(endpoint: GraphQLEndpoint) -> Gauge:
    return Gauge(
        "codrive_graphql_sockets",
        "WebSockets at /graphql, and what is followed on them",
        "what",
        lambda: {"sockets": endpoint.sockets.total, "subscriptions": endpoint.subscriptions.total},
    )


def operator_pages(answers: Callable[[], Awaitable[bool]], disks: Disks, draining: Draining) -> list[Any]:
    """Return the addresses that monitoring asks; `answers` says whether the database does."""

    @route("/healthz", http_method=_READ, status_code=200, media_type=MediaType.TEXT)
    async def healthz() -> str:
        return "ok\n"

    @route("/readyz", http_method=_READ, status_code=200, media_type=MediaType.TEXT)
    async def readyz() -> Response[str]:
        if draining.is_on:
            return Response("the server is stopping\n", status_code=503)
        full = [f"the disk of the {name} is full" for name in disks.full()]
        faults = full if await answers() else [*full, "the database does not answer"]
        return Response("\n".join([*(faults or ["ok"]), ""]), status_code=503 if faults else 200)

    return [healthz, readyz]
