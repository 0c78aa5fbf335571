"""How much of documents is one operation answered with?"""

import asyncio
import base64

import msgspec
import pytest

from contract.errors import RejectionError
from documents.tree.build import from_tree
from graphql_api.read_limits import MAX_CONTENT_BYTES, ContentBudget, markdown_size, tree_size
from live.document_reader import Projected
from tests.graphql_api.world import World

SMALL = Projected(msgspec.Raw(b"{}"), "four")


class Loads:
    """Loads that are counted, and how many of them ran at once."""

    def __init__(self) -> None:
        self.begun = self.running = self.most = 0

    async def small(self) -> Projected:
        self.begun += 1
        self.running += 1
        self.most = max(self.most, self.running)
        await asyncio.sleep(0)
        self.running -= 1
        return SMALL


async def test_contents_are_loaded_one_at_a_time_until_the_budget_is_spent() -> None:
    contents, loads = ContentBudget(most=18), Loads()
    asked = [contents.loaded(loads.small, markdown_size, tree_size) for _ in range(6)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert answers[:3] == [SMALL] * 3
    assert [each.rejection.code for each in answers[3:] if isinstance(each, RejectionError)] == ["LIMIT_EXCEEDED"] * 3
    assert (loads.begun, loads.most) == (6, 1)


async def test_nothing_more_is_loaded_beside_one_content_that_is_larger_than_the_budget() -> None:
    contents, loads = ContentBudget(most=5), Loads()
    assert await contents.loaded(loads.small, markdown_size, tree_size) is SMALL
    with pytest.raises(RejectionError):
        await contents.loaded(loads.small, markdown_size, tree_size)
    assert loads.begun == 1


async def test_of_a_version_that_part_counts_which_is_asked_for() -> None:
    contents, loads = ContentBudget(most=8), Loads()
    for size in (markdown_size, tree_size, tree_size):
        assert await contents.of_version(("d", 1), loads.small, size) is SMALL
    with pytest.raises(RejectionError):
        await contents.of_version(("d", 1), loads.small, tree_size)


async def test_a_document_that_is_asked_for_again_and_again_is_answered_within_the_budget(world: World) -> None:
    drive = await world.drive("ada", "Engineering")
    create = 'mutation($d: ID!) { createItem(driveId: $d, name: "Long", driveItemType: docs_workbook) { id } }'
    document = (await world.ask("ada", create, d=drive))["createItem"]["id"]
    tree = {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "x" * 3_000_000}]}]}
    update = base64.b64encode(from_tree(tree, 7)).decode()
    await world.ask(
        "ada",
        "mutation($i: ID!, $u: String!) { importYjsUpdate(documentId: $i, update: $u) { id } }",
        i=document,
        u=update,
    )

    def asked(times: int) -> str:
        return "query($i: ID!) {" + " ".join(f"a{n}: document(id: $i) {{ markdown }}" for n in range(times)) + "}"

    most = MAX_CONTENT_BYTES // 6_000_000
    assert len(await world.ask("ada", asked(most), i=document)) == most
    assert await world.refused("ada", asked(most + 1), i=document) == "LIMIT_EXCEEDED"
