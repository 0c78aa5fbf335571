"""Parses the body of an MCP request into one unambiguous message."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from contract.errors import RejectionError
from edge.requests import parse_json
from edge.responses import JSON, NO_STORE, Response, encode

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
MAX_DEPTH: Final = 64
TOO_DEEP: Final = f"the body is nested deeper than {MAX_DEPTH} levels"


class InvalidMessage(Exception):  # noqa: N818 - an answer
    """The body is no JSON-RPC message that could be answered under its id."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.answer = Response(
            400, (JSON, NO_STORE), encode({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}})
        )


@dataclass(frozen=True, slots=True)
class McpMessage:
    """A request or notification; `text` is its JSON, which the protocol's parsers all read alike."""

    method: str
    params: Mapping[str, object]
    text: bytes


def message_of(body: bytes) -> McpMessage:
    """Return what the body says; raises InvalidMessage."""
    try:
        value = parse_json(body)
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    except RejectionError as refused:
        raise InvalidMessage(PARSE_ERROR, refused.rejection.message) from None
    except UnicodeEncodeError:
        raise InvalidMessage(PARSE_ERROR, "the body holds a lone surrogate, which is no character") from None
    except RecursionError:
        raise InvalidMessage(PARSE_ERROR, TOO_DEEP) from None
    if _is_deeper(value, MAX_DEPTH):
        raise InvalidMessage(PARSE_ERROR, TOO_DEEP)
    found = value if isinstance(value, dict) else {}
    method, params = found.get("method"), found.get("params", {})
    spoken = found.get("jsonrpc") == "2.0" and _is_id(found.get("id", 0))
    if spoken and isinstance(method, str) and isinstance(params, dict):
        return McpMessage(method, params, text)
    raise InvalidMessage(INVALID_REQUEST, "the body must be one JSON-RPC 2.0 request or notification")


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _is_deeper(value: object, levels: int) -> bool:
    """Whether anything is nested deeper: what has to be walked by recursion later on."""
    level = [value]
    for _ in range(levels):
        lists = [each for each in level if isinstance(each, list)]
        lists += [list(each.values()) for each in level if isinstance(each, dict)]
        level = [each for inner in lists for each in inner]
    return bool(level)
