"""The access policy as two tables: capabilities on items and drives, with the roles and grants behind them.

Rights only add: the strongest of the drive role and every grant on the item or an ancestor. There is no deny and no
agent here: the subject is the user alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    owner = "owner"
    manager = "manager"
    contributor = "contributor"


class Permission(StrEnum):
    read_write = "read_write"
    read_only = "read_only"


class Can(StrEnum):
    """The capabilities on an item."""

    read = "read"
    edit = "edit"
    createChild = "createChild"
    move = "move"
    moveOut = "moveOut"
    share = "share"
    publish = "publish"
    trash = "trash"
    versions = "versions"
    deleteForever = "deleteForever"


class DriveCan(StrEnum):
    """The capabilities on a drive."""

    createItem = "createItem"
    rename = "rename"
    manageMembers = "manageMembers"
    manageOwners = "manageOwners"
    delete = "delete"


_READ = frozenset({Can.read})
_WRITE = _READ | {Can.edit, Can.createChild, Can.versions}
_WITHIN = _WRITE | {Can.move, Can.trash}
_CONTRIBUTE = _WITHIN | {Can.share}
_MANAGE = _CONTRIBUTE | {Can.moveOut, Can.publish}

CONFERS: dict[Role | Permission, frozenset[Can]] = {
    Permission.read_only: _READ,
    Permission.read_write: _WRITE,
    Role.contributor: _CONTRIBUTE,
    Role.manager: _MANAGE,
    Role.owner: frozenset(Can),
}
# What a grant confers strictly below the item it was given on: its holder may not pull that item itself away.
CONFERS_BELOW: dict[Permission, frozenset[Can]] = {
    Permission.read_only: _READ,
    Permission.read_write: _WITHIN,
}
DRIVE_CONFERS: dict[Role, frozenset[DriveCan]] = {
    Role.contributor: frozenset({DriveCan.createItem}),
    Role.manager: frozenset({DriveCan.createItem, DriveCan.rename, DriveCan.manageMembers}),
    Role.owner: frozenset(DriveCan),
}
RANK: dict[Role | None, int] = {None: 0, Role.contributor: 1, Role.manager: 2, Role.owner: 3}


@dataclass(frozen=True, slots=True)
class Step:
    """One item on the way from an item up to its root, with what the asking user was granted on it."""

    id: str
    trashed: bool = False
    permission: Permission | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is allowed: a role in the drive (no item) or a grant on an item."""

    gives: Role | Permission
    item_id: str | None = None


@dataclass(frozen=True, slots=True)
class Authority:
    can: frozenset[Can]
    because: tuple[Reason, ...]

    @property
    def permission(self) -> Permission:
        return Permission.read_write if Can.edit in self.can else Permission.read_only


NOTHING = Authority(frozenset(), ())


def authority(role: Role | None, path: Sequence[Step]) -> Authority:
    """Return what a user may do to the item that `path` begins with.

    `path` is the item, then its ancestors up to the root; `role` the user's in the drive. Trash is not looked at.
    """
    if role is None and all(step.permission is None for step in path):
        return NOTHING
    can: frozenset[Can] = CONFERS[role] if role else frozenset()
    because = [Reason(role)] if role else []
    for distance, step in enumerate(path):
        if step.permission:
            can |= (CONFERS_BELOW if distance else CONFERS)[step.permission]
            because.append(Reason(step.permission, step.id))
    return Authority(can, tuple(because))


def live_authority(role: Role | None, path: Sequence[Step]) -> Authority:
    """Return as `authority`; nothing where the item or an ancestor is in the trash."""
    return NOTHING if any(step.trashed for step in path) else authority(role, path)


def visible_length(role: Role | None, path: Sequence[Step]) -> int:
    """Return how many steps of `path` the user sees: up to the highest grant, or all with a role in the drive."""
    if role:
        return len(path)
    return max((place + 1 for place, step in enumerate(path) if step.permission), default=0)


def holds_throughout(role: Role | None, path: Sequence[Step], home: Sequence[Step]) -> bool:
    """Whether what lets a user move the item that `path` begins with holds for `home`, a path in the same drive, too.

    A role holds for the whole drive; a grant for the folder it was given on and what lies below: out of that folder
    its holder takes nothing.
    """
    holding = {step.id for step in path[1:] if step.permission and Can.move in CONFERS_BELOW[step.permission]}
    return role is not None or any(step.id in holding for step in home)


def drive_authority(role: Role | None) -> frozenset[DriveCan]:
    return DRIVE_CONFERS[role] if role else frozenset()


def outranks(role: Role | None, other: Role | None) -> bool:
    return RANK[role] > RANK[other]
