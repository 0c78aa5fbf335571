"""Every screen at the widths of windows: sizes of type in their order, controls that can be reached, words that fit."""

import re

import pytest
from playwright.async_api import expect

from tests.app.layout import COVERED, assert_laid_out
from tests.app.writing import SILENCE, Document, block, editor, made, open_in, saved, table

LONG = ("A name that is as long as a name may be " * 7)[:255].strip()
WIDTHS = (1440, 1024, 768, 390, 320)


# What a person sees of the frame around the text: which boxes, and where.
BOXES = """() => ['main header', '[role=toolbar]', 'main header [role=status]', ...document.querySelectorAll('#panel'), ...document.querySelectorAll('main header :is(a, button), [role=toolbar] > *')]
  .map((each) => typeof each === 'string' ? document.querySelector(each) : each)
  .map((each) => { const { x, y, width, height } = each.getBoundingClientRect(); return [x, y, width, height].map(Math.round); })"""


def written():
    cells = table(["part", "owner", "due"], ["valves", "Ben", "June"])
    items = [block("listItem", block("paragraph", words)) for words in ("one", "two")]
    headings = [block("heading", f"Heading {level}", level=level) for level in (1, 2, 3)]
    return made(*headings, block("paragraph", "words " * 40), block("bulletList", *items), cells)


@pytest.mark.parametrize(("width", "has_touch"), [*((width, False) for width in WIDTHS), (390, True), (320, True)])
async def test_a_document_is_laid_out(window, world_of, width, has_touch):
    document = Document(world_of("ada"), LONG).add(written())
    sized = {"viewport": {"width": width, "height": 800}, "has_touch": has_touch, "is_mobile": has_touch}
    async with window("ada", **sized) as page:
        await open_in(page, document)
        await expect(page.get_by_role("main").get_by_role("heading", name=LONG)).to_be_visible()
        await assert_laid_out(page)


@pytest.mark.parametrize("width", [*(width for width in WIDTHS if width >= 768), 900])
async def test_all_tools_are_in_one_row_wherever_the_cursor_is(window, world_of, width):
    item = block("listItem", block("paragraph", "in a list in a table"))
    cells = [block("tableCell", block("bulletList", item)), block("tableCell", block("paragraph", "cell"))]
    code = block("codeBlock", "code", language="javascript")
    document = Document(world_of("ada")).add(made(block("table", block("tableRow", *cells)), code))
    async with window("ada", viewport={"width": width, "height": 800}) as page:
        await open_in(page, document)
        bar = page.get_by_role("toolbar", name="Formatting")
        for words, tool in ("in a list in a table", "List"), ("cell", "Table"), ("code", "Language"):
            await editor(page).get_by_text(words, exact=True).click()
            await bar.get_by_label(tool, exact=True).wait_for()
            boxes = await bar.evaluate("bar => [...bar.children].map((each) => each.getBoundingClientRect().toJSON())")
            assert len({each["y"] for each in boxes}) == 1
            assert all(each["x"] >= 0 and each["x"] + each["width"] <= width for each in boxes)
            assert await page.evaluate(COVERED) == []


@pytest.mark.parametrize("panel", ["", "?panel=outline", "?panel=changes"])
@pytest.mark.parametrize("width", WIDTHS)
async def test_nothing_moves_while_one_types(window, world_of, width, panel):
    document = Document(world_of("ada")).add(made(block("paragraph", "words")))
    sized = {"viewport": {"width": width, "height": 800}}
    async with window("ada", allowed=("ERR_INTERNET_DISCONNECTED",), **sized) as page:
        await page.goto(f"{document.path}{panel}")
        await editor(page).and_(page.locator("[contenteditable=true]")).wait_for()
        await saved(page)
        await editor(page).get_by_text("words").click()
        boxes = await page.evaluate(BOXES)
        await page.evaluate(SILENCE)
        await page.keyboard.type(" and more")
        await page.get_by_role("status").get_by_text("Saving…").wait_for()
        assert await page.evaluate(BOXES) == boxes
        await page.context.set_offline(True)
        await page.get_by_role("alert").get_by_text("The server cannot be reached").wait_for()
        await page.get_by_role("status").get_by_text("Offline", exact=True).wait_for()
        assert await page.evaluate(BOXES) == boxes


@pytest.mark.parametrize("width", WIDTHS)
async def test_lists_of_items_are_laid_out(window, world_of, width):
    world = world_of("ada")
    drive = world.drive("Laid out")
    for name in ("Short", LONG):
        world.item(drive, name, "docs_workbook")
    folder = world.item(drive, "Empty")
    async with window("ada", viewport={"width": width, "height": 800}) as page:
        await assert_laid_out(page)
        await page.goto(f"/drive/{drive}")
        await page.get_by_role("row").filter(has_text="Short").wait_for()
        await assert_laid_out(page)
        await page.goto(f"/folder/{folder}")
        await page.get_by_role("heading", name="Empty").wait_for()
        await page.get_by_text("Nothing here yet").wait_for()
        await assert_laid_out(page)


@pytest.mark.parametrize("width", WIDTHS)
async def test_pages_of_the_server_have_the_face_of_the_application(window, width):
    async with window("ada", viewport={"width": width, "height": 800}) as page:
        faces = set()
        for path in ("/", "/settings/profile", "/settings/organizations"):
            await page.goto(path)
            await page.get_by_role("main").get_by_role("heading", level=1).first.wait_for()
            await page.evaluate("document.fonts.ready")
            faces.add(await page.evaluate("getComputedStyle(document.querySelector('h1')).font"))
            assert await page.evaluate("[...document.fonts].filter((each) => each.status === 'loaded').length") >= 1
            await assert_laid_out(page)
        assert len(faces) == 1
        assert "Inter" in faces.pop()


@pytest.mark.parametrize("width", WIDTHS)
async def test_pages_of_somebody_who_is_not_signed_in_are_laid_out(window, width):
    async with window(viewport={"width": width, "height": 800}) as page:
        for path in ("/sign-in", "/sign-up", "/forgotten"):
            await page.goto(path)
            await page.get_by_role("main").get_by_role("heading", level=1).first.wait_for()
            await assert_laid_out(page)


@pytest.mark.parametrize("width", WIDTHS)
async def test_settings_are_laid_out(window, width):
    async with window("ada", viewport={"width": width, "height": 800}) as page:
        await page.goto("/settings/profile")
        tabs = page.get_by_role("navigation", name="Settings").get_by_role("link")
        for path in await tabs.evaluate_all("tabs => tabs.map((tab) => tab.getAttribute('href'))"):
            await page.goto(path)
            await page.get_by_role("main").get_by_role("heading", level=1).first.wait_for()
            await assert_laid_out(page)


async def test_from_900_pixels_on_the_sidebar_stands_beside_each_screen(window, world_of):
    document = Document(world_of("ada"), LONG).add(written())
    async with window("ada", viewport={"width": 900, "height": 800}) as page:
        sidebar = page.get_by_role("navigation", name="Drives")
        for path in ("/", f"/drive/{document.drive}", document.path, f"{document.path}?panel=outline", "/agents"):
            await page.goto(path)
            await page.get_by_role("main").get_by_role("heading", level=1).first.wait_for()
            await expect(page.get_by_role("status").get_by_text(re.compile("Loading|Opening"))).to_have_count(0)
            assert (await sidebar.bounding_box())["width"] == 256
            await assert_laid_out(page)
        await page.set_viewport_size({"width": 899, "height": 800})
        await expect(sidebar).to_be_hidden()
        await assert_laid_out(page)


async def test_the_sidebar_is_hidden_kept_hidden_and_brought_back(window, world_of):
    document = Document(world_of("ada")).add(written())
    async with window("ada", viewport={"width": 1440, "height": 800}) as page:
        await open_in(page, document)
        await page.get_by_role("button", name="Hide the sidebar").press("Enter")
        drawer = page.get_by_role("button", name="Drives")
        await expect(drawer).to_be_focused()
        await assert_laid_out(page)
        await page.reload()
        await editor(page).get_by_text("Heading 1").wait_for()
        await assert_laid_out(page)
        await drawer.press("Enter")
        await page.get_by_role("button", name="Keep the sidebar open").press("Enter")
        await expect(drawer).to_be_hidden()
        await expect(page.get_by_role("link", name="Recent")).to_be_visible()
        await assert_laid_out(page)


async def test_the_sidebar_is_widened_by_keyboard_and_pointer_and_stays_so(window):
    async with window("ada", viewport={"width": 1440, "height": 800}) as page:
        edge = page.get_by_role("separator", name="Width of the sidebar")
        sidebar = page.get_by_role("navigation", name="Drives")
        await expect(edge).to_have_attribute("aria-valuenow", "256")
        await edge.press("ArrowRight")
        await edge.press("ArrowRight")
        await expect(edge).to_have_attribute("aria-valuenow", "288")
        assert (await sidebar.bounding_box())["width"] == 288
        await page.mouse.move(288, 400)
        await page.mouse.down()
        await page.mouse.move(340, 410, steps=3)
        await page.mouse.up()
        await page.mouse.move(700, 410)
        await expect(edge).to_have_attribute("aria-valuenow", "340")
        await assert_laid_out(page)
        await page.reload()
        await expect(edge).to_have_attribute("aria-valuenow", "340")
        assert (await sidebar.bounding_box())["width"] == 340
        for key, width in (("Home", "200"), ("ArrowLeft", "200"), ("End", "400"), ("ArrowRight", "400")):
            await edge.press(key)
            await expect(edge).to_have_attribute("aria-valuenow", width)
        await assert_laid_out(page)
        await page.set_viewport_size({"width": 1100, "height": 800})
        assert (await sidebar.bounding_box())["width"] == 332  # the screen beside it has what it needs
        await assert_laid_out(page)
        await page.set_viewport_size({"width": 800, "height": 800})
        await expect(edge).to_have_count(0)


@pytest.fixture
def screens(world_of):
    """A path of each screen that the other tests here do not open."""
    ada = world_of("ada")
    document = Document(ada, LONG).add(written())
    document.edit(append="by an agent", agent="helper")
    changes = ada.ask("query($d: ID!) { documentChanges(documentId: $d) { nodes { id } } }", d=document.id)
    last = changes["documentChanges"]["nodes"][-1]["id"]
    undo = "mutation($d: ID!, $i: [ID!]!) { undoChanges(documentId: $d, ids: $i) { revision } }"
    ada.ask(undo, d=document.id, i=[last])  # which keeps a version
    ada.ask("mutation($i: ID!) { trashItem(itemId: $i) { id } }", i=ada.item(document.drive, LONG))
    ada.item(ada.drive(LONG), LONG)
    panels = [f"{document.path}?panel={name}" for name in ("outline", "authors", "changes&since=0", "versions")]
    lists = ["/recent", "/starred", "/shared", "/trash", "/search?q=name", "/agents", "/agents/helper"]
    return [*panels, f"{document.path}?panel=versions&version=1", *lists, "/doc/00000000-0000-4000-8000-000000000000"]


@pytest.mark.parametrize("width", WIDTHS)
async def test_each_screen_is_laid_out(window, screens, width):
    async with window("ada", viewport={"width": width, "height": 800}) as page:
        for path in screens:
            await page.goto(path)
            await page.get_by_role("main").get_by_role("heading", level=1).first.wait_for()
            await expect(page.get_by_role("status").get_by_text(re.compile("Loading|Opening"))).to_have_count(0)
            await assert_laid_out(page)


SIGN_COLOUR = "element => getComputedStyle(element).backgroundColor"


async def test_a_person_has_one_colour_in_the_sidebar_and_in_lists(window, world_of):
    document = Document(world_of("ada")).add(written())
    async with window("ada") as page:
        await page.goto(f"/drive/{document.drive}")
        own = page.get_by_role("button", name="Ada Lovelace", exact=True)
        colour = await own.evaluate(SIGN_COLOUR)
        in_list = page.get_by_role("row").filter(has_text="Ada Lovelace").locator("[data-initials]").first
        assert await in_list.evaluate(SIGN_COLOUR) == colour
        await page.goto(document.path)
        await expect(page.get_by_role("main").locator("[data-initials='AL']").first).to_have_css(
            "background-color", colour
        )
