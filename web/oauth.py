"""The endpoints of the authorization server that applications call: metadata, registration, tokens and revocation.

Those that go through a browser are in `web.oauth_consent`. Formats are those of RFC 6749, 7009, 7591, 8414 and 9728.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final
from urllib.parse import parse_qsl

import msgspec
import structlog
from litestar import Request, Response, Router, route
from litestar.enums import HttpMethod
from litestar.exceptions import HTTPException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.handlers import HTTPRouteHandler

from domain.errors import Rejection, Unavailable
from domain.key import digest
from domain.oauth import SCOPE, Client, FamilyEnded, Outcome, PresentedToken, client_name, redirect_uris
from domain.values import text_fault
from edge.mcp_resources import MCP, MCP_RESOURCES, ORIGIN_METADATA, McpResource
from edge.rate_limit import Rate, Rates
from web.context import address_of, count
from web.oauth_grants import OAuthResponse, Pairs, exchange, oauth_refusal, revocation
from web.oauth_ports import OAuth

MAX_BODY: Final = 16 * 1024  # bytes
MAX_FIELDS: Final = 30
GRANTS: Final = ("authorization_code", "refresh_token")
_FORM: Final = "application/x-www-form-urlencoded"
_METADATA_LASTS: Final = "public, max-age=300"
# Any page may call these endpoints: nothing that a browser adds by itself authenticates a request.
ANYBODY: Final = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
    "access-control-expose-headers": "retry-after, www-authenticate",
    "access-control-max-age": "600",
}
_READ: Final = [HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS]
_WRITE: Final = [HttpMethod.POST, HttpMethod.OPTIONS]
_log: Final = structlog.get_logger("oauth")

type ProgramRequest = Request[Any, Any, Any]


class OAuthRefused(Exception):  # noqa: N818 - an answer
    """A request that is refused before the grant is decided."""

    def __init__(self, response: OAuthResponse, headers: dict[str, str] | None = None) -> None:
        super().__init__(str(response.body.get("error")))
        self.response = response
        self.headers = headers or {}


class Registration(msgspec.Struct):
    """A client's metadata (RFC 7591, section 2); other fields are ignored."""

    redirect_uris: list[str]
    client_name: str | None = None
    grant_types: list[str] | None = None
    response_types: list[str] | None = None


def server_metadata(oauth: OAuth) -> dict[str, object]:
    """Return the metadata of this authorization server (RFC 8414)."""
    issuer = oauth.rules.issuer
    return {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/oauth/authorize",
        "token_endpoint": f"{issuer}/oauth/token",
        "registration_endpoint": f"{issuer}/oauth/register",
        "revocation_endpoint": f"{issuer}/oauth/revoke",
        "scopes_supported": [SCOPE],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": list(GRANTS),
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "protected_resources": [each.at(issuer) for each in MCP_RESOURCES],
    } | ({"client_id_metadata_document_supported": True} if oauth.fetch else {})


def resource_metadata(oauth: OAuth, resource: McpResource) -> dict[str, object]:
    """Return the metadata of an MCP address as a protected resource (RFC 9728)."""
    return {
        "resource": resource.at(oauth.rules.issuer),
        "resource_name": resource.name,
        "authorization_servers": [oauth.rules.issuer],
        "scopes_supported": [SCOPE],
        "bearer_methods_supported": ["header"],
    }


def oauth_router(oauth: OAuth) -> Router:
    """Return the endpoints that applications call."""

    @route("/.well-known/oauth-authorization-server", http_method=_READ, status_code=200)
    async def about_server(request: Request[Any, Any, Any]) -> Response[Any]:
        return _preflight(request) or _described(server_metadata(oauth))

    @route("/oauth/register", http_method=_WRITE, status_code=201)
    async def register(request: Request[Any, Any, Any]) -> Response[Any]:
        return _preflight(request) or _response(await _register(oauth, request))

    @route("/oauth/token", http_method=_WRITE, status_code=200)
    async def token(request: Request[Any, Any, Any]) -> Response[Any]:
        return _preflight(request) or _response(await _token(oauth, request))

    @route("/oauth/revoke", http_method=_WRITE, status_code=200)
    async def revoke(request: Request[Any, Any, Any]) -> Response[Any]:
        return _preflight(request) or _response(await _revoke(oauth, request))

    return Router(
        "/",
        route_handlers=[about_server, *(_about(oauth, each) for each in MCP_RESOURCES), register, token, revoke],
        exception_handlers={Exception: _as_error},
        include_in_schema=False,
        request_max_body_size=MAX_BODY,
    )


def _about(oauth: OAuth, resource: McpResource) -> HTTPRouteHandler:
    # clients that leave the path out ask for the metadata of the whole origin
    paths = [resource.metadata_path, *([ORIGIN_METADATA] if resource is MCP else [])]

    @route(paths, http_method=_READ, status_code=200)
    async def about_resource(request: Request[Any, Any, Any]) -> Response[Any]:
        return _preflight(request) or _described(resource_metadata(oauth, resource))

    return about_resource


async def _register(oauth: OAuth, request: ProgramRequest) -> OAuthResponse:
    _spend(oauth, lambda rates: rates.registrations, request)
    response = await _registration(oauth, await request.body())
    if (
        response.status != 201 and oauth.context.limiter
    ):  # an office has one address, and what is refused stores nothing
        oauth.context.limiter.refund(oauth.context.limiter.rates.registrations, address_of(request))
    return response


async def _registration(oauth: OAuth, body: bytes) -> OAuthResponse:
    try:
        asked = msgspec.json.decode(body, type=Registration)
    except msgspec.ValidationError as error:
        about = "invalid_redirect_uri" if "redirect_uris" in str(error) else "invalid_client_metadata"
        return oauth_refusal(about, _plain(str(error)))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return oauth_refusal("invalid_client_metadata", "the body is not valid JSON")
    return await _registered(oauth, asked)


def client_of(asked: Registration, client_id: str, now: datetime) -> Client | OAuthResponse:
    """Return the client that metadata describes, or the refusal."""
    name, uris = client_name(asked.client_name), redirect_uris(asked.redirect_uris)
    if isinstance(uris, Rejection):
        return oauth_refusal("invalid_redirect_uri", _plain(uris.message))
    if isinstance(name, Rejection):
        return oauth_refusal("invalid_client_metadata", _plain(name.message))
    # others than ours are left out, as section 3.2.1 lets us, and the answer says so
    grants = [each for each in GRANTS if asked.grant_types is None or each in asked.grant_types]
    if GRANTS[0] not in grants or "code" not in (asked.response_types or ["code"]):
        return oauth_refusal(
            "invalid_client_metadata", "the grant is authorization_code, and the response type is code"
        )
    return Client(client_id, name, uris, len(grants) > 1, now)


async def _registered(oauth: OAuth, asked: Registration) -> OAuthResponse:
    client = client_of(asked, oauth.context.accounts.ids(), oauth.context.accounts.clock())
    if isinstance(client, OAuthResponse):
        return client
    await oauth.apps.register(client)
    return OAuthResponse(
        201,
        {
            "client_id": client.id,
            "client_id_issued_at": int(client.created_at.timestamp()),
            "client_name": client.name,
            "redirect_uris": list(client.redirect_uris),
            "grant_types": list(GRANTS if client.may_refresh else GRANTS[:1]),
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
            "scope": SCOPE,
        },
    )


async def _token(oauth: OAuth, request: ProgramRequest) -> OAuthResponse:
    _spend(oauth, lambda rates: rates.token_requests, request)
    pairs = await _form(request)
    given = dict(pairs)
    client = await oauth.apps.client(given.get("client_id", ""))
    now, presented = oauth.context.accounts.clock(), given.get("code") or given.get("refresh_token") or ""

    def rule(found: PresentedToken | None) -> tuple[Outcome, OAuthResponse]:
        outcome, response = exchange(pairs, client, found, oauth.rules, oauth.secret, now)
        if found and isinstance(outcome, FamilyEnded):
            _log.warning("an OAuth secret came twice", kind=found.kind.value, client_id=found.client_id)
        return outcome, response

    return await oauth.apps.present(digest(presented), rule)


async def _revoke(oauth: OAuth, request: ProgramRequest) -> OAuthResponse:
    _spend(oauth, lambda rates: rates.token_requests, request)
    pairs = await _form(request)
    given = dict(pairs)
    client = await oauth.apps.client(given.get("client_id", ""))

    def rule(found: PresentedToken | None) -> tuple[Outcome, OAuthResponse]:
        return revocation(pairs, client, found, oauth.rules)

    return await oauth.apps.present(digest(given.get("token", "")), rule)


async def _form(request: Request[Any, Any, Any]) -> Pairs:
    if request.content_type[0].lower() != _FORM:
        raise OAuthRefused(oauth_refusal("invalid_request", f"the body must be {_FORM}"))
    return pairs_of(await request.body())


def pairs_of(text: bytes) -> Pairs:
    """Return parameters in their order; one without a value counts as left out (RFC 6749, section 3.1)."""
    try:
        pairs = parse_qsl(text.decode("ascii"), errors="strict", max_num_fields=MAX_FIELDS)
    except ValueError:
        raise OAuthRefused(oauth_refusal("invalid_request", "the parameters cannot be read")) from None
    for name, value in pairs:
        if fault := text_fault(name) or text_fault(value):
            raise OAuthRefused(oauth_refusal("invalid_request", f"a parameter {fault}"))
    return pairs


def _spend(oauth: OAuth, rate: Callable[[Rates], Rate], request: ProgramRequest) -> None:
    limiter = oauth.context.limiter
    result = count(request, limiter, rate(limiter.rates), address_of(request)) if limiter else None
    if result and not result.allowed:
        refused = oauth_refusal("temporarily_unavailable", "too many requests: wait as long as Retry-After says", 429)
        raise OAuthRefused(refused, {"retry-after": str(result.retry_after)})


def _plain(message: str) -> str:
    """Return a message without the characters that an error description excludes (RFC 6749, section 5.2)."""
    return "".join(each for each in message if " " <= each <= "~" and each not in '"\\`')


def _preflight(request: ProgramRequest) -> Response[bytes] | None:
    if request.method != HttpMethod.OPTIONS:
        return None
    return Response(b"", status_code=204, headers=ANYBODY)


def _described(metadata: dict[str, object]) -> Response[bytes]:
    headers = ANYBODY | {"cache-control": _METADATA_LASTS}
    return Response(msgspec.json.encode(metadata), media_type="application/json", headers=headers)


def _response(response: OAuthResponse, headers: dict[str, str] | None = None) -> Response[bytes]:
    added = ANYBODY | {"cache-control": "no-store", "pragma": "no-cache"} | (headers or {})
    return Response(
        msgspec.json.encode(response.body), status_code=response.status, media_type="application/json", headers=added
    )


def _as_error(_request: ProgramRequest, error: Exception) -> Response[bytes]:
    match error:
        case OAuthRefused():
            return _response(error.response, error.headers)
        case Unavailable():
            refused = oauth_refusal("temporarily_unavailable", "the service cannot be reached just now", 503)
            return _response(refused, {"retry-after": "2"})
        case RequestEntityTooLarge():
            return _response(oauth_refusal("invalid_request", f"the body is longer than {MAX_BODY} bytes", 413))
        case HTTPException(status_code=405):
            allow = (error.headers or {}).get("allow", "POST, OPTIONS")
            return _response(
                oauth_refusal("invalid_request", "this address does not know that method", 405), {"allow": allow}
            )
        case HTTPException(status_code=status) if status < 500:
            return _response(oauth_refusal("invalid_request", "the request is malformed", status))
        case _:
            _log.error("an OAuth request failed", exc_info=error)
            return _response(oauth_refusal("server_error", "something went wrong here: it has been logged", 500))
