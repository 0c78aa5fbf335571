"""Words in a document are found and replaced: by keys, from the menu, and while others write."""

import pytest
from playwright.async_api import expect

from tests.app.writing import Document, block, editor, made, open_in, press, put_caret, saved
from tests.support.web.accessible import check_everywhere

CURRENT = ".ProseMirror .found-current"


@pytest.fixture
def document(world_of):
    cell = block("tableCell", block("paragraph", "a cat in a table"))
    return Document(world_of("ada")).add(
        made(
            block("paragraph", "The cat"),
            block("bulletList", block("listItem", block("paragraph", "two Cats"))),
            block("codeBlock", "cat file"),
            *(block("paragraph", f"line {number}") for number in range(60)),
            block("table", block("tableRow", cell)),
        )
    )


def field(page, name="Find"):
    return page.get_by_role("region", name="Find in the text").get_by_role("textbox", name=name, exact=True)


def count(page, words):
    return page.get_by_role("region", name="Find in the text").get_by_text(words, exact=True)


async def test_words_are_found_and_replaced_by_keys_while_others_write(window, document):
    async with window("ada") as page:
        await open_in(page, document)
        await put_caret(page, "two Cats", 3)
        before = document.state()
        await page.keyboard.press("Control+f")
        await expect(field(page)).to_be_focused()
        await page.keyboard.type("cat")
        await count(page, "2 of 4").wait_for()
        await press(page, "Enter Enter")
        await count(page, "4 of 4").wait_for()
        await expect(page.locator(CURRENT)).to_be_in_viewport()
        document.edit(append="One more cat")
        await count(page, "4 of 5").wait_for()
        assert document.state()[0]["revision"] == before[0]["revision"] + 1
        await check_everywhere(page)
        await page.keyboard.press("Control+h")
        await page.get_by_role("button", name="Whole words").press("Enter")
        await count(page, "2 of 4").wait_for()
        await field(page, "Replace with").fill("dog")
        await page.get_by_role("button", name="Replace all").press("Enter")
        await page.get_by_text("4 matches are replaced.").wait_for()
        await saved(page)
        assert document.markdown.count("dog") == 4
        await field(page).focus()
        await page.keyboard.press("Escape")
        await expect(editor(page)).to_be_focused()
        await page.keyboard.press("Control+z")
        await saved(page)
        assert document.markdown.count("dog") == 0
        await page.keyboard.press("Control+f")
        await page.keyboard.type("two cats")
        await count(page, "1 of 1").wait_for()
        await press(page, "Escape Delete")
        await saved(page)
    assert "two" not in document.markdown.lower()


async def test_whoever_may_only_read_finds_by_the_key_and_from_the_menu(window, document):
    document.share("cleo@acme.example", "read_only")
    async with window("cleo") as page:
        await page.goto(document.path)
        await editor(page).get_by_text("The cat").wait_for()
        await page.keyboard.press("Control+f")
        await page.keyboard.type("line 59")
        await count(page, "1 of 1").wait_for()
        await expect(page.locator(CURRENT)).to_be_in_viewport()
        await page.keyboard.press("Control+h")
        await expect(field(page, "Replace with")).to_have_count(0)
        await page.keyboard.press("Escape")
        await field(page).wait_for(state="detached")
        await page.get_by_role("button", name="Actions for the document").press("Enter")
        await page.get_by_role("menuitem", name="Find in the text…").press("Enter")
        await expect(field(page)).to_be_focused()
        await page.keyboard.press("Escape")


@pytest.mark.rotate(4, "words are replaced by the wide bar at each commit")
@pytest.mark.parametrize("width", [320, 390])
async def test_on_a_phone_finding_and_replacing_are_two_lines_for_fingers(window, document, width):
    phone = {"viewport": {"width": width, "height": 700}, "has_touch": True, "is_mobile": True}
    async with window("ada", **phone) as page:
        await open_in(page, document)
        await put_caret(page, "two Cats", 3)
        await page.keyboard.press("Control+h")
        await field(page).fill("cat")
        await count(page, "1 of 4").or_(count(page, "2 of 4")).wait_for()
        bar = page.get_by_role("region", name="Find in the text")
        targets = await bar.get_by_role("button").or_(bar.get_by_role("textbox")).all()
        boxes = [await each.bounding_box() for each in targets]
        assert len({each["y"] for each in boxes}) == 2
        assert min(each["height"] for each in boxes) >= 44
        assert min(each["width"] for each in boxes) >= 44
        assert max(each["x"] + each["width"] for each in boxes) <= width
        await field(page, "Replace with").fill("dog")
        await bar.get_by_role("button", name="Replace all").tap()
        told = page.get_by_text("4 matches are replaced.").and_(page.locator(":not([role])")).first
        tools, toast = await page.get_by_role("toolbar").bounding_box(), await told.bounding_box()
        assert toast["y"] + toast["height"] <= tools["y"]
        await saved(page)
    assert "cat" not in document.markdown.lower()
