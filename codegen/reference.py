"""Writes the reference pages of `docs/`: the operations, the tools, the errors, the settings."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from graphql import FragmentDefinitionNode, OperationDefinitionNode, parse, print_ast

import graphql_api
from domain.errors import Code
from graphql_api.contract import Contract, rejections, tool_name
from graphql_api.descriptions import DESCRIPTIONS
from graphql_api.examples import example
from graphql_api.operation_schema import OperationInput, OperationSchema
from graphql_api.operations import Surface
from graphql_api.statuses import STATUS
from mcp_adapter.tools import Tool, tools
from rest_adapter.app import BASE
from service.settings import Settings, variable

WRITTEN: Final = "<!-- written by `just generate`: change the code, not this page -->"

MEANINGS: Final[Mapping[Code, str]] = MappingProxyType(
    {
        Code.BAD_REQUEST: "The request is malformed: a field is missing, unknown, of the wrong type or out of its limits. "
        "The message names the field.",
        Code.UNAUTHORIZED: "There is no valid API key in `x-api-key`.",
        Code.FORBIDDEN: "You see it, but may not do this. The message says what.",
        Code.NOT_FOUND: "There is nothing here that you can see. Hidden and missing answer alike.",
        Code.METHOD_NOT_SUPPORTED: "The address does not know that method; `Allow` lists those it knows.",
        Code.DRIVE_NOT_EMPTY: "A drive is deleted only when nothing is left in it, nor in its trash: what is there can still be restored. "
        "Delete it for ever first.",
        Code.IDEMPOTENCY_KEY_REUSED: "That `Idempotency-Key` came with another request in the last 24 hours.",
        Code.LAST_ADMIN: "An organization always keeps an admin.",
        Code.LAST_OWNER: "A shared drive always keeps an owner.",
        Code.NO_ACTIVE_ORGANIZATION: "The key does not act in an organization, or you no longer belong to it.",
        Code.NOT_A_SHARED_DRIVE: "A personal drive has no members to change.",
        Code.NOT_IN_TRASH: "Only what lies in the trash can be deleted for ever. What is not there "
        "need not be restored: that answers the item as it is.",
        Code.SELF_SHARE: "Nobody shares with their own address.",
        Code.SHARE_EXISTS: "That address has another permission already: change the share instead.",
        Code.UNPUBLISH_FIRST: "Published content leaves its drive only to where you may publish.",
        Code.PAYLOAD_TOO_LARGE: "The body is larger than the service accepts.",
        Code.UNSUPPORTED_MEDIA_TYPE: "The body is of another type than this operation takes.",
        Code.CROSS_ORGANIZATION_MOVE: "Items do not move between the drives of two organizations.",
        Code.LIMIT_EXCEEDED: "A limit is reached. The message says which.",
        Code.MOVE_CYCLE: "A folder cannot be moved into itself or below itself.",
        Code.NOT_A_DOCUMENT: "This works on documents, and the item is a folder.",
        Code.NOT_A_FOLDER: "Items are made in folders and moved to folders, and the parent is a document.",
        Code.PARENT_NOT_IN_DRIVE: "The parent lies in another drive than the one named.",
        Code.TREE_TOO_DEEP: "Folders nest 100 deep at the most.",
        Code.TOO_MANY_REQUESTS: "You asked too often: wait as long as `Retry-After` says.",
        Code.INTERNAL_SERVER_ERROR: "Something went wrong here. It is in the log under the answer's `X-Request-Id`.",
        Code.SERVICE_UNAVAILABLE: "The service or its database is away for a moment: send the same request again after "
        "`Retry-After` seconds. Where it stays so for one document alone, the operator knows it as quarantined.",
    }
)  # fmt: skip


def errors() -> dict[str, object]:
    """Return what each code means and the status it comes with, for whoever generates from the contract."""
    return {code.value: {"status": STATUS[code], "meaning": MEANINGS[code]} for code in Code}


def _page(title: str, about: str, *sections: str) -> str:
    return "\n\n".join([WRITTEN, f"# {title}", about, *sections]) + "\n"


def errors_page() -> str:
    about = (
        "Every failure over REST is a JSON body of exactly two strings, `code` and `message`, under the status below. "
        "GraphQL carries the same code in `errors[].extensions.code`, and a tool of MCP says the same JSON as the text of a "
        "result with `isError`. Programs go by the code; the message is for people."
    )
    told = (f"## {code}\n\n{STATUS[code]}. {MEANINGS[code]}" for code in Code)
    return _page("Errors", about, *told)


def settings_page() -> str:
    about = (
        "Each setting is a flag of `codrive-server` and an environment variable; the flag wins. "
        "Durations are in seconds, sizes in bytes, rates per minute."
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
        "Each operation is a GraphQL document, and the REST address below answers with what that document selects. "
        f"Paths are relative to `{BASE}`. Every POST takes an `Idempotency-Key`; every operation takes "
        "`x-service-agent`, the agent that acts for you. Examples show the shape, not one world."
    )
    nodes = parse(files(graphql_api).joinpath("operations.graphql").read_text("utf-8"), no_location=True).definitions
    documents = {
        node.name.value: node for node in nodes if isinstance(node, OperationDefinitionNode) and node.name is not None
    }
    told = (_operation(contract, shape, documents) for shape in contract.shapes.values())
    fragments = [print_ast(node) for node in nodes if isinstance(node, FragmentDefinitionNode)]
    return _page("Operations", about, *told, "## Fragments", "\n\n".join(["```graphql", *fragments]) + "\n```")


def tools_page(contract: Contract) -> str:
    about = (
        "What an agent is told of each tool, in the words it is told. [mcp.md](mcp.md) says how to connect one. A tool "
        "takes and answers what the operation of its name does: [operations.md](operations.md)."
    )
    made = tools(contract)
    rows = ["| tool | only reads | takes something away | may be repeated | reaches beyond the service |"]
    rows += ["| --- | --- | --- | --- | --- |", *(_hints(tool) for tool in made.values())]
    told = (f"## {tool.name}\n\n{tool.title}. {tool.description}\n\n{_arguments(tool)}" for tool in made.values())
    return _page("Tools", about, "\n".join(rows), *told)


def _hints(tool: Tool) -> str:
    hints = " | ".join("yes" if hint else "" for hint in tool.annotations.values())
    return f"| [{tool.name}](#{tool.name}) | {hints} |".replace("  ", " ")


def _arguments(tool: Tool) -> str:
    takes = ", ".join(f"`{each.name}`{'' if each.required else ' (optional)'}" for each in tool.shape.inputs.values())
    answers = "Answers `done`." if tool.answer is None else f"Answers as `{tool.shape.operation.name}`."
    return f"Takes {takes or 'nothing'}. {answers}"


def _operation(contract: Contract, shape: OperationSchema, documents: Mapping[str, OperationDefinitionNode]) -> str:
    return "\n\n".join(_parts(contract, shape, documents))


def _parts(
    contract: Contract, shape: OperationSchema, documents: Mapping[str, OperationDefinitionNode]
) -> Iterator[str]:
    row = shape.operation
    yield f"## {row.name}"
    yield shape.summary
    yield DESCRIPTIONS[row.name].text
    tool = tool_name(row.name)
    also = f", over MCP [{tool}](tools.md#{tool})" if Surface.MCP in row.surfaces else ""
    yield f"`{row.method} {row.path}`{also}"
    if shape.inputs:
        yield "\n".join(["| input | in | | |", "| --- | --- | --- | --- |", *map(_input, shape.inputs.values())])
    if row.document is None:
        yield "The body is `multipart/form-data` with one part, `file`. There is no GraphQL document for it."
    else:
        yield f"```graphql\n{print_ast(documents[row.document])}\n```"
    if shape.answer is None:
        yield "Answers an empty 200."
    else:
        yield "Answers:"
        shown = example(shape.answer, contract.components)
        yield f"```json\n{json.dumps(shown, indent=2, ensure_ascii=False)}\n```"
    told = (f"[{code}](errors.md#{code.lower()})" for code in rejections(shape))
    yield f"May be refused with {', '.join(told)}."


def _input(each: OperationInput) -> str:
    needed = "required" if each.required else "optional"
    return f"| `{each.name}` | {each.place} | {needed}, {_kind(each)} | {each.description} |"


def _kind(each: OperationInput) -> str:
    values: Any = each.schema.get("enum")
    kind = " or ".join(f"`{value}`" for value in values if value is not None) if values else "text"
    kind = "true or false" if each.schema.get("type") == "boolean" else kind
    return f"{kind} or null" if each.nullable and each.required else kind
