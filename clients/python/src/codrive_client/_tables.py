"""How an answer looks on a terminal: what is one of a kind in two columns, lists as tables, text as it is."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

# what tells people something, in this order; `--json` has the rest
_COLUMNS = (
    *("name", "driveItemType", "kind", "email", "role", "permission", "agent"),
    *("published", "updatedAt", "addedAt", "createdAt", "editedAt", "userId", "id"),
)
_MOST = 6


def show(answer: Mapping[str, Any]) -> None:
    console = Console(highlight=False, soft_wrap=False)
    for name, value in answer.items():
        if value is None:
            continue
        if isinstance(value, list) and all(isinstance(each, Mapping) for each in value):
            console.print(_listed(name, value))
        elif isinstance(value, Mapping) and "type" in value:  # a tree, which the Markdown beside it shows better
            continue
        elif isinstance(value, Mapping):
            console.print(_one(name, value))
        else:
            console.print(_text(value))


def _listed(title: str, rows: list[Mapping[str, Any]]) -> Table | Text:
    if not rows:
        return Text(f"no {title}", style="dim")
    columns = [name for name in _COLUMNS if any(_plain(row.get(name)) for row in rows)]
    shown = [*[name for name in columns if name != "id"][: _MOST - 1], *(["id"] if "id" in columns else [])]
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for name in shown:
        table.add_column(name, overflow="fold", no_wrap=name == "id")
    for row in rows:
        table.add_row(*(_text(row.get(name)) for name in shown))
    return table


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


def _text(value: Any) -> Text:
    """Return text that does nothing to a terminal, whoever wrote it."""
    told = {None: "", True: "yes", False: "no"}.get(value, value) if not isinstance(value, str) else value
    return Text("".join(_shown(str(told))))


def _shown(text: str) -> Iterable[str]:
    return (each if each.isprintable() or each in "\n\t" else "\ufffd" for each in text)
