"""Seven errands of an agent over `/mcp-full`, by the official client: how many calls they take, and how many characters."""

import json
from datetime import UTC, datetime

from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.support.processes.servers import eventually, mcp_http

MAX_CALLS = 14
MAX_CHARACTERS = 14_000  # of all answers together, in the text and in the structured content alike
LONG = 200_000


def long_plan():
    """A document of fifty sections, with 'Action items' under the 31st of them."""
    words = "The launch needs a venue, a date and somebody who decides what it may cost.\n\n" * 52
    sections = [f"## Part {number} of the plan\n\n{words}" for number in range(1, 51)]
    sections.insert(31, "### Action items\n\n- [ ] Book the venue\n- [x] Ask Ben\n\n")
    return "# Plan\n\n" + "".join(sections).rstrip() + "\n"


class Agent:
    """Calls tools, and counts what they answer."""

    def __init__(self, client):
        self.client = client
        self.calls, self.texts, self.structured = [], 0, 0

    async def call(self, tool, **arguments):
        result = await self.client.call_tool(tool, arguments)
        (block,) = result.content
        assert not result.is_error, block.text
        self.calls.append(tool)
        self.texts += len(block.text)
        self.structured += len(json.dumps(result.structured_content, ensure_ascii=False, separators=(",", ":")))
        return result.structured_content, block.text


async def test_seven_errands_take_few_calls_and_few_characters(server, ada, ben, cleo):
    drive = ada.drive("Errands", contributor=ben)
    text = long_plan()
    assert len(text) >= LONG
    plan = ada.document(drive, "Errands plan")
    ada.do("documents.edit", documentId=plan, replace=text, base=0)
    folder, archive = ada.folder(drive, "Errands meetings"), ada.folder(drive, "Errands archive")
    for week in ("5", "12", "19"):
        minutes = ben.document(folder, f"Errands minutes of {week} November")
        ben.do("documents.edit", documentId=minutes, replace=f"# Minutes\n\nThe budget of week {week}.\n", base=0)
    for number in range(12):
        ben.document(folder, f"Errands note {number}")
    eventually(lambda: ada.do("driveItems.search", text="errands budget", driveId=drive)["results"] or None)
    headers = {"x-api-key": ada.make_key("errand-agent")}
    async with (
        mcp_http(headers=headers) as http,
        Client(streamable_http_client(f"{server.base_url}/mcp-full", http_client=http)) as client,
    ):
        agent = Agent(client)

        # last week's minutes
        found, said = await agent.call("drive_items_search", text="errands minutes", first=5, order="date")
        minutes = next(each["item"] for each in found["results"] if "19 November" in each["item"]["name"])
        assert minutes["id"] in said
        assert "Ben" in minutes["updatedBy"]

        # an action item under a heading of a long document
        found, _ = await agent.call("drive_items_search", text="errands plan", first=3)
        document = found["results"][0]["item"]["id"]
        assert document == plan
        outline, said = await agent.call("documents_outline", documentId=document)
        section = next(each["id"] for each in outline["headings"] if each["text"] == "Action items")
        assert section in said
        part, said = await agent.call("documents_read_part", documentId=document, section=section)
        assert part["markdown"] in said
        edited, said = await agent.call(
            "documents_edit", documentId=document, section=section, base=part["revision"],
            replace=part["markdown"] + "- [ ] Invite everybody\n",
        )  # fmt: skip
        assert [each["inserted"] for each in edited["changes"]] == ["Invite everybody"]
        added = text.replace("- [x] Ask Ben\n", "- [x] Ask Ben\n- [ ] Invite everybody\n")
        assert ada.do("documents.read", documentId=plan)["markdown"] == added

        # moved into another folder
        found, _ = await agent.call("drive_items_search", text="errands archive", types=["folder"], first=3)
        assert found["results"][0]["item"]["id"] == archive
        await agent.call("drive_items_move", itemId=document, parentId=archive)
        assert ada.get(plan)["item"]["parentId"] == archive

        # shared with Cleo
        people, said = await agent.call("drive_items_share_suggestions", itemId=document)
        email = next(each["email"] for each in people["suggestions"] if each["name"].startswith("Cleo"))
        assert email in said
        await agent.call("drive_items_share", itemId=document, email=email, permission="read_write")
        assert cleo.get(plan)["item"]["permission"] == "read_write"

        # published, with the link
        published, said = await agent.call("drive_items_set_publication", itemId=document, published=True)
        link = published["item"]["publicUrl"]
        assert link in said
        assert ada.get(plan)["item"]["publicUrl"] == link

        # who changed what today
        today = datetime.now(UTC).date().isoformat()
        events, said = await agent.call("viewer_events", since=today, first=30)
        assert {"Ben Franklin", "Ada Lovelace (errand-agent)"} <= {each["by"] for each in events["events"]}
        assert "Errands note 11" in said

        # one's own last edit taken back, by the link that a person would paste
        undone, said = await agent.call("documents_undo_changes", documentId=link, last=True)
        assert [each["inserted"] for each in undone["changes"]] == ["Invite everybody"]
        assert ada.do("documents.read", documentId=plan)["markdown"] == text

    assert len(agent.calls) <= MAX_CALLS, agent.calls
    assert agent.texts <= MAX_CHARACTERS, (agent.texts, agent.calls)
    assert agent.structured <= MAX_CHARACTERS, (agent.structured, agent.calls)
