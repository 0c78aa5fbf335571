"""Validates OAuth requests with Authlib over preloaded values, and stores nothing.

Only this module imports Authlib. It returns a decision; others record its consequences.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from authlib.oauth2.rfc6749 import (
    AuthorizationServer,
    ClientMixin,
    InvalidGrantError,
    InvalidRequestError,
    OAuth2Error,
    OAuth2Payload,
    OAuth2Request,
    TokenMixin,
)
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant, RefreshTokenGrant
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc7636.challenge import compare_s256_code_challenge

from domain.key import digest
from domain.oauth import (
    SCOPE,
    AuthorizationRequest,
    Client,
    Exchanged,
    FamilyEnded,
    Outcome,
    PresentedToken,
    StoredToken,
    TokenKind,
    Verdict,
    access_ends,
    refresh_ends,
    successor,
    verdict,
)
from domain.redirect import matches
from edge.mcp_resources import MCP_RESOURCES

type Pairs = Sequence[tuple[str, str]]
type Secret = Callable[[TokenKind], str]

# A repeated `resource` may ask for several audiences (RFC 8707, section 2), but a token has one.
MAY_REPEAT: Final = frozenset({"resource"})
_s256: Final = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Rules:
    """`issuer` is our origin; tokens are good at one of `resources`, and at the first if no `resource` is asked for."""

    issuer: str

    @property
    def resources(self) -> Sequence[str]:
        return [each.at(self.issuer) for each in MCP_RESOURCES]


@dataclass(frozen=True, slots=True)
class OAuthResponse:
    """The response of an endpoint that applications call: its status and its JSON."""

    status: int
    body: Mapping[str, object]


class AuthorizationError(Exception):
    """A refused authorization request: an error for the application at `location`, else a page for its user."""

    def __init__(self, error: OAuth2Error, location: str | None = None) -> None:
        super().__init__(error.error)
        self.error = str(error.error)
        self.description = str(error.get_error_description() or "")
        self.location = location


def back_to(redirect_uri: str, rules: Rules, parameters: Pairs) -> str:
    """Return the redirect URI with the response parameters and the issuer (RFC 9207)."""
    joint = "&" if "?" in redirect_uri else "?"
    return redirect_uri + joint + urlencode([*parameters, ("iss", rules.issuer)])


def denied(asked: AuthorizationRequest, rules: Rules) -> str:
    """Return the redirect with which the application learns that its user refused."""
    error_parameters = [("error", "access_denied"), ("error_description", "the user did not approve")]
    return back_to(asked.redirect_uri, rules, [*error_parameters, *_state(asked.state)])


def granted(asked: AuthorizationRequest, rules: Rules, code: str) -> str:
    return back_to(asked.redirect_uri, rules, [("code", code), *_state(asked.state)])


def _state(state: str | None) -> Pairs:
    return [] if state is None else [("state", state)]


def authorization(pairs: Pairs, client: Client | None, rules: Rules) -> AuthorizationRequest:
    """Return what an application asks for; raises AuthorizationError."""
    asked = _leniently(pairs)
    given = dict(asked)
    try:
        _once_each(pairs)
        if client is None or client.id != given.get("client_id"):
            raise InvalidRequestError("the application is not registered here")
        if not matches(given.get("redirect_uri", ""), client.redirect_uris):
            raise InvalidRequestError("the application did not register the redirect_uri that it asks for")
    except OAuth2Error as error:
        raise AuthorizationError(error) from None
    try:
        if given.get("response_type") != "code":
            raise _fault("unsupported_response_type", "response_type must be code")
        request = _Request(rules, "/oauth/authorize", "GET", asked)
        _Server(rules, client).get_consent_grant(request)
    except OAuth2Error as error:
        error.state = None
        error_parameters = [(str(name), str(value)) for name, value in error.get_body()]
        raise AuthorizationError(
            error, back_to(given["redirect_uri"], rules, [*error_parameters, *_state(given.get("state"))])
        ) from None
    return AuthorizationRequest(
        client.id,
        given["redirect_uri"],
        given.get("state"),
        SCOPE,
        given.get("resource", rules.resources[0]),
        given["code_challenge"],
    )


def exchange(
    pairs: Pairs, client: Client | None, found: PresentedToken | None, rules: Rules, secret: Secret, now: datetime
) -> tuple[Outcome, OAuthResponse]:
    """Decide about a presented code or refresh token; return what becomes of it, and the response."""
    grant_type = dict(pairs).get("grant_type")
    if not grant_type:
        return None, oauth_refusal("invalid_request", "grant_type is missing")
    found = found if found and found.kind is PRESENTED.get(grant_type) else None
    judged = verdict(found, client.id if client else None, now)
    if judged is Verdict.reused:
        return FamilyEnded(), _error_response(InvalidGrantError("this was used before: all that came of it has ended"))
    salt = None
    if found and found.kind is TokenKind.refresh:
        salt = found.salt or secret(TokenKind.refresh)
        secret = partial(successor, refresh_token=dict(pairs)["refresh_token"], salt=salt)
    server = _Server(rules, client, None if judged is Verdict.worthless else found)
    server.register_token_generator("default", _generator(secret, found, now))
    response = _answer(pairs, rules, "/oauth/token", server.create_token_response)
    if response.status != 200 or found is None or judged is Verdict.again:
        return None, response
    given = [_kept(TokenKind.access, response.body["access_token"], access_ends(found.begun_at, now))]
    if "refresh_token" in response.body:
        given.append(_kept(TokenKind.refresh, response.body["refresh_token"], refresh_ends(found.begun_at, now)))
    return Exchanged(tuple(given), salt), response


PRESENTED: Final = {"authorization_code": TokenKind.code, "refresh_token": TokenKind.refresh}


def revocation(
    pairs: Pairs, client: Client | None, found: PresentedToken | None, rules: Rules
) -> tuple[Outcome, OAuthResponse]:
    """Decide about a token that its application revokes: its whole family ends."""
    server = _Server(rules, client, found)
    server.register_endpoint(_Revocation)
    response = _answer(
        pairs, rules, "/oauth/revoke", lambda request: server.create_endpoint_response("revocation", request)
    )
    return (FamilyEnded() if response.status == 200 and found else None), response


def oauth_refusal(error: str, description: str, status: int = 400) -> OAuthResponse:
    return OAuthResponse(status, {"error": error, "error_description": description})


def _answer(pairs: Pairs, rules: Rules, path: str, respond: Callable[["_Request"], OAuthResponse]) -> OAuthResponse:
    try:
        _once_each(pairs)
        return respond(_Request(rules, path, "POST", _leniently(pairs)))
    except OAuth2Error as error:
        return _error_response(error)


def _leniently(pairs: Pairs) -> Pairs:
    """Return the parameters without scopes, and resources without the query and the slash at their end.

    There is one scope: whoever asks for others, such as `openid`, gets it and is told so (RFC 6749, section 3.3). A query
    chooses tools, which a token is not about.
    """
    plain = {"resource": lambda address: address.partition("?")[0].rstrip("/")}
    return [(name, plain.get(name, str)(value)) for name, value in pairs if name != "scope"]


def _once_each(pairs: Pairs) -> None:
    names = [name for name, _ in pairs if name not in MAY_REPEAT]
    if len(names) != len(set(names)):
        raise InvalidRequestError("a parameter came more than once")


def _fault(error: str, description: str) -> OAuth2Error:
    return OAuth2Error(error=error, description=description)


def _error_response(error: OAuth2Error) -> OAuthResponse:
    status, body, _ = error()
    return OAuthResponse(status, body)


def _kept(kind: TokenKind, secret: object, expires_at: datetime) -> StoredToken:
    return StoredToken(kind, digest(str(secret)), expires_at)


def _generator(secret: Secret, found: PresentedToken | None, now: datetime) -> Callable[..., dict[str, object]]:
    def generate(*, scope: str, include_refresh_token: bool, **_: object) -> dict[str, object]:
        assert found is not None
        lasts = access_ends(found.begun_at, found.spent_at or now) - now
        made: dict[str, object] = {"access_token": secret(TokenKind.access), "token_type": "Bearer"}
        made |= {"expires_in": int(lasts.total_seconds()), "scope": scope}
        return made | ({"refresh_token": secret(TokenKind.refresh)} if include_refresh_token else {})

    return generate


class _Payload(OAuth2Payload):
    def __init__(self, pairs: Pairs) -> None:
        self._data = dict(pairs)
        self._lists: dict[str, list[str]] = {}
        for name, value in pairs:
            self._lists.setdefault(name, []).append(value)

    @property
    def data(self) -> dict[str, str]:
        return self._data

    @property
    def datalist(self) -> dict[str, list[str]]:
        return self._lists


class _Request(OAuth2Request):
    def __init__(self, rules: Rules, path: str, method: str, pairs: Pairs) -> None:
        super().__init__(method, rules.issuer + path)
        self.payload = _Payload(pairs)

    @property
    def form(self) -> dict[str, str]:
        return self.payload.data


class _Client(ClientMixin):
    """A public client (RFC 6749, section 2.1), which does not authenticate."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def get_client_id(self) -> str:
        return self.client.id

    def get_default_redirect_uri(self) -> None:
        return None

    def get_allowed_scope(self, _scope: str | None) -> str:
        return SCOPE

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return matches(redirect_uri, self.client.redirect_uris)

    def check_endpoint_auth_method(self, method: str, _endpoint: str) -> bool:
        return method == "none"

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type == "authorization_code" or (grant_type == "refresh_token" and self.client.may_refresh)


class _Found(TokenMixin):
    """A valid code or token, as Authlib reads it."""

    code_challenge_method = "S256"

    def __init__(self, found: PresentedToken) -> None:
        self.found = found
        self.code_challenge = found.challenge

    def get_redirect_uri(self) -> str | None:
        return self.found.redirect_uri

    def get_scope(self) -> str:
        return self.found.scope

    def check_client(self, client: _Client) -> bool:
        return self.found.client_id == client.client.id


class _Server(AuthorizationServer):
    def __init__(self, rules: Rules, client: Client | None, found: PresentedToken | None = None) -> None:
        super().__init__()
        self.rules = rules
        self.client = client
        self.found = _Found(found) if found else None
        self.register_grant(_Codes, [_Bound(required=True)])
        self.register_grant(_Refreshing)

    def query_client(self, client_id: str) -> _Client | None:
        return _Client(self.client) if self.client and self.client.id == client_id else None

    def save_token(self, token: object, request: object) -> None:
        """Store nothing: the caller of the decision does."""

    def send_signal(self, name: str, *_: object, **__: object) -> None:
        """Do nothing: there are no listeners."""

    def create_oauth2_request(self, request: _Request) -> _Request:
        return request

    def handle_response(self, status: int, body: Mapping[str, object], _headers: object) -> OAuthResponse:
        return OAuthResponse(status, body)


class _Codes(AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS: Final = ["none"]

    def query_authorization_code(self, _code: str, client: _Client) -> _Found | None:
        found = self.server.found
        return found if found and found.check_client(client) else None

    def delete_authorization_code(self, _code: _Found) -> None:
        """Do nothing, as in `save_token`."""

    def authenticate_user(self, code: _Found) -> str:
        return code.found.app_id


class _Refreshing(RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS: Final = ["none"]
    INCLUDE_NEW_REFRESH_TOKEN: Final = True

    def authenticate_refresh_token(self, _token: str) -> _Found | None:
        found: _Found | None = self.server.found
        return found

    def authenticate_user(self, token: _Found) -> str:
        return token.found.app_id

    def revoke_old_credential(self, _token: _Found) -> None:
        """Do nothing, as in `save_token`."""

    def validate_token_request(self) -> None:
        super().validate_token_request()
        _check_audience(self, [self.server.found.found.resource])


class _Bound(CodeChallenge):
    """PKCE by S256 alone and always (RFC 7636), and one audience (RFC 8707)."""

    SUPPORTED_CODE_CHALLENGE_METHOD: Final = ["S256"]
    CODE_CHALLENGE_METHODS: Final = {"S256": compare_s256_code_challenge}

    def validate_code_challenge(self, grant: Any, _redirect_uri: object) -> None:
        given = grant.request.payload.data
        if given.get("code_challenge_method") != "S256" or not _s256.fullmatch(given.get("code_challenge", "")):
            raise InvalidRequestError("code_challenge must be given, with code_challenge_method=S256")
        _check_audience(grant, grant.server.rules.resources)

    def validate_code_verifier(self, grant: Any, result: object) -> None:
        super().validate_code_verifier(grant, result)
        _check_audience(grant, [grant.server.found.found.resource])


class _Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS: Final = ["none"]

    def check_params(self, request: _Request, _client: _Client) -> None:
        """Accept unknown hints (RFC 7009, section 2.1)."""
        if "token" not in request.form:
            raise InvalidRequestError("token is missing")

    def query_token(self, _token: str, _hint: str | None) -> _Found | None:
        found: _Found | None = self.server.found
        return found

    def revoke_token(self, _token: _Found, _request: _Request) -> None:
        """Do nothing, as in `save_token`."""


def _check_audience(grant: Any, resources: Sequence[str]) -> None:
    """Refuse what is not one of `resources`, and more than one: a code or token is for one alone."""
    asked = set(grant.request.payload.datalist.get("resource", []))
    if len(asked) > 1 or not asked.issubset(resources):
        raise _fault("invalid_target", f"resource must be {' or '.join(resources)}, and only one")
