"""Parses requests: the path, decoded exactly once, the body, read within bounds, and the inputs of an operation."""

import json
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Never, cast
from urllib.parse import parse_qsl, unquote_to_bytes

from litestar.types import HTTPDisconnectEvent, HTTPRequestEvent, HTTPScope, Receive

from contract.errors import RejectionError, unwrap
from contract.field_suggestions import advice
from contract.input_types import shown
from contract.operation_schema import OperationInput, OperationSchema
from contract.operations import MediaType
from domain.errors import Code, Rejection
from domain.values import bad

MAX_BODY: Final = 1 << 20
MAX_VALUES: Final = 10_000  # of a JSON text: its lists and objects, and the commas between what they hold
MAX_PATH: Final = 2048
DOTS: Final = frozenset({".", ".."})  # segments that browsers and proxies take away
_IDEMPOTENCY_KEY: Final = re.compile(r"[\x20-\x7e]{1,255}")
_half_escaped: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


class ClientDisconnected(Exception):  # noqa: N818 - not an error: no client is left
    """The client closed the connection before its request was whole."""


def refused(code: Code, message: str) -> RejectionError:
    return RejectionError(Rejection(code, message))


# Paths


@dataclass(frozen=True, slots=True)
class Path:
    """A path to route by, not decoded; `whole` is False if its percent-encoding is broken, which is refused later."""

    text: str
    whole: bool = True


def parse_path(raw: str) -> Path | None:
    """Return the path to route by; None where it can name nothing.

    Another spelling (a slash doubled, encoded or at the end, dots, an encoded letter of ours) is another path, and none of
    them exists: only parameters are decoded.
    """
    if len(raw) > MAX_PATH or raw.endswith("/") or "//" in raw or DOTS.intersection(raw.split("/")):
        return None
    if "%" not in raw:
        return Path(raw)
    try:
        unquote_to_bytes(raw).decode("utf-8")
    except UnicodeDecodeError:
        return Path(raw, whole=False)
    return Path(raw, whole=_half_escaped.search(raw) is None)


# Headers


def only(scope: HTTPScope, name: bytes) -> str | None:
    """Return the value of a header that may come once at most."""
    values = [value for header, value in scope["headers"] if header == name]
    if len(values) > 1:
        raise RejectionError(bad(name.decode(), "came more than once: send it once"))
    return values[0].decode("latin-1") if values else None


def knows(header: str, etag: str) -> bool:
    """Whether an If-None-Match header names the ETag, by weak comparison."""
    known = [each.strip().removeprefix("W/") for each in header.split(",")]
    return etag in known or "*" in known


def idempotency_key(scope: HTTPScope) -> str | None:
    key = only(scope, b"idempotency-key")
    if key is not None and _IDEMPOTENCY_KEY.fullmatch(key) is None:
        raise RejectionError(bad("Idempotency-Key", "must have 1 to 255 printable ASCII characters"))
    return key


def media_type(scope: HTTPScope) -> tuple[str, dict[str, str]]:
    """Return the content type with its parameters, lower case but for their values."""
    kind, *rest = (only(scope, b"content-type") or "").split(";")
    pairs = [part.partition("=") for part in rest]
    return kind.strip().lower(), {name.strip().lower(): value.strip().strip('"') for name, _, value in pairs}


def refuse_encoded(scope: HTTPScope) -> None:
    """Refuse a body that is compressed: it is read as it comes. Raises RejectionError: 415."""
    if (only(scope, b"content-encoding") or "identity").strip().lower() != "identity":
        raise refused(Code.UNSUPPORTED_MEDIA_TYPE, "send the body as it is, without `Content-Encoding`")


def declared_length(scope: HTTPScope, most: int) -> None:
    declared = only(scope, b"content-length")
    if declared is not None and declared.isdecimal() and int(declared[:20]) > most:
        raise too_large(most)


TOO_MANY_VALUES: Final = Rejection(
    Code.BAD_REQUEST, f"the body has too many values: send at most {MAX_VALUES} lists, objects and what they hold"
)


def too_large(most: int) -> RejectionError:
    return refused(Code.PAYLOAD_TOO_LARGE, f"the body is too large: send at most {most} bytes")


# Bodies


async def read_object(scope: HTTPScope, receive: Receive, most: int = MAX_BODY) -> dict[str, object]:
    """Return the JSON object that is the body; raises RejectionError as the order of checks has it: 413, 415, 400."""
    value = parse_json(await read_body(scope, receive, most))
    if not isinstance(value, dict):
        raise refused(Code.BAD_REQUEST, "the body must be a JSON object")
    return value


async def read_body(scope: HTTPScope, receive: Receive, most: int) -> bytes:
    """Return a body with the content type of JSON; raises RejectionError: 413, 415."""
    declared_length(scope, most)
    refuse_encoded(scope)
    kind, options = media_type(scope)
    if kind != MediaType.JSON or options.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise refused(Code.UNSUPPORTED_MEDIA_TYPE, f"send the body with the content type `{MediaType.JSON}`")
    body = bytearray()
    async for part in stream(receive):
        body += part
        if len(body) > most:
            raise too_large(most)
    return bytes(body)


async def stream(receive: Receive) -> AsyncIterator[bytes]:
    while True:
        message = cast("HTTPRequestEvent | HTTPDisconnectEvent", await receive())
        if message["type"] == "http.disconnect":
            raise ClientDisconnected
        if part := message.get("body", b""):
            yield part
        if not message.get("more_body", False):
            return


class _TwiceError(ValueError):
    """A name stood twice in one object."""


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _TwiceError
    return members


def _no_number(_text: str) -> Never:
    raise ValueError


# Also one without an end. A quantifier with a second `+` gives nothing back, so each character is looked at once.
_STRING: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)


def has_many_values(text: bytes, most: int = MAX_VALUES) -> bool:
    """Whether a JSON text has more than `most` values: each is of Python's own, and a megabyte has half a million."""
    if not may_have_many_values(text, most):
        return False
    if text.count(b'"') - text.count(b'\\"') > 4 * most:  # a value has a name and a text at most
        return True
    return may_have_many_values(_STRING.sub(b"", text), most)


def may_have_many_values(text: bytes, most: int = MAX_VALUES) -> bool:
    """Whether a JSON text has more than `most` values where what is within its strings counts, too."""
    return len(text) - len(text.translate(None, b",[{")) > most


_decode: Final = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_no_number).decode


def parse_json(body: bytes) -> object:
    """Parse strictly: UTF-8, no name twice, nothing after the value, no NaN; nesting ends at the recursion limit."""
    if has_many_values(body):
        raise RejectionError(TOO_MANY_VALUES)
    try:
        return cast("object", _decode(body.decode("utf-8")))
    except _TwiceError:
        raise refused(Code.BAD_REQUEST, "the body has the same field twice: send each once") from None
    except (ValueError, RecursionError):
        raise refused(Code.BAD_REQUEST, "the body is not valid JSON in UTF-8") from None


# Inputs of operations


def path_inputs(scope: HTTPScope, shape: OperationSchema) -> dict[str, object]:
    """Return the inputs that the path holds, decoded once, as JSON has them; what is no value of its kind stays text."""
    inputs: dict[str, object] = {}
    for name, value in scope.get("path_params", {}).items():
        scalar = shape.inputs[name].type.scalar
        assert scalar is not None, "derivation puts objects into bodies alone"
        inputs[name] = scalar.from_text(unquote_to_bytes(value).decode("utf-8"))
    return inputs


def query_pairs(scope: HTTPScope) -> list[tuple[str, str]]:
    """Return the names and values of the query, in their order; raises RejectionError."""
    query = scope["query_string"].decode("latin-1")
    if _half_escaped.search(query):
        raise refused(Code.BAD_REQUEST, "the query is not percent-encoded UTF-8")
    try:
        return parse_qsl(query, keep_blank_values=True, encoding="utf-8", errors="strict", max_num_fields=100)
    except ValueError:
        raise refused(Code.BAD_REQUEST, "the query is not percent-encoded UTF-8") from None


def query_inputs(scope: HTTPScope, inputs: Mapping[str, OperationInput]) -> dict[str, object]:
    """Return those of `inputs` that the query holds, as JSON has them; raises RejectionError where it holds anything else.

    A list comes as one parameter for each of its entries, everything else as one.
    """
    texts: dict[str, list[str]] = {}
    for name, text in query_pairs(scope):
        texts.setdefault(name, []).append(text)
    for name in texts:
        if name not in inputs:
            raise RejectionError(bad(shown(name), f"is no parameter of this request's query: {advice(name, inputs)}"))
    return {name: inputs[name].type.read(values, name) for name, values in texts.items()}


def parse_inputs(shape: OperationSchema, values: Mapping[str, object]) -> dict[str, object]:
    """Return the inputs as GraphQL coerces them; raises RejectionError, which names the first wrong one."""
    inputs = shape.inputs
    for name in values:
        if name not in inputs:
            raise RejectionError(bad(shown(name), f"is no field of this request: {advice(name, inputs)}"))
    parsed: dict[str, object] = {}
    for name, each in inputs.items():
        if name in values:
            parsed[name] = unwrap(each.type.parse(values[name], name))
        elif each.required:
            fault = "is missing: send it, or `null` for none" if each.type.nullable else "is missing: send it"
            raise RejectionError(bad(name, fault))
    return parsed
