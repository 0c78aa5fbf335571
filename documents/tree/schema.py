"""The nodes and marks of documents, and the order of marks.

`schema.json` is the default TipTap schema as its editor reports it, with the alignment of images. Documents outside the schema are never refused:
they are read as they are stored. Every reader gets marks in the order of the schema.
"""

import json
from pathlib import Path
from typing import Any, Final

SCHEMA: Final[dict[str, Any]] = json.loads(Path(__file__).with_name("schema.json").read_text(encoding="utf-8"))
MARK_RANK: Final[dict[str, int]] = {name: rank for rank, name in enumerate(SCHEMA["marks"])}
# A mark that excludes nothing may lie on a text several times: editors then store it under a name of its own each time.
OVERLAPPING: Final = frozenset(name for name, mark in SCHEMA["marks"].items() if mark.get("excludes") == "")
