"""Writes the generated modules of the TypeScript client: its types and its groups of methods."""

import json
from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import Any, Final

from codegen.client_model import Call, Field, Model, Record, referred

PACKAGE: Final = "clients/typescript/src"
_WRITTEN: Final = "Written by `just generate` from contract.json: change the contract, not this file."
_WIDTH: Final = 118


def typescript_client(model: Model, codes: Mapping[str, Any]) -> dict[str, str]:
    """Return the generated modules by their path; `codes` holds the status and meaning of each error."""
    return {f"{PACKAGE}/types.ts": _types(model, codes), f"{PACKAGE}/groups.ts": _groups(model)}


def _types(model: Model, codes: Mapping[str, Any]) -> str:
    codes_of_errors = "\n".join(
        f"  /** {each['status']}: {each['meaning']} */\n  | {_text(code)}" for code, each in codes.items()
    )
    head = f"""/**
 * The objects of the service in their JSON form: the wire's own names, times as ISO 8601 strings.
 *
 * {_WRITTEN}
 */

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | {{ [name: string]: Json }};

/** The values of an error's `code`; a later server may send more. */
export type ErrorCode =
{codes_of_errors};
"""
    return head + "".join(map(_record, (*model.answers, *model.inputs)))


def _record(record: Record) -> str:
    about = _comment(record.description, "")
    if not record.fields:
        return f"\n{about}export type {record.name} = Record<string, never>;\n"
    fields = "".join(map(_field, record.fields))
    return f"\n{about}export interface {record.name} {{\n{fields}}}\n"


def _field(field: Field) -> str:
    mark = "" if field.required else "?"
    return f"{_comment(field.description, '  ')}  {field.name}{mark}: {typescript_type(field.schema)};\n"


def typescript_type(schema: Mapping[str, Any]) -> str:
    """Return the type of a schema; an empty one is any JSON."""
    if name := referred(schema):
        return name
    if "anyOf" in schema:
        return " | ".join(map(typescript_type, schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(map(_text, schema["enum"]))
    declared = schema.get("type", "any")
    kinds = declared if isinstance(declared, list) else [declared]
    return " | ".join(
        f"Array<{typescript_type(schema['items'])}>" if kind == "array" else _KINDS[kind] for kind in kinds
    )


_KINDS: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
    "any": "Json",
    "object": "{ [name: string]: Json }",
}


def _comment(text: str | Iterable[str], margin: str) -> str:
    if isinstance(text, str) and len(text) + len(margin) + 7 <= _WIDTH:
        return f"{margin}/** {text} */\n" if text else ""
    lines = [text] if isinstance(text, str) else text
    folded = [part for line in lines for part in wrap(line, _WIDTH - len(margin) - 3, break_on_hyphens=False) or [""]]
    return f"{margin}/**\n" + "".join(f"{margin} * {line}".rstrip() + "\n" for line in folded) + f"{margin} */\n"


def _groups(model: Model) -> str:
    groups = "".join(_group(group, calls) for group, calls in model.groups().items())
    rows = "".join(_row(call) for call in model.calls)
    return f"""/**
 * The methods of the client, in their groups, and the operations that they send.
 *
 * {_WRITTEN}
 */

import type {{ CallOptions, Operation, Run }} from "./call.js";
import type * as types from "./types.js";

const OPERATIONS = {{
{rows}}} as const satisfies Record<string, Operation>;
{groups}"""


def _row(call: Call) -> str:
    row = call.operation
    query = [each["name"] for each in row["inputs"] if each["in"] == "query"]
    numbers = [each["name"] for each in row["inputs"] if each["in"] == "path" and each["schema"]["type"] == "integer"]
    parts = {
        "name": row["name"],
        "method": row["method"],
        "path": row["path"],
        "query": query,
        "numbers": numbers,
        "fields": call.fields,
        "readOnly": row["readOnly"],
        "idempotencyKey": row["idempotencyKey"],
    }
    properties = "".join(f"    {name}: {_text(value)},\n" for name, value in parts.items())
    return f"  {_text(row['name'])}: {{\n{properties}  }},\n"


def _group(group: str, calls: list[Call]) -> str:
    methods = "\n".join(map(_method, calls))
    return f"""
/** The operations `{group}.*`. */
export class {group[0].upper()}{group[1:]} {{
  readonly #run: Run;

  constructor(run: Run) {{
    this.#run = run;
  }}

{methods}}}
"""


def _method(call: Call) -> str:
    _, name = call.operation["clients"]["typescript"]
    answer = f"types.{call.answers}" if call.answers else "undefined"
    codes = ", ".join(f"`{code}`" for code in call.operation["rejections"])
    about = _comment([call.operation["summary"], "", f"Errors: {codes}."], "  ")
    given = f"input: types.{call.takes}{' = {}' if call.optional else ''}"
    return f"""{about}  async {name}({given}, options: CallOptions = {{}}): Promise<{answer}> {{
    return (await this.#run(OPERATIONS[{_text(call.name)}], input, options)) as {answer};
  }}
"""


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
