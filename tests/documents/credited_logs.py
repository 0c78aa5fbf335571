"""Logs whose letters are credited, and credits as they were encoded before."""

from datetime import timedelta

import msgspec

from documents.editing.edit import Passage, Passages, edit
from documents.history.attribution import Logged
from documents.history.credits import Source
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from documents.yjs.snapshot import load
from tests.support.documents.logs import BEGIN

ADA, BOT = Source("ada", None, BEGIN), Source("ben", "bot", BEGIN + timedelta(minutes=1))


def first_and_edited():
    first = from_tree(parse("# A plan \U0001f600\n\nMilk and *bread*"), 5)
    doc = load(None, [first])
    second = edit(doc, Passages((Passage("Milk", "Milk, \U0001f600 tea"),)))
    return [Logged(first, ADA), Logged(second, BOT)]


def old(encoded):
    """Credits as they were encoded before deletions were credited."""
    return msgspec.msgpack.encode(msgspec.msgpack.decode(encoded, strict=False)[:3])
