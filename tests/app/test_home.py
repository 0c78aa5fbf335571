"""The first screen: what others, agents first, changed while somebody was away."""

from playwright.async_api import expect

from tests.app.writing import BEN, HIDE, Document
from tests.support.processes.browser import sign_in

AWAY = """
if (!sessionStorage.returned) {
  sessionStorage.returned = Date.now() - 31 * 60_000;
  const seen = Number(sessionStorage.returned);
  for (const key of Object.keys(localStorage)) localStorage[key] = JSON.stringify({ since: seen - 86_400_000, seen });
}
"""
SINCE = "(id) => JSON.parse(localStorage[`visit-${id}`]).since - Number(sessionStorage.returned)"


async def test_what_others_changed_while_somebody_was_away_is_told_agents_first(window, world_of):
    ada, ben, agent = world_of("ada"), world_of("ben"), world_of("agent")
    viewer = ben.ask("{ viewer { id email } }")["viewer"]
    written, other, own = (Document(ada, name) for name in ("Meeting minutes", "Meeting plan", "Meeting notes of Ben"))
    for document in (written, other, own):
        document.share(viewer["email"], "read_write")
    agent.edit(written.id, append="from an agent")
    other.edit(append="from Ada")
    ben.edit(own.id, append="from Ben")
    async with window("ben") as page:
        await page.add_init_script(AWAY)
        await page.reload()
        changed = page.get_by_role("region", name="While you were away")
        await changed.get_by_role("link", name="Meeting minutes").wait_for()
        authors = await changed.locator(":scope > div > ul > li > :not([aria-hidden], ul)").all_inner_texts()
        first_person = next(index for index, author in enumerate(authors) if " for " not in author)
        assert any(author.endswith("for Ada Lovelace") for author in authors[:first_person])
        assert [author for author in authors[first_person:] if " for " in author] == []
        assert "Ada Lovelace" in authors[first_person:]
        await expect(changed.get_by_role("link", name="Meeting notes of Ben")).to_have_count(0)
        assert await page.evaluate(SINCE, viewer["id"]) == 0
        await page.reload()
        await changed.get_by_role("link", name="Meeting plan").wait_for()
        assert await page.evaluate(SINCE, viewer["id"]) == 0
        await changed.get_by_role("link", name="Meeting plan").press("Enter")
        await page.get_by_role("heading", name="Meeting plan", level=1).wait_for()


async def test_who_wrote_before_others_did_is_told_too(window, world_of):
    document = Document(world_of("ada"), "Written by turns")
    document.share(BEN, "read_write")
    world_of("agent").edit(document.id, append="from an agent")
    world_of("ben").edit(document.id, append="from Ben")
    document.edit(append="from Ada")
    async with window("ada") as page:
        changed = page.get_by_role("region", name="While you were away")
        await changed.get_by_role("link", name="Written by turns").first.wait_for()
        by = changed.locator(":scope > div > ul > li").filter(has=page.get_by_role("link", name="Written by turns"))
        authors = await by.locator(":scope > :not([aria-hidden], ul)").all_inner_texts()
        assert len(authors) == 2
        assert authors[0].endswith("for Ada Lovelace")
        assert authors[1] == "Ben Franklin"


async def test_an_agent_of_ones_own_leads_to_what_it_did(window, world_of):
    document = Document(world_of("ada"), "Read by an agent")
    world_of("agent").edit(document.id, append="from an agent")
    async with window("ada") as page:
        changed = page.get_by_role("region", name="While you were away")
        agent = changed.get_by_role("listitem").filter(has=page.get_by_role("link", name="Read by an agent")).first
        await agent.get_by_role("link", name="for Ada Lovelace").press("Enter")
        await page.get_by_role("heading", name="Documents that it created or edited").wait_for()
        await page.get_by_role("link", name="Read by an agent", exact=True).wait_for()


async def test_what_this_browser_remembers_is_not_trusted(window, people):
    async with window() as page:
        await page.add_init_script('for (const key of Object.keys(localStorage)) localStorage[key] = \'{"since": "x"\'')
        await sign_in(page, people["grace"])
        await page.reload()
        await page.get_by_role("region", name="While you were away").get_by_text("What others changed since").wait_for()


async def test_a_window_that_is_seen_again_after_long_tells_what_happened_meanwhile(window, world_of):
    async with window("ben") as page:
        await page.clock.install()
        await page.goto("/")
        changed = page.get_by_role("region", name="While you were away")
        await changed.get_by_text("What others changed since").wait_for()
        await page.evaluate(HIDE, True)
        document = Document(world_of("ada"), "Written overnight")
        document.share(BEN, "read_write")
        await page.clock.fast_forward(31 * 60_000)
        await page.evaluate(HIDE, False)
        await changed.get_by_role("link", name="Written overnight").wait_for()


async def test_home_offers_a_document_in_ones_own_drive_and_the_settings_lead_back(window):
    async with window("ada") as page:
        await page.get_by_role("link", name="Settings").click()
        back = page.get_by_role("navigation", name="Settings").get_by_role("link", name="Back to your drives")
        await back.click()
        await page.get_by_role("main").get_by_role("button", name="New document").press("Enter")
        await page.get_by_label("Name", exact=True).fill("Begun at home")
        await page.keyboard.press("Enter")
        await page.get_by_role("heading", name="Begun at home", level=1).wait_for()
        way = page.get_by_role("navigation", name="Breadcrumbs")
        await way.get_by_role("link", name="My drive").wait_for()
