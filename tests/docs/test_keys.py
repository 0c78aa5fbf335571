"""Does the page for people name each key as the application binds it?"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_for_people_names_each_key_that_the_application_has():
    table = (ROOT / "app/src/ui/key_table.ts").read_text(encoding="utf-8")
    bound = re.findall(r'where: "(\w+)",.*?shown: "(.*?)",\s+does:\s+"(.*?)"', table, re.DOTALL)
    page = (ROOT / "docs/app.md").read_text(encoding="utf-8").split("## Keys")[1].split("\n## ")[0]
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in page.splitlines() if line[:1] == "|"]
    assert len(bound) == table.count("shown: ") - 1
    assert rows[2:] == bound
