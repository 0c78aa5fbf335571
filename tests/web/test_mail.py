"""Letters reach the mail server that is set; where none is, or none answers, the operator is told."""

import asyncio

import pytest
from structlog.testing import capture_logs

from accounts.mailer import SmtpMailer, SmtpServer, smtp_server
from accounts.ports import NotSentError
from domain.values import Email
from persistence.postgres.installation import CannotStart
from service.pages import mailer_of
from service.settings import Settings
from tests.support.processes.servers import PATIENCE
from tests.support.web.letterbox import letterbox

ADA = Email("ada@acme.example")
SENDER = "Codrive <codrive@acme.example>"
FAULTS = [
    (b"RCPT", 550, True),
    (b"RCPT", 450, False),
    (b"DATA", 554, True),
    (b"DATA", 451, False),
    (b"MAIL", 530, False),
]


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
        mail = SmtpMailer(smtp_server(box.url), SENDER)
        await mail.send(ADA, "Grüße\nBcc: eve@evil.example", "Zeile eins\n.\nDrei\n")
        letter = await asyncio.to_thread(box.of(ADA).get, timeout=PATIENCE)
    assert letter["Subject"] == "Grüße Bcc: eve@evil.example"
    assert letter["Bcc"] is None
    assert letter["From"] == SENDER
    assert letter.get_content().splitlines() == ["Zeile eins", ".", "Drei"]
    assert mail.delivers


async def test_where_no_server_answers_another_attempt_may_be_of_use():
    with letterbox() as box:
        url = box.url
    with pytest.raises(NotSentError) as refused:
        await SmtpMailer(smtp_server(url), SENDER).send(ADA, "Hello", "secret")
    assert not refused.value.is_final
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(("word", "code", "is_final"), FAULTS)
async def test_what_the_server_refuses_for_good_is_told_from_what_it_refuses_for_now(word, code, is_final):
    with letterbox() as box:
        box.refusals[word] = f"{code} no"
        with pytest.raises(NotSentError) as refused:
            await SmtpMailer(smtp_server(box.url), SENDER).send(ADA, "Hello", "text")
    assert refused.value.is_final is is_final


async def test_without_a_server_the_letter_is_the_operators_to_pass_on():
    mail = SmtpMailer(None, SENDER)
    with capture_logs() as said:
        await mail.send(ADA, "Hello", "https://drive.example.com/sign-in/secret")
    assert not mail.delivers
    assert (said[0]["to"], said[0]["text"]) == (ADA, "https://drive.example.com/sign-in/secret")
