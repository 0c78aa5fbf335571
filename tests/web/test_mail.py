"""Letters reach the mail server that is set; where none is, or none answers, the operator is told."""

import asyncio

import pytest
from letterbox import letterbox
from servers import PATIENCE
from structlog.testing import capture_logs

from accounts.mailer import SmtpMailer, SmtpServer, smtp_server
from domain.values import Email
from persistence.postgres.installation import CannotStart
from service.pages import mailer_of
from service.settings import Settings

ADA = Email("ada@acme.example")


async def sent(mail):
    await asyncio.gather(*mail._sending)


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example", SmtpServer("mail.example", 587, False, None, None)),
        ("smtps://mail.example", SmtpServer("mail.example", 465, True, None, None)),
        ("smtp://a%40b:p%2Fw@mail.example:2525", SmtpServer("mail.example", 2525, False, "a@b", "p/w")),
    ],
)
def test_the_address_of_the_server_says_all_about_it(url, server):
    assert smtp_server(url) == server
    assert "p/w" not in repr(smtp_server(url))


@pytest.mark.parametrize(
    "url", ["mail.example", "http://mail.example", "smtp://", "smtp://mail.example:x", "smtp://[::"]
)
def test_an_address_that_is_none_keeps_the_service_from_starting(url):
    with pytest.raises(CannotStart, match="smtp://"):
        mailer_of(Settings(smtp_url=url))


async def test_a_letter_arrives_as_it_was_written():
    with letterbox() as box:
        mail = SmtpMailer(smtp_server(box.url), "Codrive <codrive@acme.example>")
        mail.send(ADA, "Grüße\nBcc: eve@evil.example", "Zeile eins\n.\nDrei\n")
        await sent(mail)
        letter = await asyncio.to_thread(box.of(ADA).get, timeout=PATIENCE)
    assert letter["Subject"] == "Grüße Bcc: eve@evil.example"
    assert letter["Bcc"] is None
    assert letter["From"] == "Codrive <codrive@acme.example>"
    assert letter.get_content().splitlines() == ["Zeile eins", ".", "Drei"]
    assert mail.delivers


async def test_a_letter_that_cannot_be_sent_is_tried_again_and_told_of():
    with letterbox() as box:
        url = box.url
    mail = SmtpMailer(smtp_server(url), "Codrive <codrive@acme.example>", pauses=(0.0, 0.0))
    with capture_logs() as said:
        mail.send(ADA, "Hello", "https://drive.example.com/sign-in/secret")
        await sent(mail)
    assert [each["again_in"] for each in said] == [0.0, 0.0, None]
    assert "secret" not in str(said)


async def test_without_a_server_the_letter_is_the_operators_to_pass_on():
    mail = SmtpMailer(None, "Codrive <codrive@acme.example>")
    with capture_logs() as said:
        mail.send(ADA, "Hello", "https://drive.example.com/sign-in/secret")
    assert not mail.delivers
    assert (said[0]["to"], said[0]["text"]) == (ADA, "https://drive.example.com/sign-in/secret")
