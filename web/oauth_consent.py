"""The pages on which people approve an application and manage their connected ones."""

from typing import Any, Final
from urllib.parse import urlsplit

from litestar import Request, Response, Router, post
from litestar.status_codes import HTTP_200_OK

from accounts.access import organization_names
from accounts.verification import refuse_unverified
from contract.errors import RejectionError, unwrap
from domain.errors import Code, Rejection
from domain.key import digest
from domain.oauth import (
    CODE_LASTS,
    REQUEST_LASTS,
    AuthorizationRequest,
    Client,
    ConnectedApp,
    PendingAuthorization,
    StoredToken,
    TokenKind,
    already_approved,
)
from domain.redirect import RedirectKind, is_document, parse
from domain.values import bad
from edge.mcp_resources import resource_at
from web.context import MAX_FORM, PageRequest, SignInFirst
from web.errors import as_page, refusal_page
from web.oauth import OAuthRefused, pairs_of
from web.oauth_documents import client_at
from web.oauth_grants import AuthorizationError, authorization, denied, granted
from web.oauth_ports import OAuth
from web.pages import CSP, HEADERS, keep_opener, page, readable, redirect
from web.session import Visitor

# The answer to this page's form leads to the application, and its answer to wherever that leads: browsers hold a
# form's whole way against `form-action`.
CONSENT_CSP: Final = CSP.replace("form-action 'self'; ", "")
MAX_QUERY: Final = 8_192
CONNECT: Final = "connect applications"
OVER: Final = Rejection(
    Code.BAD_REQUEST, "this request is over, or was made in another session: go back to the application and begin again"
)


def consent_router(oauth: OAuth) -> Router:
    """Return the authorization endpoint, the consent form and the page of connected applications."""

    @readable("/oauth/authorize")
    async def authorize(request: Request[Any, Any, Any]) -> Response[Any]:
        try:
            return keep_opener(await _authorize(oauth, request))
        except SignInFirst as first:
            return keep_opener(redirect(first.location))

    @post("/oauth/consent", status_code=HTTP_200_OK)
    async def consent(request: Request[Any, Any, Any]) -> Response[Any]:
        return keep_opener(await _consent(oauth, request))

    @readable("/settings/apps")
    async def apps(request: Request[Any, Any, Any]) -> Response[Any]:
        visitor = await oauth.context.require_user(request)
        connected = [
            (app, parse(app.redirect_uri), resource_at(app.resource))
            for app in await oauth.apps.of(visitor.caller.user_id)
        ]
        return page(
            "apps.html",
            visitor=visitor,
            connected=connected,
            organizations=await organization_names(oauth.context.accounts, visitor.caller.user_id),
        )

    @post("/settings/apps", status_code=HTTP_200_OK)
    async def disconnect(request: Request[Any, Any, Any]) -> Response[Any]:
        visitor = await oauth.context.require_user(request)
        form = await oauth.context.form(request, visitor)
        refused = await oauth.apps.disconnect(form.get("app", ""), visitor.caller.credit)
        if refused:
            raise RejectionError(refused)
        return redirect("/settings/apps")

    return Router(
        "/",
        route_handlers=[authorize, consent, apps, disconnect],
        exception_handlers={Exception: as_page},
        include_in_schema=False,
        request_max_body_size=MAX_FORM,
    )


async def _authorize(oauth: OAuth, request: PageRequest) -> Response[Any]:
    """Check the request first, so that nobody signs in for one that is refused."""
    if len(request.scope["query_string"]) > MAX_QUERY:
        return _wrong("it is too long")
    try:
        pairs = pairs_of(request.scope["query_string"])
        client = await _client(oauth, request, dict(pairs).get("client_id", ""))
        asked = authorization(pairs, client, oauth.rules)
    except OAuthRefused as refused:
        return _wrong(str(refused.response.body["error_description"]))
    except AuthorizationError as unfit:
        return await _unfit(oauth, request, client, unfit)
    assert client is not None
    visitor = await oauth.context.require_user(request)
    if oauth.context.limiter:
        oauth.context.spend(request, oauth.context.limiter.rates.writes, visitor.caller)
    unwrap(await refuse_unverified(oauth.context.accounts, visitor.caller.user_id, CONNECT))
    app = await oauth.apps.approved(visitor.caller.user_id, asked)
    if app is None or not already_approved(app, asked):
        return await _ask(oauth, visitor, client, asked)
    code = oauth.secret(TokenKind.code)
    await oauth.apps.begin(app, oauth.context.accounts.ids(), _kept(oauth, code, asked))
    location = granted(asked, oauth.rules, code)
    # after our own sign-in form: its policy would stop a redirect to the application, but not a page's own way there
    if request.headers.get("sec-fetch-site") == "same-origin":
        return page("onward.html", visitor=visitor, client=client.name, location=location, csp=CONSENT_CSP)
    return _away(location)


async def _unfit(oauth: OAuth, request: PageRequest, client: Client | None, unfit: AuthorizationError) -> Response[Any]:
    """Send the error to the application only where this user approved it before, since anybody can register one."""
    visitor = await oauth.context.visitor(request) if unfit.location else None
    if visitor and client and unfit.location:
        connected = await oauth.apps.of(visitor.caller.user_id)
        if any(app.client_id == client.id for app in connected):
            return _away(unfit.location)
    return _wrong(unfit.description)


async def _client(oauth: OAuth, request: PageRequest, client_id: str) -> Client | None:
    """Return the client; its document is fetched only for users who are signed in."""
    if not is_document(client_id):
        return await oauth.apps.client(client_id)
    if oauth.fetch is None:
        return None
    visitor = await oauth.context.require_user(request)
    if oauth.context.limiter:
        oauth.context.spend(request, oauth.context.limiter.rates.writes, visitor.caller)
    return await client_at(oauth, client_id)


async def _ask(oauth: OAuth, visitor: Visitor, client: Client, asked: AuthorizationRequest) -> Response[Any]:
    secret, expires_at = oauth.secret(TokenKind.request), oauth.context.accounts.clock() + REQUEST_LASTS
    waiting = PendingAuthorization(asked, visitor.caller.user_id, visitor.session.id, expires_at)
    await oauth.apps.save_pending(digest(secret), waiting)
    place = parse(asked.redirect_uri)
    assert place is not None
    organizations = await organization_names(oauth.context.accounts, visitor.caller.user_id)
    return page(
        "consent.html",
        visitor=visitor,
        csp=CONSENT_CSP,
        client=client,
        place=place,
        resource=resource_at(asked.resource),
        document=urlsplit(client.id).netloc if is_document(client.id) else None,
        local=place.kind is RedirectKind.loopback,
        organization=organizations.get(visitor.caller.organization_id or ""),
        request=secret,
        minutes=int(REQUEST_LASTS.total_seconds() // 60),
    )


async def _consent(oauth: OAuth, request: PageRequest) -> Response[Any]:
    visitor = await oauth.context.require_user(request)
    form = await oauth.context.form(request, visitor)
    if form.get("decision") not in ("approve", "deny"):
        raise RejectionError(bad("decision", "must be `approve` or `deny`"))
    waiting = await oauth.apps.pop_pending(digest(form.get("request", "")), visitor.session.id)
    client = await oauth.apps.client(waiting.asked.client_id) if waiting else None
    if waiting is None or client is None or waiting.user_id != visitor.caller.user_id:
        raise RejectionError(OVER)
    asked = waiting.asked
    if form["decision"] == "deny":
        return redirect(denied(asked, oauth.rules))
    unwrap(await refuse_unverified(oauth.context.accounts, visitor.caller.user_id, CONNECT))
    code, now = oauth.secret(TokenKind.code), oauth.context.accounts.clock()
    app = ConnectedApp(
        oauth.context.accounts.ids(),
        visitor.caller.user_id,
        client.id,
        client.name,
        asked.scope,
        asked.resource,
        asked.redirect_uri,
        visitor.caller.organization_id,
        now,
    )
    await oauth.apps.connect(app, visitor.caller.credit, oauth.context.accounts.ids(), _kept(oauth, code, asked))
    return redirect(granted(asked, oauth.rules, code))


def _kept(oauth: OAuth, code: str, asked: AuthorizationRequest) -> StoredToken:
    ends = oauth.context.accounts.clock() + CODE_LASTS
    return StoredToken(TokenKind.code, digest(code), ends, asked.redirect_uri, asked.challenge)


def _wrong(description: str) -> Response[str]:
    """Show the error to the user alone: the redirect URI cannot be trusted."""
    return refusal_page(Rejection(Code.BAD_REQUEST, f"the application asked in a way that is refused: {description}"))


def _away(location: str) -> Response[None]:
    return Response(None, status_code=302, headers={**HEADERS, "location": location})
