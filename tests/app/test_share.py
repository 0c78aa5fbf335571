"""Who has access, in the web application: given, changed, explained and taken away, as the other person sees it."""

import re

import httpx
from playwright.async_api import expect

from tests.support.processes.servers import async_http
from tests.support.web.accessible import check_everywhere

SHARE = (
    "mutation($i: ID!, $e: EmailAddress!, $p: Permission!) { shareItem(itemId: $i, email: $e, permission: $p) { id } }"
)
UPSERT = "mutation($d: ID!, $u: ID!, $r: Role!) { upsertMember(driveId: $d, userId: $u, role: $r) { id } }"
SHARES = "query($i: ID!) { driveItem(id: $i) { shares { email permission } } }"
MEMBERS = "query($d: ID!) { drive(id: $d) { members { email role } } }"


def row(page, name):
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=name, exact=True))


def dialog(page, name):
    return page.get_by_role("dialog", name=re.compile(name))


def person(page, email):
    return (
        dialog(page, "^Share").get_by_role("list", name="Who has access").locator(":scope > li").filter(has_text=email)
    )


def member(page, email):
    return dialog(page, "^Members").get_by_role("list", name="Members").get_by_role("listitem").filter(has_text=email)


async def asked(page, address, name):
    """Open the dialog of an item by keyboard."""
    await page.goto(address)
    await row(page, name).wait_for()
    await page.get_by_role("grid").press("s")
    await dialog(page, "^Share").wait_for()


async def press(button):
    """Press a button by key as soon as it may be: while something is done another press does nothing, and no key waits for that."""
    await expect(button).to_be_enabled()
    await button.press("Enter")


async def focused(page, name):
    """Wait until what has this name has the keyboard."""
    await page.wait_for_function("name => document.activeElement.textContent === name", arg=name)


async def test_an_item_is_shared_changed_and_taken_back_by_keyboard_as_the_other_person_sees_it(
    window, world_of, people
):
    ada, cleo = world_of("ada"), people["cleo"]["email"]
    drive = ada.drive("Sharing")
    item = ada.item(drive, "For Cleo soon")
    async with window("ada") as page, window("cleo") as other:
        await other.goto("/shared")
        await other.get_by_role("heading", name="Shared with you", level=1).wait_for()
        await asked(page, f"/drive/{drive}", "For Cleo soon")
        await page.get_by_label("Share with").press_sequentially(cleo)
        await page.keyboard.press("Enter")
        gained = page.get_by_role("list", name="Gain access").get_by_role("listitem")
        await gained.get_by_text("can read, now no access").wait_for()
        assert ada.ask(SHARES, i=item)["driveItem"]["shares"] == []
        await focused(page, "Share")
        await page.keyboard.press("Enter")
        await person(page, cleo).get_by_text("this is shared with them").wait_for()
        await page.wait_for_function("() => document.activeElement.getAttribute('role') === 'combobox'")
        await row(other, "For Cleo soon").wait_for()
        what = person(page, cleo).get_by_role("combobox")
        await what.focus()
        await page.keyboard.press("ArrowDown")
        await page.get_by_text("The share is changed").wait_for()
        await expect(what).to_be_focused()
        assert ada.ask(SHARES, i=item)["driveItem"]["shares"] == [{"email": cleo, "permission": "read_write"}]
        await dialog(page, "^Share").get_by_role("button", name="Undo").press("Enter")
        await page.get_by_text("Undone.").wait_for()
        assert ada.ask(SHARES, i=item)["driveItem"]["shares"] == [{"email": cleo, "permission": "read_only"}]
        await what.focus()
        await page.keyboard.press("ArrowDown")
        await page.get_by_text("The share is changed").wait_for()
        remove = person(page, cleo).get_by_role("button", name="Remove the share of")
        await remove.and_(page.locator("[aria-disabled=false]")).press("Enter")
        await person(page, cleo).wait_for(state="detached")
        await row(other, "For Cleo soon").wait_for(state="detached")
        await page.wait_for_function("() => document.activeElement.getAttribute('role') === 'status'")
        await page.keyboard.press("Tab")
        await focused(page, "Undo")
        await page.keyboard.press("Enter")
        await person(page, cleo).wait_for()
        await page.get_by_text("Undone.").wait_for()
        await page.wait_for_function("() => document.activeElement.getAttribute('role') === 'status'")
        await row(other, "For Cleo soon").wait_for()
        await page.keyboard.press("Escape")
        await dialog(page, "^Share").wait_for(state="detached")
        await page.wait_for_function("() => document.activeElement.getAttribute('role') === 'grid'")
    assert ada.ask(SHARES, i=item)["driveItem"]["shares"] == [{"email": cleo, "permission": "read_write"}]


async def test_several_people_are_shared_with_and_become_members_by_their_names(window, world_of, people):
    ada = world_of("ada")
    drive = ada.drive("Several")
    item = ada.item(drive, "For several")
    ben, grace = people["ben"]["email"], people["grace"]["email"]
    async with window("ada") as page:
        await asked(page, f"/drive/{drive}", "For several")
        field = page.get_by_label("Share with")
        for typed, email in (("fran", ben), ("gra", grace)):
            await field.press_sequentially(typed)
            await page.get_by_role("option", name=email).and_(page.locator("[aria-selected=true]")).wait_for()
            await check_everywhere(page)
            await field.press("Enter")
        chosen = page.get_by_role("list", name="Chosen").get_by_role("listitem")
        assert await chosen.all_inner_texts() == ["Ben Franklin", "Grace Hopper"]
        await field.press_sequentially("somebody@else.example,")
        await expect(chosen).to_have_count(3)
        await field.press("Backspace")
        await expect(chosen).to_have_count(2)
        await field.press("Enter")
        await focused(page, "Share")
        await page.keyboard.press("Enter")
        await page.get_by_text(f"{ben} and {grace} can read it.").wait_for()
        shared = {each["email"] for each in ada.ask(SHARES, i=item)["driveItem"]["shares"]}
        assert shared == {ben, grace}
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Members", exact=True).press("Enter")
        field = page.get_by_label("Add people of the organization")
        for typed in ("nobody", ""):
            await field.fill(typed)
            await field.press("Enter")
            await dialog(page, "^Members").get_by_role("alert").wait_for()
        for typed, email in (("ben", ben), ("grace", grace)):
            await field.press_sequentially(typed)
            await page.get_by_role("option", name=email).click()
        await field.press("Enter")
        for email in (ben, grace):
            await member(page, email).wait_for()
        await dialog(page, "^Members").get_by_role("button", name="Undo").press("Enter")
        for email in (ben, grace):
            await member(page, email).wait_for(state="detached")


async def test_a_removal_that_fails_leaves_the_keyboard_where_it_was_and_can_be_repeated(window, world_of, people):
    ada, cleo = world_of("ada"), people["cleo"]["email"]
    drive = ada.drive("Kept")
    item = ada.item(drive, "For Cleo still")
    ada.ask(SHARE, i=item, e=cleo, p="read_only")
    async with window("ada", allowed=("ERR_INTERNET_DISCONNECTED",)) as page:
        await asked(page, f"/drive/{drive}", "For Cleo still")
        remove = person(page, cleo).get_by_role("button", name="Remove the share of")
        await page.context.set_offline(True)
        await remove.press("Enter")
        await person(page, cleo).get_by_role("alert").wait_for()
        await expect(remove).to_be_focused()
        await page.context.set_offline(False)
        await remove.and_(page.locator("[aria-disabled=false]")).press("Enter")
        await person(page, cleo).wait_for(state="detached")
    assert ada.ask(SHARES, i=item)["driveItem"]["shares"] == []


async def test_a_refused_address_is_told_beside_its_field(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Not shared")
    ada.item(drive, "Mine")
    async with window("ada", allowed=["400"]) as page:
        await asked(page, f"/drive/{drive}", "Mine")
        field = page.get_by_label("Share with")
        for address in ("", "nobody at all"):
            await field.fill(address)
            await field.press("Enter")
            alert = dialog(page, "^Share").get_by_role("alert")
            await alert.wait_for()
            await expect(field).to_have_attribute("aria-describedby", await alert.get_attribute("id"))
            await expect(field).to_have_attribute("aria-invalid", "true")


async def test_each_person_is_shown_with_every_reason_and_the_way_to_where_it_was_given(window, world_of, people):
    ada, cleo, ben = world_of("ada"), people["cleo"]["email"], people["ben"]["email"]
    drive = ada.drive("Reasons")
    ada.ask(UPSERT, d=drive, u=world_of("ben").ask("{ viewer { id } }")["viewer"]["id"], r="contributor")
    folder = ada.item(drive, "Above")
    ada.child(folder, "Below", "docs_workbook")
    ada.ask(SHARE, i=folder, e=cleo, p="read_only")
    async with window("ada") as page:
        await asked(page, f"/folder/{folder}", "Below")
        await person(page, ben).get_by_text("contributor of Reasons").wait_for()
        await expect(person(page, cleo).get_by_role("button", name="Remove")).to_have_count(0)
        await person(page, cleo).get_by_role("button", name="Above").press("Enter")
        await dialog(page, "^Share “Above”").wait_for()
        await person(page, cleo).get_by_role("button", name="Remove the share of").wait_for()
        await person(page, ben).get_by_role("button", name="contributor of Reasons").press("Enter")
        await member(page, ben).wait_for()


async def test_the_access_of_any_address_is_explained(window, world_of, people):
    ada = world_of("ada")
    drive = ada.drive("Explained")
    folder = ada.item(drive, "Outside")
    ada.child(folder, "Inside", "docs_workbook")
    ada.ask(SHARE, i=folder, e=people["cleo"]["email"], p="read_write")
    async with window("ada") as page:
        await asked(page, f"/folder/{folder}", "Inside")
        field = page.get_by_label("Address to explain")
        for address, words in (
            (people["cleo"]["email"], "“Outside” is shared with them by Ada"),
            (people["ada"]["email"], "owner of the drive"),
            ("nobody@elsewhere.example", "nobody@elsewhere.example: no access"),
        ):
            await field.fill(address)
            await field.press("Enter")
            await dialog(page, "^Share").get_by_role("status").filter(has_text=words).wait_for()


async def test_a_document_is_published_its_link_copied_and_its_page_taken_away(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Publishing")
    document = ada.item(drive, "Open to all", "docs_workbook")
    ada.edit(document, replace="Words for everybody")
    async with window("ada", permissions=["clipboard-read", "clipboard-write"]) as page:
        await asked(page, f"/drive/{drive}", "Open to all")
        await press(page.get_by_role("button", name="Publish to the web", exact=True))
        public = page.get_by_label("For everybody: the public page", exact=True)
        await public.wait_for()
        await expect(page.get_by_role("button", name="Unpublish")).to_be_focused()
        await dialog(page, "^Share").get_by_role("button", name="Undo").press("Enter")
        await press(page.get_by_role("button", name="Publish to the web", exact=True))
        await page.get_by_role("button", name="Unpublish").wait_for()
        await page.get_by_role("button", name="Copy the link: For everybody").press("Enter")
        await page.get_by_text("Copied.").wait_for()
        link = await page.evaluate("navigator.clipboard.readText()")
        await expect(public).to_have_value(link)
        async with async_http() as anybody:
            assert "Words for everybody" in (await anybody.get(link)).text
            await press(page.get_by_role("button", name="Unpublish"))
            await public.wait_for(state="detached")
            assert (await anybody.get(link)).status_code == httpx.codes.NOT_FOUND


async def test_who_may_not_share_sees_their_own_access_and_leaves(window, world_of, people):
    ada, cleo = world_of("ada"), people["cleo"]["email"]
    drive = ada.drive("Left")
    folder = ada.item(drive, "Given")
    ada.ask(SHARE, i=folder, e=cleo, p="read_only")
    async with window("cleo") as page:
        await page.goto("/shared")
        await row(page, "Given").get_by_role("button", name="Actions for Given").click()
        await page.get_by_role("menuitem", name="Share…").click()
        await dialog(page, "^Share").get_by_text("“Given” is shared with you by Ada").wait_for()
        await expect(page.get_by_label("Share with")).to_have_count(0)
        await page.get_by_role("button", name="Leave…").press("Enter")
        await page.get_by_role("button", name="Leave", exact=True).press("Enter")
        await page.get_by_text("You can no longer see this.").wait_for()
        await page.keyboard.press("Escape")
        await row(page, "Given").wait_for(state="detached")
    assert ada.ask(SHARES, i=folder)["driveItem"]["shares"] == []


async def test_a_right_that_is_taken_while_the_dialog_is_open_is_gone_from_it(window, world_of):
    ada = world_of("ada")
    ben = world_of("ben").ask("{ viewer { id } }")["viewer"]["id"]
    drive = ada.drive("Taken away")
    ada.item(drive, "Thing")
    ada.ask(UPSERT, d=drive, u=ben, r="contributor")
    async with window("ben") as page:
        await asked(page, f"/drive/{drive}", "Thing")
        await page.get_by_label("Share with").wait_for()
        ada.ask("mutation($d: ID!, $u: ID!) { removeMember(driveId: $d, userId: $u) { userId } }", d=drive, u=ben)
        await page.get_by_role("heading", name="Nothing here").wait_for()


async def test_members_are_added_changed_and_removed_by_keyboard_as_they_see_it(window, world_of, people):
    ada, ben = world_of("ada"), people["ben"]["email"]
    drive = ada.drive("Membership")

    def roles():
        return {each["email"]: each["role"] for each in ada.ask(MEMBERS, d=drive)["drive"]["members"]}

    async with window("ada", allowed=["409"]) as page, window("ben") as other:
        await page.goto(f"/drive/{drive}")
        await page.get_by_role("button", name="Members", exact=True).press("Enter")
        choice = page.get_by_label("Add people of the organization")
        await choice.focus()
        await page.keyboard.type("ben")
        await page.get_by_role("option", name=ben).wait_for()
        await page.keyboard.press("Enter")
        add = page.get_by_role("button", name="Add", exact=True)
        await add.press("Enter")
        await member(page, ben).wait_for()
        await expect(add).to_be_focused()
        await other.get_by_role("navigation", name="Drives").get_by_role("treeitem", name="Membership").wait_for()
        await member(page, ben).get_by_role("combobox").focus()
        await page.keyboard.press("ArrowDown")
        await page.get_by_text("Manager now.").wait_for()
        await expect(member(page, ben).get_by_role("combobox")).to_be_focused()
        assert roles()[ben] == "manager"
        await dialog(page, "^Members").get_by_role("button", name="Undo").press("Enter")
        await page.get_by_text("Undone.").wait_for()
        assert roles()[ben] == "contributor"
        await member(page, ben).get_by_role("combobox").focus()
        await page.keyboard.press("ArrowDown")
        await page.get_by_text("Manager now.").wait_for()
        remove = member(page, ben).get_by_role("button", name="Remove").and_(page.locator("[aria-disabled=false]"))
        await remove.press("Enter")
        await member(page, ben).wait_for(state="detached")
        await (
            other.get_by_role("navigation", name="Drives")
            .get_by_role("treeitem", name="Membership")
            .wait_for(state="detached")
        )
        await dialog(page, "^Members").get_by_role("button", name="Undo").press("Enter")
        await member(page, ben).wait_for()
        assert roles()[ben] == "manager"
        own = member(page, people["ada"]["email"])
        await own.get_by_role("button", name="Leave…").press("Enter")
        await own.get_by_role("button", name="Leave", exact=True).press("Enter")
        await own.get_by_role("alert").wait_for()
    assert roles()[people["ada"]["email"]] == "owner"
