"""Makes folders that no other user of the machine can read."""

import os
import stat
from pathlib import Path

PRIVATE = 0o700
PASSABLE = 0o711  # for the account that PostgreSQL runs as where the server is root: it may pass, and list nothing


def private_folder(folder: Path, mode: int = PRIVATE) -> Path:
    """Make the folder, or close one of ours that others may read; a shared one, such as `/tmp`, stays as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    found = folder.stat()
    if found.st_uid == os.geteuid() and not found.st_mode & stat.S_ISVTX:
        folder.chmod(mode)
    return folder
