"""Writes the reference pages of `docs/`: the operations, the tools, the errors, the settings."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Final

from graphql import FragmentDefinitionNode, OperationDefinitionNode, parse, print_ast

from contract.contract import DOCUMENTS, Contract, rejections, tool_name
from contract.examples import example
from contract.operation_schema import OperationInput, OperationSchema
from contract.operations import Surface
from domain.errors import Code
from edge.responses import STATUS
from mcp_adapter.tools import Tool, tools
from rest_adapter.app import BASE
from service.settings import Settings, variable

WRITTEN: Final = "<!-- written by `just generate`: change the code, not this page -->"

MEANINGS: Final[Mapping[Code, str]] = MappingProxyType(
    {
        Code.BAD_REQUEST: "The request is malformed: a field is missing, unknown, of the wrong type or out of its limits. "
        "The message names the field.",
        Code.UNAUTHORIZED: "There is no valid API key in `x-api-key`.",
        Code.FORBIDDEN: "You can see this, but may not do it. The message says what.",
        Code.NOT_FOUND: "There is nothing here that you can see. Hidden and missing ids answer alike.",
        Code.METHOD_NOT_SUPPORTED: "The address does not support the method; `Allow` lists those it supports.",
        Code.DRIVE_NOT_EMPTY: "A drive can be deleted only when it and its trash are empty. Restore what is still needed, "
        "and delete the rest for ever.",
        Code.IDEMPOTENCY_KEY_REUSED: "The `Idempotency-Key` belongs to another request of the last 24 hours.",
        Code.LAST_ADMIN: "An organization must keep an admin.",
        Code.LAST_OWNER: "A shared drive must keep an owner.",
        Code.NO_ACTIVE_ORGANIZATION: "The key does not act in an organization, or you no longer belong to it.",
        Code.NOT_A_SHARED_DRIVE: "A personal drive has no members to change.",
        Code.NOT_IN_TRASH: "Only items in the trash can be deleted for ever. An item outside the trash need not be restored: "
        "restoring it returns it unchanged.",
        Code.REVISION_GONE: "The document can no longer be made as it was at that revision, or it was never there. Read it again.",
        Code.SELF_SHARE: "You cannot share with your own address.",
        Code.SHARE_EXISTS: "The address has a share with another permission: update that share instead.",
        Code.STORAGE_FULL: "The drive may store no more bytes. Deleting what is in its trash for ever gives space back, within some "
        "seconds; an edit that only deletes is still taken.",
        Code.UNPUBLISH_FIRST: "A published item moves only to a drive where you may publish.",
        Code.PAYLOAD_TOO_LARGE: "The body is larger than the service accepts.",
        Code.UNSUPPORTED_MEDIA_TYPE: "The operation does not accept the type of the body.",
        Code.CROSS_ORGANIZATION_MOVE: "Items do not move between the drives of two organizations.",
        Code.LIMIT_EXCEEDED: "A limit is reached. The message says which.",
        Code.MOVE_CYCLE: "A folder cannot be moved into itself or below itself.",
        Code.NOT_A_DOCUMENT: "The operation needs a document, and the item is a folder.",
        Code.NOT_A_FOLDER: "The parent must be a folder, and is a document.",
        Code.PARENT_NOT_IN_DRIVE: "The parent is in another drive than the one named.",
        Code.PASSAGE_AMBIGUOUS: "The document has the passage more than once: send more of the text around it. Or it overlaps "
        "another passage of the edit there: send one in place of both. The message gives its index.",
        Code.PASSAGE_NOT_FOUND: "The document does not have the passage: read it again. The message gives the passage's index.",
        Code.REVISION_CHANGED: "Others changed what the edit changes: send `dryRun` with `onConflict: merge` to see the conflicts, or read the document again.",
        Code.TREE_TOO_DEEP: "Folders nest at most 100 deep.",
        Code.TOO_MANY_REQUESTS: "You sent too many requests: wait as long as `Retry-After` says.",
        Code.INTERNAL_SERVER_ERROR: "The server failed. Its log has the cause under the answer's `X-Request-Id`.",
        Code.SERVICE_UNAVAILABLE: "The service or its database is temporarily unavailable: send the same request again after "
        "`Retry-After` seconds. If one document alone stays unavailable, it is quarantined: ask the operator.",
    }
)  # fmt: skip


def errors() -> dict[str, object]:
    """Return the status and the meaning of each code, for the contract and the generated clients."""
    return {code.value: {"status": STATUS[code], "meaning": MEANINGS[code]} for code in Code}


def _page(title: str, about: str, *sections: str) -> str:
    return "\n\n".join([WRITTEN, f"# {title}", about, *sections]) + "\n"


def errors_page() -> str:
    about = (
        "Every failure over REST is a JSON body of exactly two strings, `code` and `message`, under the status below. "
        "GraphQL carries the same code in `errors[].extensions.code`, and an MCP tool returns the same JSON as the text of a "
        "result with `isError`. Programs test the code; the message is for people."
    )
    sections = (f"## {code}\n\n{STATUS[code]}. {MEANINGS[code]}" for code in Code)
    return _page("Errors", about, *sections)


def settings_page() -> str:
    about = (
        "Each setting is a flag of `codrive-server` and an environment variable; the flag takes precedence. "
        "Sizes are in bytes."
    )
    rows = ["| flag | variable | default | |", "| --- | --- | --- | --- |"]
    for setting in fields(Settings):
        shown = "" if setting.default in (None, "", False) else f"`{setting.default}`"
        name = variable(setting.name, dict(setting.metadata))
        flag = setting.name.replace("_", "-")
        rows.append(f"| `--{flag}` | `{name}` | {shown} | {setting.metadata['description']} |")
    return _page("Settings", about, "\n".join(rows))


def operations_page(contract: Contract) -> str:
    about = (
        "Each operation is a GraphQL document, and the REST address below answers with the selection of that document. "
        f"Paths are relative to `{BASE}`. Every POST takes an `Idempotency-Key`; every operation takes "
        "`x-service-agent`, the agent that acts for you. In a query, a list is one parameter for each of its entries. "
        "What goes beyond the specification of the service is called an extension. Examples show shapes; their values do "
        "not belong together."
    )
    nodes = parse(DOCUMENTS.read_text("utf-8"), no_location=True).definitions
    documents = {
        node.name.value: node for node in nodes if isinstance(node, OperationDefinitionNode) and node.name is not None
    }
    sections = (_operation(contract, shape, documents) for shape in contract.shapes.values())
    fragments = [print_ast(node) for node in nodes if isinstance(node, FragmentDefinitionNode)]
    return _page("Operations", about, *sections, "## Fragments", "\n\n".join(["```graphql", *fragments]) + "\n```")


def tools_page(contract: Contract) -> str:
    about = (
        "The descriptions of the MCP tools, as agents receive them at `/mcp-full`. [mcp.md](mcp.md) shows how to connect an agent. "
        "A tool does what the operation of its name in [operations.md](operations.md) does, which says more of its inputs. "
        "Its answer is made for models, and has less in it. Extensions are tools of `/mcp-full` alone."
    )
    made = tools(contract, Surface.MCP_FULL)
    rows = ["| tool | read-only | destructive | idempotent | open world |"]
    rows += ["| --- | --- | --- | --- | --- |", *(_hints(tool) for tool in made.values())]
    sections = (f"## {tool.name}\n\n{tool.title}. {tool.description}\n\n{_arguments(tool)}" for tool in made.values())
    return _page("Tools", about, "\n".join(rows), *sections)


def _hints(tool: Tool) -> str:
    hints = " | ".join("yes" if hint else "" for hint in tool.annotations.values())
    return f"| [{tool.name}](#{tool.name}) | {hints} |".replace("  ", " ")


def _arguments(tool: Tool) -> str:
    required = tool.schema["required"]
    assert isinstance(required, list)
    properties = tool.schema["properties"]
    assert isinstance(properties, dict)
    takes = ", ".join(f"`{name}`{'' if name in required else ' (optional)'}" for name in properties)
    answers = " Answers `done`." if tool.shape.answer is None else ""
    extension = " An extension." if tool.shape.operation.extension else ""
    return f"Takes {takes or 'nothing'}.{answers}{extension}"


def _operation(contract: Contract, shape: OperationSchema, documents: Mapping[str, OperationDefinitionNode]) -> str:
    return "\n\n".join(_parts(contract, shape, documents))


def _parts(
    contract: Contract, shape: OperationSchema, documents: Mapping[str, OperationDefinitionNode]
) -> Iterator[str]:
    row = shape.operation
    yield f"## {row.name}"
    yield f"{shape.summary}{' An extension.' if row.extension else ''}"
    yield shape.description.text
    tool = tool_name(row.name)
    also = f", over MCP [{tool}](tools.md#{tool})" if Surface.MCP in row.surfaces else ""
    yield f"`{row.method} {row.path}`{also}"
    if shape.inputs:
        yield "\n".join(["| input | in | | |", "| --- | --- | --- | --- |", *map(_input, shape.inputs.values())])
    if shape.file:
        yield f"The body is `{shape.body}` with one part, `{shape.file.name}`."
    yield f"```graphql\n{print_ast(documents[row.document])}\n```"
    if shape.answer is None:
        yield "Answers an empty 200."
    else:
        yield "Answers:"
        shown = example(shape.answer, contract.components)
        yield f"```json\n{json.dumps(shown, indent=2, ensure_ascii=False)}\n```"
    links = (f"[{code}](errors.md#{code.lower()})" for code in rejections(shape))
    yield f"Errors: {', '.join(links)}."


def _input(each: OperationInput) -> str:
    needed = "required" if each.required else "optional"
    return f"| `{each.name}` | {each.place} | {needed}, {each.kind} | {each.description} |"
