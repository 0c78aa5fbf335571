"""How one socket's conversation is carried out: its effects, in order, in the rooms.

Nothing here knows which engine the socket runs on.
"""

import asyncio
from collections import deque
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final, Protocol

import structlog

from documents.repeated import contradicts
from documents.scan import IMPORT, Limits, Refused, Scanned, scan
from domain.errors import Code
from live import codec
from live.hall import Hall, Session, Standing, signed_in, standing
from live.protocol import (
    Close,
    CloseCode,
    Conversation,
    Edit,
    Effect,
    Join,
    Left,
    Send,
    Show,
    ShowAll,
    Sync,
    short_update,
)
from live.room import Room
from live.seat import Outlet, Seat
from live.stored import Reader

LARGE: Final = 64 * 1024  # bytes of an update that is looked at in a thread
GREETING_SECONDS: Final = 10.0
SILENCE_SECONDS: Final = 60.0  # without anything from the client, pongs included
QUIET_SECONDS: Final = 10.0  # without anything to the client: clients give up after 30
MOST_BEHIND: Final = 64  # messages that wait before no more is read
MAX_BEHIND_UNIDENTIFIED: Final = 4  # as `MOST_BEHIND`, of a client that has not shown who it is
COSTLY_SECONDS: Final = 0.005  # after a message that took longer the connection's next one waits as long as it took
_log: Final = structlog.get_logger("live")


class Socket(Outlet, Protocol):
    """What a connection needs of the engine under it; times are the loop's."""

    heard_at: float
    said_at: float

    def ping(self) -> None: ...

    def pause(self, *, reading: bool) -> None:
        """Read on, or let the client wait."""
        ...

    def identified(self) -> None:
        """Take messages of full size: the client has shown who it is."""
        ...


@dataclass(slots=True)
class _Place:
    room: Room
    seat: Seat
    session: Session
    standing: Standing
    begins: bytes


class Connection:
    """`begun` is the loop's time at the handshake; until `identified`, messages wait."""

    def __init__(self, hall: Hall, socket: Socket, path_document: str | None, begun: float) -> None:
        self._hall = hall
        self._socket = socket
        self._path_document = path_document
        self._begun = begun
        self._session: Session | None = None
        self._conversation: Conversation | None = None
        self._places: dict[str, _Place] = {}
        self._edited: _Place | None = None  # the last one, where most likely the next message belongs
        self._todo: deque[bytes | Effect] = deque()
        self._aside = True  # something must be known before the next thing is done
        self._paused = False
        self._over = False
        self._users: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        hall.visitors.add(self)

    def identified(self, session: Session | None) -> None:
        """Go on as whoever the handshake told of, or as nobody yet."""
        if session and not self._counted(session):
            return
        self._session = session
        self._conversation = Conversation(self._path_document, known=session is not None)
        self._aside = False
        self._pump()

    def received(self, message: bytes) -> None:
        place = self._edited
        if place and not self._aside:
            update = short_update(place.begins, message)
            if update is not None:
                begun = perf_counter()
                if not place.room.typed(place.seat, update, message):
                    self._took(perf_counter() - begun)
                return
        self._todo.append(message)
        self._pump()

    def lost(self) -> None:
        """The socket is gone, whoever ended it."""
        if self._over:
            return
        self._over = True
        self._hall.gone(self, self._users)
        self._todo.clear()
        for task in self._tasks:
            task.cancel()
        for name in list(self._places):
            self._leave(name)

    # The watch

    def touches(self, drives: set[str], users: set[str]) -> bool:
        return any(
            place.standing.drive_id in drives or place.session.identity.user_id in users
            for place in self._places.values()
        ) or (self._session is not None and self._session.identity.user_id in users)

    async def look_again(self, reader: Reader) -> None:
        sessions = {place.session for place in self._places.values()} | ({self._session} if self._session else set())
        for session in sessions:
            if not await signed_in(reader, session):
                self._socket.close(CloseCode.UNAUTHORIZED)
                return
        for place in list(self._places.values()):
            now = await standing(reader, place.session, place.room.document_id)
            if now is None or now.may_edit != place.standing.may_edit:
                self._socket.close(CloseCode.RESET)
                return
            place.standing = now

    def sweep(self, now: float) -> None:
        talking = bool(self._places)
        if not talking and self._session is None and now - self._begun > GREETING_SECONDS:
            self._socket.close(CloseCode.UNAUTHORIZED)
        elif now - self._socket.heard_at > SILENCE_SECONDS:
            self._socket.close(CloseCode.RESET)
        else:
            if now - self._socket.heard_at > SILENCE_SECONDS / 3:
                self._socket.ping()
            if talking and now - self._socket.said_at > QUIET_SECONDS:
                next(iter(self._places.values())).seat.say(codec.NO_PRESENCE)

    # What is to be done

    def _pump(self) -> None:
        while self._todo and not self._aside and not self._over and self._conversation:
            what = self._todo.popleft()
            begun = perf_counter()
            if isinstance(what, bytes):
                self._first(self._conversation.received(what))
            else:
                self._do(what)
            self._took(perf_counter() - begun)
        most = MOST_BEHIND if self._users else MAX_BEHIND_UNIDENTIFIED
        behind = len(self._todo) > most and not self._over
        if behind != self._paused:
            self._paused = behind
            self._socket.pause(reading=not behind)

    def _took(self, seconds: float) -> None:
        """Let the connection's next message wait where the last one was costly, so that the others have their turns."""
        if seconds > COSTLY_SECONDS and not self._aside:
            self._aside = True
            asyncio.get_running_loop().call_later(seconds, self._go_on)

    def _go_on(self) -> None:
        self._aside = False
        self._pump()

    def _first(self, effects: list[Effect]) -> None:
        self._todo.extendleft(reversed(effects))

    def _do(self, effect: Effect) -> None:
        match effect:
            case Send(message):
                self._socket.send(message)
            case Close(code):
                self._socket.close(code)
            case Join():
                self._start(self._join(effect))
            case _:
                place = self._places.get(effect.name)
                if place:
                    self._at(place, effect)

    def _at(self, place: _Place, effect: Sync | Edit | Show | ShowAll | Left) -> None:
        room, seat = place.room, place.seat
        match effect:
            case Sync(_, vector):
                room.sync(seat, vector)
            case Edit(_, update, whole) if len(update) > LARGE:
                self._aside = True
                self._start(self._edit_aside(place, update, whole=whole))
            case Edit(_, update, whole):
                self._edited = place
                if untried := room.edit(seat, update, whole=whole):
                    self._aside = True
                    self._start(self._edit_tried(place, update, untried, whole=whole))
            case Show(_, states):
                room.show(seat, states)
            case ShowAll():
                room.show_all(seat)
            case Left(name):
                self._leave(name)

    async def _edit_aside(self, place: _Place, update: bytes, *, whole: bool) -> None:
        room, seat = place.room, place.seat
        looked = await asyncio.to_thread(scan, update, IMPORT if whole else Limits())
        said = None if isinstance(looked, Refused) else room.repeated(looked)
        differs = said is not None and await asyncio.to_thread(contradicts, update, said)
        begun = perf_counter()
        if not (differs and room.contradicted(seat)):
            compared = said.stops if said else None
            if untried := room.edit(seat, update, whole=whole, looked=looked, compared=compared):
                await self._edit_tried(place, update, untried, whole=whole, compared=compared)
                return
        self._go_on_after(begun)

    async def _edit_tried(
        self, place: _Place, update: bytes, scanned: Scanned, *, whole: bool, compared: Mapping[int, int] | None = None
    ) -> None:
        """Bring in what may be costly, once it was tried in another process and is not."""
        room, seat = place.room, place.seat
        refused = await self._hall.rooms.tried(room, update, seat.credit.user_id)
        begun = perf_counter()
        if refused:
            self._socket.close(CloseCode.REFUSED)
        else:
            room.edit(seat, update, whole=whole, looked=scanned, compared=compared, tried=True)
        self._go_on_after(begun)

    def _go_on_after(self, begun: float) -> None:
        self._aside = False
        self._took(perf_counter() - begun)
        self._pump()

    async def _join(self, join: Join) -> None:
        said = await self._decide(join)
        if not self._over and self._conversation:
            if isinstance(said, Code):
                self._first(self._conversation.denied(join.name, said))
            else:
                self._first(self._conversation.admitted(join.name, may_edit=said))
            self._pump()

    async def _decide(self, join: Join) -> bool | Code:
        """Find out whether the document may be opened, and open it; return whether it may be edited."""
        hall = self._hall
        if join.ticket is None:
            session = self._session
        else:
            holder = hall.tickets.take(join.ticket, join.document_id)
            session = Session(holder) if holder else None
            if session and not self._counted(session):
                return Code.UNAUTHORIZED
        while session and await signed_in(hall.reader, session):
            looked = hall.changes
            found = await standing(hall.reader, session, join.document_id)
            if found is None:
                return Code.NOT_FOUND
            await self._sit(join, session, found)
            if looked == hall.changes:
                return found.may_edit
        return Code.UNAUTHORIZED

    def _counted(self, session: Session) -> bool:
        """Whether the user may have this socket, too; else it is closed."""
        user_id = session.identity.user_id
        if not self._hall.has_room_for(self, user_id):
            self._socket.close(CloseCode.RESET)
            return False
        self._users.add(user_id)
        self._hall.unidentified.discard(self)
        self._socket.identified()
        return True

    async def _sit(self, join: Join, session: Session, standing: Standing) -> None:
        assert self._conversation
        self._leave(join.name)
        seat = Seat(
            session.credit,
            self._socket,
            self._conversation.prefix(join.name),
            self._conversation.acknowledges,
            standing.may_edit,
            lambda: self._conversation.asked_again(join.name) if self._conversation else None,
        )
        room = await self._hall.rooms.enter(join.document_id, seat)
        if self._over:
            self._hall.rooms.leave(room, seat)
        else:
            self._places[join.name] = _Place(room, seat, session, standing, self._conversation.begins(join.name))

    def _leave(self, name: str) -> None:
        place = self._places.pop(name, None)
        if place:
            self._edited = None
            self._hall.rooms.leave(place.room, place.seat)

    def _start(self, act: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(self._guarded(act))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, act: Coroutine[Any, Any, None]) -> None:
        try:
            await act
        except Exception as error:  # noqa: BLE001 - whatever it was costs this connection and nothing else
            _log.warning("a connection was given up", error=repr(error))
            self._socket.close(CloseCode.RESET)
