"""Finds the letters that are gone although nobody deleted them: somebody deleted what they lie in, and had not seen them.

An update that deletes a node names all in it that its sender has. So what lies in a deleted node, and is not named by the update that
deleted the node, came later or had not reached its sender. In the compacted part of a log, the credits tell these letters.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from itertools import chain, groupby
from typing import NamedTuple

from documents.history.credits import Credits, Source, UnseenRun
from documents.history.item_runs import BEFORE_NUMBER, Family, Piece, Pieces
from documents.history.replay import Act, LoggedEdit, Replayed
from documents.yjs.item_list import Branch
from documents.yjs.keystroke import Contents, contents
from documents.yjs.lib0 import Decoder
from documents.yjs.scan import TEXT, DeletedRun, Id, Refused
from documents.yjs.structs import names_of, overlap, read_update

type _Person = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class UnseenText:
    """Text that a user wrote, and that went with what another one deleted, in or before the `revision`.

    The ids of users are empty where it is not known who they are.
    """

    text: str
    user_id: str
    agent: str | None
    at: datetime
    deleted_by: str
    deleting_agent: str | None
    deleted_at: datetime
    revision: int


@dataclass(frozen=True, slots=True)
class Unseen:
    """How letters are unseen: by the acts, with their numbers in the replay, that wrote them and deleted what they lie in.

    `number` is the later one of these.
    """

    number: int
    writer: Source | None
    deleter: Source | None

    def is_alike(self, other: "Unseen") -> bool:
        """Whether writer and deletion are the same."""
        return self.deleter == other.deleter and _person(self.writer) == _person(other.writer)

    def told(self, text: str, acts: Sequence[Act]) -> UnseenText:
        writer, deleter, act = self.writer, self.deleter, acts[self.number]
        return UnseenText(
            text,
            writer.user_id if writer else "",
            writer.agent if writer else None,
            writer.at if writer else act.at,
            deleter.user_id if deleter else "",
            deleter.agent if deleter else None,
            deleter.at if deleter else act.at,
            act.last,
        )


class LostText(NamedTuple):
    """Unseen text, under the clocks from `id` on, in the `node` with this id; the id of some neighbour if it is in none any more.

    `left` and `right` are the letters between which it was written, where nothing else tells its place.
    """

    id: Id
    text: str
    unseen: Unseen
    node: Id
    left: Id | None = None
    right: Id | None = None


class UnseenLetters:
    """Tells which letters of a replayed document are unseen."""

    def __init__(self, made: Replayed) -> None:
        self._made = made
        self._family = Family(made.items, made.credits) if made.credits.copies else None
        self._stored = {(run.client, run.clock + at): run for run in made.known.unseen for at in range(run.length)}
        self._told: set[Id] = set()
        self._went_with: dict[Id, Source] = {}  # by letters that were collected, who deleted what they lay in
        self._left_out: dict[int, set[Source]] = {}  # by the numbers of acts, who deleted what each does not name

    def parts(self, piece: Piece, branch: Branch) -> Iterator[tuple[Piece, Unseen | None]]:
        """Yield a piece of the list of a type, cut where its letters are unseen and where not."""
        if not piece.is_implied or piece.item.kind != TEXT:
            yield piece, None
            return
        start = 0
        for unseen, run in groupby(self._letters(piece, branch)):
            length = sum(1 for _ in run)
            yield piece.part(start, length), unseen
            start += length

    def all(self) -> Iterator[LostText]:
        cut = Pieces(self._made.credits)
        waiting: list[tuple[Branch, int | None]] = [(root, None) for root in self._made.items.roots.values()]
        while waiting:
            branch, gone = waiting.pop()
            for piece in cut.of(branch, gone):
                for part, unseen in self.parts(piece, branch):
                    if unseen:
                        yield LostText(part.id, part.text, unseen, branch.item.id if branch.item else part.id)
                if piece.item.branch:
                    waiting.append((piece.item.branch, piece.deleted))
        yield from self.collected()

    def collected(self) -> Iterator[LostText]:
        """Yield the unseen letters that lie in no type of the replayed document. The `parts` of all pieces are asked for before."""
        cut, acts, items = Pieces(self._made.credits), self._made.acts, self._made.items
        gone = (item for client in items.clients() for item in items.of(client) if item.parent is None)
        pieces = [piece for item in gone for piece in cut.cut(item, None)]
        for piece in sorted(pieces, key=lambda each: (each.inserted, each.clock)):  # each stands beside earlier ones
            if piece.inserted != BEFORE_NUMBER and not acts[piece.inserted].is_compacted:
                yield from self._of_log(piece)
        for run in self._made.known.unseen:
            yield from self._of_credits(run)

    def still_unseen(self) -> Iterator[UnseenRun]:
        """Yield of the letters that the credits have those that the edits of the log neither bring back nor delete by themselves."""
        for run in self._made.known.unseen:
            data = run.text.encode("utf-16-le", "surrogatepass")
            for is_left, clocks in groupby(range(run.clock, run.clock + run.length), partial(self._is_left_of, run)):
                if is_left:
                    first, *others = clocks
                    place = 2 * (first - run.clock)
                    text = data[place : place + 2 * (1 + len(others))].decode("utf-16-le", "surrogatepass")
                    yield UnseenRun(run.client, first, text, run.deleter)

    def _is_left_of(self, run: UnseenRun, clock: int) -> bool:
        return self._is_still_unseen((run.client, clock), run)

    def _letters(self, piece: Piece, branch: Branch) -> Iterator[Unseen | None]:
        """Yield of each letter of a piece that nobody deleted by itself how it is unseen."""
        assert piece.deleted is not None
        number, (client, clock) = max(piece.inserted, piece.deleted), piece.id
        act = self._made.acts[number]
        unseen = None if act.is_compacted or number == BEFORE_NUMBER else self._unseen(piece, branch)
        for at in range(piece.length):
            name, letter = (client, clock + at), unseen
            if act.is_compacted and (run := self._stored.get(name)):
                self._told.add(name)
                yield self._of_run(name, run, number) if self._is_still_unseen(name, run) else None
            else:
                yield None if letter is None or self._is_back(name, number) else letter

    def _unseen(self, piece: Piece, branch: Branch) -> Unseen | None:
        """Return how a piece is unseen, unless its writer or somebody else deleted it by itself."""
        above = list(nodes_above(branch))
        assert piece.deleted is not None
        number, deleter = max(piece.inserted, piece.deleted), self._deleter(above, piece.deleted)
        if piece.named is not None and not (
            self._is_named(above, piece.named) and self._has_learned(piece.named, deleter)
        ):
            return None
        return Unseen(number, self._writer(piece.id), deleter)

    def _is_back(self, name: Id, number: int) -> bool:
        """Whether a letter is there again, or was since the act that made it unseen: an undo brought it back, or a move took it elsewhere."""
        if self._family is None:
            return False
        _, first = next(self._made.credits.copies.firsts(*name, 1))
        others = (each for each in self._family.of(first) if each != name)
        return any(self._family.deleted(each) is None or self._family.inserted(each) >= number for each in others)

    def _of_log(self, piece: Piece) -> Iterator[LostText]:
        logged = self._made.logged(piece.inserted)
        if logged is None:
            return
        for struct in read_update(logged.update).runs.get(piece.item.client, ()):
            start, stop = max(struct.clock, piece.clock), min(struct.clock + struct.length, piece.clock + piece.length)
            if struct.kind != TEXT or start >= stop:
                continue
            beside, name = [*names_of(struct)], (piece.item.client, start)
            # Who deleted last what a letter stands beside deleted its node, where no node is known.
            deleter = max(self._deleters(beside), key=lambda each: each.at, default=None)
            if deleter:
                self._went_with |= {(name[0], clock): deleter for clock in range(start, stop)}
            if piece.named is not None and not (
                self._is_named(beside, piece.named) and self._has_learned(piece.named, deleter)
            ):
                continue
            data = Decoder(struct.data, struct.start).text().encode("utf-16-le")
            text = data[2 * (start - struct.clock) : 2 * (stop - struct.clock)].decode("utf-16-le", "replace")
            if not self._is_back(name, piece.inserted):
                unseen = Unseen(piece.inserted, self._writer(name), deleter)
                left = struct.origin if start == struct.clock else (name[0], start - 1)
                yield LostText(name, text, unseen, piece.item.id, left, struct.right)

    def _of_credits(self, run: UnseenRun) -> Iterator[LostText]:
        client, data, clock = run.client, run.text.encode("utf-16-le", "surrogatepass"), run.clock
        for length, number in self._made.credits.inserted(client, clock, run.length):
            end = clock + length
            for is_left, clocks in groupby(range(clock, end), partial(self._is_left, run, number)):
                if is_left:
                    first, *others = clocks
                    place = 2 * (first - run.clock)
                    text = data[place : place + 2 * (1 + len(others))].decode("utf-16-le", "replace")
                    unseen = self._of_run((client, first), run, number)
                    yield LostText((client, first), text, unseen, (client, run.clock))
            clock = end

    def _is_left(self, run: UnseenRun, number: int, clock: int) -> bool:
        """Whether a letter that the credits have, and that an act wrote, is unseen and is in no type of the replayed document."""
        name = run.client, clock
        return number > BEFORE_NUMBER and name not in self._told and self._is_still_unseen(name, run)

    def _is_still_unseen(self, name: Id, run: UnseenRun) -> bool:
        """Whether a letter that was unseen when the log was compacted is so still; what was done before that is in no known order."""
        return not self._is_back(name, self._last_compacted + 1) and not self._is_taken_back(name, run)

    @cached_property
    def _last_compacted(self) -> int:
        return max((number for number, act in enumerate(self._made.acts) if act.is_compacted), default=BEFORE_NUMBER)

    def _of_run(self, name: Id, run: UnseenRun, number: int) -> Unseen:
        return Unseen(number, self._writer(name), self._made.known.source(run.deleter))

    def _is_taken_back(self, name: Id, run: UnseenRun) -> bool:
        """Whether an edit after the compacted part deleted a letter by itself that the credits have."""
        _, number = next(self._named.deleted(*name, 1))
        return number is not None and not self._has_learned(number, self._made.known.source(run.deleter))

    @cached_property
    def _named(self) -> Credits:
        """What the edits of the log delete by themselves, also where that was gone before, by the numbers of their acts."""
        found = Credits()
        for number, act in enumerate(self._made.acts):
            found.number(act)
            logged = self._made.logged(number)
            read = contents(logged.update) if logged else None
            if isinstance(read, Contents):
                found.delete(read.deleted, act)
        return found

    def _has_learned(self, number: int, deleter: Source | None) -> bool:
        """Whether the sender of an edit that names a deleted node, or letters of it, may know that `deleter` deleted it.

        A client names what it has learned of where it sends all that it has, and all else that was deleted until then. Who has not
        heard of it, and deletes or retypes the node, names only what goes with it.
        """
        logged = self._made.logged(number)
        if deleter is None or logged is None:
            return True
        if number not in self._left_out:
            self._left_out[number] = self._deleters_left_out(logged)
        who = logged.user_id, logged.agent
        return not any(_is_known_with(each, deleter, who) for each in self._left_out[number])

    def _deleters_left_out(self, logged: LoggedEdit) -> set[Source]:
        """Return who deleted what an edit does not name as deleted, of all that was ever there."""
        own, read = Credits(), contents(logged.update)
        own.delete(() if isinstance(read, Refused) else read.deleted, None)
        return {
            each.source
            for each in chain(self._before.deletions(), self._made.credits.deletions())
            if each.source
            and own.alive(each.client, each.clock, min(each.clock + each.length, self._made.credits.end(each.client)))
        }

    # Who

    def _writer(self, name: Id) -> Source | None:
        _, number, _ = next(self._made.credits.of(*name, 1))
        if number > BEFORE_NUMBER:
            return self._made.acts[number]
        _, number, _ = next(self._before.of(*name, 1))
        return self._before.source(number)

    def _deleter(self, above: Iterable[Id], number: int) -> Source | None:
        """Return who deleted, by an act, what a letter lies in; of what went before the log begins, who deleted any of it first."""
        if number != BEFORE_NUMBER:
            return self._made.acts[number]
        return min(self._deleters(above), key=lambda each: each.at, default=None)

    def _deleters(self, names: Iterable[Id]) -> Iterator[Source]:
        for name in names:
            run = self._stored.get(name)
            went = self._before.source(run.deleter) if run else self._went_with.get(name)
            if source := went or _deleter(self._made.credits, name) or _deleter(self._before, name):
                yield source

    @cached_property
    def _before(self) -> Credits:
        """The credits of what was there before the log begins, as far as they are known."""
        known = self._made.known
        for update, source in self._made.before:
            read = contents(update)
            if not isinstance(read, Refused):
                known.add(read.ends, source)
                known.delete(read.deleted, source)
        return known

    def _is_named(self, above: Iterable[Id], number: int) -> bool:
        """Whether the update of an act names any of these as deleted."""
        logged = self._made.logged(number)
        if logged is None:
            return False
        read = contents(logged.update)
        return not isinstance(read, Refused) and overlap([DeletedRun(*each, 1) for each in above], read.deleted)


def _deleter(credits_: Credits, name: Id) -> Source | None:
    _, number = next(credits_.deleted(*name, 1))
    source = None if number is None else credits_.source(number)
    return source if source and source.user_id else None


def unseen_since(made: Replayed, revision: int) -> list[UnseenText]:
    """Return what is unseen since a revision, of each writer what one act took; texts of different nodes are on lines of their own."""
    found: list[tuple[Unseen, list[str]]] = []
    last: LostText | None = None
    for each in UnseenLetters(made).all():
        if made.acts[each.unseen.number].last <= revision:
            continue
        place = next((at for at, (known, _) in enumerate(found) if known.is_alike(each.unseen)), len(found))
        known, texts = found[place] if place < len(found) else (each.unseen, [])
        goes_on = last is not None and last.node == each.node and last.unseen.is_alike(each.unseen)
        texts += [each.text] if goes_on or not texts else ["\n", each.text]
        found[place : place + 1] = [(max(known, each.unseen, key=lambda unseen: unseen.number), texts)]
        last = each
    return [unseen.told("".join(texts), made.acts) for unseen, texts in found]


def _is_known_with(source: Source, deleter: Source, who: _Person) -> bool:
    """Whether somebody who has learned what `deleter` deleted has learned what `source` did: all that was deleted until then.

    Of what is compacted that is what was deleted in earlier minutes, and in the same one by `deleter` or by them.
    """
    if isinstance(source, Act):
        return isinstance(deleter, Act) and (source.last < deleter.first or source == deleter)
    minutes = _minute(source), _minute(deleter)
    return minutes[0] < minutes[1] or (minutes[0] == minutes[1] and _person(source) in (_person(deleter), who))


def _minute(source: Source) -> datetime:
    return source.at.replace(second=0, microsecond=0)


def _person(source: Source | None) -> _Person | None:
    return (source.user_id, source.agent) if source else None


def nodes_above(branch: Branch) -> Iterator[Id]:
    """Yield the ids of the nodes that a type is and lies in, from the inside out."""
    item = branch.item
    while item is not None:
        yield item.id
        item = item.parent.item if item.parent else None
