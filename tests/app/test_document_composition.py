"""Text that is composed with an input method while others, without a caret in it, edit the same paragraph."""

from playwright.async_api import expect

from tests.app.writing import Document, block, composing, editor, made, open_in, put_caret, saved

STEPS = ("n", "ni", "nih", "niha", "nihao")
EDITS = (
    (("middle", "MIDDLE"), "start MIDDLE end你好"),
    (("middle", "very middle"), "start very middle end你好"),
    (("middle ", ""), "start end你好"),
    (("middle", "**middle**"), "start **middle** end你好"),
    (("middle", "[middle](https://x.example)"), "start [middle](https://x.example) end你好"),
    (("start middle end", "start **middle end**"), "start **middle end**你好"),
)


def passages(old, new):
    return {"passages": [{"old": old, "new": new}]}


async def test_an_edit_of_the_paragraph_waits_until_what_is_composed_is_there(window, world_of):
    async with window("ada") as page:
        show, end = await composing(page)
        for edit, then in EDITS:
            for step in 2, 4:
                document = Document(world_of("ada")).add(
                    made(block("paragraph", "start middle end"), block("paragraph", "more"))
                )
                await open_in(page, document)
                await put_caret(page, "start middle end", 16)
                for text in STEPS[:step]:
                    await show(text)
                await editor(page).get_by_text(STEPS[step - 1]).wait_for()
                document.edit(**passages(*edit))
                document.edit(append="behind it")  # waits, too
                for text in STEPS[step:]:
                    await show(text)
                await end("你好")
                await editor(page).get_by_text("behind it").wait_for()
                await saved(page)
                assert document.markdown == f"{then}\n\nmore\n\nbehind it\n"
                await expect(editor(page).locator("p").first).to_have_text(
                    then.replace("*", "").replace("[", "").replace("](https://x.example)", "")
                )


async def test_edits_elsewhere_are_shown_while_somebody_composes(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start"), block("paragraph", "more")))
    async with window("ada") as page:
        show, end = await composing(page)
        await open_in(page, document)
        await put_caret(page, "start", 5)
        await show("n")
        document.edit(**passages("more", "MORE"))
        await editor(page).get_by_text("MORE").wait_for()
        await show("ni")
        await end("你")
        await saved(page)
    assert document.markdown == "start你\n\nMORE\n"


async def test_an_edit_waits_for_two_seconds_at_most(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start end")))
    async with window("ada") as page:
        show, _ = await composing(page)
        await open_in(page, document)
        await put_caret(page, "start end", 9)
        await show("n")
        document.edit(**passages("start", "START"))
        await editor(page).get_by_text("START endn").wait_for()  # nothing ends the composition
        await page.keyboard.press("End")
        await page.keyboard.type("!")
        await saved(page)
    assert document.markdown == "START endn!\n"
