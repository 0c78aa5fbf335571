"""Keys and clicks in a document: where they lead, and that no letter is lost."""

import pytest
from playwright.async_api import expect

from tests.app.writing import Document, block, editor, made, open_in, press, put_caret, saved

FOCUS = "() => document.activeElement.closest('.ProseMirror') !== null"


def table(*words):
    return block("table", block("tableRow", *(block("tableCell", block("paragraph", each)) for each in words)))


async def test_tab_never_takes_the_keyboard_from_the_text(window, world_of):
    items = block("bulletList", *(block("listItem", block("paragraph", words)) for words in ("one", "two")))
    document = Document(world_of("ada")).add(
        made(
            block("paragraph", "words"),
            items,
            table("north", "south"),
            block("codeBlock", "if x:\ny = 1\nz = 2"),
            block("paragraph", "end"),
        )
    )
    async with window("ada") as page:
        await open_in(page, document)
        await put_caret(page, "words", 5)
        await press(page, "Tab Shift+Tab a")
        await put_caret(page, "one", 3)
        await press(page, "Tab b")  # the first item has none to stand below
        await put_caret(page, "two", 3)
        await press(page, "Tab c")
        await put_caret(page, "north")
        await press(page, "Shift+Tab d Tab e")
        await put_caret(page, "y = 1")
        await press(page, "Tab f")
        await put_caret(page, "z = 2", 5)
        await press(page, "Tab Shift+Tab g")
        await saved(page)
        assert await page.evaluate(FOCUS)
    told = document.markdown
    assert told.startswith("wordsa\n\n- oneb\n  - twoc\n\n")
    assert "| dnorth | e |" in told
    assert "```\nif x:\n  fy = 1\nz = 2  g\n```\n\nend\n" in told


async def test_tab_indents_all_selected_lines_of_code(window, world_of):
    document = Document(world_of("ada")).add(made(block("codeBlock", "a\nbb\n\nccc\nd")))
    async with window("ada") as page:
        await open_in(page, document)
        await put_caret(page, "bb", 1)
        await press(page, "Shift+ArrowDown Shift+ArrowDown Tab Tab Shift+Tab")
        await saved(page)
        assert document.markdown == "```\na\n  bb\n\n  ccc\nd\n```\n"
        await press(page, "Shift+Tab Shift+Tab")
        await saved(page)
    assert document.markdown == "```\na\nbb\n\nccc\nd\n```\n"


@pytest.mark.parametrize("key", ["Tab", "Shift+Tab"])
async def test_escape_and_then_tab_leave_the_text_which_a_note_says(window, world_of, key):
    document = Document(world_of("ada")).add(made(block("codeBlock", "x = 1")))
    async with window("ada") as page:
        await open_in(page, document)
        await put_caret(page, "x = 1")
        await press(page, f"Escape {key}")
        await page.wait_for_function(f"() => !({FOCUS})()")
        assert document.markdown == "```\nx = 1\n```\n"
        await editor(page).get_by_text("x = 1").click()
        await press(page, "Escape a Tab")  # a letter between them
        assert await page.evaluate(FOCUS)
        await press(page, "Control+a Control+Alt+0 End Tab")
        await page.get_by_label("Notifications").get_by_text("Escape, then Tab").wait_for()
        assert await page.evaluate(FOCUS)
        await saved(page)


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


async def test_a_new_document_has_the_caret_in_its_text(window):
    async with window("ada") as page:
        await page.get_by_role("button", name="New document").click()
        await page.get_by_role("textbox", name="Name").fill("Begun at once")
        await page.keyboard.press("Enter")
        await editor(page).and_(page.locator(":focus")).wait_for()
        await page.keyboard.type("words")
        await editor(page).get_by_text("words").wait_for()
        await saved(page)


async def test_a_document_with_words_is_opened_without_a_caret(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "words")))
    async with window("ada") as page:
        await open_in(page, document)
        assert not await page.evaluate(FOCUS)


ENDS = {
    "paragraph": (block("paragraph", "end"), "endZ\n"),
    "heading": (block("heading", "end", level=2), "## endZ\n"),
    "table": (table("end"), "| end |\n| --- |\n\nZ\n"),
    "code": (block("codeBlock", "end"), "```\nend\n```\n\nZ\n"),
    "quote": (block("blockquote", block("paragraph", "end")), "> end\n\nZ\n"),
    "list": (block("bulletList", block("listItem", block("paragraph", "end"))), "- end\n\nZ\n"),
    "line": (block("horizontalRule"), "***\n\nZ\n"),
    "details": (
        block("details", block("detailsSummary", "end"), block("detailsContent", block("paragraph", "in"))),
        None,
    ),
}


@pytest.mark.parametrize("kind", ENDS)
async def test_a_click_below_the_text_puts_the_caret_behind_it(window, world_of, kind):
    last, then = ENDS[kind]
    document = Document(world_of("ada")).add(made(block("paragraph", "first"), last))
    async with window("ada", viewport={"width": 1000, "height": 900}) as page:
        await open_in(page, document)
        await page.mouse.click(600, 880)
        await page.keyboard.press("Z")
        await saved(page)
        told = document.markdown
        assert told.startswith("first\n\n")
        assert told == f"first\n\n{then}" if then else told.endswith("</details>\n\nZ\n")
        await page.mouse.click(600, 880)
        await page.keyboard.press("Y")
        await saved(page)
        assert document.markdown == told.replace("Z", "ZY")


@pytest.mark.parametrize("kind", ["table", "line", "details"])
async def test_the_key_to_the_end_leads_behind_a_last_block_without_text_of_its_own(window, world_of, kind):
    last, _ = ENDS[kind]
    document = Document(world_of("ada")).add(made(block("paragraph", "first"), last))
    async with window("ada") as page:
        await open_in(page, document)
        await put_caret(page, "first")
        await press(page, "Control+End Z")
        await saved(page)
    assert document.markdown.startswith("first\n\n")
    assert document.markdown.endswith("\n\nZ\n")


async def test_details_are_open_when_they_are_made_and_enter_leads_into_them(window, world_of):
    document = Document(world_of("ada"))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.type("/details")
        await page.get_by_role("listbox").get_by_role("option", name="Details").wait_for()
        await press(page, "Enter")
        await page.keyboard.type("Summary")
        await press(page, "Enter")
        await page.keyboard.type("inside")
        await editor(page).get_by_text("inside").wait_for()
        await saved(page)
        assert document.read()["prosemirrorDoc"]["content"][0] == {
            "type": "details",
            "content": [
                {"type": "detailsSummary", "content": [{"type": "text", "text": "Summary"}]},
                {
                    "type": "detailsContent",
                    "content": [{"type": "paragraph", "content": [{"type": "text", "text": "inside"}]}],
                },
            ],
        }


async def test_backspace_behind_closed_details_opens_them_where_the_caret_goes(window, world_of):
    details = block("details", block("detailsSummary", "Summary"), block("detailsContent", block("paragraph", "in")))
    document = Document(world_of("ada")).add(made(details, block("paragraph", "after")))
    async with window("ada") as page:
        await open_in(page, document)
        await put_caret(page, "after")
        await press(page, "Backspace Z")
        await expect(editor(page).get_by_text("inZ")).to_be_visible()
        await saved(page)
    assert document.markdown.endswith("inZ\n\n</details>\n\nafter\n")


async def test_enter_after_a_summary_enters_closed_details(window, world_of):
    details = block("details", block("detailsSummary", "Summary"), block("detailsContent", block("paragraph", "in")))
    document = Document(world_of("ada")).add(made(details, block("paragraph", "after")))
    async with window("ada") as page:
        await open_in(page, document)
        await put_caret(page, "Summary", 7)
        await press(page, "Enter Z")
        await editor(page).get_by_text("Z").wait_for()
        await saved(page)
    (made_in,) = [each for each in document.read()["prosemirrorDoc"]["content"] if each["type"] == "details"]
    words = [each["content"][0]["text"] for each in made_in["content"][1]["content"]]
    assert words == ["Z", "in"]


async def test_a_letter_never_takes_the_place_of_a_selected_block(window, world_of):
    image = block("image", src="https://x.example/a.png", alt="A harbour")
    document = Document(world_of("ada")).add(made(block("paragraph", "before"), image, block("paragraph", "after")))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).locator("figure").click(position={"x": 5, "y": 5})
        await editor(page).locator("figure.ProseMirror-selectednode").wait_for()
        await page.keyboard.type("ab")
        await saved(page)
        assert document.markdown == "before\n\n![A harbour](https://x.example/a.png)\n\nab\n\nafter\n"
        await editor(page).locator("figure").click(position={"x": 5, "y": 5})
        await editor(page).locator("figure.ProseMirror-selectednode").wait_for()
        await press(page, "Delete")
        await saved(page)
    assert document.markdown == "before\n\nab\n\nafter\n"


async def test_the_key_to_save_says_that_all_is_saved(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "words")))
    async with window("ada") as page:
        await open_in(page, document)
        told = page.get_by_label("Notifications").get_by_text("All changes are saved")
        for times, place in enumerate((editor(page), page.get_by_role("button", name="Panel")), 1):
            await place.focus()
            await press(page, "Control+s")
            await expect(told).to_have_count(times)


async def test_formatting_is_cleared_and_text_aligned_by_keys(window, world_of):
    document = Document(world_of("ada")).add(made(block("heading", "words here", level=2)))
    async with window("ada") as page:
        await open_in(page, document)
        await put_caret(page, "words")
        for key, alignment in ("r", "right"), ("e", "center"), ("j", "justify"), ("l", None):
            await press(page, f"Control+Shift+{key}")
            await saved(page)
            (shown,) = document.read()["prosemirrorDoc"]["content"]
            assert shown["attrs"].get("textAlign") == alignment
        await press(page, "Control+Shift+e Shift+End Control+b Control+i Control+\\")
        await saved(page)
        (shown,) = document.read()["prosemirrorDoc"]["content"]
        assert shown["content"] == [{"type": "text", "text": "words here"}]
        assert shown["type"] == "heading"
