"""Draws docs/images/session.svg: a terminal session with a fresh server, from its real output.

Run it as `uv run python tools/session.py`.
"""

import os
import re
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "session.svg"
COLUMNS, LINE, LEFT, TOP, CHARACTER = 122, 19, 18, 46, 8.05
SHOWN = "http://127.0.0.1:8000"
MARKDOWN = """python3 -c 'import json, sys; print(json.load(sys.stdin)["markdown"])'"""
COMMANDS = (
    """curl -s $ORIGIN/graphql -H "x-api-key: $KEY" --json '{"query": "{ viewer { name } drives { nodes { name role } } }"}'""",
    f"""curl -s $ORIGIN/api/v1/documents/$PLAN -H "x-api-key: $KEY" \\\n    | {MARKDOWN} | head -14""",
)
FIND = (
    """curl -s $ORIGIN/graphql -H "x-api-key: $KEY" --json '{"query": "{ search(text: \\"orbit plan\\") { nodes { id } } }"}'"""
    """ | python3 -c 'import json, sys; print(json.load(sys.stdin)["data"]["search"]["nodes"][0]["id"])'"""
)


def session() -> list[str]:
    """Return the lines of the session, prompts included."""
    lines = ["$ uv run --no-dev codrive-server --demo"]
    with tempfile.TemporaryDirectory() as data:
        Path(data).chmod(0o711)
        program = str(Path(sys.executable).with_name("codrive-server"))
        command = [program, "--demo", "--port", "0", "--data", f"{data}/data"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            try:
                said = _until(server, "Stop it")
                origin, key = re.findall(r"answers at (\S+)", said)[0], re.findall(r"cdr_\w+", said)[0]
                lines += said.strip("\n").splitlines()
                known = os.environ | {"ORIGIN": origin, "KEY": key}
                known["PLAN"] = _typed(FIND, known).strip()
                for each in COMMANDS:
                    lines += ["", *f"$ {each}".splitlines(), *_typed(each, known).splitlines()]
            finally:
                server.terminate()
        hidden = (line.replace(origin, SHOWN).replace(key, "cdr_…") for line in lines)
        return [re.sub(r"/sign-in/\w+", "/sign-in/…", line) for line in hidden]


def _until(server: subprocess.Popen[str], last: str) -> str:
    assert server.stdout
    said = ""
    while last not in said:
        said += server.stdout.readline()
    return said


def _typed(command: str, known: dict[str, str]) -> str:
    return subprocess.run(["bash", "-c", command], env=known, capture_output=True, text=True, check=True).stdout


def wrapped(lines: list[str]) -> list[str]:
    return [line[at : at + COLUMNS] for line in lines for at in range(0, max(len(line), 1), COLUMNS)]


def picture(lines: list[str]) -> str:
    width, height = round(COLUMNS * CHARACTER + 2 * LEFT), TOP + LINE * len(lines)
    rows = "".join(
        f'<text x="{LEFT}" y="{TOP + LINE * at}"{" class='typed'" if line.startswith("$ ") else ""}>{escape(line)}</text>\n'
        for at, line in enumerate(lines)
    )
    dots = "".join(
        f'<circle cx="{20 + 18 * at}" cy="18" r="5.5" fill="#{hue}"/>' for at, hue in enumerate(("f56", "fb3", "3c5"))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">\n'
        "<style>text{font:13.4px ui-monospace,Menlo,Consolas,monospace;fill:#d5dae3;white-space:pre}"
        ".typed{fill:#8fd6a8;font-weight:600}</style>\n"
        f'<rect width="100%" height="100%" rx="9" fill="#1b1f27"/>{dots}\n{rows}</svg>\n'
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(wrapped(session())), "utf-8")
    print(f"drew {PICTURE.name}")
