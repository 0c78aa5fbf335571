"""Histories of what people do with one document at two nodes, and a checker of whether some order of it explains all.

Times are numbers of moments, one later than the other. The order that is looked for has each act at a moment between its call and its
end. In it a person edits, and is told what was edited, only while they have access; a read tells exactly what was edited before.

Access is given at one moment. It ends at one for all that asks the database, which are requests and openings, and after it at one for
each node, which lets go of the sockets that are open there. All of them are before the answer.

Whoever has the document open may be told of edits in another order, so what is told is a bound for each edit: before the moment in
which it was told, and after the call of an opening that did not tell it.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import count
from math import inf

moments = count(1)

type Place = str | int
"""Where a person has access, or not: at REQUESTS, or on the sockets that are open at a node, by its number."""

REQUESTS = "requests"
PLACES = frozenset[Place]({REQUESTS, 0, 1})


@dataclass
class Act:
    """What was done between two moments; without an end it may take effect at any later one."""

    call: int
    end: float

    def after(self, access, edits):
        """Return access and edits after the act, or nothing where it cannot be that it happens now."""
        raise NotImplementedError


@dataclass
class Grant(Act):
    """The person is given access."""

    def after(self, access, edits):
        del access
        return PLACES, edits


@dataclass
class End(Act):
    """The person's access ends at one place: at the nodes after it did for requests."""

    place: Place

    def after(self, access, edits):
        if self.place != REQUESTS and REQUESTS in access:
            return None
        return access - {self.place}, edits


def revoked(call, end):
    """Return what happens where a removal of the person's share is called and answered."""
    return [End(call, end, place) for place in PLACES]


@dataclass
class Edit(Act):
    """One by the person on a socket of the node `at`, or by the owner; it is in no order where it was neither acknowledged nor told of."""

    name: str
    at: Place | None
    happened: bool = False

    def after(self, access, edits):
        return (access, edits | {self.name}) if self.at is None or self.at in access else None


@dataclass
class Read(Act):
    """What the person, or the owner, was answered: all edits, or nothing where there is no access."""

    found: AbstractSet[str] | None
    by_owner: bool = False

    def after(self, access, edits):
        if self.found is None:
            return None if REQUESTS in access else (access, edits)
        return (access, edits) if (self.by_owner or REQUESTS in access) and edits == self.found else None


@dataclass
class Opened(Act):
    """The person opened the document."""

    def after(self, access, edits):
        return (access, edits) if REQUESTS in access else None


@dataclass
class Told(Act):
    """The person was told an edit on a socket of the node `at`."""

    name: str
    at: Place

    def after(self, access, edits):
        return (access, edits) if self.at in access and self.name in edits else None


@dataclass
class History:
    acts: list[Act] = field(default_factory=list)
    edits: dict[str, Edit] = field(default_factory=dict)
    openings: list[tuple[int, AbstractSet[str]]] = field(default_factory=list)
    _told: set[tuple[str, Place]] = field(default_factory=set)  # to the person

    def edit(self, name, at):
        """Begin an edit by the person at this node, or by the owner."""
        self.edits[name] = edit = Edit(next(moments), inf, name, at)
        return edit

    def acknowledged(self, edit):
        self._happened(edit.name, next(moments))

    def told(self, names, at):
        """A socket was told of edits: one of the person at this node, or one of the owner."""
        now = next(moments)
        for name in names:
            self._happened(name, now)
            if (
                at is not None and (name, at) not in self._told
            ):  # what is told again was as possible when it was told first
                self._told.add((name, at))
                self.acts.append(Told(self.edits[name].call, now, name, at))

    def opened(self, call, names, at):
        """An opening, begun at `call`, told of these edits and of no others."""
        self.told(names, at)
        self.openings.append((call, names))
        if at is not None:
            self.acts.append(Opened(call, next(moments)))

    def read(self, call, names, *, by_owner):
        now = next(moments)
        self.acts.append(Read(call, now, names, by_owner))
        for name in names or ():
            self._happened(name, now)

    def _happened(self, name, by):
        edit = self.edits[name]
        edit.end, edit.happened = min(edit.end, by), True

    def is_explained(self):
        """Whether some order of the acts explains all that was answered and told."""
        for call, names in self.openings:
            for name in self.edits.keys() - names:
                self.edits[name].call = max(self.edits[name].call, call)
        return has_order([*self.acts, *(edit for edit in self.edits.values() if edit.happened)])


def has_order(acts):
    """Search for an order as Wing and Gong do, each set of acts that are done with each access once."""
    if any(act.call > act.end for act in acts):
        return False
    everything = (1 << len(acts)) - 1
    seen, waiting = {(0, frozenset())}, [(0, frozenset(), frozenset())]
    while waiting:
        done, access, edits = waiting.pop()
        if done == everything:
            return True
        left = [(1 << number, act) for number, act in enumerate(acts) if not done >> number & 1]
        first_end = min(act.end for _, act in left)
        nexts = [(bit, act, after) for bit, act in left if act.call < first_end and (after := act.after(access, edits))]
        # What only looks may as well be first wherever it can be, so nothing else need be tried there.
        looks = [each for each in nexts if isinstance(each[1], (Read, Opened, Told))]
        for bit, _, after in looks[:1] or nexts:
            if (done | bit, after[0]) not in seen:
                seen.add((done | bit, after[0]))
                waiting.append((done | bit, *after))
    return False
