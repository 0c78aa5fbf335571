"""What people of the demo world do over HTTP, and how clients find a document of theirs."""

from typing import Any, Self

from computing.logs import whole_log
from documents.history.followed import follow_moves
from documents.history.replay import Replayed, replayed
from documents.yjs.scan import accepted
from domain.questions import LogOf
from persistence.store import PostgresStore
from tests.support.processes.servers import Served, async_eventually, async_http


class World:
    def __init__(self, served: Served) -> None:
        self.served = served
        self.api = {who: async_http(served.origin, headers=served.headers(who)) for who in ("ada", "ben", "cleo")}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for api in self.api.values():
            await api.aclose()

    async def document(self, who: str = "ada", name: str = "Live") -> str:
        """A new document in the first shared drive of Acme."""
        drives = (await self.api[who].get("/api/v1/drives")).json()["drives"]
        drive = next(drive for drive in drives if drive["kind"] == "shared")
        body = {"name": name, "driveItemType": "docs_workbook"}
        made = await self.api[who].post(f"/api/v1/drives/{drive['id']}/items", json=body)
        assert made.status_code == 200, made.text
        return made.json()["item"]["id"]

    async def personal(self, who: str = "ada") -> str:
        drives = (await self.api[who].get("/api/v1/drives")).json()["drives"]
        body = {"name": "Own", "driveItemType": "docs_workbook"}
        made = await self.api[who].post(f"/api/v1/drives/{drives[0]['id']}/items", json=body)
        assert made.status_code == 200, made.text
        return made.json()["item"]["id"]

    async def read(self, document_id: str, who: str = "ada") -> Any:
        return (await self.api[who].get(f"/api/v1/documents/{document_id}")).raise_for_status().json()

    async def followed(self, document_id: str) -> int:
        """Wait until nothing follows what was moved any more; return how many edits of the server brought something there.

        Of a document in which nobody has undone or restored anything: those record what they copied, too.
        """

        async def look() -> Replayed | None:
            log = await store.read(LogOf(document_id))
            assert log
            made = accepted(replayed(whole_log(log)))
            return None if follow_moves(made) else made

        async with PostgresStore(self.served.database, readers=1, writers=1) as store:
            made = await async_eventually(look, origin=self.served.origin)
        return sum(each.copied is not None for each in made.log.log)

    async def answer(self, query: str, who: str = "ada", **variables: Any) -> Any:
        return (await self.api[who].post("/graphql", json={"query": query, "variables": variables})).json()

    async def ask(self, query: str, who: str = "ada", **variables: Any) -> Any:
        answer = await self.answer(query, who, **variables)
        assert "errors" not in answer, answer
        return answer["data"]

    async def ticket(self, document_id: str, who: str = "ada") -> str:
        query = "mutation($d: ID!) { createCollaborationTicket(documentId: $d) { ticket expiresAt } }"
        return (await self.ask(query, who, d=document_id))["createCollaborationTicket"]["ticket"]

    async def manage(self, query: str, who: str = "ada", **variables: Any) -> Any:
        """Ask in a browser in which somebody has just signed in, for what no key may do."""
        browser = {"cookie": await self.cookie(who), "origin": self.served.origin}
        async with async_http(self.served.origin, headers=browser) as api:
            answer = (await api.post("/graphql", json={"query": query, "variables": variables})).json()
        assert "errors" not in answer, answer
        return answer["data"]

    async def cookie(self, who: str = "ada") -> str:
        """The cookie of a browser in which somebody has just signed in."""
        person = self.served.credentials["users"][who]
        async with async_http(self.served.origin) as browser:
            said = {"email": person["email"], "password": person["password"]}
            answer = await browser.post("/sign-in", data=said, headers={"origin": self.served.origin})
            return answer.headers["set-cookie"].partition(";")[0]

    def way(self, document_id: str, who: str = "ada", client: str = "4", **headers: str) -> dict[str, Any]:
        """What a client needs to open the document as somebody, by the key in its handshake."""
        at = self.served.origin.replace("http", "ws") + "/collaboration"
        named = {"x-api-key": self.served.key(who)} if who else {}
        return {"client": client, "url": at, "document": document_id, "headers": named | headers}


async def me(world: World, who: str) -> str:
    return (await world.ask("{ viewer { id } }", who))["viewer"]["id"]


async def as_agent(world: World, agent: str, query: str, **variables: Any) -> None:
    answer = await world.api["ben"].post(
        "/graphql", json={"query": query, "variables": variables}, headers={"x-service-agent": agent}
    )
    assert "errors" not in answer.json(), answer.text
