"""The settings: one table, from which the flags, the environment variables and the reference page are made."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

import click

from edge.origins import Origin
from edge.proxies import Written
from service.metrics_token import MetricsToken

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
    """The settings of one server. Durations are in seconds, sizes in bytes, rates per minute."""

    host: str = _setting("127.0.0.1", "The address to listen on.")
    port: int = _setting(8000, "The port to listen on; 0 picks a free one.", kind=click.IntRange(0, 65_535))
    origin: str | None = _setting(
        None, "The public address of the server, such as https://drive.example.com: no path.", kind=Origin()
    )
    data: Path = _setting(Path(".codrive"), "The folder for the embedded database and for images.", kind=FILE)
    database_url: str | None = _setting(
        None, "A PostgreSQL to use instead of the embedded one.", variable="DATABASE_URL"
    )
    blobs: str | None = _setting(
        None, "The storage of images: a folder by default, or an s3://, gs:// or az:// address."
    )
    allowed_origins: str = _setting(
        "", "Other origins whose pages may call the server, separated by commas.", kind=Origin(many=True)
    )
    trusted_proxies: str = _setting(
        "",
        "The proxies whose X-Forwarded headers the server trusts: addresses and networks, or * for every peer.",
        kind=Written(),
    )
    demo: bool = _setting(False, "Fill an empty service with the demo world, and serve GraphiQL.", flag=True)
    no_app: bool = _setting(False, "Serve the read-only pages in place of the web application.", flag=True)
    credentials: Path | None = _setting(
        None, "Write the demo world's credentials to this file, readable by you alone.", kind=FILE
    )
    first_email: str = _setting("admin@codrive.example", "The address of the account made at the first start.")
    smtp_url: str | None = _setting(
        None,
        "The mail server, as smtp://user:password@host:587 or smtps://…; without one, links go to the log and verify no address.",
    )
    mail_from: str = _setting("Codrive <codrive@localhost>", "The sender of mails.")
    sign_up: str = _setting(
        "open",
        "Whether people sign up by themselves (open), or only by invitation and by the operator (closed).",
        kind=_one_of("open", "closed"),
    )
    session_idle_days: int = _setting(14, "Days without a request after which a browser is signed out.")
    session_days: int = _setting(30, "Days after which a browser is signed out in any case.")
    client_documents: bool = _setting(
        False,
        "Accept OAuth clients that are described by a document at an https address, which the server fetches.",
        flag=True,
    )
    metrics_token: str | None = _setting(
        None,
        "A token that opens /metrics to others than this machine: Authorization: Bearer TOKEN.",
        kind=MetricsToken(),
    )
    no_rate_limits: bool = _setting(False, "Turn rate limits off, for load tests.", flag=True)
    reads_per_minute: int = _setting(
        600, "Reads of a user per minute, of which keys and connected applications together may take three quarters."
    )
    writes_per_minute: int = _setting(600, "Writes of a user per minute, shared in the same way.")
    published_reads_per_minute: int = _setting(
        1_200, "Published pages and their images that a network address reads per minute."
    )
    images_per_minute: int = _setting(30, "Image uploads of a user per minute, shared in the same way.")
    cpu_seconds_per_minute: int = _setting(
        30,
        "Seconds of CPU time that documents may cost a user per minute, shared in the same way; twice as many at once.",
        kind=click.IntRange(1),
    )
    bad_sign_ins_per_minute: int = _setting(20, "Failed sign-ins of a network address per minute.")
    invitations_per_day: int = _setting(50, "Invitations to organizations by a user per day.")
    accounts_per_hour: int = _setting(20, "Accounts made from mailed links by a network address per hour.")
    registrations_per_hour: int = _setting(20, "OAuth clients registered by a network address per hour.")
    token_requests_per_minute: int = _setting(120, "OAuth token requests of a network address per minute.")
    most_drive_items: int = _setting(100_000, "The most live items in a drive.")
    most_folder_children: int = _setting(10_000, "The most items in a folder.")
    most_depth: int = _setting(100, "The greatest depth of folders.")
    most_members: int = _setting(600, "The most members of a drive.")
    most_grants: int = _setting(200, "The most shares of an item.")
    most_open_invitations: int = _setting(200, "The most open invitations of an organization.")
    listed_items: int = _setting(5_000, "The most items in one page of `drives.list`.")
    listed_drives: int = _setting(1_000, "The most drives in one page of `drives.list`.")
    sockets_per_user: int = _setting(100, "The most open connections of a user to live documents.")
    graphql_sockets_per_user: int = _setting(20, "The most open GraphQL sockets of a user.")
    body_bytes: int = _setting(1024 * 1024, "The largest JSON body, in bytes.")
    drive_bytes: int = _setting(
        10 * 1024**3, "The most bytes that a drive stores: the logs, snapshots, versions and images of its documents."
    )
    image_bytes: int = _setting(10 * 1024 * 1024, "The largest image, in bytes.")
    trash_days: int = _setting(30, "Days for which the trash keeps an item.")
    compact_rows: int = _setting(500, "Updates of a document from which on its log is compacted.")
    compact_bytes: int = _setting(262_144, "Bytes of updates from which on the log of a document is compacted.")
    connections: int = _setting(18, "The most database connections.", kind=click.IntRange(6))
    drain_seconds: int = _setting(
        5,
        "Seconds in which a server that is stopped hands its clients to others on its database; 0 stops at once.",
        kind=click.IntRange(0, 300),
    )
    log_format: str = _setting(
        "auto",
        "The format of the log; auto is text on a terminal and JSON elsewhere.",
        kind=_one_of("auto", "json", "text"),
    )
    log_level: str = _setting(
        "info", "The lowest level that is logged.", kind=_one_of("debug", "info", "warning", "error")
    )


def variable(name: str, about: dict[str, Any]) -> str:
    return str(about["variable"] or f"CODRIVE_{name.upper()}")


def flags[F: Callable[..., Any]](command: F) -> F:
    """Add one flag for each setting to a command."""
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
