"""Which documents are open in this process, and what happens to all of them."""

import asyncio
from collections.abc import Callable

from domain.questions import StateOf
from live.commits import Append, Commits
from live.room import Room
from live.seat import Seat
from live.stored import Reader
from live.turn import Turn


class Rooms:
    """The rooms of one process. `append` commits edits, `clock` is in milliseconds since 1970."""

    def __init__(self, reader: Reader, append: Append, clock: Callable[[], int]) -> None:
        self.turn = Turn()
        self.commits = Commits(append, clock, self.turn)
        self._reader = reader
        self._rooms: dict[str, Room] = {}
        self._broke: set[str] = set()  # users whose updates broke a room
        self._loading: dict[str, asyncio.Task[None]] = {}

    async def enter(self, document_id: str, seat: Seat) -> Room:
        """Take a seat at a document, which is loaded where nobody has it open; raises where that fails."""
        while True:
            room = self._rooms.get(document_id)
            if room is None:
                room = self._rooms[document_id] = Room(document_id, self.commits, self._given_up, self._broke)
                self._loading[document_id] = asyncio.create_task(self._load(room))
            try:
                if loading := self._loading.get(document_id):
                    await asyncio.shield(loading)
            except asyncio.CancelledError:
                self._leave_alone(room)
                raise
            if self._rooms.get(document_id) is room and not room.failed:
                room.sit(seat)
                return room

    def leave(self, room: Room, seat: Seat) -> None:
        room.stand(seat)
        self._leave_alone(room)

    def adopt(self, document_id: str, update: bytes) -> None:
        """Tell those who have the document open of an update that somebody else committed."""
        if room := self._rooms.get(document_id):
            room.adopt(update)

    def forget(self, document_id: str) -> None:
        """Read the document anew: what is open may not be what is stored."""
        if room := self._rooms.get(document_id):
            room.fail()

    async def drained(self) -> None:
        """Return when nothing that was said is still on its way to the log."""
        await self.commits.landed()

    @property
    def open(self) -> int:
        return len(self._rooms)

    async def _load(self, room: Room) -> None:
        try:
            room.loaded(await self._reader.read(StateOf(room.document_id)))
        except BaseException:
            room.failed = True
            self._given_up(room)
            raise
        finally:
            self._loading.pop(room.document_id, None)

    def _leave_alone(self, room: Room) -> None:
        if not room.seats and not room.pending:
            self._given_up(room)

    def _given_up(self, room: Room) -> None:
        if self._rooms.get(room.document_id) is room:
            del self._rooms[room.document_id]
