"""Text in scripts that are written from the right."""

from tests.app.writing import Document, block, editor, made, open_in

DIRECTION = "(element) => getComputedStyle(element).direction"


async def test_each_block_is_written_from_the_side_of_its_first_letter(window, world_of):
    items = block("bulletList", block("listItem", block("paragraph", "פריט")))
    tasks = block("taskList", block("taskItem", block("paragraph", "משימה"), checked=False))
    quote = block("blockquote", block("paragraph", "ציטוט"))
    blocks = [
        block("paragraph", "left"),
        block("paragraph", "שלום, world"),
        block("heading", "مرحبا", level=2),
        items,
        tasks,
        quote,
    ]
    document = Document(world_of("ada")).add(
        made(*blocks, block("bulletList", block("listItem", block("paragraph", "apple"))))
    )
    async with window("ada") as page:
        await open_in(page, document)
        for element, direction in (
            ("p:has-text('left')", "ltr"),
            ("p:has-text('world')", "rtl"),
            ("h2", "rtl"),
            ("ul:has-text('פריט')", "rtl"),
            ("ul:has-text('משימה')", "rtl"),
            ("blockquote", "rtl"),
            ("ul:has-text('apple')", "ltr"),
        ):
            assert await editor(page).locator(element).first.evaluate(DIRECTION) == direction, element
        await editor(page).locator("p:has-text('left')").click()
        await page.keyboard.press("Home")
        await page.keyboard.type("ש")
        assert await editor(page).locator("p:has-text('left')").evaluate(DIRECTION) == "rtl"
        await page.keyboard.press("Backspace")
