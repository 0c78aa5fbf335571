"""What happened lately, as the audit tells it: for whoever did not hear of it, such as another process."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from domain.document import DocumentEdited
from domain.events import Event
from persistence.connections import Connection
from persistence.news import IN_ORDER, PART, Place
from persistence.store import PostgresStore

_MOST: Final = 1_000  # events of one part
_PART: Final = f"""
select pg_current_snapshot()::text, e.transaction_id::text, e.sequence, e.drive_id::text, e.item_id::text,
    e.details ->> 'userId'
from (values (1)) v left join lateral ({PART} and e.type in ({{types}}) {IN_ORDER}) e on true"""
_NOW: Final = "select pg_current_snapshot()::text"
_UNCUT: Final = """
select i.id::text from item i where i.kind <> 'folder'
    and i.sequence > coalesce((select max(sequence) from document_version where item_id = i.id), 0)"""


@dataclass(frozen=True, slots=True)
class Line:
    """Where something happened, and to whom, if to anybody."""

    drive_id: str | None
    item_id: str | None
    user_id: str | None


class AuditNews:
    """What one process has seen of the audit. `kinds` are the events of which it wants to know."""

    def __init__(self, store: PostgresStore, kinds: Sequence[type[Event]]) -> None:
        self._store = store
        types = (f"'{kind.__name__[0].lower()}{kind.__name__[1:]}'" for kind in kinds)
        self._question = _PART.format(types=", ".join(types))
        self._place: Place | None = None

    async def lines(self) -> list[Line] | None:
        """Return what was committed since this was asked last, each line once; at first, None."""
        if self._place is None:
            self._place = Place.at(await self._store.reading(_now))
            return None
        place, lines, more = self._place, list[Line](), True
        while more:
            rows = await self._store.reading(partial(self._look, place))
            found = [row for row in rows if row[2] is not None]
            lines += [Line(*row[3:]) for row in found]
            more = len(found) == _MOST
            place = place.after(rows[0][0], (int(rows[-1][1]), rows[-1][2]) if more else None)
        self._place = place
        return lines

    async def _look(self, place: Place, connection: Connection) -> list[Any]:
        arguments = {**place.arguments(), "first": _MOST}
        return await (await connection.execute(self._question, arguments, prepare=True)).fetchall()


async def _now(connection: Connection) -> str:
    row = await (await connection.execute(_NOW)).fetchone()
    assert row is not None, "it has no from"
    return str(row[0])


class RightsLog:
    """Whose rights changed."""

    def __init__(self, store: PostgresStore, kinds: Sequence[type[Event]]) -> None:
        self._audit = AuditNews(store, kinds)

    async def news(self) -> tuple[set[str], set[str]]:
        """Return the drives and the users whose rights changed since this was asked last; at first, none."""
        lines = await self._audit.lines() or ()
        return {line.drive_id for line in lines if line.drive_id}, {line.user_id for line in lines if line.user_id}


class EditedLog:
    """Which documents were edited. An author's edits of one document have a line about once a minute."""

    def __init__(self, store: PostgresStore) -> None:
        self._store = store
        self._audit = AuditNews(store, (DocumentEdited,))

    async def news(self) -> set[str]:
        """Return the documents edited since this was asked last; at first, all with edits that belong to no version."""
        lines = await self._audit.lines()
        if lines is None:
            return await self._store.reading(_uncut)
        return {line.item_id for line in lines if line.item_id}


async def _uncut(connection: Connection) -> set[str]:
    return {item_id for (item_id,) in await (await connection.execute(_UNCUT)).fetchall()}
