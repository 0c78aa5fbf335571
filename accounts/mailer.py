"""Sends e-mails over SMTP, or writes them to the log for the operator where no server is set."""

from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Final
from urllib.parse import unquote, urlsplit

import structlog

from accounts.ports import NotSentError
from domain.errors import Code, Rejection
from domain.values import Email

TIMEOUT: Final = 30.0
REFUSED: Final = 500  # the first code of SMTP that says that another attempt is of no use
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
    """`sender` is the From header; without a server e-mails are logged."""

    def __init__(self, server: SmtpServer | None, sender: str) -> None:
        self._server = server
        self._sender = sender

    @property
    def delivers(self) -> bool:
        return self._server is not None

    async def send(self, to: Email, subject: str, text: str) -> None:
        if self._server is None:
            _log.warning("no mail server is set: pass this letter on", to=to, subject=subject, text=text)
            return
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._sender, to, " ".join(subject.split())
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        await _send(self._server, message)


async def _send(server: SmtpServer, message: EmailMessage) -> None:
    import aiosmtplib  # noqa: PLC0415 - 2 MB that a service without a mail server never needs

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
    except aiosmtplib.SMTPRecipientsRefused as fault:
        raise NotSentError(str(fault), is_final=all(each.code >= REFUSED for each in fault.recipients)) from fault
    except aiosmtplib.SMTPDataError as fault:
        raise NotSentError(str(fault), is_final=fault.code >= REFUSED) from fault
    except (aiosmtplib.SMTPException, OSError) as fault:
        raise NotSentError(str(fault), is_final=False) from fault
