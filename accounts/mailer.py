"""Sends e-mails over SMTP, or writes them to the log for the operator where no server is set."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Final
from urllib.parse import unquote, urlsplit

import structlog

from domain.errors import Code, Rejection
from domain.values import Email

PAUSES: Final = (5.0, 60.0)  # seconds before each retry
TIMEOUT: Final = 30.0
PORTS: Final = {"smtp": 587, "smtps": 465}
_log: Final = structlog.get_logger("mail")


@dataclass(frozen=True, slots=True)
class SmtpServer:
    host: str
    port: int
    tls: bool
    username: str | None
    password: str | None = field(repr=False)


def smtp_server(url: str) -> SmtpServer | Rejection:
    """Parse `smtp://user:password@host:port` (with STARTTLS where it is offered) or `smtps://…`."""
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS[parts.scheme]
    except (ValueError, KeyError):
        parts, port = None, 0
    if parts is None or not parts.hostname:
        return Rejection(Code.BAD_REQUEST, "the address of the mail server must be smtp://… or smtps://…")
    username, password = (unquote(part) if part else None for part in (parts.username, parts.password))
    return SmtpServer(parts.hostname, port, parts.scheme == "smtps", username, password)


class SmtpMailer:
    """`sender` is the From header; without a server e-mails are logged. `pauses` are the seconds before each retry."""

    def __init__(self, server: SmtpServer | None, sender: str, pauses: Sequence[float] = PAUSES) -> None:
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
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._sender, to, " ".join(subject.split())
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        task = asyncio.get_running_loop().create_task(self._send(self._server, message))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send(self, server: SmtpServer, message: EmailMessage) -> None:
        import aiosmtplib  # noqa: PLC0415 - 2 MB that a service without a mail server never needs

        for pause in (*self._pauses, None):
            try:
                await aiosmtplib.send(
                    message,
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
