"""The client libraries as one form: `ask` runs a call, and what came of it is a value or an error of the family."""

import asyncio
from dataclasses import dataclass
from typing import Any

import codrive_client
from contract.contract import snake
from tests.support.surfaces import typescript

KEY = "cdr_00000000000000000000000000000000"


@dataclass(frozen=True, slots=True)
class Outcome:
    """`code` and `status` are None where `value` was answered."""

    value: Any = None
    code: str | None = None
    status: int | None = None
    message: str = ""
    request_id: str | None = None
    kind: str = ""


def python(operation: str, asked: dict, url: str, **options: Any) -> Outcome:
    with codrive_client.Codrive(KEY, agent=options.pop("agent", None), base_url=url) as client:
        client._sleep = lambda _: None
        group, method = snake(operation).split(".")
        try:
            return Outcome(getattr(getattr(client, group), method)(asked, **options))
        except codrive_client.CodriveError as error:
            return _failed(error)


def async_python(operation: str, asked: dict, url: str, **options: Any) -> Outcome:
    async def go() -> Outcome:
        async with codrive_client.AsyncCodrive(KEY, agent=options.pop("agent", None), base_url=url) as client:
            client._sleep = lambda _: asyncio.sleep(0)
            group, method = snake(operation).split(".")
            try:
                return Outcome(await getattr(getattr(client, group), method)(asked, **options))
            except codrive_client.CodriveError as error:
                return _failed(error)

    with asyncio.Runner() as runner:
        return runner.run(go())


def _failed(error: codrive_client.CodriveError) -> Outcome:
    return Outcome(None, error.code, error.status, error.message, error.request_id, type(error).__name__)


def typescript_(operation: str, asked: dict, url: str, **options: Any) -> Outcome:
    made = {"apiKey": KEY, "baseUrl": url} | ({"agent": agent} if (agent := options.pop("agent", None)) else {})
    call = {_camel(name): value * 1000 if name == "timeout" else value for name, value in options.items()}
    said = typescript.ask(operation, asked, made, call=call)
    if error := said.get("error"):
        return Outcome(None, error["code"], error["status"], error["message"], error["requestId"], error["name"])
    return Outcome(said.get("value"))


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)


LIBRARIES = {"python": python, "async_python": async_python, "typescript": typescript_}
