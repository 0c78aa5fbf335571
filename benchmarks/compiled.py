"""Compares compiled execution of the contract's rows with graphql-core's, at 1, 100 and 2,000 items.

    python -m benchmarks compiled

Both execute the same prepared document of the real schema alternately in one process, over a store that returns a prepared
answer; times are CPU times, the best of `ROUNDS`.
"""

import asyncio
import gc
import json
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from contract.contract import documents
from domain.access import Role, Step
from domain.caller import Caller
from domain.credit import Credit
from domain.drive import Drive, DriveKind
from domain.item import Item, ItemFacts, ItemKind
from domain.member import Member
from domain.questions import DriveContents, Overview, Page
from domain.values import Email
from graphql_api.compiled_execution import PreparedDocument, execute_static, execute_stock, prepare
from graphql_api.context import Context, Ports, ServiceLimits
from graphql_api.schema import build

ROUNDS = 7
CALLS = 2_000  # of one item; fewer of many
GOALS = {1: 1.8, 100: 7.0, 2_000: 7.0}
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
ADA = Credit("01a1f000-0000-7000-8000-000000000001", "Ada Lovelace")
ORGANIZATION = "01a1f000-0000-7000-8000-000000000002"
DRIVE = Drive("01a1f000-0000-7000-8000-000000000003", "Research", DriveKind.shared, ORGANIZATION, NOW, NOW)
MEMBERS = (Member(ADA.user_id, Role.owner, ADA.name, Email("ada@acme.example"), NOW),)

type Run = Callable[[PreparedDocument, Mapping[str, Any], object], Awaitable[Any]]


@dataclass(frozen=True)
class Case:
    """One row at one size; `answer` is the store's answer to its question."""

    name: str
    items: int
    document: PreparedDocument
    variables: Mapping[str, Any]
    answer: object

    async def read(self, _question: object) -> object:
        return self.answer

    def context(self) -> object:
        unused = cast("Any", None)
        limit = ServiceLimits()
        ports = Ports(
            cast("Any", self),
            *[unused] * 6,
            origin="https://drive.example.com",
            versions=unused,
            mail=unused,
            images=unused,
            limit=limit,
        )
        caller = Caller(ADA.user_id, ADA.name, "ada@acme.example", None, ORGANIZATION)
        return {"context": Context(ports, caller)}


def item(number: int) -> Item:
    at = NOW + timedelta(milliseconds=number)
    item_id, kind = f"01a1f000-0000-7000-8001-{number:012x}", ItemKind.docs_workbook
    return Item(item_id, DRIVE.id, None, kind, f"Document {number}", at, at, ADA, Credit(ADA.user_id, ADA.name))


def cases() -> Iterator[Case]:
    schema, texts = build(), documents()
    listing, overview = prepare(schema, texts["DrivesList"]), prepare(schema, texts["DriveItemsGet"])
    for count in GOALS:
        first, *others = items = [item(number) for number in range(count)]
        page = Page((DriveContents(DRIVE, Role.owner, tuple(items), MEMBERS),), None)
        facts = ItemFacts(first, DRIVE, Role.owner, (Step(first.id),))
        yield Case("drives.list", count, listing, {}, page)
        seen = Overview(facts, tuple((other, None) for other in others), (), ())
        yield Case("driveItems.get", count, overview, {"itemId": first.id}, seen)


async def seconds(run: Run, case: Case, calls: int) -> float:
    gc.collect()
    start = time.process_time()
    for _ in range(calls):
        await run(case.document, case.variables, case.context())
    return (time.process_time() - start) / calls


async def compare(case: Case) -> bool:
    stock, compiled = [
        json.dumps((await run(case.document, case.variables, case.context())).formatted)
        for run in (execute_stock, execute_static)
    ]
    assert stock == compiled, f"{case.name}: the answers differ"
    assert '"errors"' not in stock, stock
    calls = max(2, CALLS // case.items)
    best = [float("inf")] * 2
    for _ in range(ROUNDS):
        for way, run in enumerate((execute_stock, execute_static)):
            best[way] = min(best[way], await seconds(run, case, calls))
    ratio, goal = best[0] / best[1], GOALS[case.items]
    micro = [f"{value * 1e6:12,.0f}" for value in best]
    missed = "" if ratio >= goal else "  MISSED"
    print(
        f"{case.name:16}{case.items:6,} {micro[0]} us stock {micro[1]} us compiled {ratio:7.1f}x, goal {goal}x{missed}"
    )
    return ratio >= goal


async def main() -> int:
    return 0 if all([await compare(case) for case in cases()]) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
