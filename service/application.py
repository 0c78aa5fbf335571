"""The one ASGI application: REST inside its edge, GraphQL and its socket, and what operators ask."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from litestar import Litestar, MediaType, Response, route
from litestar.enums import HttpMethod
from litestar.types import ASGIApp, Receive, Scope, Send
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from domain import key
from domain.account import Identity
from domain.errors import Rejection
from domain.item import Limits as TreeLimits
from domain.questions import WhoHoldsKey
from graphql_api.caller import Caller
from graphql_api.context import Context, Limit, Ports
from graphql_api.contract import Contract, contract
from graphql_api.execute import Api
from graphql_api.http import Endpoint, Sizes, graphql_handlers
from graphql_api.ports import Blobs, LiveDocuments, Store, Tickets
from graphql_api.rates import Buckets, Rate, Rates
from graphql_api.schema import build
from mcp_adapter.app import PATH as MCP
from mcp_adapter.app import mcp_app, nobody
from rest_adapter.answers import UNAUTHORIZED
from rest_adapter.app import BASE, rest_app
from rest_adapter.credentials import caller_of, secret_of
from rest_adapter.edge import Seen
from rest_adapter.images import Gallery
from rest_adapter.routes import as_response
from service import fresh
from service.access_log import access_log
from service.measures import Measures
from service.origins import Origins
from service.settings import Settings
from service.visits import Visited, known_as
from web.pages import STATIC
from web.published import Publications, published_pages

IMAGES: Final = "/images/"
_READ: Final = [HttpMethod.GET, HttpMethod.HEAD]


@dataclass(frozen=True, slots=True)
class State:
    """What the application is built over; `used` is told of each key that signs in, `ready` says if state answers."""

    store: Store
    documents: LiveDocuments
    tickets: Tickets
    blobs: Blobs
    used: Callable[[str], None]
    ready: Callable[[], Any]


def ports(settings: Settings, state: State, origin: str) -> Ports:
    tree = TreeLimits(settings.most_drive_items, settings.most_folder_children, settings.most_depth)
    limit = Limit(
        tree=tree, members=settings.most_members, grants=settings.most_grants, listed_items=settings.listed_items
    )
    return Ports(
        state.store,
        state.documents,
        state.tickets,
        state.blobs,
        fresh.now,
        fresh.new_id,
        fresh.randomness,
        origin,
        limit,
    )


def rates(settings: Settings) -> Buckets | None:
    if settings.no_rate_limits:
        return None
    return Buckets(
        Rates(
            reads=Rate("reads", settings.reads_per_minute),
            writes=Rate("writes", settings.writes_per_minute),
            images=Rate("images", settings.images_per_minute),
            failed_sign_ins=Rate("failed-sign-ins", settings.bad_sign_ins_per_minute),
        )
    )


@dataclass(frozen=True, slots=True)
class SignIn:
    """Who a key is, looked up anew for each request, so that a revoked one is known at once."""

    state: State

    async def by_key(self, secret: str) -> Identity | None:
        identity = await self.state.store.read(WhoHoldsKey(key.digest(secret)))
        if identity and identity.key_id:
            self.state.used(identity.key_id)
        return identity

    async def by_headers(self, headers: Mapping[str, str]) -> Caller | Rejection | None:
        raw = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        secret = secret_of(raw)
        identity = await self.by_key(secret) if secret else None
        if identity is None:
            return None
        known_as(identity)
        return caller_of(identity, raw)


def allowed_origins(settings: Settings) -> list[str]:
    return [each.strip() for each in settings.allowed_origins.split(",") if each.strip()]


def application(settings: Settings, state: State, origin: str) -> ASGIApp:
    """Return everything that is served on the one port; `origin` is how people reach it, without a slash at the end."""
    schema, wired, sign_in = build(), ports(settings, state, origin), SignIn(state)
    api, buckets, measures = Api(schema, wired), rates(settings), Measures()
    tell = access_log(settings.log_format)

    def observe(seen: Seen) -> None:
        measures.observe(seen)
        tell(seen)

    rest, mcp = _surfaces(settings, sign_in, api, contract(schema._schema), buckets, origin, observe)  # noqa: SLF001 - strawberry keeps the schema it wraps there
    endpoint = Endpoint(
        schema,
        sign_in.by_headers,
        lambda caller: {"context": Context(wired, caller)},
        ide=settings.demo,
        origins=allowed_origins(settings),
        sizes=Sizes(body=settings.body_bytes),
        not_signed_in=UNAUTHORIZED,
        buckets=buckets,
    )
    pages = Litestar(
        route_handlers=[
            *graphql_handlers(endpoint),
            *_operator_pages(state, measures.registry),
            published_pages(Publications(origin, state.store, state.documents, state.blobs)),
            STATIC,
        ],
        exception_handlers={Exception: as_response},
        openapi_config=None,
        logging_config=None,
    )
    visited = Visited(pages, {f"/{name}": name for name in ("graphql", "healthz", "readyz", "metrics")}, observe)
    origins = frozenset(each.encode() for each in endpoint.origins)
    served = _by_path(rest, mcp, visited)
    return Origins(served, origins) if origins else served


def _surfaces(
    settings: Settings,
    sign_in: SignIn,
    api: Api,
    rows: Contract,
    buckets: Buckets | None,
    origin: str,
    observe: Callable[[Seen], None],
) -> tuple[ASGIApp, ASGIApp]:
    """Return the contract's rows over REST, and as tools."""
    rest = rest_app(
        rows,
        run=api.run,
        authenticate=sign_in.by_key,
        gallery=Gallery(api, fresh.new_id, fresh.now, most_bytes=settings.image_bytes),
        buckets=buckets,
        most_body=settings.body_bytes,
        observe=observe,
    )
    mcp = mcp_app(
        rows,
        run=api.run,
        authenticate=sign_in.by_key,
        bearer=nobody,
        buckets=buckets,
        origin=origin,
        allowed_origins=allowed_origins(settings),
        most_body=settings.body_bytes,
        observe=observe,
    )
    return rest, mcp


def _by_path(rest: ASGIApp, mcp: ASGIApp, others: ASGIApp) -> ASGIApp:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        under_base = path.startswith((BASE + "/", IMAGES)) or path == BASE
        served = mcp if path == MCP else rest if under_base else others
        await served(scope, receive, send)

    return app


def _operator_pages(state: State, registry: CollectorRegistry) -> list[Any]:
    @route("/healthz", http_method=_READ, status_code=200, media_type=MediaType.TEXT)
    async def healthz() -> str:
        return "ok\n"

    @route("/readyz", http_method=_READ, status_code=200, media_type=MediaType.TEXT)
    async def readyz() -> Response[str]:
        ready = await state.ready()
        return Response("ok\n" if ready else "the database does not answer\n", status_code=200 if ready else 503)

    @route("/metrics", http_method=_READ, status_code=200)
    async def metrics() -> Response[bytes]:
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

    return [healthz, readyz, metrics]
