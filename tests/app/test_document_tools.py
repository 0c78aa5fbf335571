"""The bar above the text: what it says of the cursor's place, and what it does there, by keyboard."""

from playwright.async_api import expect

from tests.app.writing import Document, block, editor, made, open_in, saved, text, write_after
from tests.support.web.accessible import check_everywhere


def tool(page, name):
    return page.get_by_role("toolbar", name="Formatting").get_by_label(name, exact=True)


async def shows(page, name, value):
    await page.wait_for_function(
        "([name, value]) => document.querySelector(`[role=toolbar] [aria-label='${name}']`)?.selectedOptions[0].text === value",
        arg=[name, value],
    )


async def test_the_bar_names_the_block_of_the_cursor_and_turns_it_into_another(window, world_of):
    items = block("bulletList", block("listItem", block("paragraph", "milk")))
    headings = [block("heading", words, level=level) for level, words in ((2, "All"), (3, "Part"), (4, "Plan"))]
    quoted = block("blockquote", block("paragraph", "said"))
    document = Document(world_of("ada")).add(
        made(*headings, block("paragraph", "words"), items, quoted, block("codeBlock", "x = 1"))
    )
    async with window("ada") as page:
        await open_in(page, document)
        for words, kind in (
            ("Plan", "Heading 4"),
            ("words", "Text"),
            ("milk", "Bullet list"),
            ("said", "Quote"),
            ("x = 1", "Code"),
        ):
            await editor(page).get_by_text(words).click()
            await shows(page, "Block", kind)
        await editor(page).get_by_text("words").click()
        await page.keyboard.press("Alt+F10")
        await page.wait_for_function("() => document.activeElement.ariaLabel === 'Block'")
        await tool(page, "Block").select_option("Heading 2")
        await shows(page, "Block", "Heading 2")
        await tool(page, "Block").select_option("Numbered list")
        await shows(page, "Block", "Numbered list")
        await tool(page, "Block").select_option("Text")
        await shows(page, "Block", "Text")
        await editor(page).get_by_text("milk").click()
        await shows(page, "Block", "Bullet list")
        await tool(page, "Block").select_option("Task list")
        await shows(page, "Block", "Task list")
        await check_everywhere(page)
        await saved(page)
    assert document.markdown == "## All\n\n### Part\n\n#### Plan\n\nwords\n\n- [ ] milk\n\n> said\n\n```\nx = 1\n```\n"


async def test_list_items_are_indented_and_outdented_without_the_tab_key(window, world_of):
    lines = [block("listItem", block("paragraph", words)) for words in ("one", "two")]
    document = Document(world_of("ada")).add(made(block("bulletList", *lines), block("paragraph", "end")))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).get_by_text("end").click()
        await tool(page, "List").wait_for(state="detached")
        await editor(page).get_by_text("two").click()
        await tool(page, "List").select_option("Indent")
        await saved(page)
        assert document.markdown == "- one\n  - two\n\nend\n"
        await tool(page, "List").select_option("Outdent")
        await saved(page)
    assert document.markdown == "- one\n- two\n\nend\n"


async def test_colours_alignment_and_small_letters_are_chosen_and_shown(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "words")))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.press("Control+a")
        await tool(page, "Colour").select_option("Red")
        await shows(page, "Colour", "Red")
        for name in "Yellow", "Blue":
            await tool(page, "Highlight").select_option(f"{name} highlight")
            await shows(page, "Highlight", f"{name} highlight")
            await check_everywhere(page)  # red on the highlight, in both themes
        await tool(page, "Alignment").select_option("Centre")
        await shows(page, "Alignment", "Centre")
        await tool(page, "Superscript").press("Enter")
        await editor(page).locator("sup").wait_for()
        await expect(tool(page, "Superscript")).to_have_attribute("aria-pressed", "true")
        await saved(page)
        (paragraph,) = document.read()["prosemirrorDoc"]["content"]
        assert paragraph["attrs"]["textAlign"] == "center"
        marks = {each["type"]: each.get("attrs") for each in paragraph["content"][0]["marks"]}
        assert marks["textStyle"] == {"color": "#c2302a"}
        assert marks["highlight"] == {"color": "#c5dcff"}
        assert "superscript" in marks
        await tool(page, "Colour").select_option("Default colour")
        await tool(page, "Highlight").select_option("No highlight")
        await shows(page, "Colour", "Colour…")
        await saved(page)
        (paragraph,) = document.read()["prosemirrorDoc"]["content"]
        assert [each["type"] for each in paragraph["content"][0]["marks"]] == ["superscript"]


async def test_colours_of_other_programs_can_be_read_in_both_themes(window, world_of):
    coloured = [
        text(" words ", textStyle={"color": color}, **({"highlight": {"color": shade}} if shade else {}))
        for color in ("#ffff00", "black", "white", "rgb(0, 0, 255)")
        for shade in (None, "#000000", "yellow")
    ]
    document = Document(world_of("ada")).add(made(block("paragraph", *coloured)))
    async with window("ada") as page:
        await open_in(page, document)
        await check_everywhere(page)


async def test_the_language_of_code_is_chosen_and_one_of_them_draws_a_chart(window, world_of):
    document = Document(world_of("ada")).add(made(block("codeBlock", '{"mark": "bar"}', language="jq")))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).get_by_text("bar").click()
        await shows(page, "Language", "jq")
        await tool(page, "Language").select_option("vega-lite")
        await editor(page).locator("iframe[title=Chart]").wait_for()
        await shows(page, "Block", "Chart")
        await tool(page, "Language").select_option("json")
        await editor(page).locator("iframe").wait_for(state="detached")
        await saved(page)
    assert document.markdown.startswith("```json\n")


async def test_undo_and_redo_say_whether_there_is_anything_to_undo(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "words")))
    async with window("ada") as page:
        await open_in(page, document)
        await expect(tool(page, "Undo")).to_have_attribute("aria-disabled", "true")
        await editor(page).focus()
        await page.keyboard.press("Control+End")
        await page.keyboard.type("!")
        await tool(page, "Undo").and_(page.locator("[aria-disabled=false]")).press("Enter")
        await editor(page).get_by_text("words", exact=True).wait_for()
        await tool(page, "Undo").and_(page.locator("[aria-disabled=true]")).wait_for()
        await tool(page, "Redo").and_(page.locator("[aria-disabled=false]")).press("Enter")
        await editor(page).get_by_text("words!").wait_for()
        await saved(page)


async def test_blocks_and_items_are_moved_by_key_and_they_and_their_neighbours_keep_their_authors(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "first")))
    document.edit(append="from an agent", agent="helper")
    document.edit(append="- one\n- two")
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).get_by_text("first").click()
        await page.keyboard.press("End")
        await page.keyboard.press("Alt+ArrowDown")
        await page.keyboard.type("!")
        await editor(page).get_by_text("first!").wait_for()
        await page.keyboard.press("Alt+ArrowUp")
        await page.keyboard.press("Alt+ArrowUp")  # nothing is above it
        await page.keyboard.press("Alt+ArrowDown")
        await write_after(page, "two", "")
        await page.keyboard.press("Alt+ArrowUp")
        await page.keyboard.press("Alt+ArrowUp")
        await page.keyboard.type("2")
        await saved(page)
        assert document.markdown == "from an agent\n\nfirst!\n\n- two2\n- one\n"
        letters = document.authors_of_letters()
        assert letters[: len("from an agent")] == [next(each for each in letters if each.endswith(" helper"))] * 13
        await write_after(page, "from an agent", "")
        await page.keyboard.press("Alt+ArrowDown")
        await saved(page)
        assert document.markdown == "first!\n\nfrom an agent\n\n- two2\n- one\n"
        assert sum(each.endswith(" helper") for each in document.authors_of_letters()) == len("from an agent")


async def test_details_are_made_folded_and_written_by_keyboard(window, world_of):
    document = Document(world_of("ada"))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.type("/details")
        await page.get_by_role("listbox", name="Blocks").get_by_text("Details").wait_for()
        await page.keyboard.press("Enter")
        await page.keyboard.type("More")
        await shows(page, "Block", "Details")
        await check_everywhere(page)
        await page.keyboard.press("Enter")
        await page.keyboard.type("hidden words")
        await editor(page).get_by_text("hidden words").wait_for()
        await saved(page)
        assert "More" in document.markdown
        assert "hidden words" in document.markdown
