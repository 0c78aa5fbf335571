"""Writes the generated modules of the Python client: its types, its groups of methods, its operations."""

import subprocess
import sys
from collections.abc import Iterable, Mapping
from keyword import iskeyword
from textwrap import indent, wrap
from typing import Any, Final

from codegen.client_model import Call, Model, Record, referred

PACKAGE: Final = "clients/python/src/codrive_client"
_WRITTEN: Final = "Written by `just generate` from contract.json: change the contract, not this file."
_WIDTH: Final = 116


def python_client(model: Model, codes: Mapping[str, Any]) -> dict[str, str]:
    """Return the generated modules by their path; `codes` holds the status and meaning of each error."""
    texts = {"types": _types(model, codes), "_groups": _groups(model), "_operations": _operations(model)}
    return {f"{PACKAGE}/{name}.py": _laid_out(f"{PACKAGE}/{name}.py", text) for name, text in texts.items()}


def _laid_out(path: str, text: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", path, "-"]
    return subprocess.run(command, input=text, text=True, check=True, capture_output=True).stdout  # noqa: S603 - ours


def _types(model: Model, codes: Iterable[str]) -> str:
    head = f'''"""The objects of the service in their JSON form: the wire's own names, times as ISO 8601 strings.

{_WRITTEN}
"""

from typing import Any, Literal, NotRequired, TypedDict

Json = Any
"""Any JSON value."""

'''
    listed = "\n".join(f'    "{code}",' for code in codes)
    code = f'''ErrorCode = Literal[
{listed}
]
"""The values of an error's `code`; a later server may send more."""
'''
    return head + code + "".join(map(_record, (*model.answers, *model.inputs)))


def _record(record: Record) -> str:
    if any(iskeyword(field.name) for field in record.fields):
        return _functional(record)
    lines = [f"\n\nclass {record.name}(TypedDict):", _docstring(record.description, 4)]
    for field in record.fields:
        kind = python_type(field.schema)
        lines.append(f"    {field.name}: {kind if field.required else f'NotRequired[{kind}]'}")
        if field.description:
            lines.append(_docstring(field.description, 4))
    return "\n".join(lines) + "\n"


def _functional(record: Record) -> str:
    """Return a record of which a field has the name of a keyword, which no class can have; with what each field is in one text."""
    fields = [
        (field.name, kind if field.required else f"NotRequired[{kind}]", field.description)
        for field in record.fields
        for kind in (python_type(field.schema),)
    ]
    items = "".join(f'    "{name}": {kind},\n' for name, kind, _ in fields)
    about = " ".join([record.description, *(f"`{name}`: {told}" for name, _, told in fields if told)])
    return f'\n\n{record.name} = TypedDict(\n    "{record.name}",\n    {{\n{items}    }},\n)\n{_docstring(about, 0)}\n'


def python_type(schema: Mapping[str, Any]) -> str:
    """Return the annotation of a schema; an empty one is any JSON."""
    if name := referred(schema):
        return name
    if "anyOf" in schema:
        return " | ".join(python_type(each) for each in schema["anyOf"])
    if "enum" in schema:
        named = [repr(each).replace("'", '"') for each in schema["enum"] if each is not None]
        return f"Literal[{', '.join(named)}]" + (" | None" if None in schema["enum"] else "")
    declared = schema.get("type", "any")
    kinds = declared if isinstance(declared, list) else [declared]
    return " | ".join(_KINDS[kind] if kind != "array" else f"list[{python_type(schema['items'])}]" for kind in kinds)


_KINDS: Final = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
    "any": "Json",
    "object": "dict[str, Json]",
}


def _docstring(text: str, margin: int) -> str:
    lines = wrap(f'"""{text}', _WIDTH - margin - 3, break_long_words=False, break_on_hyphens=False)
    return indent("\n".join(lines) + ('"""' if len(lines) == 1 else '\n"""'), " " * margin)


def _groups(model: Model) -> str:
    head = f'''"""The methods of the client, in their groups: each twice, blocking and as a coroutine.

{_WRITTEN}
"""

from codrive_client import types
from codrive_client._call import AsyncRun, Options, Run, Unpack
from codrive_client._operations import BY_NAME
'''
    names = "".join(
        f'''

class {_class(group)}:
    """{_about(group)}"""

    def __init__(self, run: Run) -> None:
        self._run = run
{"".join(_method(call, prefix="") for call in calls)}

class Async{_class(group)}:
    """{_about(group)}"""

    def __init__(self, run: AsyncRun) -> None:
        self._run = run
{"".join(_method(call, prefix="async ") for call in calls)}'''
        for group, calls in model.groups().items()
    )
    return head + names.rstrip("\n") + "\n"


def _class(group: str) -> str:
    return group[0].upper() + group[1:]


def _about(group: str) -> str:
    return f"The operations `{group}.*`."


def _method(call: Call, prefix: str) -> str:
    _, method = call.operation["clients"]["python"]
    spelled = call.name.partition(".")[2]
    given = f"input: types.{call.takes}{' | None = None' if call.optional else ''}, /, "
    answer = f"types.{call.answers}" if call.answers else "None"
    awaited = "await " if prefix else ""
    asked = f'{awaited}self._run(BY_NAME["{call.name}"], input, options)'
    body = f"answer: {answer} = {asked}\n        return answer" if call.answers else asked
    alias = f"\n    {spelled} = {method}\n" if spelled != method else ""
    return f"""
    {prefix}def {method}(self, {given}**options: Unpack[Options]) -> {answer}:
{_method_doc(call)}
        {body}
{alias}"""


def _method_doc(call: Call) -> str:
    codes = ", ".join(f"`{code}`" for code in call.operation["rejections"])
    errors = wrap(f"Errors: {codes}.", _WIDTH - 8, break_long_words=False, break_on_hyphens=False)
    lines = ['"""' + call.operation["summary"], *_taken(call), "", *errors]
    return "\n".join(f"        {line}".rstrip() for line in (*lines, '"""'))


def _taken(call: Call) -> Iterable[str]:
    if call.operation["inputs"]:
        yield ""
        for each in call.operation["inputs"]:
            may = "" if each["required"] else " Optional."
            yield f"- `{each['name']}`: {each['description']}{may}"


def _operations(model: Model) -> str:
    rows = "".join(_row(call) for call in model.calls)
    return f'''"""The operations as data, for the transport and the command line.

{_WRITTEN}
"""

from codrive_client._row import Input, Operation

OPERATIONS = (
{rows})

BY_NAME = {{operation.name: operation for operation in OPERATIONS}}
'''


def _row(call: Call) -> str:
    row = call.operation
    inputs = "".join(f"            {_input(each)},\n" for each in row["inputs"])
    given = f"(\n{inputs}        )" if inputs else "()"
    return f"""    Operation(
        name={_text(row["name"])},
        method={_text(row["method"])},
        path={_text(row["path"])},
        words=({", ".join(map(_text, row["command"]))}),
        python=({", ".join(map(_text, row["clients"]["python"]))}),
        summary={_text(row["summary"])},
        fields={_tuple(call.fields)},
        read_only={row["readOnly"]},
        idempotency_key={row["idempotencyKey"]},
        rejections={_tuple(row["rejections"])},
        inputs={given},
    ),
"""


def _input(each: Mapping[str, Any]) -> str:
    schema = _without_null(each["schema"])
    entry = _without_null(schema["items"]) if schema.get("type") == "array" else schema
    parts = {
        "name": each["name"],
        "place": each["in"],
        "flag": each["flag"],
        "required": each["required"],
        "nullable": each["nullable"] and each["in"] == "body",
        "kind": _kind(entry),
        "many": entry is not schema,
        "description": each["description"],
        "example": each["example"],
        "shown": each["required"] or _is_shown(each),
    }
    choices = entry.get("enum", ())
    arguments = ", ".join(f"{name}={_text(value)}" for name, value in parts.items())
    return f"Input({arguments}, choices={_tuple(choices)})"


def _is_shown(each: Mapping[str, Any]) -> bool:
    """Whether the example of a command has an input of the body that may be left out: what says something."""
    return each["in"] == "body" and each["example"] not in (None, each["schema"].get("default"))


def _without_null(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = [choice for choice in schema.get("anyOf", ()) if choice != {"type": "null"}]
    if len(choices) == 1:
        return _without_null(choices[0])
    declared = schema.get("type")
    (kind,) = [each for each in declared if each != "null"] if isinstance(declared, list) else [declared]
    given = schema if kind is None else {**schema, "type": kind}
    return {**given, "enum": [each for each in schema["enum"] if each is not None]} if "enum" in schema else given


def _kind(schema: Mapping[str, Any]) -> str:
    """Return what a flag takes: `markdown`, `string`, `boolean`, `integer`, `number`, or `json` for all else."""
    if schema.get("contentMediaType") == "text/markdown":
        return "markdown"
    kind = schema.get("type")
    return kind if kind in ("string", "boolean", "integer", "number") else "json"


def _tuple(values: Iterable[object]) -> str:
    texts = [_text(value) for value in values]
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def _text(value: object) -> str:
    if not isinstance(value, str):
        return repr(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
