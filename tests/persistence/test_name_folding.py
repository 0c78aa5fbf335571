"""What is searched of names from before it was stored is made in the background, while search works."""

from contextlib import contextmanager
from dataclasses import replace

import psycopg
import pytest

from domain.item import ItemCreated
from domain.questions import SearchFor
from persistence import name_folding
from persistence.name_folding import IDLE_SECONDS, NameFolding
from persistence.postgres.migrations import migrate
from persistence.store import PostgresStore
from tests.persistence.seeds import ADA, DRIVE, PEOPLE, new_id, write
from tests.persistence.seeds import folder as made
from tests.support.database.clusters import url_of

NAMES = {new_id(30 + at): name for at, name in enumerate(("ÉQUIPE", "Ёлка", "İstanbul", "Plain"))}


def events():
    for item_id, name in NAMES.items():
        event = made(item_id)
        yield ItemCreated(replace(event.item, name=name))


async def found(store, text):
    page = await store.read(SearchFor(ADA.user_id, text, DRIVE, 9, None))
    return [each.facts.item.name for each in page.rows]


async def test_names_are_folded_in_batches_while_search_works(store, monkeypatch):
    monkeypatch.setattr(name_folding, "BATCH", 2)
    await write(store, *PEOPLE, *events())
    async with store.writers.connection() as connection:
        await connection.execute("update item set folded_name = null")
    assert await found(store, "plain") == ["Plain"]
    assert await found(store, "equipe") == []
    worker, rests = NameFolding(store), []
    while not rests or rests[-1] < IDLE_SECONDS:
        await worker.turn()
        rests.append(worker.every)
    assert len(rests) == 3
    assert await found(store, "equipe") == ["ÉQUIPE"]
    assert await found(store, "istanbul") == ["İstanbul"]
    assert await found(store, "plain") == ["Plain"]
    assert await found(store, "plaim") == ["Plain"]


@contextmanager
def database_of_locale_c(cluster_url):
    with psycopg.connect(cluster_url, autocommit=True) as connection:
        connection.execute(
            "create database locale_c template template0 locale_provider libc locale 'C' encoding 'UTF8'"
        )
        try:
            yield url_of("locale_c", cluster_url)
        finally:
            connection.execute("drop database locale_c with (force)")


@pytest.mark.parametrize("text", ["équipe", "ÉQUIPE", "ёлка", "ЕЛКА", "istanbul", "ISTANBUL"])
async def test_names_are_found_alike_in_a_database_of_locale_c(cluster_url, text):
    with database_of_locale_c(cluster_url) as url:
        migrate(url)
        async with PostgresStore(url) as store:
            await write(store, *PEOPLE, *events())
            assert len(await found(store, text)) == 1
