"""The content of the demo world: two organizations, five people, an agent, and documents with real text."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from domain.access import Permission, Role
from domain.item import ItemKind

TEXTS = Path(__file__).parent
FIRST_CLIENT = 1

PEOPLE = {
    "grace": "Grace Hopper",
    "ada": "Ada Lovelace",
    "ben": "Ben Franklin",
    "cleo": "Cleo Strand",
    "gus": "Gus Grissom",
}
ORGANIZATIONS = {"Acme": ("grace", "ada", "ben", "cleo"), "Globex": ("gus",)}
AGENT = ("ada", "research-assistant")


@dataclass(frozen=True, slots=True)
class DemoItem:
    """An item; `text` names the file that its document is written from, `by_agent` whether the agent wrote it."""

    name: str
    kind: ItemKind = ItemKind.docs_workbook
    text: str | None = None
    by: str | None = None
    by_agent: bool = False
    published: bool = False
    shared: tuple[tuple[str, Permission], ...] = ()
    children: tuple["DemoItem", ...] = ()


@dataclass(frozen=True, slots=True)
class DemoDrive:
    """A drive; one without an organization is its owner's personal one."""

    owner: str
    name: str = ""
    organization: str | None = None
    members: tuple[tuple[str, Role], ...] = ()
    items: Sequence[DemoItem] = ()


def _folder(name: str, *children: DemoItem, shared: tuple[tuple[str, Permission], ...] = ()) -> DemoItem:
    return DemoItem(name, ItemKind.folder, children=children, shared=shared)


DRIVES = (
    DemoDrive(
        "grace",
        "Engineering",
        "Acme",
        (("ada", Role.manager), ("ben", Role.contributor)),
        (
            _folder(
                "Handbook",
                DemoItem("Welcome", text="welcome.md", published=True),
                DemoItem("Release checklist", text="checklist.md", by="ben"),
            ),
            _folder(
                "Projects",
                _folder(
                    "Orbit",
                    DemoItem("Orbit plan", text="plan.md", by="ada", by_agent=True),
                    DemoItem("Launch numbers", ItemKind.viz_workbook, by="ada"),
                    shared=(("cleo", Permission.read_write),),
                ),
            ),
            DemoItem("Scratch pad"),
        ),
    ),
    DemoDrive(
        "ada",
        "Research",
        "Acme",
        (("cleo", Role.contributor),),
        (DemoItem("Reading notes", text="notes.md", shared=(("gus", Permission.read_only),)), _folder("Papers")),
    ),
    DemoDrive(
        "ada",
        items=(
            _folder("Drafts", DemoItem("A letter to Ben", text="welcome.md"), shared=(("ben", Permission.read_only),)),
        ),
    ),
    DemoDrive("gus", "Globex plans", "Globex", items=(DemoItem("Strategy", text="strategy.md"),)),
)


def written(text: str) -> bytes:
    """Return the first update of a document written from one of the texts beside this file."""
    return from_tree(parse((TEXTS / text).read_text()), FIRST_CLIENT)
