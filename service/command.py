"""The command `codrive-server`: starts the service, and manages accounts, organizations, documents and backups."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
import structlog

from accounts.provisioning import (
    Person,
    add_to_organization,
    disable_account,
    find_person,
    link_text,
    make_account,
    make_key,
    make_key_in,
    make_link,
    make_organization,
    revoke_key,
    verify_account,
)
from computing.runner import JobRunner
from domain.errors import Rejection, Unavailable
from domain.organization import OrganizationRole
from domain.values import Email, agent_name, email, item_name
from persistence.access_barrier import AccessBarrier
from persistence.cut_pairs import mend_cut_pairs
from persistence.node_lease import NodeLease
from persistence.operator_queries import (
    ListedAccount,
    image_blobs,
    listed_accounts,
    listed_keys,
    listed_nodes,
    listed_organizations,
)
from persistence.postgres.installation import CannotStart
from persistence.postgres.migrations import migrate
from persistence.quarantine import quarantined, release
from persistence.repair import repair as repair_logs
from persistence.service_origin import noted_origin
from persistence.store import PostgresStore
from service import backup as backups
from service import shutdown
from service.blobs import blobs_of
from service.database import database_beside, opening
from service.logs import configure
from service.native_heap import give_memory_back
from service.plain_table import plain_table
from service.settings import Settings, flags


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@flags
@click.pass_context
def main(context: click.Context, /, **values: Any) -> None:
    """Run Codrive: one process, one port, with a PostgreSQL of its own unless DATABASE_URL names another.

    Without a command it serves until it is stopped. The commands work beside a running server or without one.
    """
    os.umask(0o077)  # what is written belongs to the user who runs the server
    settings = Settings(**values)
    context.obj = settings
    configure(settings.log_format, settings.log_level)
    if context.invoked_subcommand is None:
        _serve(settings)


def _serve(settings: Settings) -> None:
    """Start the database, meanwhile load the server, and run it until it is told to stop."""
    give_memory_back()
    signal.signal(signal.SIGTERM, shutdown.end_by_signal)  # while it starts and stops; in between uvicorn listens
    log = structlog.get_logger("service")
    log.info("starting the database")
    log.info("loading the server")
    with _plainly(), opening(settings) as opened:
        from service.server import serve  # noqa: PLC0415 - half of the time that a command takes, which needs nothing of it

        serve(settings, click.echo, opened())


@contextmanager
def _plainly() -> Iterator[None]:
    """Report in one line what keeps the server from its database or its files."""
    try:
        yield
    except CannotStart as fault:
        raise click.ClickException(str(fault)) from fault
    except OSError as fault:
        if fault.filename is None:
            raise
        raise click.ClickException(f"`{fault.filename}`: {fault.strerror}") from fault
    except Unavailable as fault:
        raise click.ClickException(f"{fault}: {fault.__cause__}") from fault


type OperatorTask = Callable[[PostgresStore], Awaitable[str]]


def _with_store(settings: Settings, work: OperatorTask) -> None:
    async def run(url: str) -> str:
        async with PostgresStore(url, readers=1, writers=1) as store:
            store.feed.barrier = AccessBarrier(store, NodeLease(store))  # which it does not take: nobody is served here
            return await work(store)

    with _plainly(), database_beside(settings) as url:
        click.echo(asyncio.run(run(url)))


def _given[T](value: T | Rejection) -> T:
    if isinstance(value, Rejection):
        raise click.ClickException(value.message)
    return value


def _with_person(settings: Settings, address: Email, work: Callable[[PostgresStore, Person], Awaitable[str]]) -> None:
    async def run(store: PostgresStore) -> str:
        return await work(store, _given(await find_person(store, address)))

    _with_store(settings, run)


class Address(click.ParamType[Email]):
    name = "email"

    def convert(self, value: Any, _param: click.Parameter | None, _context: click.Context | None) -> Email:
        return _given(email(str(value)))


as_json = click.option("--json", "as_json", is_flag=True, help="Print every field as JSON.")


def _json(rows: Sequence[object]) -> str:
    return msgspec.json.format(msgspec.json.encode(rows), indent=2).decode()


@main.group()
def account() -> None:
    """Manage accounts: list, make, verify, disable, make sign-in links, and make, list and revoke keys."""


@account.command("list")
@as_json
@click.pass_obj
def account_list(settings: Settings, as_json: bool) -> None:
    """List the accounts by address, with their state and day of creation."""

    async def work(store: PostgresStore) -> str:
        found = await listed_accounts(store)
        if as_json:
            return _json(found)
        rows = [(each.email, each.name, _state(each), each.created_at.date().isoformat()) for each in found]
        return plain_table(("ADDRESS", "NAME", "STATE", "MADE"), rows, folded=("ADDRESS", "NAME"))

    _with_store(settings, work)


def _state(account: ListedAccount) -> str:
    return "disabled" if account.disabled else "verified" if account.email_verified else "not verified"


@account.command("create")
@click.argument("address", type=Address())
@click.option("--name", required=True, help="The person's name.")
@click.option(
    "--verified",
    "--proved",  # as earlier versions called it
    is_flag=True,
    help="Verify the address: shares with it take effect, and the account may make keys and share.",
)
@click.option("--key", "with_key", is_flag=True, help="Also make an API key and print it.")
@click.pass_obj
def account_create(settings: Settings, address: Email, name: str, verified: bool, with_key: bool) -> None:
    """Make an account with its personal drive."""
    checked = _given(item_name(name))

    async def work(store: PostgresStore) -> str:
        if not isinstance(await find_person(store, address), Rejection):
            raise click.ClickException(f"`{address}` has an account already")
        person = await make_account(store, checked, address, verified=verified)
        made = f"made the account {person.id} of {address}"
        if not with_key:
            return made
        return f"{made}\nAPI key (shown this once): {await make_key(store, person, 'First key', None)}"

    _with_store(settings, work)


@account.command("verify")
@click.argument("address", type=Address())
@click.pass_obj
def account_verify(settings: Settings, address: Email) -> None:
    """Verify the address of an account: shares with it take effect, and nothing of the account ends."""

    async def work(store: PostgresStore, person: Person) -> str:
        await verify_account(store, person)
        return f"{address} is verified"

    _with_person(settings, address, work)


# as earlier versions called it
account.add_command(click.Command("prove", params=account_verify.params, callback=account_verify.callback, hidden=True))


@account.command("disable")
@click.argument("address", type=Address())
@click.option("--enable", is_flag=True, help="Let the account act again.")
@click.pass_obj
def account_disable(settings: Settings, address: Email, enable: bool) -> None:
    """End everything that acts for an account, at once; nothing of it is deleted."""

    async def work(store: PostgresStore, person: Person) -> str:
        await disable_account(store, person, disabled=not enable)
        return f"{address} is {'enabled' if enable else 'disabled'}"

    _with_person(settings, address, work)


@account.command("link")
@click.argument("address", type=Address())
@click.pass_obj
def account_link(settings: Settings, address: Email) -> None:
    """Print a new one-time sign-in link, which verifies no address.

    The link has the origin of the server that started last on this data, or --origin.
    """

    async def work(store: PostgresStore, person: Person) -> str:
        link = await make_link(store, person)
        origin = settings.origin or await noted_origin(store) or f"http://{settings.host}:{settings.port}"
        return link_text(origin, link)

    _with_person(settings, address, work)


@account.command("key")
@click.argument("address", type=Address())
@click.option("--name", default="Made by the operator", show_default=True, help="The name of the key.")
@click.option("--agent", default=None, help="The agent that all done with it is credited to.")
@click.option("--organization", default=None, help="The name of the organization it acts in (default: the first one).")
@click.pass_obj
def account_key(settings: Settings, address: Email, name: str, agent: str | None, organization: str | None) -> None:
    """Make an API key for an account and print it."""
    named, bound = _given(item_name(name)), None if agent is None else _given(agent_name(agent))

    async def work(store: PostgresStore, person: Person) -> str:
        return _given(await make_key_in(store, person, named, organization, bound))

    _with_person(settings, address, work)


@account.command("keys")
@click.argument("address", type=Address())
@as_json
@click.pass_obj
def account_keys(settings: Settings, address: Email, as_json: bool) -> None:
    """List the API keys of an account that are not revoked, the newest first."""

    async def work(store: PostgresStore, person: Person) -> str:
        found = await listed_keys(store, person.id)
        if as_json:
            return _json(found)
        rows = [(each.id, each.name, each.agent or "", f"{each.prefix}…{each.last_four}") for each in found]
        return plain_table(("ID", "NAME", "AGENT", "KEY"), rows, folded=("NAME", "AGENT"))

    _with_person(settings, address, work)


@account.command("revoke")
@click.argument("address", type=Address())
@click.argument("key_id", metavar="KEY")
@click.pass_obj
def account_revoke(settings: Settings, address: Email, key_id: str) -> None:
    """Revoke an API key of an account at once, by its id in `account keys`."""

    async def work(store: PostgresStore, person: Person) -> str:
        _given(await revoke_key(store, person, key_id))
        return f"the key {key_id} of {address} is revoked"

    _with_person(settings, address, work)


@main.group()
def organization() -> None:
    """Manage organizations: list, make, and add members."""


@organization.command("list")
@as_json
@click.pass_obj
def organization_list(settings: Settings, as_json: bool) -> None:
    """List the organizations by name, with their ids, numbers of members and days of creation."""

    async def work(store: PostgresStore) -> str:
        found = await listed_organizations(store)
        if as_json:
            return _json(found)
        rows = [(each.id, each.name, str(each.members), each.created_at.date().isoformat()) for each in found]
        return plain_table(("ID", "NAME", "MEMBERS", "MADE"), rows, folded=("NAME",))

    _with_store(settings, work)


@organization.command("create")
@click.argument("name")
@click.option("--admin", type=Address(), required=True, help="The address of its first admin.")
@click.pass_obj
def organization_create(settings: Settings, name: str, admin: Email) -> None:
    """Make an organization."""
    checked = _given(item_name(name))

    async def work(store: PostgresStore, person: Person) -> str:
        made = await make_organization(store, checked, person)
        return f"made the organization {made.id}"

    _with_person(settings, admin, work)


@organization.command("add")
@click.argument("organization_id")
@click.argument("address", type=Address())
@click.option(
    "--role", type=click.Choice([role.value for role in OrganizationRole]), default="member", show_default=True
)
@click.pass_obj
def organization_add(settings: Settings, organization_id: str, address: Email, role: str) -> None:
    """Add an account to an organization, or change its role there."""

    async def work(store: PostgresStore, person: Person) -> str:
        _given(await add_to_organization(store, organization_id, person, OrganizationRole(role), person.credit))
        return f"{address} is {role} of {organization_id}"

    _with_person(settings, address, work)


@main.command()
@as_json
@click.pass_obj
def nodes(settings: Settings, as_json: bool) -> None:
    """List the servers on the database: lease, host, process, since when, seconds since the lease was renewed, and which one leads.

    After six seconds others take a server for gone. The one that leads does the background work of all.
    """

    async def work(store: PostgresStore) -> str:
        found = await listed_nodes(store)
        if as_json:
            return _json(found)
        rows = [
            (
                str(each.lease),
                each.host,
                str(each.pid),
                each.since.isoformat(timespec="seconds"),
                f"{each.renewed_ago:.1f}",
                "yes" if each.leads else "",
            )
            for each in found
        ]
        return plain_table(("LEASE", "HOST", "PID", "SINCE", "RENEWED", "LEADS"), rows, folded=("HOST",))

    _with_store(settings, work)


@main.command()
@click.argument("target", type=click.Path(path_type=Path, dir_okay=False))
@click.pass_obj
def backup(settings: Settings, target: Path) -> None:
    """Save the database and the images to one file; the server may run meanwhile."""
    with _plainly(), database_beside(settings) as url:
        blobs = blobs_of(settings)

        async def images() -> AsyncIterator[tuple[str, bytes]]:
            async with PostgresStore(url, readers=1, writers=1) as store:
                for key in await image_blobs(store):
                    content = await blobs.get(key)
                    if content is not None:
                        yield key, content

        count = backups.save(url, images, target)
    click.echo(f"saved the database and {count} images to {target}")


@main.group()
def documents() -> None:
    """Manage quarantined documents, which crashed the server when it loaded them."""


@documents.command("quarantined")
@click.pass_obj
def documents_quarantined(settings: Settings) -> None:
    """List quarantined documents: id, number of crashes, and time of the first one.

    Such a document answers 503; everything else works.
    """

    async def work(store: PostgresStore) -> str:
        found = await quarantined(store)
        lines = [f"{each.document_id}  {each.strikes}  {each.since.isoformat(timespec='seconds')}" for each in found]
        return "\n".join(lines) or "no document is quarantined"

    _with_store(settings, work)


@documents.command("release")
@click.argument("document_id", metavar="ID")
@click.pass_obj
def documents_release(settings: Settings, document_id: str) -> None:
    """Release a quarantined document, for example after an upgrade. A running server loads it again within seconds.

    Two further crashes quarantine it again.
    """

    async def work(store: PostgresStore) -> str:
        if not await release(store, document_id):
            raise click.ClickException(f"the document `{document_id}` is not quarantined")
        return f"the document {document_id} may be loaded again"

    _with_store(settings, work)


@main.command()
@click.pass_obj
def repair(settings: Settings) -> None:
    """Restore acknowledged edits that no read finds, and mend documents in which an emoji was cut in half.

    An early version could store edits under numbers that compaction had used up. The command appends them again under
    new numbers, with their authors and times. Earlier versions also took updates that cut a surrogate pair in half, after
    which editors and reads differed: both halves become U+FFFD, as editors show them; restart a running server
    afterwards. Repeating the command changes nothing.
    """

    async def work(store: PostgresStore) -> str:
        async with aclosing(JobRunner()) as runner:
            repaired, mended = await repair_logs(store), await mend_cut_pairs(store, runner)
        lines = [
            *(f"brought back {number} edits of document {item_id}" for item_id, number in repaired.items()),
            *(f"mended document {item_id}: restart the server if it is running" for item_id in mended),
        ]
        return "\n".join(lines) or "there is nothing to bring back"

    _with_store(settings, work)


@main.command()
@click.argument("source", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.pass_obj
def restore(settings: Settings, source: Path) -> None:
    """Fill an empty service from a backup; stop the server first."""
    backups.check_backup(source)  # before a database is made for it
    with _plainly(), database_beside(settings, bare=True) as url:
        count = backups.bring_back(url, blobs_of(settings), source)
        migrate(url)
    click.echo(f"brought back the database and {count} images from {source}")
