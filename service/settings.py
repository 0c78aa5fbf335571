"""What can be set: one table, from which the flags, the environment variables and the reference page are made."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

import click

from service.proxies import Written

FILE: Final = click.Path(path_type=Path)


def _one_of(*values: str) -> click.Choice[str]:
    return click.Choice(values, case_sensitive=False)


def _setting(
    default: object,
    description: str,
    *,
    variable: str | None = None,
    kind: click.ParamType[Any] | None = None,
    flag: bool = False,
) -> Any:
    about = {"description": description, "variable": variable, "kind": kind, "flag": flag}
    return field(default=default, metadata=about)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How one server runs. Durations are in seconds, sizes in bytes, rates per minute."""

    host: str = _setting("127.0.0.1", "The address to listen on.")
    port: int = _setting(8000, "The port to listen on; 0 picks a free one.", kind=click.IntRange(0, 65_535))
    origin: str | None = _setting(None, "Where people reach it, such as https://drive.example.com.")
    data: Path = _setting(Path(".codrive"), "The folder for the embedded database and for images.", kind=FILE)
    database_url: str | None = _setting(
        None, "A PostgreSQL to use instead of the embedded one.", variable="DATABASE_URL"
    )
    blobs: str | None = _setting(
        None, "Where images are kept: a folder by default, or an s3://, gs:// or az:// address."
    )
    allowed_origins: str = _setting("", "Other sites whose pages may call it, separated by commas.")
    trusted_proxies: str = _setting(
        "",
        "The proxies whose X-Forwarded-For is believed: addresses and networks, or * for whoever connects.",
        kind=Written(),
    )
    demo: bool = _setting(False, "Fill an empty service with the demo world, and serve GraphiQL.", flag=True)
    credentials: Path | None = _setting(
        None, "Write the demo world's credentials to this file, readable by you alone.", kind=FILE
    )
    first_email: str = _setting("admin@codrive.example", "The address of the account made at the first start.")
    smtp_url: str | None = _setting(
        None,
        "The mail server, as smtp://user:password@host:587 or smtps://…; without one, links go to the log and prove no address.",
    )
    mail_from: str = _setting("Codrive <codrive@localhost>", "What letters say they are from.")
    sign_up: str = _setting(
        "open",
        "Whether people make accounts by themselves: where closed, by invitation or the operator alone.",
        kind=_one_of("open", "closed"),
    )
    session_idle_days: int = _setting(14, "After how long without a request a browser is signed out.")
    session_days: int = _setting(30, "After how long a browser is signed out whatever happens.")
    client_documents: bool = _setting(
        False, "Let OAuth clients be known by a document at an https address, which is fetched from there.", flag=True
    )
    no_rate_limits: bool = _setting(False, "Answer everything at once: for load tests.", flag=True)
    reads_per_minute: int = _setting(600, "How many reads a user may make in a minute.")
    writes_per_minute: int = _setting(600, "How many writes a user may make in a minute.")
    published_reads_per_minute: int = _setting(
        1_200, "How many published pages and images of them an address may read in a minute."
    )
    images_per_minute: int = _setting(30, "How many images a user may upload in a minute.")
    bad_sign_ins_per_minute: int = _setting(20, "How many failed sign-ins an address may make in a minute.")
    invitations_per_day: int = _setting(50, "How many invitations to organizations a user may make in a day.")
    accounts_per_hour: int = _setting(
        20, "How many accounts an address may make in an hour, by links that were sent to people."
    )
    registrations_per_hour: int = _setting(20, "How many OAuth clients an address may register in an hour.")
    token_requests_per_minute: int = _setting(120, "How many OAuth token requests an address may make in a minute.")
    most_drive_items: int = _setting(100_000, "How many live items a drive holds.")
    most_folder_children: int = _setting(10_000, "How many items a folder holds.")
    most_depth: int = _setting(100, "How deep folders nest.")
    most_members: int = _setting(600, "How many members a drive has.")
    most_grants: int = _setting(200, "How many addresses an item is shared with.")
    most_open_invitations: int = _setting(200, "How many open invitations an organization has.")
    listed_items: int = _setting(5_000, "How many items one page of `drives.list` holds.")
    listed_drives: int = _setting(1_000, "How many drives one page of `drives.list` holds.")
    sockets_per_user: int = _setting(100, "How many sockets of live documents a user may have open.")
    graphql_sockets_per_user: int = _setting(20, "How many GraphQL sockets a user may have open.")
    body_bytes: int = _setting(1024 * 1024, "The largest JSON body.")
    image_bytes: int = _setting(10 * 1024 * 1024, "The largest image.")
    trash_days: int = _setting(30, "How long the trash is kept.")
    compact_rows: int = _setting(500, "From how many updates on the log of a document is compacted.")
    compact_bytes: int = _setting(262_144, "From how many bytes of updates on the log of a document is compacted.")
    connections: int = _setting(16, "How many database connections to hold at the most.", kind=click.IntRange(3))
    sockets: str = _setting(
        "picows",
        "What carries live documents: asgi is slower, and for where picows does not run.",
        kind=_one_of("picows", "asgi"),
    )
    log_format: str = _setting("auto", "How to log; auto is text on a terminal.", kind=_one_of("auto", "json", "text"))
    log_level: str = _setting("info", "The least of what is logged.", kind=_one_of("debug", "info", "warning", "error"))


def variable(name: str, about: dict[str, Any]) -> str:
    return str(about["variable"] or f"CODRIVE_{name.upper()}")


def flags[F: Callable[..., Any]](command: F) -> F:
    """Give a command one flag for each setting."""
    for setting in reversed(fields(Settings)):
        about = dict(setting.metadata)
        names = [f"--{setting.name.replace('_', '-')}"]
        common = {"envvar": variable(setting.name, about), "show_envvar": True, "help": about["description"]}
        if about["flag"]:
            option = click.option(*names, is_flag=True, default=False, **common)
        else:
            kind = about["kind"] or (click.IntRange(1) if isinstance(setting.default, int) else str)
            shown = setting.default is not None and setting.default != ""
            option = click.option(*names, type=kind, default=setting.default, show_default=shown, **common)
        command = option(command)
    return command
