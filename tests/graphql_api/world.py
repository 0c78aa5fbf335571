"""The demo world, asked in GraphQL as one of its people."""

import itertools
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from strawberry.types import ExecutionResult

from accounts.mail_sender import PAUSES, MailSender
from accounts.mail_writer import MailWriter
from computing.runner import JobRunner
from contract.errors import RejectionError
from domain import key
from domain.caller import Caller, by_session
from domain.errors import Rejection
from domain.questions import WhoHoldsKey
from domain.session import Session, SessionBegun
from domain.values import Email
from graphql_api import system
from graphql_api.context import Context, Ports
from graphql_api.ports import LockScope
from graphql_api.schema import build
from live.document_reader import DocumentReader
from live.version_reader import VersionReader
from persistence.outbox import Outbox
from persistence.store import PostgresStore
from service.image_jobs import ImageJobs
from tests.support.documents.jobs import JOBS
from tests.support.worlds.tickets import Tickets

SCHEMA = build()
NOW = datetime(2026, 1, 1, tzinfo=UTC)


class NoBlobs:
    async def put(self, key: str, content: bytes) -> None:
        raise NotImplementedError

    async def get(self, key: str) -> bytes | None:
        raise NotImplementedError

    async def delete(self, key: str) -> None:
        raise NotImplementedError


@dataclass
class Post:
    """The tokens of invitations as they are mailed, by address; `refusal` is what the next ones are refused with."""

    delivers: bool = True
    sent: dict[str, str] = field(default_factory=dict)
    refusal: Rejection | None = None

    def count_invitation(self, _by: str, _address: Email) -> None:
        if self.refusal:
            raise RejectionError(self.refusal)

    async def send(self, to: Email, _subject: str, text: str) -> None:
        if found := re.search(r"/invitation/(\S+)", text):
            self.sent[to] = found[1]


@dataclass
class World:
    ports: Ports
    post: Post
    sender: MailSender
    callers: dict[str, Caller] = field(default_factory=dict)
    hours: list[int] = field(default_factory=list)

    def later(self) -> None:
        """Let an hour pass."""
        self.hours.append(1)

    async def mailed(self) -> dict[str, str]:
        """Have everything mailed, and return the tokens of all invitations by their addresses."""
        await self.sender.send()
        return self.post.sent

    async def ask(self, who: str, query: str, **variables: Any) -> dict[str, Any]:
        """Return the data; an error fails the test with its text."""
        result = await self.run(who, query, **variables)
        assert result.errors is None, result.errors
        assert result.data is not None
        return result.data

    async def run(self, who: str, query: str, **variables: Any) -> ExecutionResult:
        """Return the whole answer, errors and all."""
        result = await SCHEMA.execute(query, variables, {"context": Context(self.ports, self.callers[who])})
        assert isinstance(result, ExecutionResult)
        return result

    async def refused(self, who: str, query: str, **variables: Any) -> str:
        """Return the code of the first error."""
        return (await self.told(who, query, **variables))[0]

    async def told(self, who: str, query: str, **variables: Any) -> tuple[str, str]:
        """Return the code and the message of the first error, where one is expected."""
        result = await self.run(who, query, **variables)
        assert result.errors, result.data
        return (result.errors[0].extensions or {})["code"], result.errors[0].message

    async def browser_of(self, who: str) -> str:
        """Sign somebody in and return the name of whoever asks by that session, for what no key may do."""
        caller, name = self.callers[who], f"{who}, signed in"
        session = Session(self.ports.ids(), caller.user_id, caller.organization_id, "A browser", NOW, NOW)
        events = [SessionBegun(session, f"digest of {session.id}")]
        await self.ports.store.transact(LockScope(), lambda under: under.record(events, caller.credit, NOW))
        self.callers[name] = by_session(caller.user_id, caller.name, caller.email, caller.organization_id, session.id)
        return name

    async def drive(self, who: str, name: str) -> str:
        drives = (await self.ask(who, "{ drives { nodes { id name } } }"))["drives"]["nodes"]
        return next(drive["id"] for drive in drives if drive["name"] == name)

    async def item(self, who: str, name: str) -> str:
        found = await self.ask(who, "query($t: String!) { search(text: $t) { nodes { id name } } }", t=name)
        return next(node["id"] for node in found["search"]["nodes"] if node["name"] == name)


async def demo_world(store: PostgresStore, credentials: dict[str, Any]) -> World:
    """Return the world that was populated in the store."""
    documents = DocumentReader(store, runner=JOBS)
    seconds = itertools.count()

    hours: list[int] = []

    def clock() -> datetime:
        """A second later each time that it is looked at."""
        return NOW + timedelta(hours=sum(hours), seconds=next(seconds))

    post, outbox = Post(), Outbox(store, PAUSES)
    writer = MailWriter(store, outbox, clock, system.random_bits, "http://drive.example", delivers=True)
    world = World(
        Ports(
            store,
            documents,
            Tickets(clock),
            NoBlobs(),
            clock,
            system.new_id,
            system.random_bits,
            "http://drive.example",
            VersionReader(store, runner=JOBS),
            post,
            ImageJobs(JobRunner()),
        ),
        post,
        MailSender(outbox, writer, post, store.posted),
        hours=hours,
    )
    store.feed.subscribe(world.ports.drive_feed.committed)
    everybody = {short: user["apiKey"] for short, user in credentials["users"].items()}
    for short, secret in (everybody | {"agent": credentials["agentKey"]["apiKey"]}).items():
        world.callers[short] = await world_caller(store, secret)
    return world


async def world_caller(store: PostgresStore, secret: str) -> Caller:
    caller = await store.read(WhoHoldsKey(key.digest(secret)))
    assert caller is not None
    return caller
