"""What is found, and what the field above says was asked for."""

import asyncio
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.async_api import expect

from tests.support.processes.servers import eventually


@pytest.fixture
def found(world_of):
    """More documents of one name than are shown at once, and one of another."""
    ada = world_of("ada")
    drive = ada.drive("Searched")
    for number in range(51):  # a page has 50
        ada.item(drive, f"Walrus {number}", "docs_workbook")
    ada.item(drive, "Narwhal", "docs_workbook")


def is_of_more(route):
    return '"after":"' in (route.request.post_data or "")


def results(page):
    return page.get_by_role("main").get_by_role("link", name="Walrus")


@pytest.mark.usefixtures("found")
async def test_a_page_that_does_not_come_leaves_what_was_found(window):
    async def fail(route):
        if not is_of_more(route):
            return await route.continue_()
        return await route.fulfill(
            status=503, json={"errors": [{"message": "away", "extensions": {"code": "UNAVAILABLE"}}]}
        )

    async with window("ada", allowed=("503",)) as page:
        await page.route("**/graphql", fail)
        await page.goto("/search?q=walrus")
        await results(page).first.wait_for()
        await expect(page.get_by_role("searchbox", name="Search")).to_have_value("walrus")
        await page.get_by_role("button", name="Show more").press("Enter")
        await page.get_by_role("status").get_by_text("Away.").wait_for()
        await expect(results(page)).to_have_count(50)
        await page.unroute("**/graphql")
        await page.get_by_role("button", name="Try again").press("Enter")
        await results(page).nth(50).wait_for()


@pytest.mark.usefixtures("found")
async def test_what_is_still_asked_for_is_given_up_for_other_words(window):
    held = asyncio.get_running_loop().create_future()

    async def hold(route):
        if is_of_more(route):
            held.set_result(route.request)
        else:
            await route.continue_()

    async with window("ada") as page:
        await page.route("**/graphql", hold)
        await page.goto("/search?q=walrus")
        await results(page).first.wait_for()
        await page.get_by_role("button", name="Show more").press("Enter")
        late = await held
        await page.get_by_role("searchbox", name="Search").fill("narwhal")
        async with page.expect_event("requestfailed", lambda request: request == late):
            await page.keyboard.press("Enter")
        await page.get_by_role("main").get_by_role("link", name="Narwhal").first.wait_for()
        await page.get_by_role("heading", name="Results for “narwhal”").wait_for()
        await expect(results(page)).to_have_count(0)


@pytest.fixture
def quokkas(world_of):
    """Items of one word in two drives, in a folder and outside of it, made by a person and by an agent of theirs."""
    ada, agent = world_of("ada"), world_of("agent")
    drive, other = ada.drive("Burrow"), ada.drive("Den")
    reports = ada.item(drive, "Quokka reports")
    ada.child(reports, "Quokka plan", "docs_workbook")
    agent.item(drive, "Quokka notes", "docs_workbook")
    ada.item(other, "Quokka elsewhere", "docs_workbook")
    return {"drive": drive, "reports": reports}


async def lists(page, *names):
    """Wait until the search lists these items, and no others."""
    await page.wait_for_function(
        """names => {
            const links = [...document.querySelectorAll("main li a")].map((link) => link.textContent);
            return links.sort().join() === names;
        }""",
        arg=",".join(sorted(f"Quokka {name}" for name in names)),
    )


async def test_a_search_is_limited_to_a_place_a_kind_and_an_author(window, quokkas):
    async with window("ada") as page:
        where, show, by = (page.get_by_role("combobox", name=name, exact=True) for name in ("Where", "Show", "By"))
        await page.goto("/search?q=quokka")
        await lists(page, "reports", "plan", "notes", "elsewhere")
        await where.select_option("Burrow")
        await lists(page, "reports", "plan", "notes")
        await show.select_option("Documents")
        await lists(page, "plan", "notes")
        await by.select_option("By research-assistant")
        await lists(page, "notes")
        asked = dict(parse_qsl(urlsplit(page.url).query))
        assert (asked["q"], asked["drive"], asked["agent"]) == ("quokka", quokkas["drive"], "research-assistant")
        await page.reload()
        await lists(page, "notes")
        await expect(by.locator("option:checked")).to_have_text("By research-assistant")
        await by.select_option("By you")
        await lists(page, "plan")
        await by.select_option("By anybody")
        await lists(page, "plan", "notes")
        await page.get_by_role("searchbox", name="Search").fill("quokka elsewhere")
        await page.keyboard.press("Enter")
        await page.get_by_text("Nothing that you can see matches.").wait_for()
        await page.get_by_role("link", name="Search everything").press("Enter")
        await lists(page, "elsewhere")
        await expect(where).to_have_value("")
        await expect(show).to_have_value("")


@pytest.mark.usefixtures("quokkas")
async def test_a_search_is_limited_to_what_changed_lately_and_lists_it_without_words(window):
    async with window("ada") as page:
        changed = page.get_by_role("combobox", name="Changed")
        later = await page.evaluate("Date.now() + 3 * 86400000")
        await page.clock.set_fixed_time(later / 1000)
        await page.goto("/search")
        await page.get_by_role("combobox", name="Where").select_option("Burrow")
        await lists(page, "reports", "plan", "notes")
        await changed.select_option("Past day")
        await page.get_by_text("Nothing that you can see matches.").wait_for()
        await changed.select_option("Past week")
        await lists(page, "reports", "plan", "notes")


async def test_a_folder_is_searched_from_its_menu_and_from_the_palette(window, quokkas):
    async with window("ada") as page:
        where = page.get_by_role("combobox", name="Where")
        await page.goto(f"/drive/{quokkas['drive']}")
        await page.get_by_role("button", name="Actions for Quokka reports").click()
        await page.get_by_role("menuitem", name="Search in it").click()
        await lists(page, "plan")
        await where.get_by_role("option", name="Quokka reports").wait_for(state="attached")
        await expect(where).to_have_value(quokkas["reports"])
        await page.goto(f"/folder/{quokkas['reports']}")
        await page.get_by_role("heading", name="Quokka reports").wait_for()
        await page.keyboard.press("Control+k")
        await page.get_by_role("combobox", name="Search and commands").fill("search in")
        await page.keyboard.press("Enter")
        await lists(page, "plan")


async def test_a_place_that_the_reader_does_not_see_holds_nothing_to_find(window, quokkas):
    async with window("ben") as page:
        await page.goto(f"/search?q=quokka&drive={quokkas['drive']}&type=nonsense&changed=nonsense")
        await page.get_by_text("Nothing that you can see matches.").wait_for()
        where = page.get_by_role("combobox", name="Where")
        await expect(where.locator("option:checked")).to_have_text("Other")
        await expect(page.get_by_role("combobox", name="Show")).to_have_value("")


async def test_a_result_has_its_icon_its_place_its_author_and_its_date(window, world_of):
    ada = world_of("ada")
    folder = ada.item(ada.drive("Zoo"), "Aquarium")
    document = ada.child(folder, "Dugong", "docs_workbook")
    world_of("agent").edit(document, replace="It eats seagrass.")
    asked = 'query { search(text: "seagrass") { nodes { id } } }'
    await asyncio.to_thread(eventually, lambda: ada.ask(asked)["search"]["nodes"])  # it is indexed after the edit
    async with window("ada") as page:
        await page.goto("/search?q=seagrass")
        result = page.get_by_role("main").get_by_role("listitem").filter(has=page.get_by_role("link", name="Dugong"))
        await expect(result).to_contain_text("Zoo / Aquarium")
        await expect(result.locator("svg").first).to_be_visible()
        await expect(result.locator("p").first).to_contain_text("research-assistant")
        await expect(result.locator("time")).to_have_text("now")
        await expect(result.locator("mark")).to_have_text("seagrass")
