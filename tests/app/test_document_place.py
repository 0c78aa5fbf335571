"""What is shown of a document's name and place: what they are now."""

from tests.app.writing import Document, open_in

RENAME = "mutation($i: ID!, $n: ItemName!) { renameItem(itemId: $i, name: $n) { id } }"
MOVE = "mutation($i: ID!, $d: ID!, $p: ID) { moveItem(itemId: $i, driveId: $d, parentId: $p) { id } }"


async def test_the_name_and_the_place_of_a_document_follow_what_others_do(window, world_of):
    ada = world_of("ada")
    document = Document(ada, "Old name")
    folder = ada.item(document.drive, "A folder")
    async with window("ada") as page:
        asked = []
        page.on("request", lambda each: "ItemPlace" in (each.post_data or "") and asked.append(each))
        await open_in(page, document)
        await page.get_by_role("heading", name="Old name", level=1).wait_for()
        assert len(asked) == 0  # the page has it
        document.edit(append="an edit is no change of the place")
        ada.ask(RENAME, i=document.id, n="New name")
        await page.get_by_role("heading", name="New name", level=1).wait_for()
        await page.wait_for_function("document.title.startsWith('New name')")
        ada.ask(MOVE, i=document.id, d=document.drive, p=folder)
        way = page.get_by_role("navigation", name="Breadcrumbs")
        await way.get_by_role("link", name="A folder").wait_for()
        ada.ask(RENAME, i=folder, n="A folder of another name")
        await way.get_by_role("link", name="A folder of another name").wait_for()


async def test_a_document_is_printed_whole_and_without_what_is_around_it(window, world_of):
    document = Document(world_of("ada"), "On paper")
    document.edit(append="\n\n".join(f"Paragraph {number}" for number in range(200)))
    async with window("ada") as page:
        await open_in(page, document)
        around = [
            page.get_by_role("navigation", name="Drives"),
            page.get_by_role("toolbar", name="Formatting"),
            page.get_by_role("navigation", name="Breadcrumbs"),
        ]
        for each in around:
            await each.wait_for()
        await page.emulate_media(media="print")
        for each in around:
            await each.wait_for(state="hidden")
        await page.get_by_role("heading", name="On paper", level=1).wait_for()
        shown, whole = await page.evaluate(
            "() => [document.querySelector('.ProseMirror').getBoundingClientRect().bottom, document.documentElement.scrollHeight]"
        )
        assert shown <= whole + 1  # of what a part of the page scrolls, a printer has the first screen alone
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "else it is printed smaller"
        await page.emulate_media(media="screen")
