"""The REST application over hand-written fakes: what runs operations remembers what it was asked."""

from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from urllib.parse import urlencode

import httpx

from contract.contract import contract
from contract.errors import RejectionError
from contract.examples import example
from contract.operations import OPERATIONS, Surface
from domain.caller import by_key
from domain.errors import NOT_FOUND, Rejection
from domain.key import compose
from domain.values import Email
from edge.app import EdgeParts
from edge.credentials import Authenticator, nobody
from edge.rate_limit import RateLimiter, Rates
from graphql_api.schema import build
from graphql_api.strawberry_internals import core_schema
from rest_adapter.app import rest_app
from rest_adapter.images import ImageUploads
from tests.support.processes.servers import async_http

KEY = compose(1)
AGENT_KEY = compose(2)
CONTRACT = contract(core_schema(build()))
ROWS = [row for row in OPERATIONS if Surface.REST in row.surfaces]
JSON_ROWS = [row for row in ROWS if CONTRACT.shapes[row.name].file is None]
WITH_BODY = [row for row in JSON_ROWS if CONTRACT.shapes[row.name].placed("body")]
ORIGIN = "http://codrive.test"
MOMENT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


@dataclass
class Fake:
    """Runs every operation by answering its documented example, or as it was told to."""

    rejection: Rejection | None = None
    fault: Exception | None = None
    answers: dict = field(default_factory=dict)
    asked: list = field(default_factory=list)
    kept: dict = field(default_factory=dict)

    async def __call__(self, operation, caller, inputs, idempotency_key):
        self.asked.append((operation.name, caller, inputs, idempotency_key))
        if self.fault:
            raise self.fault
        if self.rejection:
            raise RejectionError(self.rejection)
        if operation.name in self.answers:
            return self.answers[operation.name]
        shape = CONTRACT.shapes[operation.name]
        return None if shape.answer is None else example(shape.answer, CONTRACT.components)

    async def authenticate(self, secret):
        if secret == KEY:
            return by_key("u1", "Ada", Email("ada@example.com"), None, "o1", "k1", "d1")
        if secret == AGENT_KEY:
            return by_key("u1", "Ada", Email("ada@example.com"), "bound", "o1", "k2", "d2")
        return None

    async def read_image(self, _caller, image_id):
        if image_id not in self.kept:
            raise RejectionError(NOT_FOUND)
        return self.kept[image_id]


@dataclass
class Time:
    seconds: float = 1000.0

    def __call__(self):
        return self.seconds


SERVED: ContextVar["World"] = ContextVar("served")
"""Whose request is served."""


class CurrentLimiter:
    """The limiter of the world whose request is served."""

    def __init__(self, rates):
        self.rates = rates

    def spend(self, *asked):
        return SERVED.get().limiter.spend(*asked)

    def peek(self, *asked):
        return SERVED.get().limiter.peek(*asked)


class CurrentFake:
    """The fake of the world whose request is served."""

    async def __call__(self, *asked):
        return await SERVED.get().fake(*asked)

    async def read_image(self, *asked):
        return await SERVED.get().fake.read_image(*asked)


@cache
def application(rates):
    """Return an application for all worlds of these rates, since to build one takes longer than most tests do."""
    fake = CurrentFake()
    limiter = None if rates is None else CurrentLimiter(rates)
    return rest_app(CONTRACT, EdgeParts(Authenticator(nobody), limiter), run=fake, gallery=ImageUploads(fake))


@dataclass
class World:
    """One application with a client for it, and everything a test may look at or turn."""

    rates: Rates | None = field(default_factory=Rates)
    fake: Fake = field(default_factory=Fake)
    time: Time = field(default_factory=Time)
    paused: list = field(default_factory=list)
    seen: list = field(default_factory=list)

    def __post_init__(self):
        self.limiter = None if self.rates is None else RateLimiter(self.rates, self.time)
        served = application(self.rates)

        async def app(scope, receive, send):
            SERVED.set(self)
            await served.app(scope, receive, send)

        parts = EdgeParts(Authenticator(self.fake.authenticate), self.limiter, self.seen.append, pause=self.pause)
        self.app = replace(served, app=app, parts=parts)
        transport = httpx.ASGITransport(self.app, client=("192.0.2.7", 1234))
        self.client = async_http(f"{ORIGIN}/api/v1", transport=transport)

    def with_parts(self, **parts):
        self.app.parts = replace(self.app.parts, **parts)

    async def pause(self, seconds):
        self.paused.append(seconds)

    async def ask(self, method, path, *, key=KEY, **options):
        headers = {**({"x-api-key": key} if key else {}), **options.pop("headers", {})}
        return await self.client.request(method, path, headers=headers, **options)

    async def call(self, row, **options):
        """Send a good request for the row."""
        body = body_of(row)
        if row not in JSON_ROWS:
            options.setdefault("files", {"file": ("a.png", PIXEL)})
        elif row in WITH_BODY and not options.keys() & {"content", "files", "data"}:
            options.setdefault("json", body)
        return await self.ask(row.method, path_of(row), **options)


def path_of(row, **values):
    shape = CONTRACT.shapes[row.name]
    filled = {each.name: example(each.schema, CONTRACT.components, each.name) for each in shape.placed("path")} | values
    asked = {each.name: example(each.schema, {}, each.name) for each in shape.placed("query") if each.required}
    return row.path.format(**filled) + (f"?{urlencode(asked)}" if asked else "")


def body_of(row):
    fields = CONTRACT.shapes[row.name].placed("body")
    return {each.name: example(each.schema, CONTRACT.components, each.name) for each in fields if each.required}


def envelope(response):
    """Return the code, having checked that the answer is an envelope and nothing else."""
    assert response.headers["content-type"] == "application/json"
    body = response.json()
    assert set(body) == {"code", "message"}
    assert all(isinstance(part, str) for part in body.values())
    assert int(response.headers["content-length"]) == len(response.content)
    return response.status_code, body["code"]


PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
)


async def exact(world, method, path, *, key=KEY, headers=(), **options):
    """Ask for a path exactly as it is spelled, which a well-meaning client would put right."""
    request = world.client.build_request(method, f"{ORIGIN}/api/v1", **options)
    raw_headers = [(b"x-api-key", key.encode())] if key else []
    scope = {
        "type": "http",
        "method": str(method),
        "path": "/api/v1" + path,
        "raw_path": ("/api/v1" + path).partition("?")[0].encode(),
        "query_string": path.partition("?")[2].encode(),
        "headers": [(n.lower(), v) for n, v in request.headers.raw] + raw_headers + list(headers),
        "client": ("192.0.2.7", 1234),
        "http_version": "1.1",
        "scheme": "http",
        "server": ("codrive.test", 80),
        "root_path": "",
    }
    body, sent = await request.aread(), []

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    await world.app(scope, receive, send)
    return httpx.Response(sent[0]["status"], headers=sent[0]["headers"], content=sent[1]["body"])
