"""A first visit to a new server: signed in by the link that it printed, a person makes a document and writes in it."""

import re

import pytest

from tests.app.writing import editor, saved
from tests.support.processes.browser import new_context
from tests.support.processes.servers import eventually, launch, operator, serving
from tests.support.web.accessible import check_everywhere

LINK = re.compile(r"http://[^/]+(/sign-in/\S+)")


@pytest.fixture(scope="module")
def new_server(tmp_path_factory):
    """A server without the demo world, at its first start."""
    folder = tmp_path_factory.mktemp("first")
    folder.chmod(0o711)
    with serving(folder / "data", begin=launch) as server:
        yield server


async def enter_by_link(page, link):
    await page.goto(link)
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_label("New password").first.wait_for()
    await page.goto("/")
    await page.get_by_role("heading", name="Welcome, ").wait_for()


@pytest.mark.parametrize("width", [1200, 320])
async def test_a_document_is_made_by_the_buttons_and_written_in_after_the_printed_link(browser, new_server, width):
    printed = eventually(lambda: LINK.search(new_server.text))
    link = printed[1] if width == 1200 else made_link(new_server, printed)
    context = await new_context(browser, base_url=new_server.origin, viewport={"width": width, "height": 800})
    page = await context.new_page()
    await enter_by_link(page, link)
    await page.get_by_role("main").get_by_role("link", name="only you").click()
    offer = page.get_by_role("button", name="New folder")
    menu = page.get_by_role("button", name="New", exact=True)
    await offer.or_(menu).wait_for()
    if await menu.is_visible():  # the other width has been here
        await menu.click()
    await offer.or_(page.get_by_role("menuitem", name="New folder")).click()
    await page.get_by_label("Name", exact=True).fill(f"Notes {width}")
    await page.get_by_role("button", name="Create").click()
    await page.get_by_role("row").get_by_role("link", name=f"Notes {width}").click()
    await page.get_by_role("heading", name=f"Notes {width}", level=1).wait_for()
    await page.get_by_role("button", name="New document").click()
    await page.get_by_label("Name", exact=True).fill("First thoughts")
    await page.get_by_role("button", name="Create").click()
    await page.get_by_role("heading", name="First thoughts", level=1).wait_for()
    await editor(page).and_(page.locator("[contenteditable=true]")).click()
    await page.keyboard.type("What I think first")
    await saved(page)
    await check_everywhere(page)
    await page.reload()
    await editor(page).get_by_text("What I think first").wait_for()
    way = page.get_by_role("navigation", name="Breadcrumbs")
    await way.get_by_role("link", name=f"Notes {width}").click()
    await page.get_by_role("row").get_by_role("link", name="First thoughts").wait_for()
    await context.close()


def made_link(server, printed):
    """Another link for the first account: the printed one is good once."""
    email = re.search(r"It signs you in as (\S+)\. Make", printed.string)[1]
    return LINK.search(operator("--data", server.data, "account", "link", email).stdout)[1]


async def test_who_has_no_organization_is_told_why_no_drive_can_be_made(browser, new_server):
    made = operator("--data", new_server.data, "account", "create", "solo@new.example", "--name", "Solo")
    assert made.returncode == 0, made.stderr
    link = operator("--data", new_server.data, "account", "link", "solo@new.example").stdout
    context = await new_context(browser, base_url=new_server.origin)
    page = await context.new_page()
    await enter_by_link(page, LINK.search(link)[1])
    await page.get_by_role("main").get_by_role("button", name="New drive").press("Enter")
    dialog = page.get_by_role("dialog", name="New drive")
    await dialog.get_by_text("A drive belongs to an organization, and none of yours is active.").wait_for()
    await check_everywhere(page)
    await dialog.get_by_role("link", name="Create, join or choose an organization").press("Enter")
    await page.wait_for_url("**/settings/organizations")
    await context.close()
