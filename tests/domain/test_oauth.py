from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import oauth, redirect
from domain.errors import NOT_FOUND, Rejection
from domain.key import LOOKS_LIKE_A_KEY
from domain.oauth import AuthorizationRequest, ConnectedApp, PresentedToken, TokenKind, TokenState, Verdict

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)

TAKEN = [
    ("https://app.example.com/callback", "app.example.com"),
    ("https://app.example.com", "app.example.com"),
    ("https://app.example.com:8443/callback?from=codrive", "app.example.com:8443"),
    ("https://claude.ai/api/mcp/auth_callback", "claude.ai"),
    ("https://127.0.0.1/callback", "127.0.0.1"),
    ("https://user-name.example/a@b", "user-name.example"),
    ("http://127.0.0.1:33418/", "127.0.0.1"),
    ("http://localhost/callback", "localhost"),
    ("http://localhost:3000/oauth/callback?debug=1", "localhost"),
    ("http://[::1]:9000/callback", "[::1]"),
    ("cursor://anysphere.cursor-mcp/oauth/callback", "cursor:"),
    ("vscode://ms.auth", "vscode:"),
    ("jetbrains://idea/mcp/callback", "jetbrains:"),
    ("goose://oauth_callback", "goose:"),
    ("lmstudio://mcp", "lmstudio:"),
    ("com.example.app:/oauth", "com.example.app:"),
    ("com.example.app://callback/here", "com.example.app:"),
]
REFUSED = [
    "",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "javascript://app.example.com/%0aalert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "about:blank",
    "blob:https://app.example.com/1",
    "mailto:ada@example.com",
    "myapp://callback",
    "ftp://app.example.com/",
    "http://app.example.com/callback",
    "http://evil/callback",
    "http://127.0.0.1.evil.example/callback",
    "http://localhost.evil.example/callback",
    "http://127.0.0.2/callback",
    "http://0.0.0.0/callback",
    "http://[::2]/callback",
    "https://[::1]/callback",
    "https://app.example.com/callback#here",
    "https://app.example.com/callback#",
    "http://127.0.0.1/#",
    "https://ada@app.example.com/callback",
    "https://ada:secret@app.example.com/callback",
    "http://127.0.0.1@evil.example/",
    "http://127.0.0.1:80@evil.example/",
    "com.example.app://ada@host/callback",
    "https://*.example.com/callback",
    "https://app.example.com/*",
    "https://app.example.com\\@evil.example/",
    "https:\\\\app.example.com/",
    "https:///callback",
    "https://",
    "https:app.example.com/callback",
    "https:/app.example.com/callback",
    "//app.example.com/callback",
    "/callback",
    "app.example.com/callback",
    "HTTPS://app.example.com/callback",
    "https://app..example.com/callback",
    "https://.example.com/callback",
    "https://-.example.com/callback",
    "https://app.example.com:0/",
    "https://app.example.com:65536/",
    "https://app.example.com:/",
    "https://app.example.com:port/",
    "https://app.example.com/a b",
    " https://app.example.com/",
    "https://app.example.com/\n",
    "https://app.example.com/\x00",
    'https://app.example.com/"><script>',
    "https://app.example.com/%zz",
    "https://äpp.example.com/",
    "https://app.example.com/\u202e",
    "com.example.app:callback",
    ".:/callback",
    "a..b:/callback",
    "https://app.example.com/" + "a" * 2_000,
]


@pytest.mark.parametrize(("uri", "shown"), TAKEN)
def test_a_redirect_uri_is_shown_by_its_host_or_its_scheme(uri, shown):
    assert redirect.parse(uri).shown == shown
    assert oauth.redirect_uris([uri]) == (uri,)
    assert redirect.matches(uri, [uri])


@pytest.mark.parametrize("uri", REFUSED)
def test_what_nobody_may_be_sent_to_is_no_redirect_uri(uri):
    assert redirect.parse(uri) is None
    assert isinstance(oauth.redirect_uris([TAKEN[0][0], uri]), Rejection)


@given(st.text())
def test_no_text_makes_reading_a_redirect_uri_fail(text):
    found = redirect.parse(text)
    assert found is None or (found.uri == text and text.isascii() and "#" not in text)


@pytest.mark.parametrize(
    ("text", "is_document"),
    [
        ("https://app.example.com/client.json", True),
        ("https://app.example.com:8443/oauth/client-metadata.json", True),
        ("http://app.example.com/client.json", False),
        ("https://app.example.com", False),
        ("https://app.example.com/", False),
        ("https://ada@app.example.com/client.json", False),
        ("https://app.example.com/client.json#here", False),
        ("https://app.example.com/client.json?of=me", False),
        ("https://app.example.com/../client.json", False),
        ("https://app.example.com/a/./b", False),
        ("https://app.example.com/%2e%2e/b", False),
        ("https://localhost/client.json", False),
        ("https://[::1]/client.json", False),
        ("https://app.example.com/" + "a" * 2_000, False),
        ("01a1fed3-6038-7359-815c-7b4aaa6414cf", False),
    ],
)
def test_a_client_id_may_be_the_address_of_a_document(text, is_document):
    assert redirect.is_document(text) is is_document


@pytest.mark.parametrize(
    ("registered", "asked", "matches"),
    [
        ("http://127.0.0.1/callback", "http://127.0.0.1:51234/callback", True),
        ("http://127.0.0.1:1/callback", "http://127.0.0.1:2/callback", True),
        ("http://localhost:1/callback", "http://localhost/callback", True),
        ("http://[::1]/callback", "http://[::1]:2/callback", True),
        ("http://127.0.0.1/callback", "http://localhost/callback", False),
        ("http://127.0.0.1/callback", "http://127.0.0.1:2/callback/", False),
        ("http://127.0.0.1/callback", "http://127.0.0.1:2/callback?a=b", False),
        ("http://127.0.0.1/callback", "http://127.0.0.1:2/other", False),
        ("http://127.0.0.1/callback", "http://127.0.0.1:2@evil.example/callback", False),
        ("http://127.0.0.1/callback", "https://127.0.0.1:2/callback", False),
        ("https://app.example.com/callback", "https://app.example.com:8443/callback", False),
        ("https://app.example.com/callback", "https://app.example.com/callback/", False),
        ("https://app.example.com/callback", "https://app.example.com/callback?a=b", False),
        ("https://app.example.com/callback", "https://APP.example.com/callback", False),
        ("https://app.example.com/callback", "https://sub.app.example.com/callback", False),
        ("https://app.example.com/callback", "https://app.example.com/callback#", False),
        ("cursor://callback", "cursor://other", False),
    ],
)
def test_a_redirect_is_the_registered_one_to_the_letter_but_for_the_port_of_loopback(registered, asked, matches):
    assert redirect.matches(asked, [registered]) is matches


def test_a_client_has_one_to_ten_redirect_uris():
    some = [f"https://app.example.com/{number}" for number in range(11)]
    assert oauth.redirect_uris(some[:10]) == tuple(some[:10])
    assert isinstance(oauth.redirect_uris(some), Rejection)
    assert isinstance(oauth.redirect_uris([]), Rejection)
    assert oauth.redirect_uris([some[0], some[0]]) == (some[0],)


@pytest.mark.parametrize("name", ["x", "Claude Code", "名前 エージェント", "a" * 64])
def test_a_client_s_name_is_taken_as_it_is(name):
    assert oauth.client_name(name) == name


@pytest.mark.parametrize("name", ["", " ", "a" * 65, "a\nb", "a\0b", "\ud800", "a\u202eb", "a\u200bb", "\u00a0"])
def test_a_name_that_is_too_long_or_cannot_be_printed_is_refused(name):
    assert isinstance(oauth.client_name(name), Rejection)


def test_a_client_without_a_name_has_one_all_the_same():
    assert oauth.client_name(None) == "MCP client"


def presented(*, spent=None, ends=NOW + SECOND, salt=None):
    given = ("family", "app", "client", oauth.SCOPE, "resource", NOW, ends, spent)
    return PresentedToken(TokenKind.code, *given, salt=salt)


@pytest.mark.parametrize(
    ("found", "standing", "verdict"),
    [
        (None, TokenState.over, Verdict.worthless),
        (presented(), TokenState.fresh, Verdict.good),
        (presented(ends=NOW), TokenState.over, Verdict.worthless),
        (presented(spent=NOW - SECOND), TokenState.spent, Verdict.reused),
        (presented(spent=NOW - SECOND, ends=NOW - SECOND), TokenState.spent, Verdict.reused),
        (presented(spent=NOW, salt="salt"), TokenState.repeated, Verdict.again),
        (presented(spent=NOW - 30 * SECOND + SECOND / 10, salt="salt"), TokenState.repeated, Verdict.again),
        (presented(spent=NOW - 30 * SECOND, salt="salt"), TokenState.spent, Verdict.reused),
    ],
)
def test_a_code_or_refresh_token_has_one_successor(found, standing, verdict):
    assert oauth.token_state(found, "client", NOW) is standing
    assert oauth.verdict(found, "client", NOW) is verdict


@pytest.mark.parametrize("client_id", ["another", "", None])
def test_a_spent_token_that_another_client_presents_ends_the_family_at_once(client_id):
    assert oauth.verdict(presented(spent=NOW, salt="salt"), client_id, NOW) is Verdict.reused


def test_a_successor_takes_the_token_and_the_salt():
    made = {
        oauth.successor(kind, token, salt)
        for kind in (TokenKind.access, TokenKind.refresh)
        for token in ("cdf_one", "cdf_other")
        for salt in ("salt", "pepper")
    }
    assert len({each[4:] for each in made}) == 8
    again = oauth.successor(TokenKind.access, "cdf_one", "salt")
    assert again in made
    assert oauth.is_access_token(again)


def test_every_standing_has_its_verdict():
    assert set(oauth.VERDICTS) == set(TokenState)


@given(st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=180)))
def test_nothing_of_a_family_outlives_half_a_year(age):
    begun = NOW - age
    for ends, lasts in ((oauth.access_ends, oauth.ACCESS_LASTS), (oauth.refresh_ends, oauth.REFRESH_LASTS)):
        assert ends(begun, NOW) == min(NOW + lasts, begun + timedelta(days=180))


@pytest.mark.parametrize(
    ("lasts", "as_documented"),
    [
        (oauth.CODE_LASTS, timedelta(seconds=60)),
        (oauth.REQUEST_LASTS, timedelta(minutes=10)),
        (oauth.ACCESS_LASTS, timedelta(hours=1)),
        (oauth.REFRESH_LASTS, timedelta(days=30)),
        (oauth.UNUSED_LASTS, timedelta(days=30)),
    ],
)
def test_each_thing_lasts_as_long_as_is_documented(lasts, as_documented):
    assert lasts == as_documented


@pytest.mark.parametrize("kind", TokenKind)
def test_a_secret_says_what_it_is_and_holds_256_bits(kind):
    most = oauth.compose(kind, (1 << 256) - 1)
    assert most.startswith(oauth.PREFIX[kind])
    assert oauth.compose(kind, 0) != most != oauth.compose(kind, (1 << 256) - 2)
    assert len(most) == 4 + 43
    assert LOOKS_LIKE_A_KEY.fullmatch(most), "no log shows it"
    assert 62**43 > 1 << 256


def test_only_an_access_token_looks_like_one():
    assert [kind for kind in TokenKind if oauth.is_access_token(oauth.compose(kind, 7))] == [TokenKind.access]
    token = oauth.compose(TokenKind.access, 7)
    for other in ("", token[:-1], token + "0", token + "\n", " " + token, token.upper(), token[:-1] + "é"):
        assert not oauth.is_access_token(other)


APP = ConnectedApp("app", "ada", "client", "Claude", oauth.SCOPE, "resource", "https://app.example.com/", None, NOW)
ASKED = AuthorizationRequest("client", "https://app.example.com/", None, oauth.SCOPE, "resource", "challenge")


def test_an_approval_is_remembered_for_the_same_client_scope_resource_and_redirect_alone():
    assert oauth.already_approved(APP, ASKED)
    assert not oauth.already_approved(None, ASKED)
    place = "https://app.example.com/other"
    for change in ({"redirect_uri": place}, {"client_id": "other"}, {"scope": "more"}, {"resource": "another"}):
        changed = AuthorizationRequest(
            **{name: change.get(name, getattr(ASKED, name)) for name in AuthorizationRequest.__slots__}
        )
        assert not oauth.already_approved(APP, changed)


@pytest.mark.parametrize("place", ["http://127.0.0.1:1/", "http://localhost/", "com.example.app:/back", "vscode://x/y"])
def test_a_program_on_a_computer_is_asked_about_each_time(place):
    assert not oauth.already_approved(replace(APP, redirect_uri=place), replace(ASKED, redirect_uri=place))


def test_somebody_disconnects_their_own_apps_alone():
    assert oauth.disconnect(APP, "ada") == (oauth.AppDisconnected("app", "ada", "Claude"),)
    assert oauth.disconnect(APP, "ben") == NOT_FOUND
    assert oauth.disconnect(None, "ada") == NOT_FOUND
