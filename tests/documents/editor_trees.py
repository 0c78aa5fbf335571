"""What y-prosemirror reads of a document, as the projection writes it."""

import json
import re

from documents.tree.schema import MARK_RANK

HASH = re.compile(r"--[a-zA-Z0-9+/=]{8}$")


def as_projected(tree):
    """Leave out of y-prosemirror's tree what the projection does: nulls, empty attributes, empty texts, seams in text.

    Marks lose their hashes and stand in the order of the schema.
    """
    return {"content": []} | _node(tree)


def _node(node):
    made = {"type": node["type"]}
    if "text" in node:
        marks = [_mark(mark) for mark in node.get("marks", ()) if mark["type"] != "ychange"]
        return made | {"text": node["text"]} | ({"marks": sorted(marks, key=_rank)} if marks else {})
    if attrs := _present(node.get("attrs", {})):
        made["attrs"] = attrs
    content = []
    for child in map(_node, node.get("content", ())):
        before = content[-1] if content else {}
        if "text" in before and "text" in child and before.get("marks") == child.get("marks"):
            before["text"] += child["text"]
        elif child.get("text") != "":
            content.append(child)
    return made | ({"content": content} if content else {})


def _mark(mark):
    attrs = mark["attrs"]
    if isinstance(attrs, dict):
        attrs = _present(attrs)
    named = {"type": HASH.sub("", mark["type"])}
    return named if attrs is True or not attrs else named | {"attrs": attrs}


def _present(attrs):
    return {name: value for name, value in attrs.items() if value is not None}


def _rank(mark):
    return MARK_RANK.get(mark["type"], len(MARK_RANK)), mark["type"], json.dumps(mark.get("attrs", {}), sort_keys=True)
