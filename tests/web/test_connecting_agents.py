"""Whether people come from the settings to an agent that is connected, and their key is told to nobody else."""

import html
import json
import re
import shlex
import tomllib

import pytest

from tests.support.surfaces.tools import FULL, Mcp
from tests.support.web.visitors import ask, shown

PAGE = "/settings/agents"


def configurations(text):
    """What the page of a new key shows, by the id of its part."""
    found = re.findall(r'<code class="secret" id="([a-z-]+)">([^<]*)</code>', text)
    return {name: html.unescape(told) for name, told in found}


def test_an_agent_s_key_comes_with_what_each_client_wants_and_is_shown_once(newcomer):
    visitor, _ = newcomer()
    made = visitor.fill(visitor.form(PAGE, PAGE), agent="scribe")
    assert (made.status_code, made.headers["location"]) == (303, PAGE)
    page = visitor.get(PAGE).text
    secret, told = shown(page), configurations(page)
    url = f"{visitor.own}/api/v1/mcp-full"
    assert secret not in visitor.get(PAGE).text
    words = shlex.split(told["claude-code"])
    assert words[:6] == ["claude", "mcp", "add", "--transport", "http", "codrive"]
    assert words[6:] == [url, "--header", f"x-api-key: {secret}"]
    wanted = {"url": url, "headers": {"x-api-key": secret}}
    assert json.loads(told["vs-code"])["servers"]["codrive"] == {"type": "http"} | wanted
    assert json.loads(told["others"])["mcpServers"]["codrive"] == {"type": "http"} | wanted
    assert tomllib.loads(told["codex"])["mcp_servers"]["codrive"] == {"url": url, "http_headers": wanted["headers"]}


def test_what_it_makes_is_credited_to_the_agent_whatever_it_calls_itself(newcomer):
    visitor, _ = newcomer()
    visitor.fill(visitor.form(PAGE, PAGE), agent="scribe")
    headers = {"x-api-key": shown(visitor.get(PAGE).text), "x-service-agent": "somebody"}
    mcp = Mcp(visitor, headers, FULL)
    drive = ask(visitor, "{ drives { nodes { id } } }")["drives"]["nodes"][0]["id"]
    made = mcp.ask("drives.createItem", driveId=drive, name="Notes", driveItemType="docs_workbook").data["item"]
    told = ask(visitor, f'{{ driveItem(id: "{made["id"]}") {{ createdBy {{ agent }} }} }}')
    assert told["driveItem"]["createdBy"]["agent"] == "scribe"


@pytest.mark.parametrize("agent", ["", " ", "a" * 65, "a\u0007"])
def test_a_name_that_is_none_is_said_at_the_field(newcomer, agent):
    visitor, _ = newcomer()
    answer = visitor.fill(visitor.form(PAGE, PAGE), agent=agent)
    assert answer.status_code == 400
    assert "An agent&#39;s name has 1 to 64 printable characters" in answer.text
    assert 'class="secret"' not in answer.text


def test_a_forged_form_makes_no_key(newcomer):
    visitor, _ = newcomer()
    form = visitor.form(PAGE, PAGE)
    assert visitor.fill(form, csrf="x", agent="scribe").status_code == 403
    assert ask(visitor, "{ viewer { apiKeys { id } } }")["viewer"]["apiKeys"] == []


def test_a_key_that_is_revoked_before_it_is_shown_is_not_shown(newcomer):
    visitor, _ = newcomer()
    visitor.fill(visitor.form(PAGE, PAGE), agent="gone")
    (key,) = ask(visitor, "{ viewer { apiKeys { id } } }")["viewer"]["apiKeys"]
    ask(visitor, f'mutation {{ revokeApiKey(id: "{key["id"]}") {{ id }} }}')
    assert 'class="secret"' not in visitor.get(PAGE).text


def test_whoever_is_not_signed_in_is_asked_to(browser_of):
    answer = browser_of().get(PAGE)
    assert (answer.status_code, answer.headers["location"].partition("?")[0]) == (303, "/sign-in")
