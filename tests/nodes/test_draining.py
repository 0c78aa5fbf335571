"""A node that is stopped while people type and programs ask: nobody notices."""

import asyncio
import signal

import httpx

from tests.support.live.people import World
from tests.support.processes.balancer import balanced
from tests.support.processes.servers import async_eventually, async_http

EDIT = "mutation($d: ID!, $e: EditInput!) { editDocument(documentId: $d, edit: $e) { id } }"
TYPISTS = 6
PROGRAMS = 4


class Program:
    """Somebody who reads and writes over the API, one request after the other, until told to stop."""

    def __init__(self, behind, document):
        self.behind, self.document = behind, document
        self.done, self.retried, self.failed = 0, 0, []

    async def work(self, stopped):
        headers = self.behind.headers("ada")
        async with async_http(self.behind.origin, headers=headers) as api:
            while not stopped.is_set() or self.done < 3:
                await self.ask(api, "GET", f"/api/v1/documents/{self.document}")
                body = {"query": EDIT, "variables": {"d": self.document, "e": {"append": "said"}}}
                await self.ask(api, "POST", "/graphql", json=body)

    async def ask(self, api, method, path, **body):
        """Ask; what is answered with 503 is asked once more."""
        try:
            answer = await api.request(method, path, **body)
            if answer.status_code == 503:
                assert "retry-after" in answer.headers
                self.retried += 1
                answer = await api.request(method, path, **body)
            answer.raise_for_status()
            assert "errors" not in answer.json(), answer.text
            self.done += 1
        except (httpx.HTTPError, AssertionError) as error:
            self.failed.append(repr(error))


async def test_a_node_that_is_stopped_hands_its_clients_to_the_other_one(nodes, typists):
    with nodes("--drain-seconds", "3") as (one, other):
        async with balanced(one, other) as behind, World(behind) as world:
            document, stopped = await world.document(), asyncio.Event()
            programs = [Program(behind, document) for _ in range(PROGRAMS)]
            marks = [f"t{number}n" for number in range(TYPISTS)]
            async with asyncio.TaskGroup() as working:
                for program in programs:
                    working.create_task(program.work(stopped))
                for mark in marks:
                    await typists("open", mark, **world.way(document))
                for mark in marks:
                    await typists("synced", mark)
                    await typists("stream", mark, every=20, mark=mark)
                one.process.send_signal(signal.SIGTERM)
                assert await asyncio.to_thread(one.ended) == 0, one.errors
                stopped.set()
            typed = [(await typists("halt", mark))["typed"] for mark in marks]
            for mark in marks:
                await typists("acknowledged", mark)
            codes = [code for mark in marks for code in (await typists("idle", mark, seconds=0))["codes"]]
        assert [program.failed for program in programs] == [[]] * PROGRAMS
        assert 4205 in codes
        async with World(other) as left:
            text = (await left.read(document))["markdown"]
        for mark, last in zip(marks, typed, strict=True):
            assert [text.count(f"{mark}{number};") for number in range(1, last + 1)] == [1] * last


async def test_a_node_that_stops_says_so_at_once_and_serves_on_until_it_is_told_again(nodes):
    with nodes("--drain-seconds", "60") as (one, other):
        async with async_http(one.origin, headers=one.headers()) as api:
            await api.get("/api/v1/drives")
            one.process.send_signal(signal.SIGTERM)

            async def is_told():
                answer = await api.get("/readyz")
                return answer if answer.status_code == 503 else None

            answer = await async_eventually(is_told)
            assert (answer.text, answer.headers["connection"]) == ("the server is stopping\n", "close")
            assert (await api.get("/api/v1/drives")).is_success
            one.process.send_signal(signal.SIGTERM)  # it is not waited for
            assert await asyncio.to_thread(one.ended) == 0
            assert await asyncio.to_thread(other.end, signal.SIGINT) == 0  # as Ctrl-C stops it
