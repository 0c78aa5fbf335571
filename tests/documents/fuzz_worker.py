"""Holds the scan against the library, update by update, in a process that may crash.

Arguments: a seed, how many updates to try, the file for the notes, the file for the report. Each document that came of it
goes to standard output as a line: the state that compaction would keep (nothing where it would keep the updates), the state
vector and the updates. Before the library sees an update, the
updates of its document are noted, itself as the last, so that they are known when the process has ended there.
"""

import json
import mmap
import sys
from base64 import b64encode
from collections import Counter
from pathlib import Path

from documents.admission.surrogate_pairs import SurrogatePairs
from documents.projection.projection import project
from documents.tree.encoding import squash
from documents.tree.tree import too_deep
from documents.yjs.keystroke import keystroke
from documents.yjs.scan import Refused, scan
from documents.yjs.snapshot import apply_updates, load, state_vector
from tests.documents.fuzzed import Fuzz

NOTES = 1 << 20
LENGTH = 30  # updates that are tried on one document
MAX_TOLD = 10


class Notes:
    """The updates of the document at hand, in a file that outlives the process."""

    def __init__(self, path: Path) -> None:
        with path.open("w+b") as file:
            file.truncate(NOTES)
            self._map = mmap.mmap(file.fileno(), NOTES)

    def take(self, updates: list[bytes]) -> None:
        written = b",".join([update.hex().encode() for update in updates])[: NOTES - 1]
        self._map[: len(written) + 1] = written + b"\0"

    @staticmethod
    def read(path: Path) -> list[str]:
        return path.read_bytes().partition(b"\0")[0].decode().split(",")


def run(seed: str, most: int, notes: Notes) -> dict[str, object]:
    counts: Counter[str] = Counter()
    differences: list[dict[str, object]] = []
    fuzz = Fuzz(seed)
    while counts["tried"] < most:
        fuzz.forget()
        doc, stored, pairs = load(None), [], SurrogatePairs()
        assert not isinstance(doc, Refused)
        for _ in range(LENGTH):
            again = fuzz.random() < 0.03 and len(stored) > 0
            update = fuzz.pick(stored) if again else fuzz.update()
            counts["tried"] += 1
            scanned = keystroke(update) or scan(update)
            if isinstance(scanned, Refused):
                counts["refused"] += 1
                continue
            if scanned.missing(fuzz.state):
                counts["waiting"] += 1
                continue
            brought = pairs.cutting(update)
            if pairs.are_cut_by(brought, fuzz.state):
                counts["cut"] += 1
                continue
            notes.take([*stored, update])
            refused = apply_updates(doc, (update,))
            if refused or (scanned.depth and too_deep(doc)):
                counts[refused.reason if refused else "too deep"] += 1
                doc = load(None, stored)
                assert not isinstance(doc, Refused)
                continue
            found, said = state_vector(doc), scanned.after(fuzz.state)
            if found != said:
                counts["different"] += 1
                if len(differences) < MAX_TOLD:
                    differences.append(
                        {"updates": [each.hex() for each in (*stored, update)], "said": said, "found": found}
                    )
                doc = load(None, stored)
                assert not isinstance(doc, Refused)
                continue
            counts["applied"] += 1
            stored.append(update)
            pairs.add(brought)
            if not again:
                fuzz.accepted(found)
        notes.take(stored)
        project(doc)
        state = squash(doc)
        counts["documents"] += 1
        counts["not squashed"] += isinstance(state, Refused)
        told(b"" if isinstance(state, Refused) else state, fuzz.state, stored)
    return {"counts": counts, "differences": differences}


def told(state: bytes, vector: dict[int, int], stored: list[bytes]) -> None:
    written = [b64encode(state), json.dumps(vector).encode(), *map(b64encode, stored)]
    sys.stdout.buffer.write(b" ".join(written).replace(b", ", b",").replace(b": ", b":") + b"\n")


def main() -> None:
    seed, most, notes, report = sys.argv[1:]
    made = run(seed, int(most), Notes(Path(notes)))
    sys.stdout.flush()
    Path(report).write_text(json.dumps(made))


if __name__ == "__main__":
    main()
