"""Which documents are quarantined, from what processes that died were loading."""

import asyncio
import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from domain.errors import Quarantined
from domain.item import ItemKind
from graphql_api.ports import LockScope
from persistence.loading_markers import MAX_MARKERS, LoadingMarkers, markers_of_dead_processes
from persistence.quarantine import Quarantine, quarantined, release
from tests.persistence.seeds import ADA, PEOPLE, A, B, folder

NOW = datetime(2026, 11, 22, tzinfo=UTC)
DIES = """
import os, signal, sys
from contextlib import ExitStack
from pathlib import Path
from persistence.loading_markers import LoadingMarkers

notes = LoadingMarkers(Path(sys.argv[1]))
with notes.loading(sys.argv[2]):
    pass
with ExitStack() as stack:
    for document_id in sys.argv[3:]:
        stack.enter_context(notes.loading(document_id))
    os.kill(os.getpid(), signal.SIGSEGV)
"""


async def die(folder, done, *loading):
    """Let a process die that has loaded `done` and is loading the others."""
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", DIES, folder, done, *loading, env=env)
    assert await process.wait() == -signal.SIGSEGV


@pytest.fixture
async def documents(store):
    made = [folder(each, kind=ItemKind.docs_workbook) for each in (A, B)]
    await store.transact(LockScope(), lambda transaction: transaction.record((*PEOPLE, *made), ADA, NOW))
    return store


async def begun(store, folder):
    made = Quarantine(store, folder, lambda: NOW)
    await made.begin()
    return made


async def alone(store):
    return {(each.document_id, each.strikes) for each in await quarantined(store)}


async def test_what_a_dead_process_was_loading_is_known_and_what_it_had_loaded_is_not(tmp_path):
    await die(tmp_path, A, B)
    living = LoadingMarkers(tmp_path)
    with living.loading(A):
        assert list(markers_of_dead_processes(tmp_path).values()) == [{B}]
    living.close()
    assert len(markers_of_dead_processes(tmp_path)) == 1


def test_more_documents_than_there_are_places_are_loaded_all_the_same(tmp_path):
    notes = LoadingMarkers(tmp_path)
    for _ in range(MAX_MARKERS + 1):
        notes.loading(A).__enter__()
    notes.close()
    assert markers_of_dead_processes(tmp_path) == {}


async def test_a_document_that_ended_two_processes_in_a_row_is_left_alone_until_it_is_released(documents, tmp_path):
    await die(tmp_path, B, A)
    first = await begun(documents, tmp_path)
    with first.loading(A):
        pass
    await first.aclose()
    assert await alone(documents) == set()
    await die(tmp_path, B, A)
    second = await begun(documents, tmp_path)
    assert await alone(documents) == {(A, 2)}
    with pytest.raises(Quarantined):
        second.loading(A)
    with second.loading(B):
        pass
    assert await release(documents, A)
    assert not await release(documents, A)
    await second.turn()
    with second.loading(A):
        pass
    await second.aclose()


async def test_documents_are_loaded_without_notes_where_no_file_can_be_written(documents, tmp_path):
    (tmp_path / "file").touch()
    quarantine = await begun(documents, tmp_path / "file" / "loading")
    with quarantine.loading(A):
        pass
    await quarantine.aclose()


async def test_a_crash_before_the_last_one_does_not_count(documents, tmp_path):
    for loading in ((A, B), (B,), (A,)):
        await die(tmp_path, A, *loading)
        await (await begun(documents, tmp_path)).aclose()
    assert await alone(documents) == {(B, 2)}


async def test_a_document_whose_log_went_on_between_two_crashes_was_loaded_and_is_not_left_alone(documents, tmp_path):
    await die(tmp_path, B, A)
    await (await begun(documents, tmp_path)).aclose()
    async with documents.writers.connection() as connection:
        await connection.execute("update item set sequence = sequence + 1 where id = %s", [A])
    await die(tmp_path, B, A)
    await (await begun(documents, tmp_path)).aclose()
    assert await alone(documents) == set()
