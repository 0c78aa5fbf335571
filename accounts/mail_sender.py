"""Sends what waits in the outbox: at once where this server posted it, else within a second, and again after failures."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, Protocol

import structlog

from accounts.mail_writer import MailWriter
from accounts.ports import Mailer, NotSentError
from domain.mail import MailOutcome, WaitingMail

PAUSES: Final = (5.0, 60.0, 300.0, 900.0, *(1_800.0,) * 22)
"""Seconds from each attempt to the next: as many attempts, in about half a day."""
LOOK_SECONDS: Final = 1.0
LOOKS: Final = 30  # in a turn, after which it is asked again whether this server leads
_log: Final = structlog.get_logger("mail")


class Waiting(Protocol):
    """The e-mails that wait."""

    async def count(self) -> tuple[int, int]:
        """Return how many e-mails wait, and how many of them are due."""
        ...

    async def take(self) -> Sequence[WaitingMail]:
        """Begin an attempt of some that are due."""
        ...

    async def end(self, number: int, outcome: MailOutcome) -> None: ...


class MailSender:
    """A worker of the server that leads. `posted` is set when this server committed an e-mail; it gives up after `attempts`."""

    every: float = LOOK_SECONDS

    def __init__(
        self,
        outbox: Waiting,
        writer: MailWriter,
        mailer: Mailer,
        posted: asyncio.Event,
        attempts: int = len(PAUSES),
    ) -> None:
        self._outbox = outbox
        self._writer = writer
        self._mailer = mailer
        self._posted = posted
        self._attempts = attempts
        self.waiting = 0
        self.on_ended: Callable[[MailOutcome], None] = lambda _: None

    async def turn(self) -> None:
        for _ in range(LOOKS):
            await self.look()

    async def look(self) -> None:
        """Wait until something was posted, or for a second, and send what is due."""
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                await self._posted.wait()
        except TimeoutError:
            pass
        self._posted.clear()
        await self.send()

    async def send(self) -> None:
        """Make an attempt of each e-mail that is due."""
        self.waiting, due = await self._outbox.count()
        while due and (taken := await self._outbox.take()):
            ends = await asyncio.gather(*map(self._attempt, taken), return_exceptions=True)
            self.waiting, due = await self._outbox.count()
            for fault in filter(None, ends):
                raise fault

    async def _attempt(self, waiting: WaitingMail) -> None:
        if waiting.attempt > self._attempts:
            await self._end(waiting, MailOutcome.given_up)
            return
        text = await self._writer.write(waiting.mail, is_first=waiting.attempt == 1)
        if text is None:
            await self._end(waiting, MailOutcome.dropped)
            return
        try:
            await self._mailer.send(waiting.mail.to, text.subject, text.text)
        except NotSentError as fault:
            _log.warning("an e-mail could not be sent", number=waiting.id, attempt=waiting.attempt, error=str(fault))
            if fault.is_final:
                await self._end(waiting, MailOutcome.given_up)
        else:
            await self._end(waiting, MailOutcome.sent)

    async def _end(self, waiting: WaitingMail, outcome: MailOutcome) -> None:
        await self._outbox.end(waiting.id, outcome)
        self.on_ended(outcome)
        if outcome is MailOutcome.given_up:
            _log.error("an e-mail was given up", number=waiting.id, to=waiting.mail.to, attempts=waiting.attempt)
