"""The twelve sample documents: a Yjs update each, and the tree that y-prosemirror reads from it."""

import base64
import json
from pathlib import Path

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "documents" / "samples" / "cases.jsonl").read_text("utf-8").splitlines()
]
UPDATES = [base64.b64decode(case["update"]) for case in CASES]
