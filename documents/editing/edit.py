"""Edits a live document in Markdown: the whole, an appended part, or passages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from pycrdt import Doc

from documents.editing.apply_tree import Changed, apply_tree, apply_tree_around, deeper_than
from documents.editing.carried import carried_over
from documents.editing.markdown_merge import merged_markdown
from documents.editing.nearest import nearest, occurrences
from documents.markdown.escapes import begins_in_escape, without_escapes
from documents.markdown.images import with_copies
from documents.markdown.markdown_in import TooComplexError
from documents.markdown.markdown_out import MarkdownWriter
from documents.markdown.unsupported_markup import UnsupportedMarkup
from documents.tree.fitting import misfit
from documents.tree.tree import Json, tree, walk
from documents.yjs.scan import MAX_TREE_DEPTH, Refused
from documents.yjs.snapshot import guarded


class Whole(msgspec.Struct, frozen=True, tag=True):
    """All the document says is to be this Markdown."""

    markdown: str


class Append(msgspec.Struct, frozen=True, tag=True):
    """Appends this Markdown; a list at the end of the document may continue."""

    markdown: str


@dataclass(frozen=True, slots=True)
class Passage:
    old: str
    new: str


class Passages(msgspec.Struct, frozen=True, tag=True):
    """In the document's Markdown each `old` becomes its `new`, all or none; each must be there exactly once.

    What is not there as it is written is looked for without escapes, on both sides.
    """

    passages: tuple[Passage, ...]


class Section(msgspec.Struct, frozen=True, tag=True):
    """All of a section, its heading too, is to be this Markdown; the heading is named as `documents.outline` does."""

    id: str
    markdown: str


@dataclass(frozen=True, slots=True)
class Blocks:
    """A section that was found: the blocks from `start` to `stop` (not included) become this Markdown."""

    start: int
    stop: int
    markdown: str


@dataclass(frozen=True, slots=True)
class PassageNotFound(Refused):
    """A passage that is not in the document; `index` is its place among the passages."""

    index: int


@dataclass(frozen=True, slots=True)
class PassageAmbiguous(Refused):
    """A passage that is in the document more than once, or overlaps another one there."""

    index: int


type Edit = Whole | Append | Passages | Section
type FoundEdit = Whole | Append | Passages | Blocks


@dataclass(frozen=True, slots=True)
class EditRequest:
    """An edit of the revision `base` (None: of the present document), which with `refuse` is to leave nothing undone.

    The document as it was at the revision `until` (None: as it is) is taken for the present one. Images of other documents that
    the edit names become their `copies`, by the ids of both.
    """

    wanted: Edit
    base: int | None = None
    refuse: bool = False
    until: int | None = None
    copies: Mapping[str, str] = field(default_factory=dict)


FIELDS: Final[dict[type[FoundEdit], str]] = {
    Whole: "replace", Blocks: "replace", Append: "append", Passages: "passages"
}  # fmt: skip


def edit(doc: Doc[Any], wanted: FoundEdit) -> bytes | Refused:
    """Edit the document and return the update that did it; empty where there was nothing to do.

    What the Markdown does not change stays as it is, and so does all in it that Markdown cannot say. After a refusal
    the document is as it was, unless it is `Damaged`.
    """
    wanted_tree = target(tree(doc), wanted, MarkdownWriter(), UnsupportedMarkup())
    return wanted_tree if isinstance(wanted_tree, Refused) else apply_tree(doc, wanted_tree)


def texts_of_edit(wanted: Edit) -> Iterator[str]:
    """Yield the Markdown that an edit brings."""
    if isinstance(wanted, Passages):
        yield from (passage.new for passage in wanted.passages)
    else:
        yield wanted.markdown


def restore_content(doc: Doc[Any], earlier: Json) -> Changed | Refused:
    """As `edit`, but to the very tree that the document once had: an edit forward, that merges as any other."""
    return apply_tree_around(doc, walk(doc), earlier)


def target(
    now: Json,
    wanted: FoundEdit,
    writer: MarkdownWriter,
    unsupported: UnsupportedMarkup,
    copies: Mapping[str, str] | None = None,
) -> Json | Refused:
    """Return the tree that the edit wants in the place of the one there is now; what it says and the tree does not is `unsupported`.

    Images that have `copies` become these, by their ids.
    """
    return guarded(lambda: _target(now, wanted, writer, unsupported, copies or {}))


def _target(
    now: Json, wanted: FoundEdit, writer: MarkdownWriter, unsupported: UnsupportedMarkup, copies: Mapping[str, str]
) -> Json | Refused:
    field = FIELDS[type(wanted)]
    try:
        made = _merged(now, wanted, writer, unsupported)
    except TooComplexError as error:
        return Refused(f"`{field}` takes too much work to read: {error}")
    if isinstance(made, Refused) or deeper_than(made, MAX_TREE_DEPTH):  # which `change` refuses
        return made
    made = carried_over(now, made)
    if copies:
        made = with_copies(made, copies)
    found = _misfit(now["content"], made["content"])
    return Refused(f"`{field}` makes a block that editors would delete: {found}") if found else made


def _misfit(before: Sequence[Json], after: Sequence[Json]) -> str | None:
    """Return why a block that the edit changed does not fit the schema, unless those in its place did not either."""
    old, new = set(map(id, before)), set(map(id, after))
    found = misfit([block for block in after if id(block) not in old])
    return found and (None if misfit([block for block in before if id(block) not in new]) else found)


def _merged(now: Json, wanted: FoundEdit, writer: MarkdownWriter, unsupported: UnsupportedMarkup) -> Json | Refused:
    if isinstance(wanted, Whole):
        return merged_markdown(now, _lines(wanted.markdown), writer, unsupported)
    if isinstance(wanted, Blocks):
        before, after = now["content"][: wanted.start], now["content"][wanted.stop :]
        section = {**now, "content": now["content"][wanted.start : wanted.stop]}
        made = merged_markdown(section, _lines(wanted.markdown), writer, unsupported)
        return {**now, "content": [*before, *made["content"], *after]}
    present = writer.markdown(now)
    if isinstance(wanted, Append):
        return merged_markdown(now, f"{present}\n{_lines(wanted.markdown)}", writer, unsupported)
    text = _replaced(present, wanted.passages)
    return text if isinstance(text, Refused) else merged_markdown(now, text, writer, unsupported)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace").decode()


def _replaced(present: str, passages: Sequence[Passage]) -> str | Refused:
    places: list[tuple[int, int, int]] = []
    texts: list[tuple[str, Sequence[int]]] = [(present, range(len(present) + 1))]
    for number, passage in enumerate(passages):
        old = _lines(passage.old)
        if not old:
            return PassageAmbiguous(f"`passages[{number}].old` is empty, which occurs everywhere", number)
        (text, offsets), start = texts[0], present.find(old)
        if start < 0:
            texts = texts if len(texts) > 1 else [*texts, without_escapes(present)]
            (text, offsets), (old, _) = texts[1], without_escapes(old)
            start = text.find(old)
        if start < 0:
            why = nearest(present, _lines(passage.old))
            return PassageNotFound(f"`passages[{number}].old` does not occur in the document{why}", number)
        if text.find(old, start + 1) >= 0:
            where = occurrences(text, old)
            return PassageAmbiguous(f"`passages[{number}].old` occurs {where} of the document", number)
        begin = offsets[start]
        places.append((begin - begins_in_escape(present, begin), offsets[start + len(old)], number))
    text, end = "", 0
    for start, stop, number in sorted(places):
        if start < end:
            return PassageAmbiguous(f"`passages[{number}].old` overlaps another passage in the document", number)
        text += present[end:start] + _lines(passages[number].new)
        end = stop
    return text + present[end:]
