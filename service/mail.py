"""How letters leave: by the SMTP server that is set, or else into the log, for the operator to pass on."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Final
from urllib.parse import unquote, urlsplit

import aiosmtplib
import structlog

from domain.values import Email
from persistence.postgres.installation import CannotStart

PAUSES: Final = (5.0, 60.0)  # seconds before a letter that could not be sent is tried again
TIMEOUT: Final = 30.0
PORTS: Final = {"smtp": 587, "smtps": 465}
_log: Final = structlog.get_logger("mail")


@dataclass(frozen=True, slots=True)
class Server:
    host: str
    port: int
    tls: bool
    username: str | None
    password: str | None = field(repr=False)


def server_at(url: str) -> Server:
    """Read `smtp://user:password@host:port` (with STARTTLS where it is offered) or `smtps://…`; raises CannotStart."""
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS[parts.scheme]
    except (ValueError, KeyError):
        parts, port = None, 0
    if parts is None or not parts.hostname:
        raise CannotStart("the address of the mail server must be smtp://… or smtps://…")
    username, password = (unquote(part) if part else None for part in (parts.username, parts.password))
    return Server(parts.hostname, port, parts.scheme == "smtps", username, password)


class Mail:
    """`sender` is what letters say they are from; without a server they are logged.

    `pauses` are the seconds before each further try.
    """

    def __init__(self, server: Server | None, sender: str, pauses: Sequence[float] = PAUSES) -> None:
        self._server = server
        self._pauses = pauses
        self._sender = sender
        self._sending: set[asyncio.Task[None]] = set()

    @property
    def delivers(self) -> bool:
        return self._server is not None

    def send(self, to: Email, subject: str, text: str) -> None:
        if self._server is None:
            _log.warning("no mail server is set: pass this letter on", to=to, subject=subject, text=text)
            return
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = self._sender, to, " ".join(subject.split())
        letter["Auto-Submitted"] = "auto-generated"
        letter.set_content(text)
        task = asyncio.get_running_loop().create_task(self._send(self._server, letter))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send(self, server: Server, letter: EmailMessage) -> None:
        for pause in (*self._pauses, None):
            try:
                await aiosmtplib.send(
                    letter,
                    hostname=server.host,
                    port=server.port,
                    use_tls=server.tls,
                    username=server.username,
                    password=server.password,
                    timeout=TIMEOUT,
                )
            except (aiosmtplib.SMTPException, OSError) as fault:
                _log.warning("a letter could not be sent", error=str(fault), again_in=pause)
            else:
                return
            if pause is not None:
                await asyncio.sleep(pause)
