"""Nothing by looking: whatever a document holds, opening, scrolling and closing it leaves its log and its bytes alone."""

import base64
import json

import pytest
from playwright.async_api import expect

from tests.app.writing import Document, blame, block, editor, made, open_in, saved, text, write_after
from tests.support.documents.sample_cases import CASES

UNKNOWN = (
    block("callout", block("paragraph", "inside"), tone="warm"),
    block("paragraph", "plain ", text("fogged", fog={"depth": 2}), text("misty", fog={}), shade=7),
    block("paragraph", "end"),
)
KEPT = ('"callout"', '"tone": "warm"', '"inside"', '"shade": 7', '"fog"', '"depth": 2')


def tree(document):
    return json.dumps(document.read()["prosemirrorDoc"])


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
async def test_a_sample_that_is_looked_at_in_the_editor_in_blame_and_in_history_keeps_its_log_and_its_bytes(
    window, world_of, case
):
    document = Document(world_of("ada")).add(base64.b64decode(case["update"]))
    before = document.state()
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.mouse.wheel(0, 5000)
        await page.keyboard.press("Control+End")
        await page.keyboard.press("Control+Home")
        await blame(page)
        await page.mouse.wheel(0, 5000)
        await page.keyboard.press("Control+End")
        await page.keyboard.press("Control+Alt+b")
        await page.get_by_role("region", name="Authors").wait_for(state="detached")
        await page.get_by_role("button", name="Panel", exact=True).click()
        await page.get_by_role("list", name="Authors").wait_for()
        await page.mouse.wheel(0, 5000)
        await page.goto("/shared")
        await page.get_by_role("heading", name="Shared with you").wait_for()
    assert document.state() == before


async def test_unknown_blocks_marks_and_attributes_survive_typing_beside_them(window, world_of):
    document = Document(world_of("ada")).add(made(*UNKNOWN))
    async with window("ada") as page:
        await open_in(page, document)
        await expect(page.locator(".locked")).to_have_attribute("data-name", "callout")
        await write_after(page, "end", "ing")
        await write_after(page, "plain", "!")
        await saved(page)
    found = tree(document)
    assert [each for each in KEPT if each not in found] == []
    assert b'"depth":null' not in document.update()
    assert "ending" in found


async def test_unknown_blocks_that_arrive_while_somebody_types_survive(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    async with window("ada") as page:
        await open_in(page, document)
        await write_after(page, "start", " one")
        await saved(page)
        document.add(made(*UNKNOWN, client=9))
        await page.locator(".locked").wait_for()
        await page.keyboard.type(" two")
        await saved(page)
    found = tree(document)
    assert [each for each in KEPT if each not in found] == []
    assert "start one two" in found


async def test_what_no_editor_can_hold_opens_to_read_with_a_sentence(window, world_of):
    row = block("tableRow", block("columns", block("paragraph", "left")))
    document = Document(world_of("ada")).add(made(block("table", row)))
    before = document.state()
    async with window("ada") as page:
        await page.goto(document.path)
        await page.get_by_text("This document holds what this editor would lose: columns in tableRow.").wait_for()
        await page.get_by_text("left", exact=True).wait_for()
        await expect(editor(page)).to_have_count(0)
    assert document.state() == before
