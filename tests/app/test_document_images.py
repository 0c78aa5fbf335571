"""Images in a document: pasted, dropped and chosen, where they were put, whatever others write meanwhile."""

import asyncio
import io

from PIL import Image
from playwright.async_api import expect

from tests.app.writing import BEN, Document, block, editor, made, open_in, saved, write_after

SVG = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"
GIVE = """([element, kind, name, bytes]) => {
  const data = new DataTransfer();
  data.items.add(new File([new Uint8Array(bytes)], name, { type: "image/png" }));
  const { left, top, height } = element.getBoundingClientRect();
  const place = { clientX: left + 1, clientY: top + height / 2, bubbles: true, cancelable: true };
  element.dispatchEvent(kind === "paste"
    ? new ClipboardEvent(kind, { clipboardData: data, bubbles: true, cancelable: true })
    : new DragEvent(kind, { dataTransfer: data, ...place }));
}"""


def picture(colour):
    content = io.BytesIO()
    Image.new("RGB", (40, 30), colour).save(content, "PNG")
    return content.getvalue()


async def give(page, kind, words, content, name="image.png"):
    """Paste or drop a file where the text is."""
    element = await editor(page).get_by_text(words).first.element_handle()
    await page.evaluate(GIVE, [element, kind, name, [*content]])


def images(page):
    return editor(page).locator("figure.image img")


async def test_an_image_stands_where_it_was_put_and_is_described_by_keyboard(window, world_of):
    document = Document(world_of("ada")).add(made(*(block("paragraph", each) for each in ("top", "one", "two"))))
    document.share(BEN, "read_write")
    released = asyncio.Event()

    async def hold(route):
        await released.wait()
        await route.continue_()

    async with window("ada", allowed=("415",)) as ada, window("ben") as ben:
        await ada.route("**/images?*", hold)
        await open_in(ada, document)
        await open_in(ben, document)
        await write_after(ada, "one", ".")
        await give(ada, "paste", "one.", picture("red"))
        note = editor(ada).get_by_role("status")
        await note.get_by_text("Sending the image…").wait_for()
        await write_after(ben, "top", "")
        await ben.keyboard.press("Enter")
        await ben.keyboard.type("zero")
        await write_after(ben, "two", " ben")
        await editor(ada).get_by_text("two ben").wait_for()
        await editor(ada).get_by_text("zero", exact=True).wait_for()
        await expect(editor(ben).get_by_text("Sending")).to_have_count(0)
        released.set()
        for page in (ada, ben):
            await page.wait_for_function("() => document.querySelector('figure.image img')?.naturalWidth === 40")
        await note.wait_for(state="detached")
        await saved(ada)
        before, after = document.markdown.split("![](")
        assert (before, after.partition(")")[2]) == ("top\n\nzero\n\none.\n\n", "\n\ntwo ben\n")

        await give(ada, "drop", "two ben", SVG, "hostile.svg")
        await ada.get_by_text("The image was not added.").first.wait_for()
        await note.wait_for(state="detached")
        await expect(images(ada)).to_have_count(1)
        await give(ada, "drop", "two ben", picture("blue"), "Hills.png")
        await ada.get_by_role("img", name="Hills").wait_for()

        await write_after(ada, "two", "")
        await ada.keyboard.press("Enter")
        async with ada.expect_file_chooser() as choosing:
            await ada.keyboard.type("/picture")
            await ada.get_by_role("listbox", name="Blocks").get_by_role("option", name="Image").wait_for()
            await ada.keyboard.press("Enter")
        chooser = await choosing.value
        await chooser.set_files({"name": "image.png", "mimeType": "image/png", "buffer": picture("green")})
        await ada.wait_for_function("() => document.querySelectorAll('figure.image img').length === 3")
        await ada.keyboard.type("below")
        await ada.keyboard.press("ArrowUp")
        await ada.keyboard.press("Enter")
        described = ada.get_by_role("textbox", name="Description of the image")
        await described.wait_for()
        await ada.keyboard.type("A meadow")
        await ada.keyboard.press("Enter")
        for page in (ada, ben):
            await page.get_by_role("img", name="A meadow").wait_for()
        await saved(ada)
        assert document.markdown.endswith(")\n\nbelow\n")

        document.change_share(BEN, "read_only")
        await ben.get_by_text("You can read this document, but not edit it.").wait_for()
        sent = []
        ben.on("request", lambda each: sent.append(each.url))
        for kind in ("paste", "drop"):
            await give(ben, kind, "below", picture("red"))
        await expect(editor(ben).get_by_role("status")).to_have_count(0)
        assert not [url for url in sent if "/images?" in url]


async def test_who_leaves_before_an_image_is_sent_is_told_that_it_was_not_put_in(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "top")))
    released = asyncio.Event()

    async def hold(route):
        await released.wait()
        await route.continue_()

    async with window("ada") as page:
        await page.route("**/images?*", hold)
        await open_in(page, document)
        await give(page, "paste", "top", picture("red"))
        await editor(page).get_by_role("status").get_by_text("Sending the image…").wait_for()
        await page.keyboard.press("Escape")
        await page.get_by_role("navigation", name="Drives").get_by_role("link", name="Shared with you").click()
        await page.get_by_role("heading", name="Shared with you", level=1).wait_for()
        released.set()
        await page.get_by_text("An image was not put in: its document was left").first.wait_for()
    assert document.markdown == "top\n"


async def test_a_caption_a_width_and_a_place_are_given_in_the_text_seen_by_others_and_kept(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "top"), block("paragraph", "below")))
    document.share(BEN, "read_only")
    async with window("ada") as ada, window("ben") as ben:
        await open_in(ada, document)
        await ben.goto(document.path)
        await ben.get_by_text("below").wait_for()
        await give(ada, "paste", "top", picture("red"))
        await images(ada).click()
        for name, words in (("Description of the image", "A meadow"), ("Caption of the image", "In June")):
            await ada.get_by_role("textbox", name=name).fill(words)
            await ada.keyboard.press("Enter")
            await expect(editor(ada)).to_be_focused()
        for name, choice in (("Width of the image", "Medium"), ("Alignment of the image", "Right")):
            button = ada.get_by_role("group", name=name).get_by_role("button", name=choice)
            await button.click()
            await expect(button).to_have_attribute("aria-pressed", "true")
        await saved(ada)
        image = next(each for each in document.read()["prosemirrorDoc"]["content"] if each["type"] == "image")
        kept = {name: image["attrs"].get(name) for name in ("alt", "title", "width", "align")}
        assert kept == {"alt": "A meadow", "title": "In June", "width": 480, "align": "right"}
        await ada.reload()
        for page in (ada, ben):
            figure = page.locator("figure.image[data-align=right]")
            await expect(figure.get_by_role("img", name="A meadow")).to_have_attribute("width", "480")
            await expect(figure.locator("figcaption")).to_have_text("In June")
