"""What is read of a cookie header, of an origin and of an address to go on to, whatever is in them."""

from datetime import UTC, datetime
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.caller import Caller, CredentialKind
from domain.session import Session
from domain.values import Email
from edge.cookies import Cookies
from edge.credentials import ACCEPTED, CSRF_HEADER, NOT_OURS, AccessPoint, Authenticator, nobody
from web.redirects import own_path
from web.session import FORGED, Visitor, csrf_of, forged
from web.sign_in_flow import device_of

SECRET = "cds_" + "aB3" * 10 + "zz"
HTTPS = Cookies("https://drive.example.com")
LOCAL = Cookies("http://127.0.0.1:8000")


def test_the_cookie_is_bound_to_its_host_wherever_browsers_know_how():
    assert HTTPS.set(SECRET, 60) == f"__Host-codrive={SECRET}; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure"
    assert LOCAL.set(SECRET, 60) == f"codrive={SECRET}; Max-Age=60; Path=/; HttpOnly; SameSite=Lax"
    assert HTTPS.clear().startswith("__Host-codrive=; Max-Age=0; ")


@pytest.mark.parametrize(
    ("header", "found"),
    [
        (f"__Host-codrive={SECRET}", SECRET),
        (f"a=b; __Host-codrive={SECRET}; c=d", SECRET),
        (f"codrive={SECRET}", None),
        (f"__host-codrive={SECRET}", None),
        (f"__Host-codrive={SECRET}; __Host-codrive={SECRET}", None),
        (f'__Host-codrive="{SECRET}"', None),
        (f"__Host-codrive={SECRET}x", None),
        ("__Host-codrive=", None),
        ("", None),
    ],
)
def test_a_session_is_read_from_the_one_cookie_of_its_name(header, found):
    assert HTTPS.secret({"cookie": header}) == found


@given(st.text())
def test_whatever_a_cookie_header_holds_is_read(header):
    assert HTTPS.secret({"cookie": header}) in (None, header.partition("=")[2].partition(";")[0].strip())


@pytest.mark.parametrize(
    ("headers", "own"),
    [
        ({"origin": "https://drive.example.com"}, True),
        ({"origin": "https://drive.example.com:443"}, False),
        ({"origin": "https://drive.example.com.evil.example"}, False),
        ({"origin": "http://drive.example.com"}, False),
        ({"origin": "https://DRIVE.example.com"}, False),
        ({"origin": "null"}, False),
        ({"origin": ""}, False),
        ({"origin": "https://evil.example", "sec-fetch-site": "same-origin"}, False),
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "none"}, False),
        ({"referer": "https://drive.example.com/"}, False),
        ({}, False),
    ],
)
def test_only_our_own_pages_are_our_own(headers, own):
    assert HTTPS.is_own(headers) is own


OF_OTHERS = [
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "https://evil.example", CSRF_HEADER: "1"},
    {"sec-fetch-site": "cross-site"},
    {},
]


@pytest.mark.parametrize("headers", OF_OTHERS, ids=str)
@pytest.mark.parametrize("point", AccessPoint)
async def test_a_session_counts_for_another_site_only_where_nothing_is_changed_or_a_form_has_a_token(point, headers):
    ada = Caller("ada", "Ada", Email("ada@example.com"))

    async def by_session(secret):
        return ada if secret == SECRET else None

    finds = Authenticator(nobody, by_session=by_session, cookies=HTTPS)

    async def found(headers):
        sent = headers | {"cookie": f"__Host-codrive={SECRET}"}
        return await finds.identify(point, [(name.encode(), value.encode()) for name, value in sent.items()])

    takes = CredentialKind.SESSION in ACCEPTED[point]
    assert await found({"origin": "https://drive.example.com"}) is (ada if takes else None)
    unchecked = point in {AccessPoint.IMAGES, AccessPoint.PAGES}
    assert await found(headers) is (ada if takes and unchecked else NOT_OURS if takes else None)


def test_this_machine_is_itself_by_each_of_its_names_at_the_same_port():
    assert LOCAL.own == {"http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"}
    assert HTTPS.own == {"https://drive.example.com"}
    assert Cookies("http://drive.example.com").own == {"http://drive.example.com"}


@example("//evil.example")
@example("/\\evil.example")
@example("/\t/evil.example")
@example("https:evil.example")
@given(st.text() | st.text("/\\:.@?#\t\n abc%").map(lambda text: "/" + text))
def test_wherever_somebody_is_sent_on_to_is_on_our_own_site(text):
    path = own_path(text)
    assert path in ("/", text)
    for browser_reads in (path, path.replace("\\", "/")):
        assert urlsplit(urljoin("https://drive.example.com/sign-in", browser_reads))[:2] == (
            "https",
            "drive.example.com",
        )
    assert path.isascii()
    assert path.isprintable()


def test_a_form_of_one_session_is_none_of_another():
    other = csrf_of(SECRET[:-1] + "y")
    assert csrf_of(SECRET) != other
    assert SECRET not in csrf_of(SECRET)
    at = datetime(2026, 11, 26, tzinfo=UTC)
    session = Session("session", "ada", None, "Firefox on Linux", at, at)
    visitor = Visitor(Caller("ada", "Ada", Email("ada@example.com")), session, csrf_of(SECRET), b"")
    ours = {"origin": "https://drive.example.com"}
    assert forged(ours, HTTPS, visitor, {"csrf": csrf_of(SECRET)}) is None
    for form in ({"csrf": other}, {"csrf": ""}, {}):
        assert forged(ours, HTTPS, visitor, form) is FORGED
    for headers in OF_OTHERS:
        assert forged(headers, HTTPS, visitor, {"csrf": csrf_of(SECRET)}) is FORGED


@pytest.mark.parametrize(
    ("says", "is_called"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", "Firefox on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36 Edg/141.0", "Edge on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1", "Safari on iPhone"),
        ("curl/8.5.0", "A program"),
        ("", "A program"),
        ("<script>alert(1)</script> Linux", "A browser on Linux"),
    ],
)  # fmt: skip
def test_a_session_is_called_by_its_browser(says, is_called):
    assert device_of(says) == is_called
