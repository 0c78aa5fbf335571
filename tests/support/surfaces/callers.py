"""How tests ask: the same operation of the contract over REST, GraphQL and MCP, and what was said."""

import asyncio
import json
import re
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

import httpx

from accounts.provisioning import Person as Account
from accounts.provisioning import make_key
from contract.contract import contract, documents
from contract.operation_schema import Location
from contract.operations import BY_NAME, Answer, Operation
from domain.errors import Code
from domain.values import Email
from edge.responses import STATUS
from graphql_api.schema import build
from graphql_api.strawberry_internals import core_schema
from mcp_adapter.structured_content import structured_content
from persistence.store import PostgresStore
from tests.support.processes import servers
from tests.support.processes.running import Server
from tests.support.surfaces.clients import CLIENTS
from tests.support.surfaces.said import Said
from tests.support.surfaces.tools import FOR_MODELS, FULL, Mcp, answers_models

SCHEMA = core_schema(build())
CONTRACT = contract(SCHEMA)
DOCUMENTS = documents() | FOR_MODELS
JSON_BODY = {"content-type": "application/json"}
# Values of what bodies may leave out.
LEFT_OUT = {
    "replace": None, "append": None, "passages": None, "section": None, "base": None, "onConflict": "merge", "dryRun": False,
    "ids": None, "agent": None, "sinceRevision": None, "sinceTime": None, "last": False,
}  # fmt: skip
# What an operation is given that can do without each of these, but not without all.
BESIDES = {"documents.edit": {"append": "- more"}, "documents.undoChanges": {"userId": "nobody"}}
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
)


@dataclass(frozen=True, slots=True)
class Rest:
    client: httpx.Client
    headers: dict[str, Any] = field(default_factory=dict[str, Any])

    def ask(self, operation: str, /, *, headers: dict[str, Any] | None = None, **inputs: Any) -> Said:
        """Run an operation; what is no input of it goes into the body, so that tests may send nonsense."""
        row, shape = BY_NAME[operation], CONTRACT.shapes[operation]
        places = {each.name: each.place for each in shape.inputs.values()}
        path = {key: inputs[key] for key in inputs if places.get(key) is Location.PATH}
        query = {key: inputs[key] for key in inputs if places.get(key) is Location.QUERY and inputs[key] is not None}
        body = {key: value for key, value in inputs.items() if key not in path and key not in query}
        target = row.path.format(**{key: quote(str(value), safe="") for key, value in path.items()})
        if shape.file:
            content = {"files": {"file": ("image", body.get("file", PIXEL))}}
        elif shape.placed(Location.BODY) or body:
            content = {"json": body}
        else:
            content = {}
        return self.send(row.method, target, params=query, headers=headers, **content)

    def send(self, method: str, target: str, *, headers: dict[str, Any] | None = None, **content: Any) -> Said:
        """Send a request to a path below the base URL, spelled exactly as given."""
        exact = {"target": b"/api/v1" + target.encode("latin-1")} if not content.get("params") else {}
        url = "/api/v1" + (target if content.get("params") else "")
        response = self.client.request(method, url, headers=self.headers | (headers or {}), extensions=exact, **content)
        return heard(response)


def heard(response: httpx.Response) -> Said:
    """Read an answer of REST, whose failures are exactly an envelope."""
    if response.status_code < 400:
        empty = response.status_code in (204, 304) or not response.content
        data = None if empty or "json" not in response.headers["content-type"] else response.json()
        return Said(response.status_code, None, data, response=response)
    if response.request.method == "HEAD":
        return Said(response.status_code, "", None, response=response)
    assert response.headers["content-type"] == "application/json"
    assert int(response.headers["content-length"]) == len(response.content)
    body = response.json()
    assert list(body) == ["code", "message"]
    assert all(isinstance(part, str) and part for part in body.values())
    return Said(response.status_code, body["code"], None, body["message"], response)


@dataclass(frozen=True, slots=True)
class GraphQL:
    client: httpx.Client
    headers: dict[str, Any] = field(default_factory=dict[str, Any])

    def ask_for_model(self, operation: str, /, **inputs: Any) -> Said:
        """Run the document that answers models, and return what a tool makes of that answer."""
        row = BY_NAME[operation]
        said = self.ask(operation, row=row.for_models if answers_models(operation) else row, **inputs)
        return said if said.data is None else replace(said, data=structured_content(operation, said.data))

    def ask(self, operation: str, /, *, row: Operation | None = None, **inputs: Any) -> Said:
        row = row or BY_NAME[operation]
        said = self.post(DOCUMENTS[row.document], **inputs)
        if said.code:
            return said
        match row.answer:
            case Answer.EMPTY:
                data = None
            case Answer.VALUE:
                (data,) = said.data.values()
            case Answer.DATA:
                data = said.data
        return replace(said, data=data)

    def post(self, query: str, /, *, headers: dict[str, Any] | None = None, **variables: Any) -> Said:
        body = json.dumps({"query": query, "variables": variables})
        response = self.client.post("/graphql", content=body, headers=self.headers | JSON_BODY | (headers or {}))
        return read(response)


def read(response: httpx.Response) -> Said:
    """Read an answer of GraphQL; its code stands for the status that REST would have."""
    body = response.json()
    if response.status_code in (401, 503):  # before anything runs
        assert set(body) == {"code", "message"}
        return Said(response.status_code, body["code"], None, body["message"], response)
    if not body.get("errors"):
        assert response.status_code == 200
        return Said(200, None, body["data"], response=response)
    codes = {each["extensions"]["code"] for each in body["errors"]}
    assert len(codes) == 1, body
    (code,) = codes
    return Said(STATUS[Code(code)], code, body.get("data"), body["errors"][0]["message"], response)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a key, and every way of asking."""

    id: str
    name: str
    email: str
    key: str
    client: httpx.Client
    server: Server | None = None  # for what its operator does, and what goes to them

    @staticmethod
    def of(server: Server, name: str, client: httpx.Client) -> "Person":
        """Return somebody of the demo world."""
        found = server.credentials["users"][name]
        return Person(found["userId"], name, found["email"], found["apiKey"], client, server)

    @property
    def rest(self) -> Rest:
        return Rest(self.client, {"x-api-key": self.key})

    @property
    def graphql(self) -> GraphQL:
        return GraphQL(self.client, {"x-api-key": self.key})

    @property
    def mcp(self) -> Mcp:
        return Mcp(self.client, {"x-api-key": self.key})

    def on(self, surface: str) -> Any:
        """Return what asks on the surface: `.ask(operation, **inputs)` says what was said."""
        if surface in CLIENTS:
            return CLIENTS[surface](str(self.client.base_url.join("/api/v1")), self.key)
        full = Mcp(self.client, {"x-api-key": self.key}, FULL)
        return {"rest": self.rest, "graphql": self.graphql, "mcp": self.mcp, "mcp_full": full}[surface]

    def do(self, operation: str, /, **inputs: Any) -> Any:
        """Run an operation over REST that must succeed, and return its answer."""
        said = self.rest.ask(operation, **inputs)
        assert said.status == 200, said
        return said.data

    def gql(self, query: str, /, **variables: Any) -> Any:
        """Run a document that must succeed, and return its data, or its one field's value."""
        said = self.graphql.post(query, **variables)
        assert said.code is None, said
        return next(iter(said.data.values())) if len(said.data) == 1 else said.data

    # what tests build on

    def folder(self, place: str, name: str = "Folder") -> str:
        return self.make(place, "folder", name)

    def document(self, place: str, name: str = "Document") -> str:
        return self.make(place, "docs_workbook", name)

    def make(self, place: str, kind: str, name: str) -> str:
        """Make an item in a folder or, where `place` is a drive, at its root."""
        said = self.rest.ask("drives.createItem", driveId=place, name=name, driveItemType=kind)
        if said.code == "NOT_FOUND":
            said = self.rest.ask("driveItems.createChild", itemId=place, name=name, driveItemType=kind)
        assert said.status == 200, said
        return said.data["item"]["id"]

    def drive(self, name: str = "Drive", **members: "Person") -> str:
        """Make a shared drive with `manager` and others, by the role they get (`contributor_2` is a contributor)."""
        drive_id = self.do("drives.create", name=name)["drive"]["id"]
        for role, person in members.items():
            self.do("drives.upsertMember", driveId=drive_id, userId=person.id, role=role.partition("_")[0])
        return drive_id

    def personal(self) -> str:
        return self.do("drives.list")["drives"][0]["id"]

    def organize(self, name: str = "Initech") -> str:
        """Make an organization and return its id; to act in it takes another key."""
        return self.gql("mutation($n: ItemName!) { createOrganization(name: $n) { id } }", n=name)["id"]

    def invite(self, organization_id: str, person: "Person", role: str = "member") -> str:
        """Invite somebody and return the token to accept with, which the operator has: the server sends no mail."""
        assert self.server
        log = self.server.log

        def letters() -> list[str]:
            return [line for line in log.read_text().splitlines() if f'"to": "{person.email}"' in line]

        known = len(letters())
        self.gql(
            "mutation($o: ID!, $e: EmailAddress!, $r: OrganizationRole!)"
            " { inviteToOrganization(organizationId: $o, email: $e, role: $r) { invitation { id } } }",
            o=organization_id, e=person.email, r=role,
        )  # fmt: skip
        letter = servers.eventually(lambda: letters()[known:], origin=self.server.origin)[-1]
        return re.findall(r"/invitation/(\w+)", letter)[-1]

    def admit(self, organization_id: str, person: "Person", role: str = "member") -> None:
        """Invite somebody, who accepts."""
        token = self.invite(organization_id, person, role)
        person.gql("mutation($t: String!) { acceptInvitation(token: $t) { id } }", t=token)

    def make_key(self, agent: str | None = None, organization_id: str | None = None) -> str:
        """Have the operator make another key, since no key makes keys, and return its secret."""
        account = Account(self.id, self.name, Email(self.email))
        return self.operator(lambda store: make_key(store, account, agent or "another", organization_id, agent))

    def operator(self, wanted: Callable[[PostgresStore], Coroutine[Any, Any, Any]]) -> Any:
        """Do what an operator does beside the running server."""
        assert self.server
        database = self.server.database

        async def go() -> Any:
            async with PostgresStore(database, readers=1, writers=1) as store:
                return await wanted(store)

        with ThreadPoolExecutor(1) as thread:  # a test may run in a loop
            return thread.submit(asyncio.run, go()).result()

    def acting_in(self, organization_id: str) -> "Person":
        return replace(self, key=self.make_key(organization_id=organization_id))

    def signed_in(self, password: str) -> GraphQL:
        """Sign in, and return what asks by the session of that browser."""
        origin = str(self.client.base_url).rstrip("/")
        with closing(servers.signed_in(origin, {"email": self.email, "password": password})) as browser:
            cookie = f"codrive={browser.cookies['codrive']}"
        return GraphQL(self.client, {"cookie": cookie, "x-codrive-csrf": "1"})

    def get(self, item_id: str) -> dict[str, Any]:
        return self.do("driveItems.get", itemId=item_id)

    def share(self, item_id: str, person: "Person | str", permission: str = "read_only") -> None:
        email = person if isinstance(person, str) else person.email
        self.do("driveItems.share", itemId=item_id, email=email, permission=permission)

    def trash(self, item_id: str) -> dict[str, Any]:
        return self.gql("mutation($i: ID!) { trashItem(itemId: $i) { id trashedAt } }", i=item_id)

    def restore(self, item_id: str) -> dict[str, Any]:
        return self.gql("mutation($i: ID!) { restoreItem(itemId: $i) { id parentId published } }", i=item_id)
