"""Does the page for people name each key that the application binds, in the words that the application has for it?"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_for_people_names_each_key_that_the_application_has():
    table = (ROOT / "app/src/ui/key_table.ts").read_text(encoding="utf-8").split("export const KEYS")[1]
    bound = re.findall(r'^  (\w+): \{ where: "(\w+)"', table, re.MULTILINE)
    words = (ROOT / "app/src/messages/english.tsx").read_text(encoding="utf-8").split("\n    keys: {\n")[1]
    words = words.split("\n    },\n")[0]
    said = {
        name: (shown, does)
        for name, shown, does in re.findall(r'(\w+): \{\s*shown: "(.*?)",\s+does:\s+"(.*?)"', words, re.DOTALL)
    }
    page = (ROOT / "docs/app.md").read_text(encoding="utf-8").split("## Keys")[1].split("\n## ")[0]
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in page.splitlines() if line[:1] == "|"]
    assert {name for name, _ in bound} == said.keys()
    assert rows[2:] == [(where, *said[name]) for name, where in bound]
