"""Prints an answer on a terminal: a list as a table with one line a row, an object in two columns, text as it is."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

# the columns for people, in this order; `--json` has the rest
_COLUMNS = (
    *("name", "driveItemType", "kind", "email", "role", "permission", "agent"),
    *("published", "updatedAt", "addedAt", "createdAt", "editedAt", "userId", "id"),
)
_MOST = 6
_WHOLE = ("userId", "id")  # inputs of further commands: never cut
_CUT = ("name", "email", "agent")  # of any length: cut if they do not fit
_LEAST = 12  # the least width of a cut column
_GAP = 2


def show(answer: Mapping[str, Any]) -> None:
    console = Console(highlight=False, soft_wrap=False)
    for name, value in answer.items():
        if value is None:
            continue
        if isinstance(value, list) and all(isinstance(each, Mapping) for each in value):
            console.print(_listed(name, value, console.width))
        elif isinstance(value, Mapping) and "type" in value:  # a tree, which the Markdown beside it shows better
            continue
        elif isinstance(value, Mapping):
            console.print(_one(name, value))
        else:
            console.print(_text(value))


def _listed(title: str, rows: Sequence[Mapping[str, Any]], width: int) -> Table | Text:
    if not rows:
        return Text(f"no {title}", style="dim")
    columns = [name for name in _COLUMNS if any(_plain(row.get(name)) for row in rows)]
    cells = {name: [_line(row.get(name)) for row in rows] for name in columns}
    widths = _fitted({name: max(cell_len(name), *(each.cell_len for each in cells[name])) for name in columns}, width)
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for name, columns_wide in widths.items():
        table.add_column(name, width=columns_wide, no_wrap=True, overflow="ellipsis")
    for at in range(len(rows)):
        table.add_row(*(cells[name][at] for name in widths))
    return table


def _fitted(wanted: Mapping[str, int], width: int) -> dict[str, int]:
    """Return the columns that fit side by side in `width`, with their widths; `wanted` has the widths of all.

    The most informative columns come first. Columns to cut get the remaining width; those without room are omitted.
    """
    whole = [name for name in _WHOLE if name in wanted]
    left = width + _GAP - sum(wanted[name] + _GAP for name in whole)
    fitted: dict[str, int] = {}
    for name, columns_wide in wanted.items():
        least = min(columns_wide, _LEAST) if name in _CUT else columns_wide
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
    for name, each in value.items():
        told = _told(each)
        if _plain(told):
            table.add_row(name, _text(told))
    return table


def _told(value: Any) -> Any:
    if isinstance(value, Mapping) and "name" in value:
        return " via ".join(part for part in (value["name"], value.get("agent")) if part)
    if isinstance(value, list):
        return ", ".join(str(part) for part in value if not isinstance(part, Mapping))
    return value


def _plain(value: Any) -> bool:
    return value is not None and value != "" and not isinstance(value, Mapping | list)


def _line(value: Any) -> Text:
    return Text(" ".join(_text(value).plain.split("\n")).replace("\t", " "))


def _text(value: Any) -> Text:
    """Return the text without control sequences of terminals."""
    told = {None: "", True: "yes", False: "no"}.get(value, value) if not isinstance(value, str) else value
    return Text("".join(_shown(str(told))))


def _shown(text: str) -> Iterable[str]:
    return (each if each.isprintable() or each in "\n\t" else "\ufffd" for each in text)
