"""Builds a Yjs update from a ProseMirror tree, in the form that the editors store."""

import base64
import hashlib
import struct
from collections.abc import Iterable, Iterator
from typing import Any

from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.lib0 import uint
from documents.schema import OVERLAPPING
from documents.tree import ROOTS, Json, plain

type Parent = XmlFragment | XmlElement


def from_tree(tree: Json, client_id: int) -> bytes:
    """One update that makes this tree in an empty document. Never apply it to a document that has content."""
    doc: Doc[Any] = Doc(client_id=client_id)
    with doc.transaction():
        place(doc.get(ROOTS[0], type=XmlFragment), 0, tree.get("content") or [])
    return doc.get_update()


def place(into: Parent, at: int, content: Iterable[Json]) -> None:
    """Make these nodes, with all below them, the children of `into` from place `at` on."""
    stack: list[tuple[Parent, int, Iterator[Json], XmlText | None]] = [(into, at, iter(content), None)]
    while stack:
        parent, at, nodes, text = stack.pop()
        node = next(nodes, None)
        if node is None:
            continue
        if node.get("type") == "text":
            if text is None:
                text = parent.children.insert(at, XmlText())
                at += 1
            text.insert(len(text), str(node.get("text", "")), dict(map(formatting, node.get("marks") or [])))
            stack.append((parent, at, nodes, text))
        else:
            element = parent.children.insert(at, XmlElement(str(node.get("type"))))
            for name, value in sorted((node.get("attrs") or {}).items()):
                if (kept := plain(value)) is not None:
                    element.attributes[name] = kept
            stack += [(parent, at + 1, nodes, None), (element, 0, iter(node.get("content") or []), None)]


def formatting(mark: Json) -> tuple[str, Any]:
    """The name and the value under which a mark is stored."""
    name, attrs = mark["type"], mark.get("attrs") or {}
    return f"{name}--{_fingerprint(name, attrs)}" if name in OVERLAPPING else name, attrs


def _fingerprint(name: str, attrs: Json) -> str:
    """The eight characters by which editors tell marks of one type on one text apart."""
    digest = bytearray(hashlib.sha256(_encoded({"type": name, "attrs": attrs} if attrs else {"type": name})).digest())
    for at in range(6, len(digest)):
        digest[at % 6] ^= digest[at]
    return base64.b64encode(digest[:6]).decode()


def _encoded(value: Any) -> bytes:
    """The value as lib0 writes it."""
    if value is None or isinstance(value, bool):
        return bytes([126 if value is None else 120 if value else 121])
    if isinstance(value, int) and abs(value) < 2**31:
        return b"\x7d" + _signed(value)
    if isinstance(value, int | float):
        return b"\x7b" + struct.pack(">d", value)
    if isinstance(value, str):
        return b"\x77" + _sized(value)
    if isinstance(value, dict):
        return b"\x76" + uint(len(value)) + b"".join(_sized(key) + _encoded(item) for key, item in value.items())
    return b"\x75" + uint(len(value)) + b"".join(_encoded(item) for item in value)


def _sized(text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    return uint(len(raw)) + raw


def _signed(value: int) -> bytes:
    size, sign = abs(value), 64 if value < 0 else 0
    if size < 64:
        return bytes([sign | size])
    return bytes([128 | sign | size & 63]) + uint(size >> 6)
