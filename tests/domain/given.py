"""Facts as tests state them: one world of short words instead of long constructors."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from domain.access import Permission, Role, Step
from domain.credit import Credit
from domain.drive import Drive, DriveFacts, DriveKind
from domain.item import Item, ItemFacts, ItemKind, Place, TreeLimits
from domain.move import Subtree

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
ADA = Credit("ada", "Ada")
LIMITS = TreeLimits()
OWNER, MANAGER, CONTRIBUTOR = Role.owner, Role.manager, Role.contributor
READ_WRITE, READ_ONLY = Permission.read_write, Permission.read_only

ACME = Drive("acme", "Acme", DriveKind.shared, "acme-inc", NOW, NOW, depth=5)
BETA = Drive("beta", "Beta", DriveKind.shared, "acme-inc", NOW, NOW, depth=5)
GLOBEX = Drive("globex", "Globex", DriveKind.shared, "globex-inc", NOW, NOW, depth=5)
PERSONAL = Drive("adas", "Ada", DriveKind.personal, None, NOW, NOW, depth=5)


def path(*steps):
    """From the item up: `"doc"`, `("folder", READ_WRITE)`, `"top!"` (in the trash)."""
    return tuple(
        Step(name.rstrip("!"), trashed=name.endswith("!"), permission=permission)
        for name, permission in (step if isinstance(step, tuple) else (step, None) for step in steps)
    )


def facts(*steps, role=None, drive=ACME, kind=ItemKind.docs_workbook, **item):
    way = path(*steps)
    parent_id = way[1].id if len(way) > 1 else None
    trashed_at = NOW if way[0].trashed else None
    made = Item(way[0].id, drive.id, parent_id, kind, "Plan", NOW, NOW, ADA, ADA, trashed_at=trashed_at)
    return ItemFacts(replace(made, **item), drive, role, way)


def folder(*steps, **more):
    return facts(*steps, kind=ItemKind.folder, **more)


def drive(role=OWNER, of=ACME, live_items=3, trashed_items=0):
    return DriveFacts(of, role, live_items, trashed_items)


def place(parent=None, *, drive, seen=True, children=0, parent_id=None):
    return Place(drive, seen, parent.item.id if parent else parent_id, parent, children)


def below(height=1, items=1, *, published=False):
    return Subtree(height, items, published)
