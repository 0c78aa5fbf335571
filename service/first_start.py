"""First start: makes the first account or the demo world, and prints the next steps."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accounts.password_hasher import Argon2Hasher
from accounts.provisioning import link_text, make_account, make_key, make_link, make_organization
from demo.populate import populate
from domain import key
from domain.errors import Rejection
from domain.questions import WhoHoldsKey
from domain.values import email
from edge.mcp_resources import MCP, MCP_FULL
from live.document_reader import DocumentReader
from persistence.operator_queries import has_accounts, keep_password
from persistence.postgres.installation import CannotStart
from persistence.store import PostgresStore
from service.settings import Settings


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
            f"  Codrive answers at {origin}",
            f"  REST     {origin}/api/v1 (described at {origin}/api/v1/docs)",
            f"  GraphQL  {origin}/graphql",
            f"  MCP      {MCP_FULL.at(origin)} (for agents that write; {MCP.at(origin)} writes no text)",
            "",
            *self._accounts(origin),
        ]
        if self.secret:
            lines += ["", "  Try:", f'    curl -H "x-api-key: {self.secret}" {origin}/api/v1/drives']
            lines += ["", "  For MCP clients:", f"    {mcp_configuration(origin, self.secret)}"]
        return "\n".join([*lines, "", "  Stop it with Ctrl-C. Everything else it can do: codrive-server --help", ""])

    def _accounts(self, origin: str) -> Iterator[str]:
        if self.first_email:
            yield f"  First account: {self.first_email}"
            yield f"  API key (shown this once): {self.secret}"
            yield f"  One-time sign-in link: {link_text(origin, self.link or '')}"
            yield "  Make accounts for others: codrive-server account create --help"
        elif self.demo and self.secret:
            yield f"  The demo world is ready. Ada's API key (shown this once): {self.secret}"
        if self.credentials and self.demo:
            yield f"  Everybody's credentials are in {self.credentials}"
        elif self.credentials:
            yield f"  Keys are shown once, and this data is of an earlier start: {self.credentials} is not written."
            yield "  Make a new key: codrive-server account key ada@acme.example"
        elif not self.secret:
            yield "  The keys made earlier go on working. Make a new one: codrive-server account key --help"


def mcp_configuration(origin: str, secret: str) -> str:
    """Return the settings of MCP clients, as JSON, that reach this service with a key."""
    server = {"type": "http", "url": MCP_FULL.at(origin), "headers": {"x-api-key": secret}}
    return json.dumps({"mcpServers": {"codrive": server}})


async def first_start(store: PostgresStore, documents: DocumentReader, settings: Settings) -> Announcement:
    """Fill an empty service; one that has accounts is left as it is."""
    if await has_accounts(store):
        return Announcement(demo=await _known(store, settings.credentials), credentials=settings.credentials)
    if settings.demo:
        hasher = Argon2Hasher()

        async def set_password(user_id: str, password: str) -> None:
            await keep_password(store, user_id, await hasher.hash(password))

        demo = await populate(store, documents, set_password)
        return Announcement(secret=demo["users"]["ada"]["apiKey"], demo=demo, credentials=settings.credentials)
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
