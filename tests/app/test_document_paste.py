"""What people paste from other programs: `pasted/` has what these put on the clipboard, and the Markdown of what arrives."""

from pathlib import Path

import pytest

from tests.app.writing import Document, block, editor, made, open_in, paste, saved, text

PASTED = Path(__file__).with_name("pasted")


@pytest.mark.parametrize("program", sorted(each.stem for each in PASTED.glob("*.html")))
async def test_what_is_pasted_from_another_program_becomes_blocks_of_ours(window, world_of, program):
    document = Document(world_of("ada")).add(made(block("paragraph")))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        await paste(page, (PASTED / f"{program}.html").read_text())
        await saved(page)
        assert document.markdown == (PASTED / f"{program}.md").read_text()


async def test_what_is_copied_here_keeps_its_looks(window, world_of):
    words = text("loud", textStyle={"color": "teal"}, highlight={"color": "yellow"})
    document = Document(world_of("ada")).add(made(block("heading", words, level=2, textAlign="center")))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.press("Control+A")
        await page.keyboard.press("Control+C")
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("Enter")
        await page.keyboard.press("Control+V")
        await saved(page)
        first, second = document.read()["prosemirrorDoc"]["content"]
        assert second == first
