"""The reader's agents: each that has a key or an application, also where it has edited nothing yet."""

import asyncio

from playwright.async_api import expect

from tests.support.processes.servers import eventually
from tests.support.web.accessible import check_everywhere

KEY = 'mutation($a: AgentName!) { createApiKey(name: "Of an agent", agent: $a) { secret } }'
KEYS = "{ viewer { apiKeys { agent lastUsedAt } } }"


def last_use(world, agent):
    """When a key of an agent was used last, or None."""
    keys = world.ask(KEYS)["viewer"]["apiKeys"]
    return next(key["lastUsedAt"] for key in keys if key["agent"] == agent)


async def test_an_agent_that_edited_nothing_yet_is_told_with_when_its_key_was_used(window, managing):
    cleo = managing("cleo")
    secret = cleo.ask(KEY, a="newcomer")["createApiKey"]["secret"]
    async with window("cleo", viewport={"width": 320, "height": 640}) as page:
        await page.goto("/agents")
        agent = page.get_by_role("main").get_by_role("listitem").filter(has_text="newcomer")
        await agent.get_by_text("has not edited anything yet").wait_for()
        await expect(agent.get_by_text("its key was used last")).to_have_count(0)
        cleo.client.get("/api/v1/drives", headers={"x-api-key": secret}).raise_for_status()
        await asyncio.to_thread(eventually, lambda: last_use(cleo, "newcomer"))
        await agent.get_by_role("link", name="newcomer").press("Enter")
        await page.get_by_text("No documents yet that you can see.").wait_for()
        await page.get_by_role("link", name="Your agents").press("Enter")
        await agent.get_by_text("its key was used last").wait_for()
        await check_everywhere(page)
        await page.get_by_role("link", name="Connect an agent").press("Enter")
        await page.wait_for_url("**/settings/agents")
