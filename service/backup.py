"""Saves everything to one file and brings it back: the database as `pg_dump` writes it, and every image."""

import asyncio
import gzip
import io
import os
import subprocess
import tarfile
import tempfile
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click

from persistence.postgres.connections import for_command_line, translate_errors
from persistence.postgres.installation import installed
from persistence.postgres.migrations import is_empty
from service.blobs import ObjectBlobs

DUMP = "database.dump"
IMAGES = "images/"


def _run(program: str, url: str, *arguments: str) -> None:
    address, secrets = for_command_line(url)
    command = [str(installed() / "bin" / program), f"--dbname={address}", *arguments]
    environment = {**os.environ, **secrets}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)  # noqa: S603 - our own program
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["it gave no reason"]
        raise click.ClickException(f"{program} failed: {lines[-1]}")


def save(url: str, images: Callable[[], AsyncIterator[tuple[str, bytes]]], target: Path) -> int:
    """Write a backup to `target` (which must not exist) and return how many images are in it.

    The database is dumped first: whatever image it names was stored before, so the backup has it.
    """
    if target.exists():
        raise click.ClickException(f"`{target}` exists: a backup never overwrites anything")
    with tempfile.TemporaryDirectory() as folder:
        dump = Path(folder) / DUMP
        _run("pg_dump", url, "--format=custom", "--no-owner", "--no-privileges", f"--file={dump}")
        partial = target.with_name(target.name + ".partial")
        partial.unlink(missing_ok=True)
        with _private(partial) as file, tarfile.open(fileobj=file, mode="w:gz") as archive:
            archive.add(dump, DUMP)
            count = asyncio.run(_add_images(archive, images))
        partial.rename(target)
    return count


def _private(file: Path) -> IO[bytes]:
    return os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


async def _add_images(archive: tarfile.TarFile, images: Callable[[], AsyncIterator[tuple[str, bytes]]]) -> int:
    count = 0
    async for key, content in images():
        entry = tarfile.TarInfo(IMAGES + key)
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
        count += 1
    return count


def bring_back(url: str, blobs: ObjectBlobs, source: Path) -> int:
    """Fill an empty database from a backup and return how many images came with it."""
    with translate_errors:
        empty = is_empty(url)
    if not empty:
        raise click.ClickException("there is data here already: restore into a new `--data`, or into an empty database")
    with _opened(source) as archive, tempfile.TemporaryDirectory() as folder:
        archive.extract(DUMP, folder, filter="data")
        dump = Path(folder) / DUMP
        count = asyncio.run(_put_images(archive, blobs))  # first, so that a failed restore can be repeated
        _run("pg_restore", url, "--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction", str(dump))
    return count


def check_backup(source: Path) -> None:
    """Read a backup to its end; raises ClickException where it is not whole."""
    with _opened(source), gzip.open(source) as file:
        while file.read(1 << 20):
            pass


@contextmanager
def _opened(source: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(source, "r:gz") as archive:
            archive.getmember(DUMP)
            yield archive
    except (tarfile.TarError, EOFError, KeyError, zlib.error, gzip.BadGzipFile) as fault:
        raise click.ClickException(f"`{source}` is no whole backup of this service: {fault}") from fault


async def _put_images(archive: tarfile.TarFile, blobs: ObjectBlobs) -> int:
    count = 0
    for entry in archive:
        content = archive.extractfile(entry)
        if entry.isfile() and entry.name.startswith(IMAGES) and content is not None:
            await blobs.put(entry.name.removeprefix(IMAGES), content.read())
            count += 1
    return count
