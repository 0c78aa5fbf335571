"""Documents that are made of files of Markdown, and saved as such files."""

import pytest
from playwright.async_api import expect

from tests.support.web.accessible import check_everywhere

DROP = """(list, [name, text, number]) => {
  const data = new DataTransfer();
  for (let files = number ?? 1; files > 0; files--) data.items.add(new File([text], name));
  for (const type of ["dragover", "drop"])
    list.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
FOUND = """query($d: ID!) { search(text: "", driveId: $d, types: [docs_workbook]) { nodes { id name } } }"""


def file(name, content):
    return {"name": name, "mimeType": "", "buffer": content if isinstance(content, bytes) else content.encode()}


@pytest.fixture
def drive(ada):
    return ada.drive("Texts")


def documents(ada, drive):
    """The Markdown of each document of the drive, by its name."""
    return {each["name"]: ada.markdown(each["id"]) for each in ada.ask(FOUND, d=drive)["search"]["nodes"]}


async def test_files_of_markdown_become_documents_and_go_by_undo(window, ada, drive):
    async with window("ada") as page:
        await page.goto(f"/drive/{drive}")
        grid = page.get_by_role("grid")
        async with page.expect_file_chooser() as choosing:
            await page.get_by_role("button", name="Import Markdown…").press("Enter")
        chooser = await choosing.value
        assert chooser.is_multiple()
        await chooser.set_files(
            [
                file("Plan.md", "\ufeff# Plan\r\n\r\n- one\r\n- two"),
                file("Notes é 😀.MARKDOWN", "Some *notes*"),
                file("Empty.txt", ""),
                file("Picture.png", b"\x89PNG"),
                file("Deep.md", "> " * 10_000 + "deep"),
            ]
        )
        for words in (
            "3 items are imported.",
            "“Picture.png”: Only files of Markdown and text can be imported.",
            "“Deep.md”: ",
        ):
            await page.get_by_text(words).wait_for()
        for name in ("Plan", "Notes é 😀", "Empty"):
            await grid.get_by_role("row", name=name).wait_for()
        assert documents(ada, drive) == {
            "Plan": "# Plan\n\n- one\n- two\n",
            "Notes é 😀": "Some *notes*\n",
            "Empty": "",
        }
        await check_everywhere(page)
        await page.get_by_role("button", name="Undo").press("Enter")
        await grid.wait_for(state="detached")
        assert documents(ada, drive) == {}


async def test_a_file_that_is_dropped_on_a_folder_s_list_becomes_a_document_in_it(window, ada, drive):
    folder = ada.item(drive, "Folder")
    async with window("ada") as page:
        await page.goto(f"/folder/{folder}")
        await page.get_by_role("heading", name="Folder").evaluate(DROP, ["Dropped.md", "A **bold** word"])
        await page.get_by_role("row", name="Dropped").wait_for()
        await page.get_by_role("heading", name="Folder").evaluate(DROP, ["Large.md", "x" * 1_000_001])
        await page.get_by_text("“Large.md”: A file that is imported has at most 1 MB.").wait_for()
        await page.get_by_role("heading", name="Folder").evaluate(DROP, ["Many.md", "one of many", 101])
        await page.get_by_text("At most 100 files are imported at once.").wait_for()
    assert documents(ada, drive) == {"Dropped": "A **bold** word\n"}


async def test_files_are_chosen_from_the_palette_and_a_document_is_saved_as_one(window, drive, tmp_path):
    async with window("ada") as page:
        await page.goto(f"/drive/{drive}")
        await page.get_by_role("heading", name="Texts").wait_for()
        await page.keyboard.press("Control+k")
        async with page.expect_file_chooser() as choosing:
            await page.get_by_role("combobox", name="Search and commands").fill("import")
            await page.get_by_role("option", name="Import Markdown…", selected=True).wait_for()
            await page.keyboard.press("Enter")
        await (await choosing.value).set_files([file("Letter.md", "Dear *Ben*")])
        await page.get_by_role("row", name="Letter").wait_for()
        await page.get_by_role("button", name="Actions for Letter").press("Enter")
        async with page.expect_download() as downloading:
            await page.get_by_role("menuitem", name="Download as Markdown").press("Enter")
        saved = await downloading.value
        assert saved.suggested_filename == "Letter.md"
        await saved.save_as(tmp_path / "saved")
    assert (tmp_path / "saved").read_text() == "Dear *Ben*\n"


async def test_readers_import_nothing(window, ada, drive):
    folder = ada.item(drive, "Read only")
    share = 'mutation($i: ID!) { shareItem(itemId: $i, email: "cleo@acme.example", permission: read_only) { id } }'
    ada.ask(share, i=folder)
    async with window("cleo") as page:
        await page.goto(f"/folder/{folder}")
        await page.get_by_text("Nothing here yet.").wait_for()
        await expect(page.get_by_role("button", name="Import Markdown…")).to_have_count(0)
        await page.get_by_role("heading", name="Read only").evaluate(DROP, ["Dropped.md", "text"])
    assert documents(ada, drive) == {}
