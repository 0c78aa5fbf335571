"""How the pages are wired: what they are made with, and who their visitors are."""

from datetime import timedelta

from domain.session import Lifetimes
from graphql_api.context import Ports
from graphql_api.rates import Buckets
from graphql_api.request_limits import LimitedSchema
from service.mail import Mail, server_at
from service.passwords import Argon2
from service.sessions import WebSessions
from service.settings import Settings
from web.operations import PageOperations
from web.ports import Post
from web.session import Cookies
from web.site import Site


def lifetimes(settings: Settings) -> Lifetimes:
    return Lifetimes(timedelta(days=settings.session_idle_days), timedelta(days=settings.session_days))


def mail(settings: Settings) -> Mail:
    return Mail(server_at(settings.smtp_url) if settings.smtp_url else None, settings.mail_from)


def site(
    settings: Settings, schema: LimitedSchema, ports: Ports, sessions: WebSessions, buckets: Buckets | None, post: Post
) -> Site:
    return Site(
        origin=ports.origin,
        cookies=Cookies(ports.origin),
        store=ports.store,
        sessions=sessions,
        run=PageOperations(schema, ports),
        passwords=Argon2(),
        post=post,
        buckets=buckets,
        clock=ports.clock,
        ids=ports.ids,
        secrets=ports.secrets,
        lifetimes=lifetimes(settings),
        demo=settings.demo,
        sign_up_open=settings.sign_up == "open",
    )
