"""Compacts the log of a document into one state, and its versions into states of their own, without changing any answer.

It replays the log and reads the result back as readers will. If anything differs from the log, the result is refused
and the log stays.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pycrdt import Doc

from documents.history.attribution import Logged, attributions, credited, credits_of_snapshot, with_moves
from documents.history.credits import NOBODY, Credits, Source, UnseenRun
from documents.history.replay import LoggedEdit, LogSince, replayed
from documents.history.unseen import UnseenLetters
from documents.projection.projection import Projection, project
from documents.tree.encoding import squash
from documents.yjs.keystroke import Contents, contents
from documents.yjs.scan import Refused
from documents.yjs.snapshot import load, state_vector

MAX_CHAIN_LENGTH: Final = 50  # versions stored as what they add to the one before, before one is stored whole again


@dataclass(frozen=True, slots=True)
class VersionEnd:
    """A version, and how many of the updates it takes to get there."""

    number: int
    updates: int


@dataclass(frozen=True, slots=True)
class CompactionInput:
    """Input of a compaction: `log`, after the snapshot, up to the end of the last of `versions`.

    `sequence` is where that is in the log of the document. `chain` is what is kept of the versions before, from the last
    one that is whole on; `later` are the updates that are left as they are.
    """

    sequence: int
    snapshot: bytes | None
    credits: bytes | None
    log: tuple[Logged, ...]
    versions: tuple[VersionEnd, ...]
    chain: tuple[bytes, ...]
    later: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class KeptVersion:
    """`state` is all of the version (`whole`), or what it adds to the version before; None where it is the snapshot's."""

    number: int
    whole: bool
    state: bytes | None


@dataclass(frozen=True, slots=True)
class Compacted:
    state: bytes
    credits: bytes
    versions: tuple[KeptVersion, ...]


def compact(past: CompactionInput) -> Compacted | Refused:
    replayed = _replayed(past)
    if isinstance(replayed, Refused):
        return replayed
    log = with_moves(past.snapshot, past.log)
    if isinstance(log, Refused):
        return log
    past = replace(past, log=tuple(log))
    state, versions, seen = replayed
    whose = _credited(past)
    if isinstance(whose, Refused):
        return whose
    whose.unseen = _unseen(past, whose, state)
    made = Compacted(state, whose.encode(), versions)
    return _different(past, made, seen) or made


def _credited(past: CompactionInput) -> Credits | Refused:
    known = credits_of_snapshot(past.credits, past.snapshot)
    return known if isinstance(known, Refused) else credited(known, past.log)


def _unseen(past: CompactionInput, whose: Credits, state: bytes) -> list[UnseenRun]:
    """Return the letters that nobody deleted and that are gone: of what is deleted, the state has only the clocks.

    Of a log that cannot be laid out these are only those that are known already.
    """
    if not whose.unseen and not _may_hold_unseen(past, whose, state):
        return []
    log = tuple(
        LoggedEdit(each.update, each.source.user_id, each.source.agent, each.source.at, each.copied or ())
        for each in past.log
    )
    begun = (past.snapshot,) if past.snapshot else ()
    made = replayed(LogSince(0, begun, log, credits=past.credits))
    if isinstance(made, Refused):
        return whose.unseen
    letters = UnseenLetters(made)
    found = [UnseenRun(*each.id, each.text, _number(whose, each.unseen.deleter)) for each in letters.all()]
    return _joined_runs([*letters.still_unseen(), *found])


def _number(whose: Credits, source: Source | None) -> int:
    return whose.number(Source(source.user_id, source.agent, source.at)) if source else NOBODY


def _joined_runs(runs: Iterable[UnseenRun]) -> list[UnseenRun]:
    made: list[UnseenRun] = []
    for run in sorted(runs):
        last = made[-1] if made else None
        if last and (last.client, last.clock + last.length, last.deleter) == (run.client, run.clock, run.deleter):
            made[-1] = last._replace(text=last.text + run.text)
        else:
            made.append(run)
    return made


def _may_hold_unseen(past: CompactionInput, whose: Credits, state: bytes) -> bool:
    """Whether something is gone that no update deletes by itself, or an update deletes what another one has deleted.

    The latter is what a client sends that has learned of a deletion: it names all that went with it.
    """
    gone, before = contents(state), contents(past.snapshot) if past.snapshot else None
    known = Credits()
    known.delete(before.deleted if isinstance(before, Contents) else (), None)
    if isinstance(gone, Contents) and any(
        known.alive(client, start, stop)
        for client, clock, length in gone.deleted
        for start, stop in whose.alive(client, clock, clock + length)
    ):
        return True
    return any(
        number is None or whose.source(number) != each.source
        for each in past.log
        if isinstance(read := contents(each.update), Contents)
        for run in read.deleted
        for _, number in whose.deleted(*run)
    )


type _Seen = tuple[dict[int, int], Projection]


def _seen(doc: Doc[Any] | Refused) -> _Seen | Refused:
    return doc if isinstance(doc, Refused) else (state_vector(doc), project(doc))


def _replayed(past: CompactionInput) -> tuple[bytes, tuple[KeptVersion, ...], list[_Seen]] | Refused:
    """Replay the log once; return what is kept of each version, and its content."""
    doc = load(past.snapshot)
    if isinstance(doc, Refused):
        return doc
    chain, made, states = list(past.chain), list[KeptVersion](), list[_Seen]()
    done, state = 0, b""
    for version in past.versions:
        added = _applied(doc, [each.update for each in past.log[done : version.updates]])
        done = version.updates
        squashed = squash(doc)
        if isinstance(squashed, Refused):
            return squashed
        state = squashed
        short = sum(map(len, chain)) + len(added) < 2 * len(state)
        whole = not (chain and short and len(chain) < MAX_CHAIN_LENGTH)
        chain = [state] if whole else [*chain, added]
        made.append(KeptVersion(version.number, whole, chain[-1]))
        seen = _seen(doc)
        assert not isinstance(seen, Refused)
        states.append(seen)
    if made[-1].whole:  # the snapshot ends there, too, and holds it
        made[-1] = replace(made[-1], state=None)
    return state, tuple(made), states


def _applied(doc: Doc[Any], updates: Sequence[bytes]) -> bytes:
    """Apply the updates, and return one update with only what was new; empty where nothing was."""
    made: list[bytes] = []
    watched = doc.observe(lambda event: made.append(event.update))
    with doc.transaction():
        for update in updates:
            doc.apply_update(update)
    doc.unobserve(watched)
    return made[0] if made else b"\0\0"


def _different(past: CompactionInput, made: Compacted, states: Sequence[_Seen]) -> Refused | None:
    chain = list(past.chain)
    for version, seen in zip(made.versions, states, strict=True):
        state = made.state if version.state is None else version.state
        chain = [state] if version.whole else [*chain, state]
        if _seen(load(None, chain)) != seen:
            return Refused(f"the version {version.number} would have other content")
    if _seen(load(made.state)) != states[-1]:
        return Refused("the snapshot would have other content")
    log = [each.update for each in past.log]
    if _seen(load(made.state, past.later)) != _seen(load(past.snapshot, [*log, *past.later])):
        return Refused("the document would have other content")
    before = attributions(past.snapshot, Credits.decode(past.credits), past.log)
    after = attributions(made.state, Credits.decode(made.credits), ())
    if before != after:
        return Refused("the text would be credited to somebody else")
    whose = _credited(past)
    assert not isinstance(whose, Refused)
    if Credits.decode(made.credits).unseen != _unseen(past, whose, made.state):
        return Refused("text would be lost that nobody deleted")
    if [*whose.deletions()] != [*Credits.decode(made.credits).deletions()]:
        return Refused("the deletions would be credited to somebody else")
    if [*whose.copies.all()] != [*Credits.decode(made.credits).copies.all()]:
        return Refused("copies would be taken for what was written first")
    return None
