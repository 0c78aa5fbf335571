"""A long document shows its first blocks before its editor is made, and them once."""

from playwright.async_api import expect

from tests.app.writing import Document, block, editor, made, saved, write_after

BLOCKS = 300
LOOK = """
  window.shown = [];
  new MutationObserver(() => {
    const first = document.querySelector("article p[dir]");
    const last = window.shown.at(-1);
    const now = `${first?.textContent ?? ""} ${document.querySelector("[role=textbox]") ? "in the editor" : "to read"}`;
    if (first && now !== last) window.shown.push(now);
  }).observe(document, { childList: true, subtree: true });
"""


async def test_the_first_blocks_of_a_long_document_are_read_before_its_editor_is_there_and_stand_once(window, world_of):
    document = Document(world_of("ada"))
    document.add(made(*(block("paragraph", f"Paragraph {number}.") for number in range(BLOCKS))))
    before = document.state()
    async with window("ada") as page:
        await page.add_init_script(LOOK)
        await page.goto(document.path)
        await expect(editor(page)).to_contain_text(f"Paragraph {BLOCKS - 1}.")
        await expect(page.get_by_text("Paragraph 0.", exact=True)).to_have_count(1)
        assert (await page.evaluate("shown"))[:2] == ["Paragraph 0. to read", "Paragraph 0. in the editor"]
        assert document.state() == before
        await write_after(page, "Paragraph 0.", " Seen.")
        await saved(page)
    assert document.markdown.startswith("Paragraph 0. Seen.\n\nParagraph 1.\n")
