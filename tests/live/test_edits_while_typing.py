"""Edits over the API of a document in which somebody types all the while."""

import asyncio

from tests.support.processes.servers import LONG_PATIENCE

EDIT = "mutation($d: ID!, $e: EditInput!) { editDocument(documentId: $d, edit: $e) { id } }"
EDITS = 40


async def test_every_edit_of_a_document_in_use_succeeds_and_nothing_typed_is_lost(clients, world):
    document = await world.document()
    await clients("open", "typing", **world.way(document))
    await clients("synced", "typing")
    typed, edited = [], 0
    done = asyncio.Event()

    async def type_on():
        while not done.is_set():
            typed.append(f"typed {len(typed)}.")
            await clients("paragraph", "typing", text=typed[-1])
            await clients("acknowledged", "typing")

    typing = asyncio.create_task(type_on())
    try:
        long = "A sentence that makes the edit more than a few bytes long. " * 100
        async with asyncio.timeout(LONG_PATIENCE):
            while edited < EDITS or len(typed) < 2:  # whichever of the two is slower here
                await world.ask(EDIT, "ben", d=document, e={"append": f"edit {edited}. {long}"})
                edited += 1
    finally:
        done.set()
    await typing
    markdown = (await world.read(document))["markdown"]
    wanted = [*(f"edit {number}." for number in range(edited)), *typed]
    assert [text for text in wanted if markdown.count(text) != 1] == []
