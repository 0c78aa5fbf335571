"""The two clients, `Codrive` (blocking) and `AsyncCodrive` (coroutines). Both send the requests that `_call` builds."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

import httpx

from codrive_client._call import DEFAULT_URL, Answer, Options, Request, Settings, pause, prepare, read, settings
from codrive_client._groups import (
    AsyncDocuments,
    AsyncDriveItems,
    AsyncDrives,
    AsyncViewer,
    Documents,
    DriveItems,
    Drives,
    Viewer,
)
from codrive_client._row import Operation
from codrive_client._version import __version__
from codrive_client.errors import CodriveError, ConnectionFailedError, InvalidInputError, TimedOutError

USER_AGENT = f"codrive-python/{__version__}"


def _of(api_key: str | None, agent: str | None, base_url: str, timeout: float, max_retries: int,
        spelled: Mapping[str, Any]) -> Settings:  # fmt: skip
    """Accept the contract's spellings, too: `apiKey` and `baseUrl`."""
    if unknown := spelled.keys() - {"apiKey", "baseUrl"}:
        raise TypeError(f"unexpected argument {min(unknown)!r}")
    return settings(
        spelled.get("apiKey", api_key), agent, spelled.get("baseUrl", base_url), timeout, max_retries, USER_AGENT
    )


def _request(request: Request) -> dict[str, Any]:
    return {
        "method": request.method,
        "url": httpx.URL(request.url),
        "headers": dict(request.headers),
        "content": request.content,
        "timeout": request.timeout,
        "follow_redirects": False,  # the key goes to this server and to no other
    }


def _answer(response: httpx.Response) -> Answer:
    return Answer(response.status_code, response.headers, response.content)


@contextmanager
def _faults() -> Iterator[None]:
    """Translate the exceptions of httpx into the client's errors."""
    try:
        yield
    except (httpx.TimeoutException, TimeoutError) as fault:
        raise TimedOutError("no answer came in time", code="TIMED_OUT") from fault
    except httpx.InvalidURL as fault:
        raise InvalidInputError(f"base_url cannot be used: {fault}", code="INVALID_INPUT") from fault
    except (httpx.HTTPError, httpx.StreamError) as fault:
        told = str(fault) or type(fault).__name__
        raise ConnectionFailedError(f"no answer came: {told}", code="CONNECTION_FAILED") from fault


def _was_sent(fault: CodriveError) -> bool:
    return not isinstance(fault.__cause__, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)


def _wait_after(request: Request, attempt: int, came: Answer | ConnectionFailedError) -> float | None:
    if isinstance(came, Answer):
        return pause(request, attempt, came, sent=True)
    return pause(request, attempt, None, sent=_was_sent(came))


class Codrive:
    """A client of one server, as one user. Use it with `with`, or `close()` it.

    `agent` names the software that acts for the user, to credit it beside them. `timeout` is in seconds, for each attempt;
    `max_retries` limits the retries after transient failures, which never repeat an effect.
    """

    documents: Documents
    drive_items: DriveItems
    driveItems: DriveItems  # noqa: N815 - as the contract spells it
    drives: Drives
    viewer: Viewer

    def __init__(
        self,
        api_key: str | None = None,
        *,
        agent: str | None = None,
        base_url: str = DEFAULT_URL,
        timeout: float = 30.0,
        max_retries: int = 2,
        http_client: httpx.Client | None = None,
        **spelled: Any,
    ) -> None:
        self._settings = _of(api_key, agent, base_url, timeout, max_retries, spelled)
        self._http = http_client or httpx.Client()
        self._sleep: Callable[[float], object] = time.sleep
        self.documents = Documents(self._run)
        self.drive_items = self.driveItems = DriveItems(self._run)
        self.drives = Drives(self._run)
        self.viewer = Viewer(self._run)

    def _run(self, operation: Operation, given: Mapping[str, Any] | None, options: Options) -> Any:
        request = prepare(self._settings, operation, given, options)
        attempt = 0
        while True:
            came = self._ask(request)
            wait = _wait_after(request, attempt, came)
            if wait is None:
                break
            self._sleep(wait)
            attempt += 1
        if isinstance(came, Answer):
            return read(operation, came)
        raise came

    def _ask(self, request: Request) -> Answer | ConnectionFailedError:
        try:
            with _faults():
                return _answer(self._http.request(**_request(request)))
        except ConnectionFailedError as fault:
            return fault

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._settings!r})"


class AsyncCodrive:
    """Like `Codrive`, with coroutines as methods. Use it with `async with`, or `await aclose()` it."""

    documents: AsyncDocuments
    drive_items: AsyncDriveItems
    driveItems: AsyncDriveItems  # noqa: N815 - as the contract spells it
    drives: AsyncDrives
    viewer: AsyncViewer

    def __init__(
        self,
        api_key: str | None = None,
        *,
        agent: str | None = None,
        base_url: str = DEFAULT_URL,
        timeout: float = 30.0,
        max_retries: int = 2,
        http_client: httpx.AsyncClient | None = None,
        **spelled: Any,
    ) -> None:
        self._settings = _of(api_key, agent, base_url, timeout, max_retries, spelled)
        self._http = http_client or httpx.AsyncClient()
        self._sleep: Callable[[float], Any] = asyncio.sleep
        self.documents = AsyncDocuments(self._run)
        self.drive_items = self.driveItems = AsyncDriveItems(self._run)
        self.drives = AsyncDrives(self._run)
        self.viewer = AsyncViewer(self._run)

    async def _run(self, operation: Operation, given: Mapping[str, Any] | None, options: Options) -> Any:
        request = prepare(self._settings, operation, given, options)
        attempt = 0
        while True:
            came = await self._ask(request)
            wait = _wait_after(request, attempt, came)
            if wait is None:
                break
            await self._sleep(wait)
            attempt += 1
        if isinstance(came, Answer):
            return read(operation, came)
        raise came

    async def _ask(self, request: Request) -> Answer | ConnectionFailedError:
        try:
            with _faults():
                async with asyncio.timeout(request.timeout):
                    return _answer(await self._http.request(**_request(request)))
        except ConnectionFailedError as fault:
            return fault

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._settings!r})"
