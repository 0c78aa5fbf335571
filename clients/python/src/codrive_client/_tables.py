"""Prints an answer on a terminal: a list as a table with one line a row, an object in two columns, text as it is."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

# the columns for people, in this order, before all others; `--json` has the rest
_COLUMNS = (
    *("name", "type", "by", "at", "class", "driveItemType", "kind", "trashedAt", "excerpt", "folders", "email", "role"),
    *("permission", "agent", "text", "published", "updatedAt", "addedAt", "createdAt", "editedAt", "revision"),
)
_MOST = 6
_WHOLE = ("userId", "id")  # inputs of further commands: last, and never cut
_LEFT_OUT = ("driveId", "itemId", "parentId", "url", "capabilities", "cursor")  # unless a thing is shown alone
_CUT = ("name", "email", "agent", "by")  # of any length: cut if they do not fit
_LONG = 26  # characters of any other column that is cut
_LEAST = 12  # the least width of a cut column
_GAP = 2


def show(answer: Mapping[str, Any]) -> None:
    console = Console(highlight=False, soft_wrap=False)
    for name, value in answer.items():
        if value is None or value == "":
            continue
        if isinstance(value, list) and all(isinstance(each, Mapping) for each in value):
            console.print(_listed(name, value, console.width))
        elif isinstance(value, Mapping) and "type" in value:  # a tree, which the Markdown beside it shows better
            continue
        elif isinstance(value, Mapping):
            console.print(_one(name, value))
        elif isinstance(value, str) and "\n" in value:
            console.print(_text(value))
        else:
            console.print(_text(name), _text(_told(value)), sep="  ")


def _listed(title: str, rows: Sequence[Mapping[str, Any]], width: int) -> Table | Text:
    if not rows:
        return Text(f"no {title}", style="dim")
    lines = [_flat(row) for row in rows]
    columns = _columns(lines)
    cells = {name: [_line(line.get(name)) for line in lines] for name in columns}
    widths = _fitted({name: max(cell_len(name), *(each.cell_len for each in cells[name])) for name in columns}, width)
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for name, columns_wide in widths.items():
        table.add_column(name, width=columns_wide, no_wrap=True, overflow="ellipsis")
    for at in range(len(rows)):
        table.add_row(*(cells[name][at] for name in widths))
    return table


def _columns(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the columns in which there is something, those for people first and ids last."""
    found = dict.fromkeys(name for line in lines for name, value in line.items() if _plain(value))
    others = [name for name in found if name not in _COLUMNS + _WHOLE + _LEFT_OUT]
    return [name for name in (*_COLUMNS, *others, *_WHOLE) if name in found]


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with the fields of the things in it, such as of a search's item, as fields of its own.

    The name of an event is that of the item that it is about, if there is one.
    """
    made: dict[str, Any] = {}
    inner: dict[str, Any] = {}
    for name, value in row.items():
        told = _told(value)
        if isinstance(told, Mapping):
            inner |= _flat(told)
        else:
            made[name] = told
    if named := made.pop("itemName", None):
        made["name"] = named
    return inner | made


def _fitted(wanted: Mapping[str, int], width: int) -> dict[str, int]:
    """Return the columns that fit side by side in `width`, with their widths; `wanted` has the widths of all.

    The most informative columns come first. Columns to cut get the remaining width; those without room are omitted.
    """
    whole = [name for name in _WHOLE if name in wanted]
    left = width + _GAP - sum(wanted[name] + _GAP for name in whole)
    fitted: dict[str, int] = {}
    for name, columns_wide in wanted.items():
        least = min(columns_wide, _LEAST) if name in _CUT or columns_wide > _LONG else columns_wide
        if name not in whole and len(fitted) + len(whole) < _MOST and (least + _GAP <= left or not fitted):
            fitted[name] = least
            left -= least + _GAP
    for name, least in [*fitted.items()]:
        fitted[name] = least + max(0, min(wanted[name] - least, left))
        left -= fitted[name] - least
    return fitted | {name: wanted[name] for name in whole}


def _one(title: str, value: Mapping[str, Any]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    for name, each in _flat(value).items():
        if _plain(each):
            table.add_row(name, _text(each))
    return table


def _told(value: Any) -> Any:
    """Return the text that tells a person or a list; another value as it is."""
    if isinstance(value, Mapping) and "name" in value and "agent" in value:
        return " via ".join(part for part in (value["name"], value.get("agent")) if part)
    if isinstance(value, list):
        return _joined(value)
    return value


def _joined(values: Sequence[Any]) -> str:
    if all(isinstance(each, Mapping) and "text" in each for each in values):  # the pieces of one text
        return "".join(each["text"] for each in values)
    told = [_told(each) for each in values]
    return ", ".join(str(each.get("name", "")) if isinstance(each, Mapping) else str(each) for each in told)


def _plain(value: Any) -> bool:
    return value is not None and value != "" and not isinstance(value, Mapping | list)


def _line(value: Any) -> Text:
    return Text(" ".join(_text(value).plain.split("\n")).replace("\t", " "))


def _text(value: Any) -> Text:
    """Return the text without control sequences of terminals."""
    told = "" if value is None else "yes" if value is True else "no" if value is False else value
    return Text("".join(_shown(str(told))))


def _shown(text: str) -> Iterable[str]:
    return (each if each.isprintable() or each in "\n\t" else "\ufffd" for each in text)
