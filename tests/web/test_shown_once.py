"""What a form makes is told of once, on the page that it leads to: loading that page again makes nothing anew."""

import re

import pytest

from domain.errors import Code, Rejection
from edge.responses import STATUS
from tests.support.web.visitors import shown
from web.errors import refusal_page

FLASH = "codrive-flash"


def keys_of(visitor):
    told = visitor.graphql("{ viewer { apiKeys { id name } } }").json()
    return {each["id"] for each in told["data"]["viewer"]["apiKeys"]}


def test_loading_the_page_of_a_new_key_again_makes_no_second_key_and_shows_it_no_more(newcomer):
    visitor, _ = newcomer()
    made = visitor.fill(visitor.form("/settings/keys", "/settings/keys"), name="laptop")
    assert (made.status_code, made.headers["location"]) == (303, "/settings/keys")
    assert visitor.head("/settings/keys").status_code == 200
    first = visitor.get("/settings/keys")
    secret = shown(first.text)
    assert re.fullmatch(r"cdr_[0-9A-Za-z]{36}", secret)
    assert "“laptop” is made" in first.text
    again = visitor.get("/settings/keys")
    assert secret not in again.text
    assert "is made" not in again.text
    assert len(keys_of(visitor)) == 1
    assert visitor.get("/api/v1/drives", headers={"x-api-key": secret}).status_code == 200


def test_a_new_key_travels_sealed_and_opens_in_its_own_session_and_page_alone(newcomer, browser_of):
    visitor, _ = newcomer()
    made = visitor.fill(visitor.form("/settings/keys", "/settings/keys"), name="sealed")
    cookie = made.headers["set-cookie"]
    assert re.fullmatch(rf"{FLASH}=[0-9a-f]+; Max-Age=60; Path=/; HttpOnly; SameSite=Lax", cookie)
    sealed = visitor.cookies[FLASH]
    assert b"cdr_" not in bytes.fromhex(sealed)
    assert "cdr_" not in made.text
    other = browser_of("ada")
    for text in (sealed, sealed[:-2], "zz", "", "00" * 40):
        other.cookies.set(FLASH, text)
        answer = other.get("/settings/keys")
        assert answer.status_code == 200
        assert 'class="secret"' not in answer.text
    organization = visitor.fill(visitor.form("/settings/organizations", "/settings/organizations"), name="Mine")
    assert "is invited" not in visitor.get(organization.headers["location"]).text
    assert shown(visitor.get("/settings/keys").text).startswith("cdr_")


def test_a_key_that_is_revoked_before_it_is_shown_is_not_shown(newcomer):
    visitor, _ = newcomer()
    visitor.fill(visitor.form("/settings/keys", "/settings/keys"), name="gone")
    (key_id,) = keys_of(visitor)
    visitor.graphql(f'mutation {{ revokeApiKey(id: "{key_id}") {{ id }} }}')
    assert 'class="secret"' not in visitor.get("/settings/keys").text


def test_loading_the_page_after_an_invitation_again_invites_nobody_anew(browser_of, letters):
    grace, address = browser_of("grace"), "once@new.example"
    organization = grace.graphql("{ viewer { organizations { id } } }").json()["data"]["viewer"]["organizations"][0]
    page = f"/settings/organizations/{organization['id']}"
    invited = grace.fill(grace.form(page, f"{page}/invite"), email=address, role="member")
    assert (invited.status_code, invited.headers["location"]) == (303, page)
    assert f"{address} is invited" in grace.get(page).text
    assert f"{address} is invited" not in grace.get(page).text
    letters.next(address)
    assert letters.of(address).empty()


@pytest.mark.parametrize("path", ["/sign-up", "/forgotten"])
def test_loading_the_page_after_asking_for_a_link_again_sends_no_second_one(browser_of, letters, path):
    visitor, address = browser_of(), f"asked{path[1:]}@new.example"
    asked = visitor.fill(visitor.form(path, path), email=address)
    assert (asked.status_code, asked.headers["location"]) == (303, f"{path}?notice=sent")
    for _ in range(2):
        assert "A link is on its way" in visitor.get(asked.headers["location"]).text
    letters.next(address)
    assert letters.of(address).empty()


@pytest.mark.parametrize("code", Code)
def test_a_page_answers_with_the_status_that_rest_gives_the_code(code):
    assert refusal_page(Rejection(code, "the message")).status_code == STATUS[code]
