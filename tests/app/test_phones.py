"""The application under fingers: a narrow window, an on-screen keyboard, no mouse."""

import pytest
from playwright.async_api import expect

from tests.app.writing import BEN, Document, block, editor, made, open_in, press, saved, table
from tests.support.web.accessible import check_everywhere

PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
KEYBOARD = 260

# No browser without a screen has such a keyboard. As on an iPhone, it makes what is seen of the page smaller, and not the window.
RAISE = """(covered) => {
  Object.defineProperty(visualViewport, "height", { get: () => innerHeight - covered, configurable: true });
  visualViewport.dispatchEvent(new Event("resize"));
}"""


async def box(locator):
    return await locator.bounding_box()


async def test_the_one_toolbar_stands_above_the_keyboard_and_takes_back_what_was_typed(window, world_of):
    lines = [block("paragraph", f"line {number}") for number in range(60)]
    document = Document(world_of("ada")).add(made(*lines, block("paragraph", "end")))
    async with window("ada", **PHONE) as page:
        await open_in(page, document)
        bar = page.get_by_role("toolbar")
        await editor(page).get_by_text("line 9", exact=True).tap()
        await page.evaluate(RAISE, KEYBOARD)
        seen = 640 - KEYBOARD
        await page.wait_for_function(
            "(seen) => Math.round(document.querySelector('[role=toolbar]').getBoundingClientRect().bottom) === seen",
            arg=seen,
        )
        await expect(bar).to_have_count(1)
        await page.keyboard.press("Control+End")
        await page.keyboard.type("!")
        line, tools = await box(editor(page).get_by_text("end!")), await box(bar)
        assert (
            line["y"] + line["height"] <= tools["y"]
        )  # what is written is neither under the bar nor under the keyboard
        await check_everywhere(page)
        await bar.get_by_role("button", name="Undo").tap()
        await editor(page).get_by_text("end", exact=True).wait_for()
        await bar.get_by_role("button", name="More tools").tap()
        await bar.get_by_role("button", name="Redo").tap()
        await editor(page).get_by_text("end!").wait_for()
        await expect(editor(page)).to_be_focused()  # so the keyboard stays
        await page.evaluate(RAISE, 0)
        await page.wait_for_function(
            "document.querySelector('[role=toolbar]').getBoundingClientRect().bottom === innerHeight"
        )
        await saved(page)
    assert document.markdown.endswith("\n\nend!\n")


async def test_the_menu_of_a_block_comes_as_a_sheet_from_below(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "one"), block("paragraph", "two")))
    async with window("ada", **PHONE) as page:
        await open_in(page, document)
        await editor(page).get_by_text("one").tap()
        bar = page.get_by_role("toolbar", name="Formatting")
        await bar.get_by_role("button", name="More tools").tap()
        await bar.get_by_role("button", name="Menu of the block").tap()
        await page.get_by_role("menuitem", name="Turn into").tap()
        await expect(page.get_by_role("menu")).to_have_count(2)
        for menu in await page.get_by_role("menu").all():
            place = await box(menu)
            assert (place["x"], place["width"]) == (0, 320)
            assert round(place["y"] + place["height"]) == 640
        await check_everywhere(page)
        await page.get_by_role("menuitem", name="Heading 2").tap()
        await expect(editor(page).get_by_role("heading", name="one")).to_be_visible()
        await saved(page)
    assert document.markdown == "## one\n\ntwo\n"


async def test_a_wide_table_is_scrolled_by_itself(window, world_of):
    # names that no line breaks in, so that the end of the line is the end of the name
    wide = table([f"column{number}" for number in range(12)], ["1"] * 12)
    document = Document(world_of("ada")).add(made(wide, block("paragraph", "end")))
    async with window("ada", **PHONE) as page:
        await open_in(page, document)
        last = editor(page).get_by_text("column11")
        assert (await box(last))["x"] > 320
        assert await page.evaluate("() => document.querySelector('main').scrollWidth <= innerWidth")
        await last.scroll_into_view_if_needed()
        await last.tap()
        await page.keyboard.press("End")
        await page.keyboard.type("!")
        await editor(page).get_by_text("column11!").wait_for()
        await saved(page)
        assert await page.evaluate("() => document.querySelector('main').scrollLeft === 0")
        await check_everywhere(page)


async def test_a_wide_table_is_scrolled_by_keyboard_once_one_may_only_read_it(window, world_of):
    document = Document(world_of("ada")).add(made(table([f"column-{number}" for number in range(12)])))
    document.share(BEN, "read_write")
    async with window("ben", **PHONE) as page:
        await open_in(page, document)
        document.change_share(BEN, "read_only")
        await page.get_by_text("You can read this document, but not edit it.").wait_for()
        region = editor(page).locator(".tableWrapper")
        assert not await region.evaluate("(region) => region.isContentEditable")
        await region.focus()
        await page.keyboard.press("ArrowRight")
        await page.wait_for_function("() => document.activeElement.scrollLeft > 0")
        await check_everywhere(page)


async def test_the_drawer_has_the_keyboard_and_gives_it_back(window):
    async with window("ada", **PHONE) as page:
        fold = page.get_by_role("button", name="Drives")
        drawer = page.get_by_role("navigation", name="Drives")
        await fold.press("Enter")
        await page.wait_for_function("() => document.activeElement.closest('#sidebar')")
        await check_everywhere(page)
        await page.keyboard.press("Escape")
        await drawer.wait_for(state="hidden")
        await expect(fold).to_be_focused()
        await fold.tap()
        await drawer.wait_for()
        await page.touchscreen.tap(310, 600)
        await drawer.wait_for(state="hidden")


# Controls of the frame that a finger misses: what is pressed is smaller than 44 pixels; the links of a line of text may be.
SMALL = """() => [...document.querySelectorAll('main header :is(a, button), #panel :is(a, button, select)')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('header nav'))
  .map((each) => [each, each.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44)
  .map(([each, { width, height }]) => `${each.outerHTML.slice(0, 120)}: ${width} x ${height}`)"""


@pytest.mark.parametrize("width", [390, 320])
async def test_the_frame_of_a_document_is_made_for_fingers(window, world_of, width):
    heading = block("heading", "One", level=1)
    document = Document(world_of("ada"), "Minutes").add(made(heading, block("paragraph", "words")))
    async with window("ada", **PHONE | {"viewport": {"width": width, "height": 700}}) as page:
        await open_in(page, document)
        assert (await box(page.locator("main header").first))["height"] == 48
        title = await box(page.get_by_role("heading", name="Minutes"))
        assert title["x"] <= 24
        assert title["x"] + title["width"] >= width - 24
        await editor(page).get_by_text("words").tap()
        tools = page.get_by_role("toolbar", name="Formatting").locator(":scope > div > *")
        boxes = [await box(each) for each in await tools.all()]
        assert len(boxes) == 9
        assert round(sum(each["width"] for each in boxes)) == width
        assert min(each["height"] for each in boxes) >= 44
        assert await page.evaluate(SMALL) == []
        await page.goto(f"{document.path}?panel=outline")
        panel = page.locator("#panel")
        await panel.get_by_text("One").wait_for()
        sheet = await box(panel)
        assert (sheet["x"], sheet["width"], round(sheet["y"] + sheet["height"])) == (0, width, 700)
        assert await page.evaluate(SMALL) == []


# What a finger misses: where it reacts is lower than a row with its line, or, where it is no link, narrower. Links of a line of text may be.
MISSED = """() => [...document.querySelectorAll('a, button, select, summary, input, [role=treeitem], [role=option]')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('p, .skip, .ProseMirror, [role=toolbar]'))
  .filter((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const isOwn = (dx, dy) => {
      const hit = document.elementFromPoint(x + dx, y + dy);
      return each.contains(hit) || [...(each.labels ?? [])].some((label) => label.contains(hit));
    };
    const reach = (dx, dy) => {
      let far = 0;
      while (far < 44 && isOwn(dx * (far + 1), dy * (far + 1))) far += 1;
      return far;
    };
    if (right - left <= 1 || y < 21 || y > innerHeight - 22 || x < 21 || x > innerWidth - 22 || !isOwn(0, 0)) return false;
    const [height, width] = [reach(0, -1) + reach(0, 1) + 1, reach(-1, 0) + reach(1, 0) + 1];
    return height < 43 || (!each.matches('a') && width < 43);
  })
  .map((each) => each.outerHTML.slice(0, 120))"""
LONG = ("A name that is as long as a name may be " * 7)[:255].strip()


@pytest.mark.parametrize("width", [390, 320])
async def test_fingers_find_what_lists_and_dialogs_offer(window, world_of, width):
    ada = world_of("ada")
    document = Document(ada, "Minutes").add(made(block("paragraph", "words")))
    document.edit(append="more words")
    world_of("agent").edit(document.id, append="words of an agent")
    changes = ada.ask("query($d: ID!) { documentChanges(documentId: $d) { nodes { id } } }", d=document.id)
    undo = "mutation($d: ID!, $i: [ID!]!) { undoChanges(documentId: $d, ids: $i) { revision } }"
    ada.ask(undo, d=document.id, i=[changes["documentChanges"]["nodes"][0]["id"]])  # which keeps a version
    async with window("ada", **PHONE | {"viewport": {"width": width, "height": 760}}) as page:
        for path in ("/", f"/drive/{document.drive}", "/recent", "/search?q=minutes", "/settings/profile"):
            await page.goto(path)
            await page.get_by_role("main").get_by_role("heading", level=1).first.wait_for()
            await expect(page.get_by_role("status").get_by_text("Loading")).to_have_count(0)
            assert await page.evaluate(MISSED) == [], path
        await page.goto("/")
        await page.get_by_role("button", name="Drives").tap()
        await page.get_by_role("tree").get_by_role("treeitem").first.wait_for()
        assert await page.evaluate(MISSED) == []
        await page.get_by_role("main").tap(position={"x": width - 5, "y": 5})
        await page.keyboard.press("Control+k")
        await page.get_by_role("option", name="Keyboard shortcuts").wait_for()
        assert await page.evaluate(MISSED) == []
        await page.get_by_role("option", name="Keyboard shortcuts").tap()
        await page.get_by_label("Single-key shortcuts").wait_for()
        assert await page.evaluate(MISSED) == []
        for panel in ("authors", "changes", "versions"):
            await page.goto(f"{document.path}?panel={panel}")
            await page.locator("#panel").get_by_text("Ada Lovelace").first.wait_for()
            assert await page.evaluate(MISSED) == [], panel


@pytest.mark.parametrize("width", [390, 320])
async def test_a_list_has_its_order_beside_its_buttons_its_way_in_a_line_and_its_whole_name(window, world_of, width):
    ada = world_of("ada")
    folder = ada.drive("Ways of phones")
    folder = ada.item(folder, LONG)
    for name in ("Second stage", "Reports of the quarter", "Measurements"):
        folder = ada.child(folder, name)
    last = ada.child(folder, LONG)
    ada.child(last, "One")
    async with window("ada", **PHONE | {"viewport": {"width": width, "height": 700}}) as page:
        await page.goto(f"/folder/{last}")
        order, new = page.get_by_label("Sort", exact=True), page.get_by_role("button", name="New", exact=True)
        await new.wait_for()
        at, beside = await box(order), await box(new)
        assert (at["width"], at["height"]) == (44, 44)
        assert at["y"] == beside["y"]
        steps = page.get_by_role("navigation", name="Breadcrumbs").get_by_role("listitem")
        assert len({(await box(each))["y"] for each in await steps.all()}) == 1
        assert (await box(steps.last))["x"] + (await box(steps.last))["width"] <= width
        title = page.get_by_role("heading", level=1)
        assert await title.evaluate("title => title.scrollHeight <= title.clientHeight")
        await order.select_option("Oldest first")
        await page.wait_for_url("**sort=changed")
        await check_everywhere(page)
        await page.goto("/recent")  # a title alone has it beside itself
        await order.wait_for()
        assert (await box(order))["y"] < 48 + 44


async def test_what_typing_offers_stands_above_the_keyboard(window, world_of):
    document = Document(world_of("ada")).add(made(*(block("paragraph", f"line {number}") for number in range(9))))
    async with window("ada", **PHONE) as page:
        await open_in(page, document)
        await editor(page).get_by_text("line 2", exact=True).tap()
        await page.evaluate(RAISE, KEYBOARD)
        await press(page, "End Enter /")
        offered = await box(page.get_by_role("listbox", name="Blocks"))
        assert offered["y"] >= 0
        assert offered["y"] + offered["height"] <= (await box(page.get_by_role("toolbar")))["y"]
        await press(page, "Escape Backspace")
        await saved(page)


async def test_words_are_found_and_replaced_right_below_the_head(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "words")))
    async with window("ada", **PHONE) as page:
        await open_in(page, document)
        await editor(page).tap()
        await page.keyboard.press("Control+h")
        replacement = page.get_by_label("Replace with")
        assert (await box(replacement))["width"] >= 120
        assert (await box(page.get_by_role("region", name="Find in the text")))["y"] <= 60
        assert await page.evaluate(MISSED) == []


# Choices of fields that are wider than these, by the sign that opens them cut off.
CUT = """(names) => names.flatMap((name) => {
  const field = document.querySelector(`select[aria-label="${name}"]`);
  const { font, paddingLeft, paddingRight } = getComputedStyle(field);
  const pen = Object.assign(document.createElement('canvas').getContext('2d'), { font });
  const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - 16;
  return [...field.options].map((each) => each.text).filter((text) => pen.measureText(text).width > room);
})"""


@pytest.mark.parametrize(("locale", "names"), [("en", ["Show", "Changed"]), ("de", ["Anzeigen", "Geändert"])])
async def test_the_filters_of_a_search_are_read_whole(window, cookies, people, locale, names):
    async with window("ada"):
        pass
    async with window(locale=locale, **PHONE) as page:
        await page.context.add_cookies(cookies[people["ada"]["email"]])
        await page.goto("/search")
        await page.get_by_label(names[1], exact=True).wait_for()
        assert await page.evaluate(CUT, names) == []
