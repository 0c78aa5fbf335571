"""The letter of a share leads to what was shared, whatever its reader has to do first."""

import re
import secrets

import pytest

from tests.support.web.visitors import ask

PASSWORD = "four unrelated words here"
MAKE = """mutation($d: ID!, $n: ItemName!, $k: DriveItemType!) {
  createItem(driveId: $d, name: $n, driveItemType: $k) { id } }"""
SHARE = "mutation($i: ID!, $e: EmailAddress!) { shareItem(itemId: $i, email: $e, permission: read_only) { id } }"


@pytest.fixture
def share(browser_of, letters):
    """`share(address, kind)` shares a new item of Ada's and returns its page's path and the letter's two links."""
    ada = browser_of("ada")
    drive = ask(ada, "{ drives(first: 1) { nodes { id } } }")["drives"]["nodes"][0]["id"]

    def make(address, kind="docs_workbook"):
        item = ask(ada, MAKE, d=drive, n="For you", k=kind)["createItem"]["id"]
        ask(ada, SHARE, i=item, e=address)
        subject, text = letters.next(address)
        assert subject == "Ada Lovelace shared “For you” with you"
        links = re.findall(rf"{re.escape(ada.own)}(/\S+)", text)
        assert len(links) == 2, text
        return f"/{'folder' if kind == 'folder' else 'doc'}/{item}", *links

    return make


def a_new_address():
    return f"{secrets.token_hex(4)}@new.example"


@pytest.mark.parametrize("kind", ["docs_workbook", "viz_workbook", "folder"])
def test_the_letter_leads_to_what_was_shared(share, newcomer, kind):
    visitor, address = newcomer()
    path, link, _ = share(address, kind)
    assert link == path
    page = visitor.get(link)
    assert page.status_code == 200
    assert "For you" in page.text


def test_the_letter_has_the_message_of_whoever_shares_and_nothing_else_has_it(browser_of, letters):
    ada = browser_of("ada")
    drive = ask(ada, "{ drives(first: 1) { nodes { id } } }")["drives"]["nodes"][0]["id"]
    item = ask(ada, MAKE, d=drive, n="With words", k="docs_workbook")["createItem"]["id"]
    share = """mutation($i: ID!, $e: EmailAddress!, $m: String!) {
      shareItem(itemId: $i, email: $e, permission: read_only, message: $m) { id } }"""
    address, words = a_new_address(), "Please look at this.\nSign in: https://elsewhere.example/"
    ask(ada, share, i=item, e=address, m=words)
    _, text = letters.next(address)
    assert "Ada Lovelace writes:\n\n> Please look at this.\n> Sign in: https://elsewhere.example/\n" in text.replace(
        "\r\n", "\n"
    )
    kept = ask(ada, "query($d: ID!) { driveEvents(driveId: $d, first: 200) { nodes { details } } }", d=drive)
    assert "Please look at this" not in str(kept)
    assert ask(ada, share, i=item, e=a_new_address(), m="a" * 301) == "BAD_REQUEST"
    assert ask(ada, share, i=item, e=a_new_address(), m="a" * 300)["shareItem"]["id"] == item


def test_whoever_has_no_account_makes_one_and_gets_to_what_was_shared(share, browser_of, letters):
    address = a_new_address()
    path, link, to_sign_up = share(address)
    visitor = browser_of()
    to_sign_in = visitor.get(link).headers["location"]
    assert f'href="{to_sign_up}"' in visitor.get(to_sign_in).text, "the page says what the letter says"
    asked = visitor.see(visitor.form(to_sign_up), email=address)
    assert f'href="{to_sign_up}"' in asked.text, "a mistake in the address does not lose the way"
    mailed = letters.link(address)
    assert mailed.endswith(f"?next={path}")
    weak = visitor.fill(visitor.form(mailed), name="Wanda", password="short")
    assert f'value="{path}"' in weak.text
    made = visitor.fill(visitor.form(mailed), name="Wanda", password=PASSWORD)
    assert (made.status_code, made.headers["location"]) == (303, path)
    assert "For you" in visitor.get(path).text


def test_whoever_forgot_their_password_sets_one_and_gets_to_what_was_shared(share, newcomer, browser_of, letters):
    _, address = newcomer()
    path, link, _ = share(address)
    visitor = browser_of()
    forgotten = f"/forgotten?next={path}"
    assert f'href="{forgotten}"' in visitor.get(visitor.get(link).headers["location"]).text
    visitor.see(visitor.form(forgotten), email=address)
    made = visitor.fill(visitor.form(letters.link(address)), password=PASSWORD)
    assert (made.status_code, made.headers["location"]) == (303, path)


def test_whoever_is_signed_in_with_another_address_is_told_so(share, browser_of):
    _, link, _ = share(a_new_address())
    told = browser_of("gus").get(link)
    assert told.status_code == 404
    assert "You are signed in as <strong>gus@globex.example</strong>" in told.text
    assert "Sign out, sign in with that address, and open the link again" in told.text


@pytest.mark.parametrize(
    "wanted",
    ["/settings/keys", "//evil.example", "/doc/x", "/doc/../settings", "/oauth/authorize?client_id=x", "/doc/\n"],
)
def test_nobody_has_us_mail_a_link_that_leads_anywhere_but_to_an_item(browser_of, letters, wanted):
    visitor, address = browser_of(), a_new_address()
    asked = visitor.submit("/sign-up", {"email": address, "next": wanted})
    assert asked.headers["location"] == "/sign-up?notice=sent"
    link = letters.link(address)
    assert "?" not in link
    made = visitor.submit(link, {"name": "Zoe", "password": PASSWORD, "next": wanted})
    assert (made.status_code, made.headers["location"]) == (303, "/")
