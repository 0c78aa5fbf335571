"""The process among the others on its database, as its open documents see it."""

from typing import Final, Protocol


class NodeAmongOthers(Protocol):
    @property
    def number(self) -> int:
        """The number of its lease; 0 where it has none."""
        ...

    @property
    def is_held(self) -> bool:
        """Whether nobody can have ended the lease."""
        ...

    @property
    def has_others(self) -> bool:
        """Whether others may write to the same documents."""
        ...

    async def confirm(self) -> bool:
        """Whether a change of access still waits for this process: only then may it tell of what others wrote."""
        ...


class _Alone:
    number = 0
    is_held = True
    has_others = False

    async def confirm(self) -> bool:
        return True


ALONE: Final[NodeAmongOthers] = _Alone()
