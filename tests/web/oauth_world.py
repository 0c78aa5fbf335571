"""People, a clock and an application that speaks OAuth, over the real handlers and a real database."""

import base64
import hashlib
import re
import secrets
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from urllib.parse import parse_qsl, urlencode, urlsplit

import html5lib
import httpx
from litestar import Litestar

from accounts.ports import AccountPorts
from domain import oauth as rules_of_oauth
from domain.key import digest
from domain.questions import WhoIsSignedIn
from domain.session import PREFIX, SECRET_LENGTH, Session, SessionBegun
from edge.cookies import Cookies
from graphql_api.system import new_id, random_bits
from persistence.oauth_store import OAuthStore
from tests.support.processes.servers import async_http
from tests.support.worlds.acts import World
from web.context import WebContext
from web.oauth import oauth_router
from web.oauth_consent import consent_router
from web.oauth_grants import Rules
from web.oauth_ports import OAuth
from web.session import csrf_of

ORIGIN = "https://drive.example"
RESOURCE = f"{ORIGIN}/api/v1/mcp"
FULL = f"{ORIGIN}/api/v1/mcp-full"
LOOPBACK = "http://127.0.0.1:33418/callback"
WEBSITE = "https://app.example.com/callback"
VERIFIER = "a-verifier-of-forty-three-characters-or-more"


def challenge_of(verifier):
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


@dataclass
class Sessions:
    """Who is signed in, as the store says."""

    world: World

    async def signed_in(self, secret):
        long_ago = self.world.now - timedelta(days=30)
        return await self.world.read(WhoIsSignedIn(digest(secret), long_ago, long_ago))


@dataclass
class Served:
    world: World
    oauth: OAuth
    apps: OAuthStore
    client: httpx.AsyncClient

    async def sign_in(self, name, organization_id=None):
        """Return a browser in which somebody is signed in."""
        secret = PREFIX + "".join(secrets.choice("abcdefghijklmnopqrstuvwxyz0123456789") for _ in range(SECRET_LENGTH))
        user_id, now = self.world.people[name].id, self.world.now
        session = Session(self.world.new_id(), user_id, organization_id, "Firefox", now, now)
        await self.world.record(SessionBegun(session, digest(secret)), by=name)
        return Browser(self, secret)

    async def post(self, path, form, **headers):
        return await self.client.post(path, data=form, headers=headers)

    async def register(self, **metadata):
        given = {"client_name": "Claude Code", "redirect_uris": [LOOPBACK, WEBSITE]} | metadata
        return await self.client.post("/oauth/register", json=given)

    async def registered(self, **metadata):
        answer = await self.register(**metadata)
        assert answer.status_code == 201, answer.text
        return answer.json()["client_id"]

    def request(self, client_id, /, **changes):
        """Return an authorization request; a change to None leaves the parameter out."""
        usual = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": WEBSITE,
            "state": "of the client",
            "scope": "drive",
            "resource": RESOURCE,
            "code_challenge": challenge_of(VERIFIER),
            "code_challenge_method": "S256",
        }
        return {name: value for name, value in (usual | changes).items() if value is not None}

    async def redeem(self, client_id, code, /, **changes):
        usual = {
            "grant_type": "authorization_code",
            "client_id": client_id,
            "code": code,
            "redirect_uri": WEBSITE,
            "code_verifier": VERIFIER,
            "resource": RESOURCE,
        }
        return await self.post("/oauth/token", {n: v for n, v in (usual | changes).items() if v is not None})

    async def refresh(self, client_id, token, /, **changes):
        usual = {"grant_type": "refresh_token", "client_id": client_id, "refresh_token": token}
        return await self.post("/oauth/token", {n: v for n, v in (usual | changes).items() if v is not None})

    async def bearer(self, token, resource=RESOURCE):
        return await self.apps.bearer(digest(token), resource)

    async def connected(self, name="ada", organization_id=None, **metadata):
        """Return a client that Ada approved, and what it was given."""
        client_id = await self.registered(**metadata)
        browser = await self.sign_in(name, organization_id)
        answer = await self.redeem(client_id, await browser.approve(self.request(client_id)))
        assert answer.status_code == 200, answer.text
        return client_id, answer.json()


@dataclass
class Browser:
    served: Served
    secret: str
    origin: str = ORIGIN
    headers: dict = field(init=False)

    def __post_init__(self):
        self.headers = {"cookie": f"__Host-codrive={self.secret}"}

    @property
    def csrf(self):
        return csrf_of(self.secret)

    async def get(self, path, **headers):
        return await self.served.client.get(path, headers=self.headers | headers)

    async def authorize(self, request, **headers):
        return await self.get(f"/oauth/authorize?{urlencode(request)}", **headers)

    async def asked(self, request):
        """Return the form that the consent page asks with."""
        answer = await self.authorize(request)
        assert answer.status_code == 200, answer.text
        return form_of(answer.text)

    async def send(self, path, form, **headers):
        usual = {"origin": self.origin, "sec-fetch-site": "same-origin"}
        return await self.served.client.post(path, data=form, headers=self.headers | usual | headers)

    async def decide(self, form, decision="approve"):
        return await self.send("/oauth/consent", form | {"decision": decision})

    async def approve(self, request):
        answer = await self.decide(await self.asked(request))
        assert answer.status_code == 303, answer.text
        return sent_back(answer)["code"]


def form_of(page):
    """The hidden fields of the last form on a page."""
    last = page[page.rindex("<form") :]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', last))


def sent_back(answer):
    """What the redirect tells the application."""
    return dict(parse_qsl(urlsplit(answer.headers["location"]).query))


@asynccontextmanager
async def serving(store, fetch=None, **options):
    """Serve the handlers alone, with a clock that only moves when it is told to."""
    world = World((store,))
    apps = OAuthStore(store, lambda: world.now)
    context = WebContext(
        origin=ORIGIN,
        cookies=Cookies(ORIGIN),
        sessions=Sessions(world),
        operations=None,
        accounts=AccountPorts(store, lambda: world.now, new_id, random_bits, None, None, ORIGIN),
        jobs=None,
        **{"limiter": None} | options,
    )
    rules = Rules(ORIGIN)
    made = OAuth(context, apps, rules, lambda kind: rules_of_oauth.compose(kind, secrets.randbits(256)), fetch)
    app = Litestar([oauth_router(made), consent_router(made)], openapi_config=None, logging_config=None)
    async with async_http(ORIGIN, transport=httpx.ASGITransport(app)) as client:
        await world.account("ada")
        yield Served(world, made, apps, client)


def text_of(page):
    return " ".join("".join(html5lib.parse(page, namespaceHTMLElements=False).itertext()).split())
