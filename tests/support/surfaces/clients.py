"""How tests ask through what people install: both client libraries, and the command line."""

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import codrive_client
from contract.contract import command_words, kebab, snake
from contract.derivation import TEXTS
from domain.errors import Code
from edge.responses import STATUS
from tests.support.processes.servers import PATIENCE
from tests.support.surfaces import typescript
from tests.support.surfaces.said import Said

SOURCES = str(Path(codrive_client.__file__).parents[1])
COMMAND = (sys.executable, "-m", "codrive_client")


@dataclass(frozen=True, slots=True)
class Python:
    base_url: str
    key: str

    def ask(self, operation: str, /, **inputs: Any) -> Said:
        with codrive_client.Codrive(self.key, base_url=self.base_url, max_retries=0) as client:
            group, method = snake(operation).split(".")
            try:
                return Said(200, None, getattr(getattr(client, group), method)(inputs))
            except codrive_client.CodriveError as error:
                return told(error)


@dataclass(frozen=True, slots=True)
class AsyncPython:
    base_url: str
    key: str

    def ask(self, operation: str, /, **inputs: Any) -> Said:
        """Ask with the contract's own spellings."""

        async def go() -> Said:
            async with codrive_client.AsyncCodrive(apiKey=self.key, baseUrl=self.base_url, max_retries=0) as client:
                group, method = operation.split(".")
                try:
                    return Said(200, None, await getattr(getattr(client, group), method)(inputs))
                except codrive_client.CodriveError as error:
                    return told(error)

        with asyncio.Runner() as runner:
            return runner.run(go())


def told(error: codrive_client.CodriveError) -> Said:
    return Said(error.status or 0, error.code, None, error.message, request_id=error.request_id)


@dataclass(frozen=True, slots=True)
class TypeScript:
    base_url: str
    key: str

    def ask(self, operation: str, /, **inputs: Any) -> Said:
        options = {"apiKey": self.key, "baseUrl": self.base_url, "maxRetries": 0}
        answer = typescript.ask(operation, inputs, options)
        if error := answer.get("error"):
            return Said(error["status"] or 0, error["code"], None, error["message"], request_id=error["requestId"])
        return Said(200, None, answer.get("value"))


@dataclass(frozen=True, slots=True)
class CommandLine:
    base_url: str
    key: str

    def ask(self, operation: str, /, **inputs: Any) -> Said:
        flags = [
            word
            for name, value in inputs.items()
            if value is not None or name not in TEXTS  # every text is itself, also `null`
            for entry in (value if isinstance(value, list) else [value])
            for word in (f"--{kebab(name)}", flag_value(entry))
        ]
        done = self.run(*command_words(operation), *flags)
        if done.returncode == 0:
            return Said(200, None, json.loads(done.stdout) if done.stdout else None)
        assert done.stdout == ""
        if done.returncode == 2:  # asked wrongly
            return Said(400, Code.BAD_REQUEST, None, done.stderr)
        assert done.returncode == 1, done.stderr
        envelope = json.loads(done.stderr)
        assert list(envelope) == ["code", "message"]
        return Said(STATUS[Code(envelope["code"])], envelope["code"], None, envelope["message"])

    def run(self, *words: str, stdin: str | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*COMMAND, *words],
            input=None if stdin is None else stdin.encode(),
            env=os.environ
            | {"PYTHONPATH": SOURCES, "SERVICE_API_KEY": self.key, "SERVICE_BASE_URL": self.base_url}
            | variables,
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        )
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def flag_value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


CLIENTS = {"python": Python, "async_python": AsyncPython, "typescript": TypeScript, "command_line": CommandLine}
