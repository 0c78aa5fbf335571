"""E-mails wait with the change that causes them, are tried again, and are over one way or another."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from structlog.testing import capture_logs

from accounts.emails import EmailText
from accounts.mail_sender import MailSender
from accounts.mail_writer import MailWriter
from accounts.ports import NotSentError
from domain.email_link import EmailLink, Purpose
from domain.key import digest
from domain.mail import InvitationMail, LinkMail, MailOutcome, NoAccountMail, ShareMail
from domain.questions import LinkByDigest
from domain.values import Email
from graphql_api.ports import LockScope
from graphql_api.system import new_id, now, random_bits
from persistence.housekeeping import Housekeeping
from persistence.outbox import Outbox

TO = Email("new@mail.example")
MAIL = NoAccountMail(TO)


class Rows:
    def __init__(self, store):
        self.store = store

    async def ask(self, statement, *values):
        async def run(connection):
            cursor = await connection.execute(statement, values)
            return await cursor.fetchall() if cursor.description else None

        return await self.store.autocommit(run)

    async def post(self, *mails):
        async def work(transaction):
            for mail in mails:
                transaction.post(mail)

        await self.store.transact(LockScope(), work)

    async def outcomes(self):
        return [row for (row,) in await self.ask("select outcome from outbox order by id")]


@pytest.fixture
def rows(store):
    return Rows(store)


class Post:
    """A mail server as `refusal` says it is at present."""

    delivers = True

    def __init__(self, refusal=None):
        self.refusal = refusal
        self.sent = []

    async def send(self, to, subject, text):
        if self.refusal:
            raise self.refusal
        self.sent.append((to, EmailText(subject, text)))


def sender(store, post, *, pauses=(0.0, 0.0), delivers=True):
    outbox = Outbox(store, pauses)
    writer = MailWriter(store, outbox, now, random_bits, "https://drive.example", delivers)
    return MailSender(outbox, writer, post, store.posted, len(pauses))


async def test_what_a_change_posts_is_sent_once_and_nothing_of_it_is_kept(store, rows):
    post = Post()
    made = sender(store, post)
    ends = []
    made.on_ended = ends.append
    await rows.post(MAIL, MAIL)
    await made.look()
    await made.send()
    assert [to for to, _ in post.sent] == [TO, TO]
    assert ends == [MailOutcome.sent] * 2
    assert made.waiting == 0
    assert await rows.ask("select details::text, outcome from outbox") == [("{}", "sent")] * 2


async def test_what_a_change_posts_is_gone_where_the_change_is_not_committed(store, rows):
    async def work(transaction):
        transaction.post(MAIL)
        await transaction.write()
        raise KeyError

    with pytest.raises(KeyError):
        await store.transact(LockScope(), work)
    assert await rows.outcomes() == []


async def test_an_email_that_cannot_be_sent_is_tried_as_often_as_there_are_pauses_and_given_up(store, rows):
    made = sender(store, Post(NotSentError("no server", is_final=False)), pauses=(0.0, 0.0, 0.0))
    await rows.post(MAIL)
    with capture_logs() as said:
        await made.send()
    assert [each["event"] for each in said] == ["an e-mail could not be sent"] * 3 + ["an e-mail was given up"]
    assert await rows.outcomes() == ["given_up"]


async def test_an_email_that_is_refused_for_good_is_given_up_at_once(store, rows):
    await rows.post(MAIL)
    await sender(store, Post(NotSentError("no such mailbox", is_final=True)), pauses=(0.0,) * 9).send()
    assert await rows.ask("select outcome, attempts from outbox") == [("given_up", 1)]


async def test_an_email_waits_between_attempts_and_arrives_when_the_server_is_back(store, rows):
    post = Post(NotSentError("no server", is_final=False))
    made = sender(store, post, pauses=(600.0, 600.0))
    await rows.post(MAIL)
    await made.send()
    post.refusal = None
    await made.send()
    assert (post.sent, made.waiting) == ([], 1)
    await rows.ask("update outbox set due_at = now()")
    await made.send()
    assert len(post.sent) == 1


async def test_what_a_later_release_has_wait_is_left_to_it(store, rows):
    post = Post()
    made = sender(store, post)
    await rows.ask("""insert into outbox (kind, details) values ('webhook', '{}')""")
    await rows.post(MAIL)
    await made.send()
    assert (len(post.sent), made.waiting) == (1, 0)
    assert await rows.ask("select kind, attempts from outbox where outcome is null") == [("webhook", 0)]


async def test_two_servers_that_lead_for_a_moment_do_not_send_the_same(store, rows):
    post = Post()
    await rows.post(*[MAIL] * 30)
    await asyncio.gather(*(sender(store, post, pauses=(600.0,)).send() for _ in range(4)))
    assert len(post.sent) == 30


def link(lifetime=timedelta(hours=1)):
    return EmailLink(new_id(), Purpose.sign_up, TO, None, datetime.now(UTC) + lifetime, True)


async def make(rows, made):
    values = (made.id, digest(made.id), made.purpose, made.email, made.expires_at, made.mailed)
    await rows.ask(
        "insert into link (id, digest, purpose, email, expires_at, mailed) values (%s::uuid, %s, %s, %s, %s, %s)",
        *values,
    )


def secret_in(post):
    return post.sent[-1][1].text.split("/sign-up/")[1].split()[0].partition("?")[0]


@pytest.mark.parametrize("delivers", [True, False])
async def test_a_link_gets_its_secret_when_it_is_sent_and_proves_an_address_only_by_mail(store, rows, delivers):
    post, made = Post(), link()
    await make(rows, made)
    await rows.post(LinkMail(TO, made.id, Purpose.sign_up, "?next=/doc/x"))
    await sender(store, post, delivers=delivers).send()
    found = await store.read(LinkByDigest(digest(secret_in(post))))
    assert (found.id, found.mailed) == (made.id, delivers)
    assert found.expires_at > made.expires_at, "it lasts as long as its e-mail says, from when it is sent"


class DyingPost(Post):
    """The server dies when its first e-mail has arrived."""

    async def send(self, to, subject, text):
        await super().send(to, subject, text)
        if len(self.sent) == 1:
            raise KeyError("dead")


async def test_an_email_whose_server_died_after_it_arrived_arrives_again_and_the_newer_link_works(store, rows):
    post, made = DyingPost(), link()
    await make(rows, made)
    await rows.post(LinkMail(TO, made.id, Purpose.sign_up))
    with pytest.raises(KeyError):
        await sender(store, post, pauses=(600.0,) * 2).send()
    older = secret_in(post)
    await rows.ask("update outbox set due_at = now()")
    await sender(store, post).send()
    assert (len(post.sent), await rows.outcomes()) == (2, ["sent"])
    assert await store.read(LinkByDigest(digest(older))) is None
    assert (await store.read(LinkByDigest(digest(secret_in(post))))).id == made.id


@pytest.mark.parametrize(
    "mail",
    [
        LinkMail(TO, new_id(), Purpose.sign_up),
        InvitationMail(TO, new_id(), "Ada"),
        ShareMail(TO, new_id(), new_id(), "Ada", ""),
    ],
)
async def test_what_is_used_taken_back_or_gone_by_now_is_not_sent(store, rows, mail):
    post = Post()
    await rows.post(mail)
    await sender(store, post).send()
    assert (post.sent, await rows.outcomes()) == ([], ["dropped"])


async def test_what_is_over_is_deleted_after_a_day_and_what_waits_never(store, rows):
    await rows.post(MAIL, MAIL, MAIL)
    await rows.ask("update outbox set due_at = now() - interval '2 days'")
    await rows.ask("update outbox set outcome = 'sent' where id = (select min(id) from outbox)")
    await rows.ask("update outbox set outcome = 'given_up', due_at = now() where id = (select max(id) from outbox)")
    await Housekeeping(store, trash_days=30).turn()
    assert await rows.outcomes() == [None, "given_up"]
