"""ProseMirror editors that open what was written in Markdown: they delete what does not fit their schema."""

import re

import pytest

from documents.tree.schema import SCHEMA

EDIT = "mutation($d: ID!, $e: EditInput!) { editDocument(documentId: $d, edit: $e) { id } }"
WRITTEN = {
    "an image in a paragraph": "one ![two](/images/1) three",
    "an image in a heading": "# one ![two](/images/1) three",
    "an image in a link": "one [![two](/images/1)](https://example.com/) three",
    "images in a list": "- one ![two](/images/1) three\n- ![four](/images/2) five\n\n1. ![six](/images/3)",
    "images in tasks": "- [ ] ![one](/images/1) two\n- [x] three ![four](/images/2)",
    "an image in a table": "| one ![two](/images/1) three | four |\n| --- | --- |\n| ![five](/images/2) | six |",
    "an image in a quote": "> one ![two](/images/1)\n> three",
    "details without content": "<details>\n<summary>one</summary>",
    "an image in details": "<details>\n<summary>one</summary>\n\ntwo ![three](/images/1) four\n\n</details>",
    "code in other marks": "one **`two`** *`three` four*",
}


WORD = re.compile("before|one|two|three|four|five|six|behind")


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
async def test_an_editor_drops_nothing_of_what_was_written_in_markdown(clients, world, written):
    document = await world.document()
    await world.ask(EDIT, d=document, e={"append": f"before\n\n{written}"})
    await clients("open", "editor", **world.way(document))
    await clients("synced", "editor")
    await clients("edits", "editor", schema=SCHEMA)
    await clients("write", "editor", text="behind")
    await clients("acknowledged", "editor")
    read = await world.read(document)
    assert WORD.findall(read["markdown"]) == WORD.findall(f"before {written} behind")
