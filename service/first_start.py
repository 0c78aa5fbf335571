"""First start: makes the first account or the demo world, and prints the next steps."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import structlog

from accounts.password_hasher import Argon2Hasher
from accounts.provisioning import (
    find_person,
    link_text,
    make_account,
    make_key,
    make_link,
    make_organization,
)
from demo.populate import SetPassword, populate
from domain import key
from domain.errors import Rejection
from domain.questions import WhoHoldsKey
from domain.values import Email, email
from edge.mcp_resources import MCP, MCP_FULL
from live.document_reader import DocumentReader
from persistence.operator_queries import first_start_lock, has_accounts, keep_password
from persistence.postgres.installation import CannotStart
from persistence.store import PostgresStore
from service.settings import Settings

ADA: Final = Email("ada@acme.example")
OTHERS: Final = ("grace@acme.example", "ben@acme.example", "cleo@acme.example", "gus@globex.example")
LOST: Final = (
    "another server filled this database at the same time, and the credentials that it made are known there alone: "
    "start this server again to serve beside it"
)
_log: Final = structlog.get_logger("service")


@dataclass(frozen=True, slots=True)
class Announcement:
    """The message at the start of the server; `secret` and `link` exist at the first start alone.

    `demo` holds the credentials of the demo world, as far as they are known: keys are stored nowhere but in that file.
    """

    first_email: str | None = None
    secret: str | None = None
    link: str | None = None
    demo: dict[str, Any] | None = None
    credentials: Path | None = None

    def text(self, origin: str) -> str:
        lines = [
            "",
            *self._accounts(origin),
            "",
            f"  Codrive answers at {origin}",
            f"  REST     {origin}/api/v1 (described at {origin}/api/v1/docs)",
            f"  GraphQL  {origin}/graphql",
            f"  MCP      {MCP_FULL.at(origin)} (for agents that write; {MCP.at(origin)} writes no text)",
        ]
        if self.secret:
            lines += ["", "  Try:", f'    curl -H "x-api-key: {self.secret}" {origin}/api/v1/drives']
            lines += ["", "  For MCP clients:", f"    {mcp_configuration(origin, self.secret)}"]
        return "\n".join([*lines, "", f"  Stop it with Ctrl-C. Everything else it can do: {command()} --help", ""])

    def _accounts(self, origin: str) -> Iterator[str]:
        if self.link:
            yield f"  Open this in a browser. One-time sign-in link: {link_text(origin, self.link)}"
        if self.first_email:
            yield f"  It signs you in as {self.first_email}. Make accounts for others: {command()} account create --help"
            yield f"  API key (shown this once): {self.secret}"
        elif self.demo and self.secret:
            first, *others = OTHERS
            yield f"  It signs you in as Ada. To be somebody else: {command()} account link {first} (or {', '.join(others)})"
            yield f"  Ada's API key (shown this once): {self.secret}"
        if self.credentials and self.demo:
            yield f"  Everybody's credentials are in {self.credentials}"
        elif self.credentials:
            yield f"  Keys are shown once, and this data is of an earlier start: {self.credentials} is not written."
            yield f"  Make a new key: {command()} account key {ADA}"
        elif not self.secret:
            yield f"  The keys made earlier go on working. Make a new one: {command()} account key --help"
            yield f"  Sign in: {command()} account link --help"


def command() -> str:
    """Return how a reader of the message calls `codrive-server`: as they did, where `uv run` did it for them."""
    return "uv run --no-dev codrive-server" if "UV_RUN_RECURSION_DEPTH" in os.environ else "codrive-server"


def mcp_configuration(origin: str, secret: str) -> str:
    """Return the settings of MCP clients, as JSON, that reach this service with a key."""
    server = {"type": "http", "url": MCP_FULL.at(origin), "headers": {"x-api-key": secret}}
    return json.dumps({"mcpServers": {"codrive": server}})


async def first_start(
    store: PostgresStore, documents: DocumentReader, settings: Settings, *, was_new: bool = False
) -> Announcement:
    """Fill an empty service; one that has accounts is left as it is.

    Raises CannotStart where another server filled it since this one found a database that was new, and this one is to write the
    credentials to a file.
    """
    async with first_start_lock(store):
        filled = await has_accounts(store)
        if was_new and filled and settings.credentials:
            raise CannotStart(LOST)
        if filled:
            return Announcement(demo=await _known(store, settings.credentials), credentials=settings.credentials)
        return await (_demo_world if settings.demo else _first_account)(store, documents, settings)


async def _demo_world(store: PostgresStore, documents: DocumentReader, settings: Settings) -> Announcement:
    _log.info("making the demo world")
    demo = await populate(store, documents, _password_setter(store, told=settings.credentials is not None))
    ada = await find_person(store, ADA)
    assert not isinstance(ada, Rejection), "the demo world has an Ada"
    link = await make_link(store, ada)
    return Announcement(secret=demo["users"]["ada"]["apiKey"], link=link, demo=demo, credentials=settings.credentials)


def _password_setter(store: PostgresStore, *, told: bool) -> SetPassword:
    """Return what sets a password; one that nobody is told is not hashed, since five hashes take longer than all else."""
    hasher = Argon2Hasher()

    async def set_password(user_id: str, password: str) -> None:
        await keep_password(store, user_id, await hasher.hash(password) if told else hasher.unknown)

    return set_password


async def _first_account(store: PostgresStore, _documents: DocumentReader, settings: Settings) -> Announcement:
    address = email(settings.first_email, "first-email")
    if isinstance(address, Rejection):
        raise CannotStart(address.message)
    person = await make_account(store, "Admin", address, verified=True)
    organization = await make_organization(store, "My organization", person)
    secret = await make_key(store, person, "First key", organization.id)
    link = await make_link(store, person)
    return Announcement(first_email=person.email, secret=secret, link=link)


async def _known(store: PostgresStore, file: Path | None) -> dict[str, Any] | None:
    """Return the credentials that an earlier start wrote to the file, if they are of this world."""
    try:
        found = _read(file) if file else {}
        secret = found["users"]["ada"]["apiKey"]
        return found if await store.read(WhoHoldsKey(key.digest(secret))) else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def _read(file: Path) -> dict[str, Any]:
    found = json.loads(file.read_text())
    return {name: found[name] for name in ("users", "agentKey")}
