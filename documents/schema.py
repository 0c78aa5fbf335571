"""Which nodes and marks a document knows, and in which order marks stand.

`schema.json` is the default TipTap schema as its editor reports it. Nothing is ever refused for not fitting it: a
document is read as it is stored. The order of its marks is the order in which every reader gets them.
"""

import json
from pathlib import Path
from typing import Any, Final

SCHEMA: Final[dict[str, Any]] = json.loads(Path(__file__).with_name("schema.json").read_text(encoding="utf-8"))
MARK_RANK: Final[dict[str, int]] = {name: rank for rank, name in enumerate(SCHEMA["marks"])}
# A mark that excludes nothing may lie on a text several times: editors then store it under a name of its own each time.
OVERLAPPING: Final = frozenset(name for name, mark in SCHEMA["marks"].items() if mark.get("excludes") == "")
