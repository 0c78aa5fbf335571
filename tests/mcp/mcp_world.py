"""The MCP application alone, over hand-written fakes."""

from dataclasses import dataclass, field

import httpx

from domain.caller import by_bearer, by_key
from domain.errors import Unavailable
from domain.key import compose
from domain.values import Email
from edge.app import EdgeParts
from edge.credentials import Authenticator
from edge.in_flight import InFlight
from edge.mcp_resources import MCP, McpResource
from edge.rate_limit import RateLimiter, Rates
from mcp_adapter.app import mcp_app
from tests.support.processes.servers import async_http
from tests.support.surfaces.callers import CONTRACT
from tests.support.surfaces.tools import Mcp

KEY, AGENT_KEY, TOKEN = compose(1), compose(2), "at_1"
ADA = Email("ada@example.com")
ORIGIN = "https://drive.example.com"


@dataclass
class World:
    """The application with everything outside it in reach of a test."""

    fault: Exception | None = None
    rates: Rates = field(default_factory=Rates)
    asked: list = field(default_factory=list)
    seen: list = field(default_factory=list)
    answer: object = None
    documents: list = field(default_factory=list)
    bodies: InFlight = field(default_factory=lambda: InFlight(None))
    resource: McpResource = MCP

    def __post_init__(self):
        app = mcp_app(
            CONTRACT,
            EdgeParts(
                Authenticator(self.by_key, self.by_token),
                RateLimiter(self.rates, lambda: 1000.0),
                self.seen.append,
                bodies=self.bodies,
                pause=self.pause,
            ),
            self.resource,
            run=self.run,
            origin=ORIGIN,
            allowed_origins=["https://inspector.example"],
        )
        transport = httpx.ASGITransport(app, client=("192.0.2.7", 1234))
        self.client = async_http(ORIGIN, transport=transport)

    async def run(self, operation, caller, inputs, idempotency_key):
        self.asked.append((operation.name, caller, inputs, idempotency_key))
        self.documents.append(operation.document)
        if self.fault:
            raise self.fault
        return self.answer

    async def by_key(self, secret):
        if isinstance(self.fault, Unavailable):
            raise self.fault
        bound = {KEY: None, AGENT_KEY: "bound"}
        return by_key("u1", "Ada", ADA, bound[secret], "o1", "k1", "d1") if secret in bound else None

    async def by_token(self, _point, token):
        return by_bearer("u1", "Ada", ADA, "Claude", "o1", "a1", "d1") if token == TOKEN else None

    async def pause(self, _seconds):
        pass

    async def send(self, **headers):
        request = Recorder()
        Mcp(request).send("tools/call", name="drives_rename", arguments={"driveId": "d", "name": "n"})
        sent = request.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.client.post("/api/v1/mcp", json=request.body, headers=sent | {"mcp-name": "drives_rename"})


class Recorder:
    """Takes down what would be sent."""

    def post(self, _path, *, json, headers):
        self.body, self.headers = json, headers
