"""The content of the demo world: two organizations, five people, an agent, and documents with real text."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from documents.build import from_tree
from documents.markdown_in import parse
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
class Made:
    """An item of the demo world; `text` names the file that its document is written from, `by_agent` who wrote it."""

    name: str
    kind: ItemKind = ItemKind.docs_workbook
    text: str | None = None
    by: str | None = None
    by_agent: bool = False
    published: bool = False
    shared: tuple[tuple[str, Permission], ...] = ()
    children: tuple["Made", ...] = ()


@dataclass(frozen=True, slots=True)
class Space:
    """A drive; one without an organization is its owner's personal one."""

    owner: str
    name: str = ""
    organization: str | None = None
    members: tuple[tuple[str, Role], ...] = ()
    items: Sequence[Made] = ()


def _folder(name: str, *children: Made, shared: tuple[tuple[str, Permission], ...] = ()) -> Made:
    return Made(name, ItemKind.folder, children=children, shared=shared)


SPACES = (
    Space(
        "grace",
        "Engineering",
        "Acme",
        (("ada", Role.manager), ("ben", Role.contributor)),
        (
            _folder(
                "Handbook",
                Made("Welcome", text="welcome.md", published=True),
                Made("Release checklist", text="checklist.md", by="ben"),
            ),
            _folder(
                "Projects",
                _folder(
                    "Orbit",
                    Made("Orbit plan", text="plan.md", by="ada", by_agent=True),
                    Made("Launch numbers", ItemKind.viz_workbook, by="ada"),
                    shared=(("cleo", Permission.read_write),),
                ),
            ),
            Made("Scratch pad"),
        ),
    ),
    Space(
        "ada",
        "Research",
        "Acme",
        (("cleo", Role.contributor),),
        (Made("Reading notes", text="notes.md", shared=(("gus", Permission.read_only),)), _folder("Papers")),
    ),
    Space(
        "ada",
        items=(_folder("Drafts", Made("A letter to Ben", text="welcome.md"), shared=(("ben", Permission.read_only),)),),
    ),
    Space("gus", "Globex plans", "Globex", items=(Made("Strategy", text="strategy.md"),)),
)


def written(text: str) -> bytes:
    """Return the first update of a document written from one of the texts beside this file."""
    return from_tree(parse((TEXTS / text).read_text()), FIRST_CLIENT)
