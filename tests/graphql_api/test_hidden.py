"""Does anything but the answer tell what is hidden from what does not exist? Over a real Postgres, without a clock."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from computing.runner import JobRunner
from contract.errors import RejectionError
from contract.operations import BY_NAME
from demo.populate import populate
from domain.caller import Caller
from domain.document import ImageFile
from domain.questions import DriveNames
from graphql_api import system
from graphql_api.context import Ports
from graphql_api.contract_execution import Api
from graphql_api.not_found_timing import STEP, next_step
from graphql_api.ports import LockScope
from graphql_api.schema import build
from live.document_reader import DocumentReader
from live.version_reader import VersionReader
from persistence.store import PostgresStore
from service.image_jobs import ImageJobs
from tests.graphql_api.world import NoBlobs, Post, world_caller
from tests.support.documents.jobs import JOBS
from tests.support.worlds.tickets import Tickets

SCHEMA = build()
ASKED = {
    "driveItems.get": ("itemId", {}),
    "driveItems.shareSuggestions": ("itemId", {}),
    "driveItems.rename": ("itemId", {"name": "other"}),
    "driveItems.createChild": ("itemId", {"name": "new", "driveItemType": "folder"}),
    "driveItems.share": ("itemId", {"email": "a@b.example", "permission": "read_only"}),
    "driveItems.setPublication": ("itemId", {"published": True}),
    "driveItems.uploadImage": ("itemId", {"file": ImageFile(b"", "image/png")}),
    "documents.read": ("documentId", {}),
    "drives.rename": ("driveId", {"name": "other"}),
    "drives.createItem": ("driveId", {"name": "new", "driveItemType": "folder"}),
}


@dataclass
class Service:
    store: PostgresStore
    api: Api
    ada: Caller
    gus: Caller

    async def refused(self, operation: str, **inputs: object) -> str:
        """Return the code that Gus is refused with, who is of another organization."""
        with pytest.raises(RejectionError) as told:
            await self.api.run(BY_NAME[operation], self.gus, inputs)
        return told.value.rejection.code


@pytest.fixture
async def service(fresh_database) -> AsyncIterator[Service]:
    async def no_password(_user_id: str, _password: str) -> None:
        return

    async with PostgresStore(fresh_database()) as store:
        documents = DocumentReader(store, runner=JOBS)
        users = (await populate(store, documents, no_password))["users"]
        ports = Ports(
            store, documents, Tickets(system.now), NoBlobs(), system.now, system.new_id, system.random_bits,
            "http://drive.example", VersionReader(store, runner=JOBS), Post(), ImageJobs(JobRunner()),
        )  # fmt: skip
        ada, gus = [await world_caller(store, users[name]["apiKey"]) for name in ("ada", "gus")]
        yield Service(store, Api(SCHEMA, ports), ada, gus)


@pytest.fixture
async def hidden(service: Service) -> dict[str, str]:
    """Ids of Ada's, by the name of the input that takes them."""
    page = await service.store.read(DriveNames(service.ada.user_id, 1, None))
    drive = page.rows[0].drive.id
    made: Any = await service.api.run(
        BY_NAME["drives.createItem"],
        service.ada,
        {"driveId": drive, "name": "Secret", "driveItemType": "docs_workbook"},
    )
    return {"driveId": drive, "itemId": made["item"]["id"], "documentId": made["item"]["id"]}


@pytest.mark.parametrize("operation", ASKED)
async def test_what_is_hidden_and_what_is_not_there_take_the_same_statements(operation, service, hidden, statements):
    name, others = ASKED[operation]
    seen = []
    for id_ in (hidden[name], system.new_id(), hidden[name], "no id"):
        statements.clear()
        assert await service.refused(operation, **{name: id_}, **others) == "NOT_FOUND"
        seen.append([*statements])
    assert seen[0], "it was asked"
    assert seen[1:] == seen[:1] * 3
    assert not any("pg_advisory_lock" in statement for statement in seen[0])


async def test_nobody_waits_for_a_change_of_what_is_hidden_from_them(service, hidden):
    held, gate = asyncio.Event(), asyncio.Event()

    async def hold(_: object) -> None:
        held.set()
        await gate.wait()

    changing = asyncio.create_task(service.store.transact(LockScope(drives=(hidden["driveId"],)), hold))
    await held.wait()
    inputs = {"itemId": hidden["itemId"], "name": "other"}
    assert await service.refused("driveItems.rename", **inputs) == "NOT_FOUND"
    assert not changing.done()
    gate.set()
    await changing


async def test_what_comes_to_be_seen_is_changed_under_its_locks(service, hidden, statements):
    inputs = {"itemId": hidden["itemId"], "name": "other"}
    assert await service.refused("driveItems.rename", **inputs) == "NOT_FOUND"
    share = {"itemId": hidden["itemId"], "email": service.gus.email, "permission": "read_write"}
    await service.api.run(BY_NAME["driveItems.share"], service.ada, share)
    statements.clear()
    await service.api.run(BY_NAME["driveItems.rename"], service.gus, inputs)
    assert any("pg_advisory_lock" in statement for statement in statements)


@pytest.mark.parametrize("worked", [0.0, 0.001, 0.0061, 0.0099, 0.0101, 0.0251])
async def test_a_refusal_is_told_after_a_whole_number_of_steps(worked):
    time = [100.0 + worked]

    async def sleep(seconds: float) -> None:
        time[0] += seconds or 0.0001

    await next_step(100.0, lambda: time[0], sleep)
    steps = (time[0] - 100.0) / STEP
    assert steps == pytest.approx(-(-worked // STEP), abs=0.02)
