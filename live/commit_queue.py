"""Queues the edits of one room for the group commit, and the answers that wait until those edits are durable."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from live.document_connection import DocumentConnection, SentEdit
from live.group_commit import EditAuthor, Row

AUDIT_INTERVAL: Final = 60_000  # milliseconds between two lines of an author's edits in the audit


class CommitQueue:
    """`broadcast` is called with edits that are durable, in order."""

    def __init__(self, broadcast: Callable[[Sequence[SentEdit]], None]) -> None:
        self._broadcast = broadcast
        self._queued: list[SentEdit] = []
        self._in_flight: list[SentEdit] = []
        self._audited: Sequence[EditAuthor] = ()  # of whom the batch in flight has a line in the audit
        self._committed = 0  # edits, since the room was opened
        self._answers: deque[tuple[int, Callable[[], None]]] = deque()  # and how many edits each waits for

    def __iter__(self) -> Iterator[SentEdit]:
        """Iterate over the edits that are not known to be durable, oldest first."""
        yield from self._in_flight
        yield from self._queued

    @property
    def is_empty(self) -> bool:
        """Whether every edit is durable."""
        return not (self._queued or self._in_flight)

    @property
    def is_waiting(self) -> bool:
        """Whether there are edits that no batch has taken."""
        return bool(self._queued)

    @property
    def committed_count(self) -> int:
        """How many edits were committed since the room was opened."""
        return self._committed

    def count_with_last_of(self, is_sender: Callable[[DocumentConnection], bool]) -> int:
        """Return how many edits are committed once the last one of such a connection is; 0 where there is none."""
        counts = [count for count, (sender, *_) in enumerate(self, self._committed + 1) if is_sender(sender)]
        return counts[-1] if counts else 0

    def add(self, edit: SentEdit) -> bool:
        """Add an edit; return whether it is the first one of the next batch."""
        self._queued.append(edit)
        return len(self._queued) == 1

    def after_commit(self, answer: Callable[[], None]) -> None:
        """Call `answer` when all edits that were added by now are durable."""
        if self.is_empty:
            answer()
        else:
            self._answers.append((self._committed + len(self._in_flight) + len(self._queued), answer))

    def take(self, at: int, most: int, size: int) -> tuple[list[Row], list[EditAuthor]]:
        """Return up to `most` rows, of about `size` bytes, and the authors of whom the audit is due a line.

        `at` is in milliseconds since 1970.
        """
        assert not self._in_flight, "edits in flight are committed or refused before the next are taken"
        rows: list[Row] = []
        audited: list[EditAuthor] = []
        for connection, update, _ in self._queued[:most]:
            if size <= 0:
                break
            author = connection.author
            if at - author.audited_at >= AUDIT_INTERVAL:
                author.audited_at = at
                audited.append(author)
            rows.append((author, update))
            size -= len(update)
        self._in_flight, self._queued = self._queued[: len(rows)], self._queued[len(rows) :]
        self._audited = audited
        return rows, audited

    def refused(self) -> None:
        """Put the edits in flight back at the front: none of them were written."""
        self._queued = [*self._in_flight, *self._queued]
        self._in_flight = []
        for author in self._audited:
            author.audited_at = 0

    def committed(self) -> None:
        """Broadcast the edits in flight, and call the answers that waited for them, in order."""
        edits, self._in_flight = self._in_flight, []
        before, self._committed = self._committed, self._committed + len(edits)
        sent = 0
        while self._answers and self._answers[0][0] <= self._committed:
            upto, answer = self._answers.popleft()
            self._broadcast(edits[sent : upto - before])
            sent = upto - before
            answer()
        self._broadcast(edits[sent:])
