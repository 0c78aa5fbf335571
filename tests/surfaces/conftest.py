"""Fixtures over the real server: one a worker, with the demo world's people and as many newcomers as a test wants."""

from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from accounts.provisioning import Person as Account
from accounts.provisioning import make_account, make_key, record
from computing.runner import JobRunner
from domain.account import EmailVerified
from domain.history import EditedBy
from domain.values import Email
from domain.version import VersionCut
from graphql_api.system import now
from live.version_reader import VersionReader
from persistence.store import PostgresStore
from service.version_scheduler import cut_ended
from tests.support.surfaces.callers import Person
from tests.support.surfaces.fixtures import ada, ben, cleo, client, grace, gus, people, server  # noqa: F401 - they are of other folders, too

numbers = count(1)


@pytest.fixture(scope="session")
def agent(server, ada):
    """Ada, with the key that is bound to her agent."""
    return replace(ada, key=server.credentials["agentKey"]["apiKey"])


@pytest.fixture(scope="session")
def ada_signed_in(server, ada):
    """Ada's browser, which asks over GraphQL, for what takes no key."""
    return ada.signed_in(server.credentials["users"]["ada"]["password"])


@pytest.fixture(scope="session")
def operator(ada) -> Callable[[Callable[[PostgresStore], Coroutine]], Any]:
    """Does what an operator does beside the running server: `operator(lambda store: …)`."""
    return ada.operator


@pytest.fixture(scope="session")
def newcomer(operator, client, server):
    """`newcomer("zoe")` makes an account with a key, in no organization; its address is verified unless told otherwise."""

    def make(name: str = "zoe", *, verified: bool = True, email: str | None = None) -> Person:
        address = Email(email or f"{name}-{next(numbers)}-{uuid4().hex[:8]}@newcomers.example")

        async def wanted(store):
            account = await make_account(store, name.title(), address, verified=verified)
            return account.id, await make_key(store, account, "test", None)

        user_id, key = operator(wanted)
        return Person(user_id, name.title(), address, key, client, server)

    return make


@pytest.fixture(scope="session")
def verify(operator):
    def make(person: Person) -> None:
        account = Account(person.id, person.name, Email(person.email))
        events = [EmailVerified(person.id, Email(person.email))]
        operator(lambda store: record(store, account.credit, events))

    return make


@pytest.fixture(scope="session")
def versioned(operator):
    """`versioned(person, document)` writes into a document, ends a version there, and returns the version's number."""

    def make(person: Person, document: str) -> int:
        person.gql('mutation($d: ID!) { editDocument(documentId: $d, edit: {append: "Written"}) { id } }', d=document)
        item = person.get(document)["item"]
        by, at = EditedBy(person.id, None, datetime.now(UTC)), datetime.now(UTC)
        number = len(person.do("documents.versions", documentId=document)["versions"]) + 1
        cut = VersionCut(document, item["driveId"], number, item["revision"], at, 100, (by,))
        account = Account(person.id, person.name, Email(person.email))
        operator(lambda store: record(store, account.credit, [cut]))
        return cut.number

    return make


@pytest.fixture(scope="session")
def cut_versions(operator):
    """`cut_versions(document)` cuts the versions that have ended, as the server's scheduler does every 20 seconds."""

    def cut(document: str) -> None:
        operator(lambda store: cut_ended(store, VersionReader(store, runner=JobRunner()), now, document))

    return cut


@pytest.fixture(scope="session")
def colleague(newcomer):
    """`colleague(admin, organization_id)` makes somebody who joins it by invitation, with a key that acts in it."""

    def make(admin: Person, organization_id: str, name: str = "zoe", role: str = "member") -> Person:
        person = newcomer(name)
        admin.admit(organization_id, person, role)
        return person.acting_in(organization_id)

    return make


@pytest.fixture(scope="session")
def acme(ada) -> str:
    return next(each["id"] for each in ada.gql("{ viewer { organizations { id name } } }")["organizations"])


@pytest.fixture(params=["rest", "graphql", "mcp", "python", "typescript"])
def surface(request) -> str:
    return request.param


WORKERS = (
    "blob_removal",
    "worker_progress",
    "compaction_due",
    "document_storage",
    "document_text",
    "document_link",
    "document_version",
    "document_version_author",
    "document_snapshot",
    "drive_storage",
)
TABLES = """
select string_agg(
    format('select %L, count(*) from %I', tablename, tablename)
        || case tablename when 'event' then $$ where type <> 'versionCut'$$ else '' end,
    ' union all ')
from pg_tables"""


@pytest.fixture(scope="session")
def execute():
    def run(url: str, statement: str) -> list[tuple]:
        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    return run


@pytest.fixture(scope="session")
def state(server):
    """`state()` counts the rows of every table: what is refused changes none of them, the record of events least.

    What workers make of documents is left out, since they come when they come.
    """
    with psycopg.connect(server.database, autocommit=True) as connection:
        wanted = f"{TABLES} where schemaname = 'public' and tablename not in {WORKERS}"
        (count_all,) = connection.execute(wanted).fetchone()
        yield lambda: dict(connection.execute(count_all).fetchall())
