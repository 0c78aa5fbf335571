"""Builds the request of a call, reads its answer as a value or an error, and decides on retries. It sends nothing."""

import json
import random
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypedDict, Unpack
from urllib.parse import quote, urlencode, urlsplit
from uuid import uuid4

from codrive_client._row import Operation
from codrive_client.errors import CodriveError, InvalidAnswerError, InvalidInputError, RateLimitError, kind_of

__all__ = ["AsyncRun", "Options", "Run", "Unpack"]

DEFAULT_URL = "http://127.0.0.1:8000/api/v1"
LONGEST_WAIT = 60.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0
_TRANSIENT = frozenset({408, 500, 502, 503, 504})
_NAMED = {400: "BAD_REQUEST", 401: "UNAUTHORIZED", 403: "FORBIDDEN", 404: "NOT_FOUND", 405: "METHOD_NOT_SUPPORTED",
          413: "PAYLOAD_TOO_LARGE", 415: "UNSUPPORTED_MEDIA_TYPE", 429: "TOO_MANY_REQUESTS",
          500: "INTERNAL_SERVER_ERROR", 503: "SERVICE_UNAVAILABLE"}  # fmt: skip
_header_text = re.compile(r"[\x20-\x7e]+")
_braces = re.compile(r"\{(\w+)\}")


class Options(TypedDict, total=False):
    """Options of a single call that override the client's."""

    timeout: float
    """Seconds until an attempt times out."""
    max_retries: int
    """The number of retries after transient failures."""
    idempotency_key: str
    """The idempotency key of a POST: within 24 hours the same key acts once. The client generates one if none is given."""


type Run = Callable[[Operation, Mapping[str, Any] | None, Options], Any]
type AsyncRun = Callable[[Operation, Mapping[str, Any] | None, Options], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a client. No text made of them contains the key."""

    base_url: str
    headers: Mapping[str, str]
    timeout: float
    max_retries: int

    def __repr__(self) -> str:
        return f"base_url={self.base_url!r}"


@dataclass(frozen=True, slots=True)
class Request:
    """A request to send; `repeatable` means that sending it twice has the effect of sending it once."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None
    repeatable: bool
    timeout: float
    retries: int

    def __repr__(self) -> str:
        return f"{self.method} {self.url}"


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer, valid or not."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def request_id(self) -> str | None:
        return self.headers.get("x-request-id")


def settings(
    api_key: str | None, agent: str | None, base_url: str, timeout: float, max_retries: int, user_agent: str
) -> Settings:
    """Check the arguments of a client; raises InvalidInputError."""
    if not api_key or not _header_text.fullmatch(api_key):
        raise _invalid("api_key is required: make one in the settings, under API keys")
    if agent is not None and not _header_text.fullmatch(agent):
        raise _invalid("agent must be 1 to 64 characters of printable ASCII")
    parts = urlsplit(base_url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise _invalid("base_url must be an http or https address, such as http://127.0.0.1:8000/api/v1")
    if timeout <= 0 or max_retries < 0:
        raise _invalid("timeout must be more than 0, and max_retries not less")
    headers = {"x-api-key": api_key, "accept": "application/json", "user-agent": user_agent}
    if agent is not None:
        headers["x-service-agent"] = agent
    return Settings(base_url.rstrip("/"), headers, timeout, max_retries)


def prepare(settings: Settings, operation: Operation, given: Mapping[str, Any] | None, options: Options) -> Request:
    """Put the input's fields into path, query and body; raises InvalidInputError if the path would change its meaning."""
    values = dict(given or {})
    in_query = [each.name for each in operation.inputs if each.place == "query"]
    numbers = {each.name for each in operation.inputs if each.kind == "integer"}
    path = _braces.sub(
        lambda found: _segment(found[1], values.pop(found[1], None), number=found[1] in numbers), operation.path
    )
    query = {name: values.pop(name) for name in in_query if name in values}
    asked = urlencode([(name, text) for name, value in query.items() for text in _texts(value)])
    headers = dict(settings.headers)
    content = None
    if operation.method in {"POST", "PUT", "PATCH"}:
        content = _json(values)
        headers["content-type"] = "application/json"
    elif values:
        raise _invalid(f"{next(iter(values))} is no field of {operation.name}: leave it out")
    if operation.idempotency_key:
        headers["idempotency-key"] = _key(options.get("idempotency_key"))
    elif "idempotency_key" in options:
        raise _invalid(f"{operation.name} takes no idempotency key: only what makes something does")
    return Request(
        operation.method,
        f"{settings.base_url}{path}" + (f"?{asked}" if asked else ""),
        headers,
        content,
        operation.read_only or operation.idempotency_key,
        options.get("timeout", settings.timeout),
        options.get("max_retries", settings.max_retries),
    )


def _texts(value: object) -> list[str]:
    """Return the texts of a value in a query: of each entry of a list, none of None."""
    entries = value if isinstance(value, list | tuple) else [value]
    return [_text(each) for each in entries if each is not None]


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _segment(name: str, value: object, *, number: bool) -> str:
    if number and isinstance(value, int):
        value = _text(value)
    if not isinstance(value, str) or value in {"", ".", ".."}:
        raise _invalid(f"{name} must be a string that is not empty" if not value else f"{name} is no id")
    try:
        return quote(value, safe="")
    except UnicodeEncodeError as fault:
        raise _invalid(f"{name} holds what is no text") from fault


def _key(given: str | None) -> str:
    if given is not None and not _header_text.fullmatch(given):
        raise _invalid("idempotency_key must be printable ASCII")
    return given or str(uuid4())


def _json(values: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(values, allow_nan=False).encode()
    except (TypeError, ValueError) as fault:
        raise _invalid(f"the input is no JSON: {fault}") from fault


def _invalid(message: str) -> InvalidInputError:
    return InvalidInputError(message, code="INVALID_INPUT")


def read(operation: Operation, answer: Answer) -> Any:
    """Return the operation's answer, None if it has none; raises CodriveError for a failure."""
    if answer.status >= 400:
        raise failure(answer)
    if answer.status != 200:
        raise _unknown(answer, f"the server answered {answer.status}: is base_url right?")
    if not operation.fields and not answer.body:
        return None
    try:
        value = json.loads(answer.body)
    except ValueError as fault:
        raise _unknown(answer, "the answer is no JSON: is base_url right?") from fault
    if not isinstance(value, dict) or not operation.fields or any(name not in value for name in operation.fields):
        raise _unknown(answer, f"the answer is none of {operation.name}: is base_url right?")
    return value


def failure(answer: Answer) -> CodriveError:
    """Return the error of a failed answer; one without an envelope gets one."""
    try:
        envelope = json.loads(answer.body)
        code, message = envelope["code"], envelope["message"]
    except (ValueError, LookupError, TypeError):
        code = message = None
    if not isinstance(code, str) or not isinstance(message, str):
        code = _NAMED.get(answer.status, "SERVICE_UNAVAILABLE" if answer.status >= 500 else "BAD_REQUEST")
        message = f"the server answered {answer.status} without saying why"
    error = kind_of(answer.status)(message, code=code, status=answer.status, request_id=answer.request_id)
    if isinstance(error, RateLimitError):
        error.retry_after = _retry_after(answer)
    return error


def _unknown(answer: Answer, message: str) -> InvalidAnswerError:
    return InvalidAnswerError(message, code="INVALID_ANSWER", status=answer.status, request_id=answer.request_id)


def pause(request: Request, attempt: int, came: Answer | None, *, sent: bool) -> float | None:
    """Return the seconds to wait before a retry, None if a retry is useless or unsafe.

    `attempt` counts from 0; `came` is None if no answer arrived; `sent` tells whether the server may have acted.
    """
    if attempt >= request.retries:
        return None
    refused = came is not None and came.status == 429
    passing = came is None or refused or came.status in _TRANSIENT
    if not passing or not (request.repeatable or refused or not sent):
        return None
    asked = _retry_after(came) if came else None
    if asked is not None:
        return asked if asked <= LONGEST_WAIT else None
    longest: float = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**attempt)
    return longest * random.uniform(0.75, 1)  # noqa: S311 - spread, not secret


def _retry_after(answer: Answer) -> float | None:
    told = answer.headers.get("retry-after", "").strip()
    if told.isascii() and told.isdigit():
        return float(told)
    try:
        until = parsedate_to_datetime(told)
    except ValueError:
        return None
    wait: float = (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return max(0.0, wait)
