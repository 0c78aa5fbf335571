"""Which small schema do the tests of execution, limits and HTTP ask?"""

import asyncio
import dataclasses
import enum
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NewType

import strawberry
from graphql import GraphQLError
from litestar import Response
from litestar.testing import TestClient
from litestar.types.asgi_types import RawHeaders
from strawberry.schema.config import StrawberryConfig

from contract.scalars import timestamp_text
from domain.caller import Caller
from domain.errors import Rejection, Unavailable
from domain.values import Email
from edge.app import Edge as RequestEdge
from edge.app import EdgeParts
from edge.credentials import AccessPoint, Authenticator, nobody
from graphql_adapter.endpoint import GraphQLEndpoint
from graphql_adapter.http import graphql_app
from graphql_api.request_limits import LimitedSchema

Timestamp = NewType("Timestamp", datetime)
Json = NewType("Json", object)

SCALARS = {
    Timestamp: strawberry.scalar(name="Timestamp", serialize=timestamp_text),
    Json: strawberry.scalar(name="JSON", serialize=lambda value: value, parse_value=lambda value: value),
}


class Refused(GraphQLError):  # noqa: N818 - as the service's own
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message, extensions={"code": code})


@strawberry.enum
class Kind(enum.Enum):
    folder = "folder"
    docs_workbook = "docs_workbook"


@strawberry.enum
class Capability(enum.StrEnum):
    read = "read"
    edit = "edit"
    share = "share"
    trash = "trash"


@strawberry.type
class Credit:
    user_id: strawberry.ID
    name: str
    agent: str | None


@strawberry.type
class Item:
    id: strawberry.ID
    drive_id: strawberry.ID
    parent_id: strawberry.ID | None
    kind: Kind
    name: str
    created_at: Timestamp
    updated_at: Timestamp
    trashed_at: Timestamp | None
    created_by: Credit
    updated_by: Credit | None
    published: bool
    public_url: str | None
    size: int
    ratio: float | None
    capabilities: list[Capability]
    tags: list[str | None] | None
    extra: Json | None
    credits: list[Credit | None]

    @strawberry.field
    async def children(self, first: int = 2) -> list["Item"]:
        return self.kids[:first]  # type: ignore[attr-defined]

    @strawberry.field
    def shout(self) -> str | None:
        if self.name == "broken":
            raise Refused("FORBIDDEN", "no shouting")
        return self.name.upper()


@strawberry.type
class Items:
    items: list[Item]


@strawberry.type
class PageInfo:
    has_next_page: bool


@strawberry.type
class Edge:
    node: Item


@strawberry.type
class Connection:
    edges: list[Edge]
    page_info: PageInfo


@strawberry.type
class Query:
    @strawberry.field
    async def item(self, info: strawberry.Info, id: strawberry.ID) -> Item | None:  # noqa: A002
        return info.context["rows"].get(id)

    @strawberry.field
    async def rows(self, info: strawberry.Info) -> Items:
        return Rows(list(info.context["rows"].values()))

    @strawberry.field
    async def maybe_rows(self, info: strawberry.Info) -> list[Item | None] | None:
        return list(info.context["rows"].values())

    @strawberry.field
    async def page(self, first: int = 50, last: int | None = None) -> Connection:
        del first, last
        return Connection(edges=[], page_info=PageInfo(has_next_page=False))

    @strawberry.field
    async def refuse(self, code: str) -> str:
        raise Refused(code, f"refused with `{code}`")

    @strawberry.field
    async def crash(self) -> str:
        raise RuntimeError("the secret is 42")

    @strawberry.field
    async def unreachable(self) -> str:
        raise Unavailable

    @strawberry.field
    async def waited(self, info: strawberry.Info) -> bool:
        await info.context["wait"]()
        return True

    @strawberry.field
    async def of_kind(self, kind: Kind) -> str:
        return kind.value

    @strawberry.field
    async def fresh(self, info: strawberry.Info) -> bool:
        """Whether this is the first to ask in its context."""
        return info.context.setdefault("asked", info) is info

    @strawberry.field
    async def caller(self, info: strawberry.Info) -> str:
        return str(info.context["caller"])


@strawberry.type
class Mutation:
    @strawberry.mutation
    async def rename_item(self, info: strawberry.Info, id: strawberry.ID, name: str) -> Item | None:  # noqa: A002
        info.context["renamed"] = name
        return info.context["rows"].get(id)

    @strawberry.mutation
    async def import_yjs_update(self, document_id: strawberry.ID, update: str) -> int:
        del document_id
        return len(update)


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self, to: int) -> AsyncIterator[int]:
        for number in range(to):
            yield number

    @strawberry.subscription
    async def forever(self) -> AsyncIterator[int]:
        yield 0
        await asyncio.Event().wait()

    @strawberry.subscription
    async def collapse(self) -> AsyncIterator[int]:
        yield 1
        raise RuntimeError("the secret is 42")


@dataclass(frozen=True, slots=True)
class By:
    user_id: Any = "u1"
    name: Any = "Ada"
    agent: Any = None


@dataclass(frozen=True, slots=True)
class Rows:
    items: Any


DAY = datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Row:
    """What a resolver returns: attributes named as the fields, values possibly wrong."""

    id: Any = "i1"
    drive_id: Any = "d1"
    parent_id: Any = None
    kind: Any = Kind.folder
    name: Any = "a name"
    created_at: Any = DAY
    updated_at: Any = DAY + timedelta(hours=1)
    trashed_at: Any = None
    created_by: Any = field(default_factory=By)
    updated_by: Any = field(default_factory=lambda: By("u2", "Ben", "scribe"))
    published: Any = False
    public_url: Any = None
    size: Any = 7
    ratio: Any = 0.5
    capabilities: Any = (Capability.read, Capability.edit)
    tags: Any = ("a", None)
    extra: Any = None
    credits: Any = ()
    kids: Any = ()


ITEM = """
  id driveId parentId kind name createdAt updatedAt trashedAt published publicUrl size capabilities
  createdBy { userId name agent } updatedBy { userId name agent }
"""


def schema(**options: Any) -> LimitedSchema:
    config = StrawberryConfig(scalar_map=SCALARS)
    return LimitedSchema(Query, Mutation, Subscription, config=config, **options)


def context() -> dict[str, Any]:
    return {"rows": {f"i{number}": Row(id=f"i{number}") for number in range(3)}}


class ByName(Authenticator):
    """Takes the key for the name of its user."""

    async def identify(
        self,
        point: AccessPoint,  # noqa: ARG002 - as the class has it
        headers: RawHeaders,
        query: bytes = b"",  # noqa: ARG002
    ) -> Caller | Rejection | None:
        name = dict(headers).get(b"x-api-key", b"").decode()
        return Caller(name, name, Email("ada@acme.example")) if name else None


def endpoint(authenticator: Authenticator | None = None, **options: Any) -> GraphQLEndpoint:
    """Return an endpoint with some parts, which are its own or of the edge, replaced."""
    of_edge = {each.name: options.pop(each.name) for each in dataclasses.fields(EdgeParts) if each.name in options}
    edge = EdgeParts(authenticator or ByName(nobody), **of_edge)
    return GraphQLEndpoint(schema(), edge, lambda caller: {**context(), "caller": caller.name}, **options)


def page() -> Response[str]:
    return Response("<!doctype html><title>GraphQL</title>", media_type="text/html")


def client(endpoint: GraphQLEndpoint) -> TestClient[Any]:
    """Return a client of an endpoint; the raw path of the library's has the query, too, which no server sends."""
    served = graphql_app(endpoint)

    async def without_query(scope: Any, receive: Any, send: Any) -> None:
        await served(scope | {"raw_path": scope.get("path", "").encode()}, receive, send)

    return TestClient(without_query)


class Anyone(ByName):
    async def identify(self, point: AccessPoint, *_: object) -> Caller | Rejection | None:
        return await ByName.identify(self, point, [(b"x-api-key", b"ada")])


def app() -> RequestEdge:
    """For a server from the command line, where everyone is signed in."""
    return graphql_app(endpoint(Anyone(nobody), page=page))
