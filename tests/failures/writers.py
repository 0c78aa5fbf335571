"""People who write all at once, remember what they were answered, and can say afterwards whether it is all there."""

import asyncio
import base64
import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import count

import httpx

from documents.tree.build import from_tree
from tests.support.processes.servers import PATIENCE, ask, async_http
from tests.support.suite.rounds import ROUNDS, seed

KILLS = 2 * ROUNDS  # of 20 in full
SEED = seed()
AT_ONCE = 5
IMPORT = "mutation($id: ID!, $update: String!) { importYjsUpdate(documentId: $id, update: $update) { id } }"
EVENTS = """query($drive: ID!, $after: Cursor) {
  driveEvents(driveId: $drive, first: 200, after: $after) {
    nodes { type itemId } pageInfo { endCursor hasNextPage }
  }
}"""
LATEST = 6  # pages of events, which hold more than one round writes
fresh = count(1)


@dataclass
class Claim:
    """One write: what it should leave behind, how to ask for it, and the answer once there was one."""

    kind: str
    mark: str
    method: str
    path: str
    body: dict
    key: str
    answer: dict | None = None

    @property
    def answered(self):
        return self.answer is not None

    async def make(self, client):
        """Ask once. True: answered. False: told to come back later. The end of the connection goes on to the caller."""
        headers = {"idempotency-key": self.key} if self.path != "/graphql" else {}
        answer = await client.request(self.method, self.path, json=self.body, headers=headers)
        if answer.status_code == 503:
            assert set(answer.json()) == {"code", "message"}, answer.text
            assert answer.json()["code"] == "SERVICE_UNAVAILABLE"
            assert int(answer.headers["retry-after"]) > 0
            return False
        assert answer.status_code == 200, f"{self.kind}: {answer.status_code} {answer.text}"
        body = answer.json() if answer.content else {}
        if "errors" in body:
            assert [error["extensions"]["code"] for error in body["errors"]] == ["SERVICE_UNAVAILABLE"], body
            return False
        self.answer = body
        return True


@dataclass
class Writer:
    """Somebody with a folder and a document of their own in it, which they alone write to."""

    drive: str
    folder: str
    document: str
    first_name: str
    claims: list[Claim] = field(default_factory=list)

    def next_claim(self, chance):
        kind = chance.choice(["child", "child", "rename", "share", "import"])
        mark = f"{kind}-{next(fresh)}"
        document = f"/api/v1/drive-items/{self.document}"
        match kind:
            case "child":
                request = (
                    "POST",
                    f"/api/v1/drive-items/{self.folder}/children",
                    {"name": mark, "driveItemType": chance.choice(["docs_workbook", "viz_workbook", "folder"])},
                )
            case "rename":
                request = "PATCH", document, {"name": mark}
            case "share":
                request = "POST", f"{document}/access", {"email": f"{mark}@example.com", "permission": "read_only"}
            case _:
                text = {"type": "paragraph", "content": [{"type": "text", "text": f"{mark} is here."}]}
                update = from_tree({"type": "doc", "content": [text]}, chance.randrange(10, 1 << 31))
                variables = {"id": self.document, "update": base64.b64encode(update).decode()}
                request = "POST", "/graphql", {"query": IMPORT, "variables": variables}
        claim = Claim(kind, mark, *request, key=f"{SEED}-{mark}")
        self.claims.append(claim)
        return claim

    def of(self, kind):
        return [claim for claim in self.claims if claim.kind == kind]

    def check(self, client):
        """Everything that was answered is there once, what was not is there once or not at all, and nothing else is."""
        overview = client.get(f"/api/v1/drive-items/{self.folder}").raise_for_status().json()
        others = [child for child in overview["children"] if child["id"] != self.document]
        all_there(self.of("child"), Counter(child["name"] for child in others))
        ids = {child["name"]: child["id"] for child in others}
        for claim in self.of("child"):
            assert not claim.answered or ids[claim.mark] == claim.answer["item"]["id"]

        subject = client.get(f"/api/v1/drive-items/{self.document}").raise_for_status().json()
        all_there(self.of("share"), Counter(share["email"].partition("@")[0] for share in subject["shares"]))
        renames = self.of("rename")
        last = max((at for at, claim in enumerate(renames) if claim.answered), default=None)
        since = renames if last is None else renames[last:]
        assert subject["item"]["name"] in {claim.mark for claim in since} | (
            {self.first_name} if last is None else set()
        )

        read = client.get(f"/api/v1/documents/{self.document}").raise_for_status().json()
        said = [line.removesuffix(" is here.") for line in read["markdown"].splitlines() if line]
        all_there(self.of("import"), Counter(said))
        for child in others:
            if child["driveItemType"] != "folder":
                client.get(f"/api/v1/documents/{child['id']}").raise_for_status()
        self.check_events(client, [child["id"] for child in others], len(subject["shares"]))

    def check_events(self, client, children, shares):
        """The record has one line for each thing that is there, so that neither was written without the other."""
        events, after = [], None
        for _ in range(LATEST):
            page = ask(client, EVENTS, drive=self.drive, after=after)["driveEvents"]
            events += [(node["type"], node["itemId"]) for node in page["nodes"]]
            if not page["pageInfo"]["hasNextPage"]:
                break
            after = page["pageInfo"]["endCursor"]
        told = Counter(events)
        assert [told["itemCreated", child] for child in children] == [1] * len(children)
        assert told["itemShared", self.document] == shares


def all_there(claims, found):
    missing = [claim.mark for claim in claims if claim.answered and found[claim.mark] != 1]
    assert not missing, f"answered, but not there once: {missing}"
    strange = found - Counter(claim.mark for claim in claims)
    assert not strange, f"nobody wrote these: {strange}"


def hire(client, number):
    """Give each of `number` writers a folder and a document in the first shared drive."""
    drive = next(d for d in client.get("/api/v1/drives").json()["drives"] if d["name"] == "Engineering")["id"]

    def make(path, name, kind):
        answer = client.post(path, json={"name": name, "driveItemType": kind})
        return answer.raise_for_status().json()["item"]["id"]

    hired = []
    for _ in range(number):
        folder = make(f"/api/v1/drives/{drive}/items", f"desk {next(fresh)}", "folder")
        document = make(f"/api/v1/drive-items/{folder}/children", "the document", "docs_workbook")
        hired.append(Writer(drive, folder, document, "the document"))
    return hired


@dataclass
class Shift:
    """Writers at work against one server: until it is gone or, where it stays, `after` more writes were answered."""

    origin: str
    headers: dict
    writers: list[Writer]
    chance: random.Random
    strike: object  # called once, at a moment that nobody chose
    before: int
    after: int
    delay: float
    answered: int = 0
    told_to_wait: int = 0
    struck: bool = False

    async def work(self):
        async with (
            async_http(self.origin, headers=self.headers) as client,
            asyncio.timeout(PATIENCE),
            asyncio.TaskGroup() as group,
        ):
            for writer in self.writers:
                group.create_task(self.write(writer, client))

    async def write(self, writer, client):
        while not (self.struck and self.after and self.answered >= self.before + self.after):
            claim = writer.next_claim(self.chance)
            try:
                while not await claim.make(client):
                    self.told_to_wait += 1
                    assert self.struck, "told to come back though nothing had happened"
            except httpx.TransportError:
                if not self.struck or self.after:
                    raise
                return
            self.answered += 1
            if self.answered == self.before:
                asyncio.get_running_loop().call_later(self.delay, self.blow)

    def blow(self):
        self.struck = True
        self.strike()


async def settle(served, writers):
    """Ask again for what was not answered, under the same keys."""
    async with async_http(served.origin, headers=served.headers()) as client:
        async with asyncio.timeout(PATIENCE):
            for claim in (claim for writer in writers for claim in writer.claims if not claim.answered):
                while not await claim.make(client):
                    pass
