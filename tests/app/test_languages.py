"""The application in the language of the reader: the browser's, or the one that they chose."""

from playwright.async_api import expect

from tests.app.layout import assert_laid_out
from tests.app.writing import Document, block, made

GERMAN = {"locale": "de-CH", "viewport": {"width": 320, "height": 640}}


async def test_a_german_browser_is_spoken_to_in_german_until_its_reader_chooses_english(window, cookies, people):
    async with window("ada"):
        pass
    async with window(locale="de-DE") as page:
        await page.context.add_cookies(cookies[people["ada"]["email"]])
        await page.goto("/")
        await page.get_by_role("heading", name="Willkommen, Ada").wait_for()
        assert await page.evaluate("document.documentElement.lang") == "de"
        await page.get_by_role("button", name="Ada Lovelace", exact=True).click()
        await page.get_by_role("menuitem", name="Sprache…").click()
        await page.get_by_role("combobox", name="Sprache").select_option("English")
        await page.get_by_role("button", name="Speichern").click()
        await page.get_by_role("heading", name="Welcome, Ada").wait_for()
        assert await page.evaluate("document.documentElement.lang") == "en"
        await page.goto("/recent")
        await page.get_by_role("heading", name="Recent").wait_for()
        await page.keyboard.press("Control+k")
        await page.get_by_role("combobox", name="Search and commands").fill("lang")
        await page.keyboard.press("Enter")
        language = page.get_by_role("combobox", name="Language")
        await expect(language).to_have_value("en")
        await language.select_option("As the browser: Deutsch")
        await page.get_by_role("button", name="Save").click()
        await page.get_by_role("heading", name="Zuletzt").wait_for()


async def test_german_fits_on_the_smallest_phone(window, cookies, people, world_of):
    ada = world_of("ada")
    document = Document(ada).add(made(block("heading", "Ziele", level=1), block("paragraph", "Worte")))
    async with window("ada"):
        pass
    async with window(**GERMAN) as page:
        await page.context.add_cookies(cookies[people["ada"]["email"]])
        for path in ("/", f"/drive/{document.drive}", "/trash", "/search?q=Worte", "/agents"):
            await page.goto(path)
            await page.get_by_role("main").get_by_role("heading", level=1).first.wait_for()
            await expect(page.get_by_role("status").get_by_text("Wird geladen")).to_have_count(0)
            await assert_laid_out(page)
        for panel in ("outline", "authors", "changes", "versions"):
            await page.goto(f"{document.path}?panel={panel}")
            await page.get_by_role("textbox", name="Dokument").wait_for()
            await assert_laid_out(page)
