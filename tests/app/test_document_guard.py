"""The editor's schema and its guard, on Node: fuzzed Yjs documents through the real binding, without a screen."""

import subprocess
from pathlib import Path

from tests.node import ENVIRONMENT, NODE, install
from tests.servers import LONG_PATIENCE

APP = Path(__file__).parents[2] / "app"


def test_opening_a_document_never_changes_it_and_typing_keeps_what_is_unknown():
    install(APP)
    tests = [str(path) for path in sorted((APP / "tests").glob("*.test.ts"))]
    done = subprocess.run(
        [NODE, "--test", *tests],
        cwd=APP,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG_PATIENCE,
    )
    assert done.returncode == 0, done.stdout[-4000:]
