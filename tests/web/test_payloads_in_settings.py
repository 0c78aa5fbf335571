"""Whatever people, agents, devices and applications are called, our own pages show it and never run it."""

from urllib.parse import urlencode, urlsplit

from domain.values import agent_name, item_name
from tests.support.web.payloads import PAYLOADS, check_inert, check_quiet, names, sendable, watching

WORDS = [words for words in map(sendable, PAYLOADS) if isinstance(item_name(words), str)]
PAGES = ["/", "/settings/profile", "/settings/keys", "/settings/agents", "/settings/organizations", "/settings/apps"]
PASSWORD = "four unrelated words here"
CALLBACK = "http://127.0.0.1:33418/callback"


def ask(visitor, query, **variables):
    said = {"query": query, "variables": variables}
    told = visitor.post("/graphql", json=said, headers={"origin": visitor.own}).json()
    assert "errors" not in told, told["errors"]
    return told["data"]


async def check_pages(browser, visitor, paths):
    """Look at the pages as they are sent and in a browser with the visitor's session."""
    cookie = {"name": "codrive", "value": visitor.cookie, "url": visitor.own}
    for path in paths:
        answer = visitor.get(path)
        assert answer.status_code == 200, path
        check_inert(answer.text)
        async with watching(browser, visitor.own, (urlsplit(path).path, "/static/")) as (page, alarms):
            await page.context.add_cookies([cookie])
            await page.goto(visitor.own + path)
            assert urlsplit(page.url).path == urlsplit(path).path
            await check_quiet(page, alarms)


async def test_names_of_keys_and_agents_are_only_shown(browser, newcomer):
    visitor, _ = newcomer()
    query = "mutation($name: ItemName!, $agent: AgentName) { createApiKey(name: $name, agent: $agent) { __typename } }"
    for words in WORDS:
        agent = words if isinstance(agent_name(words), str) else None
        ask(visitor, query, name=words, agent=agent)
    await check_pages(browser, visitor, ["/settings/keys"])
    shown = visitor.get("/settings/keys").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown


async def test_names_of_people_organizations_and_drives_are_only_shown(browser, newcomer):
    visitor, _ = newcomer()
    for name in names():
        made = ask(visitor, "mutation($name: ItemName!) { createOrganization(name: $name) { id } }", name=name)
        ask(
            visitor,
            "mutation($id: ID!) { switchOrganization(organizationId: $id) { id } }",
            id=made["createOrganization"]["id"],
        )
        ask(visitor, "mutation($name: ItemName!) { createDrive(name: $name) { id } }", name=name)
        ask(visitor, "mutation($name: ItemName!) { renameViewer(name: $name) { id } }", name=name)
        for path in PAGES:
            check_inert(visitor.get(path).text)
    organization = f"/settings/organizations/{made['createOrganization']['id']}"
    await check_pages(browser, visitor, [*PAGES, organization])


async def test_what_a_device_calls_itself_is_only_shown(browser, newcomer, browser_of):
    visitor, address = newcomer()
    for words in [words for words in WORDS if words.isascii()][::8]:  # each password takes its time
        other = browser_of()
        other.headers["user-agent"] = words
        assert other.sign_in(address, PASSWORD).status_code == 303
    await check_pages(browser, visitor, ["/settings/profile"])


async def test_names_of_applications_are_only_shown_where_they_are_approved_and_after(browser, newcomer):
    visitor, _ = newcomer()
    asked = []
    for words in WORDS:
        told = visitor.post("/oauth/register", json={"client_name": words, "redirect_uris": [CALLBACK]})
        if told.status_code == 201:
            request = {
                "response_type": "code",
                "client_id": told.json()["client_id"],
                "redirect_uri": CALLBACK,
                "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                "code_challenge_method": "S256",
                "state": words,
                "resource": f"{visitor.own}/api/v1/mcp",
            }
            asked.append(f"/oauth/authorize?{urlencode(request)}")
    assert len(asked) > 200
    for path in asked:
        check_inert(visitor.get(path).text)
    for path in asked[::15]:
        answer = visitor.fill(visitor.form(path), decision="approve")
        assert answer.status_code in (200, 303), answer.text
    await check_pages(browser, visitor, [*asked[1::30], "/settings/apps"])
