"""Keys and clicks in a document: where they lead, and that no letter is lost."""

from playwright.async_api import expect
from writing import Document, block, editor, made, open_in, press, put_caret, saved

FOCUS = "() => document.activeElement.closest('.ProseMirror') !== null"


async def test_undo_takes_back_a_word_and_what_was_deleted_at_once(window, world_of):
    document = Document(world_of("ada"))
    async with window("ada") as page:
        await open_in(page, document)
        shown = editor(page).locator("p").first
        await editor(page).focus()
        await page.keyboard.type("one two  three, four")
        await press(page, "Control+a Delete")
        await expect(shown).to_have_text("")
        for left in "one two  three, four", "one two  three, ", "one two  ", "one ", "":
            await press(page, "Control+z")
            await expect(shown).to_have_text(left, use_inner_text=False)
        await press(page, "Control+y Control+y")
        await expect(shown).to_have_text("one two ")
        await press(page, "End Enter")
        await page.keyboard.type("你好世界再见")
        await press(page, "Control+z")
        await expect(editor(page).locator("p").nth(1)).to_have_text("你好世界")
        await saved(page)


async def test_what_one_key_changed_is_one_step_of_undo(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "first words"), block("paragraph", "more")))
    async with window("ada") as page:
        await open_in(page, document)
        await put_caret(page, "first", 5)
        await page.keyboard.type("ly")
        await press(page, "Control+Alt+3 Shift+End Control+b")
        await press(page, "End Backspace Backspace Enter")
        await page.keyboard.type("x")
        await saved(page)
        steps = []
        for _ in range(7):
            steps.append(await editor(page).locator("> *").evaluate_all(OUTLINE))
            await press(page, "Control+z")
        assert steps == [
            ["H3 firstly[ wor]", "P [x]", "P more"],
            ["H3 firstly[ wor]", "P ", "P more"],
            ["H3 firstly[ wor]", "P more"],
            ["H3 firstly[ words]", "P more"],
            ["H3 firstly words", "P more"],
            ["P firstly words", "P more"],
            ["P first words", "P more"],
        ]
        await saved(page)


OUTLINE = """(blocks) => blocks.map((block) => {
  const bold = (node) => (node.parentElement.nodeName === "STRONG" ? `[${node.data}]` : node.data);
  const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) found.push(bold(texts.currentNode));
  return `${block.nodeName} ${found.join("")}`;
})"""
