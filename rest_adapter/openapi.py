"""Writes `openapi.json`, OpenAPI 3.1 from the contract's shapes, and its page for people."""

from html import escape
from importlib.metadata import PackageNotFoundError, version
from typing import Final, cast

from contract.contract import Contract, rejections
from contract.examples import example
from contract.operation_schema import Location, OperationInput, OperationSchema, object_of
from contract.operations import BodyForm, MediaType, Surface
from contract.scalars import JsonSchema
from domain.errors import Code
from domain.values import AGENT_LENGTH, AGENT_PATTERN
from edge.responses import STATUS

type Json = dict[str, object]

_DESCRIPTION: Final = """\
Folders and live collaborative documents in drives, for people and for the software agents that work beside them.

Send an API key in `x-api-key`; keys are made and revoked in the settings, under API keys. Every failure is a JSON body \
of exactly two strings, `code` and `message`. Whatever you may not see answers exactly as if it did not exist: 404. \
Every create answers 200, and a write with nothing to return answers an empty 200."""

_TAGS: Final = {
    "documents": "Documents as they are at this moment, as Markdown and as a ProseMirror tree from one snapshot.",
    "driveItems": "Folders and documents: making, naming, moving, sharing and publishing them.",
    "drives": "Drives with their members.",
}
_MEANINGS: Final = {
    400: "The request is malformed; the message names the field.",
    401: "There is no valid API key.",
    403: "You see it, but may not do this.",
    404: "There is nothing here that you can see.",
    409: "What is there does not allow it, or a limit is reached.",
    413: "The body is too large.",
    415: "The body is of another type.",
    429: "You asked too often.",
    500: "Something went wrong here; it has been logged under the request id.",
    503: "The service is not available just now.",
}
# Where an answer names something that other operations take: the field of the answer, the inputs it is good for.
_LEADS: Final = (
    ("item", "/item/id", ("itemId", "documentId")),
    ("drive", "/drive/id", ("driveId",)),
)


def openapi(contract: Contract) -> Json:
    paths: dict[str, Json] = {}
    for shape in contract.shapes.values():
        if Surface.REST in shape.operation.surfaces:
            item = paths.setdefault(shape.operation.path, {})
            item[shape.operation.method.lower()] = _operation(contract, shape)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Codrive",
            "version": _version(),
            "summary": "Drives and live documents over REST.",
            "description": _DESCRIPTION,
            "contact": {"name": "The operator of this server"},
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/api/v1", "description": "This server"}],
        "security": [{"apiKey": []}],
        "tags": [{"name": name, "description": description} for name, description in _TAGS.items()],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "apiKey": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "x-api-key",
                    "description": "An API key from the settings, as in `x-api-key: <API_KEY>`.",
                }
            },
            "parameters": _PARAMETERS,
            "headers": _HEADERS,
            "schemas": {**contract.components, "Error": _ERROR},
        },
    }


def _version() -> str:
    try:
        return version("codrive-server")
    except PackageNotFoundError:
        return "0"


_ERROR: Final[JsonSchema] = {
    "description": "What went wrong: a code for programs and one plain sentence for people.",
    **object_of({"code": {"type": "string", "enum": [code.value for code in Code]}, "message": {"type": "string"}}),
}
_PARAMETERS: Final[Json] = {
    "Agent": {
        "name": "x-service-agent",
        "in": "header",
        "description": "The agent that acts for you, credited beside you; a name bound to the key wins over it.",
        "schema": {"type": "string", "minLength": 1, "maxLength": AGENT_LENGTH, "pattern": AGENT_PATTERN},
        "example": "research-assistant",
    },
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "The same request under the same key within 24 hours takes effect once.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": AGENT_PATTERN},
        "example": "5f2b7c1e",
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "The `ETag` of the answer you have; 304 says that it is still the answer.",
        "schema": {"type": "string"},
    },
}
_HEADERS: Final[Json] = {
    "RequestId": {"description": "The id of this request in the logs.", "schema": {"type": "string"}},
    "RateLimit": {"description": "What is left of the rate that applies.", "schema": {"type": "string"}},
    "RateLimitPolicy": {"description": "The rate that applies.", "schema": {"type": "string"}},
    "RetryAfter": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 0}},
    "ETag": {"description": "Stands for the whole answer.", "schema": {"type": "string"}},
}
# `{"const": false}` says the same, of which openapi-python-client makes Python that no interpreter reads.
_NOT_TRUE: Final[Json] = {"type": "boolean", "not": {"const": True}}
_IN_PARAMETERS: Final = frozenset({Location.PATH, Location.QUERY})
_EVERYWHERE: Final = {"X-Request-Id": "RequestId", "RateLimit": "RateLimit", "RateLimit-Policy": "RateLimitPolicy"}


def _headers(**more: str) -> Json:
    return {name: {"$ref": f"#/components/headers/{of}"} for name, of in {**_EVERYWHERE, **more}.items()}


def _operation(contract: Contract, shape: OperationSchema) -> Json:
    row = shape.operation
    described: Json = {
        "operationId": row.name,
        "tags": [row.group],
        "summary": shape.summary.split(". ")[0].rstrip("."),
        "description": shape.summary,
        "parameters": [*(_parameter(contract, each) for each in shape.inputs.values() if each.place in _IN_PARAMETERS)],
        "responses": {"200": _success(contract, shape)} | _failures(shape),
    }
    parameters = cast("list[Json]", described["parameters"])
    parameters.append({"$ref": "#/components/parameters/Agent"})
    if row.takes_idempotency_key:
        parameters.append({"$ref": "#/components/parameters/IdempotencyKey"})
    if row.conditional:
        parameters.append({"$ref": "#/components/parameters/IfNoneMatch"})
        responses = cast("Json", described["responses"])
        responses["304"] = {"description": "The answer you have is still the answer.", "headers": _headers(ETag="ETag")}
    if body := _body(contract, shape):
        described["requestBody"] = body
    if row.extension:
        described["x-extension"] = True
    return described


def _parameter(contract: Contract, each: OperationInput) -> Json:
    schema: JsonSchema = each.schema | {"minLength": 1} if each.place is Location.PATH else each.schema
    described: Json = {
        "name": each.name,
        "in": each.place.value,
        "required": each.required,
        "description": each.description,
        "schema": schema,
    }
    return described | {"example": example(each.schema, contract.components, each.name)} if each.required else described


def _body(contract: Contract, shape: OperationSchema) -> Json | None:
    if shape.body is None:
        return None
    content = _part(shape.file) if shape.file else _fields(contract, shape)
    return {"required": True, "content": {shape.body.value: content}}


def _fields(contract: Contract, shape: OperationSchema) -> Json:
    fields = shape.placed(Location.BODY)
    schema = object_of({each.name: {**each.schema, "description": each.description} for each in fields})
    schema["required"] = [each.name for each in fields if each.required]
    if shape.operation.forms:
        schema["oneOf"] = [_form(shape, form) for form in shape.operation.forms]
    shown = {each.name: example(each.schema, contract.components, each.name) for each in fields}
    return {"schema": schema, "example": shown}


def _part(file: OperationInput) -> Json:
    assert file.type.scalar is not None
    part = {**file.schema, "description": file.description}
    encoding = {file.name: {"contentType": ", ".join(file.type.scalar.media_types)}}
    return {"schema": object_of({file.name: part}), "encoding": encoding}


def _form(shape: OperationSchema, form: BodyForm) -> Json:
    given: dict[str, object] = {
        name: {"const": True} if _is_boolean(shape, name) else shape.inputs[name].type.present for name in form.given
    }
    absent: dict[str, object] = {
        name: _NOT_TRUE if _is_boolean(shape, name) else {"type": "null"} for name in form.absent
    }
    return {"required": list(form.given), "properties": given | absent}


def _is_boolean(shape: OperationSchema, name: str) -> bool:
    return shape.inputs[name].schema.get("type") == "boolean"


def _success(contract: Contract, shape: OperationSchema) -> Json:
    conditional: dict[str, str] = {"ETag": "ETag"} if shape.operation.conditional else {}
    if shape.answer is None:
        return {"description": "Done; there is nothing to return.", "headers": _headers()}
    content = {"schema": shape.answer, "example": example(shape.answer, contract.components)}
    success: Json = {
        "description": shape.summary,
        "headers": _headers(**conditional),
        "content": {MediaType.JSON.value: content},
    }
    links = _links(contract, shape)
    return success | {"links": links} if links else success


def _links(contract: Contract, shape: OperationSchema) -> Json:
    """Return the links from a created object to every operation that takes its id in the path."""
    properties = (shape.answer or {}).get("properties")
    links: Json = {}
    for field, pointer, inputs in _LEADS:
        if not isinstance(properties, dict) or field not in properties:
            continue
        for target in contract.shapes.values():
            found = [each for each in target.placed(Location.PATH) if each.name in inputs]
            if found and len(target.placed(Location.PATH)) == 1:
                links[target.operation.name] = {
                    "operationId": target.operation.name,
                    "parameters": {f"path.{found[0].name}": f"$response.body#{pointer}"},
                    "description": target.summary,
                }
    return links


def _failures(shape: OperationSchema) -> Json:
    by_status: dict[int, list[str]] = {}
    for code in rejections(shape):
        by_status.setdefault(STATUS[code], []).append(code.value)
    return {str(status): _failure(status, codes) for status, codes in sorted(by_status.items())}


def _failure(status: int, codes: list[str]) -> Json:
    waiting: dict[str, str] = {"Retry-After": "RetryAfter"} if status in (429, 503) else {}
    schema = {"$ref": "#/components/schemas/Error"}
    shown = {code: {"value": {"code": code, "message": _MEANINGS[status][:-1].lower()}} for code in codes}
    described = f"{_MEANINGS[status]} {', '.join(f'`{code}`' for code in codes)}."
    return {
        "description": described,
        "headers": _headers(**waiting),
        "content": {MediaType.JSON.value: {"schema": schema, "examples": shown}},
    }


def reference_page(contract: Contract) -> str:
    """Return a page that says the same to people, and loads nothing from anywhere."""
    rows = "".join(_section(contract, shape) for shape in contract.shapes.values())
    about = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in _DESCRIPTION.split("\n\n"))
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Codrive REST API</title>'
        '<meta name="viewport" content="width=device-width"><style>body{max-width:50rem;margin:2rem auto;padding:0 1rem;'
        "font:1rem/1.5 system-ui}code{background:#8882;padding:.1em .3em}table{border-collapse:collapse}"
        "td,th{text-align:left;padding:.2em 1em .2em 0;vertical-align:top}</style>"
        f'<h1>Codrive REST API</h1>{about}<p>For programs: <a href="openapi.json">openapi.json</a></p>{rows}</html>'
    )


def _section(contract: Contract, shape: OperationSchema) -> str:
    row = shape.operation
    fields = "".join(
        f"<tr><td><code>{escape(each.name)}</code><td>{each.place}<td>{escape(each.kind.replace('`', ''))}"
        f"<td>{escape(each.description)}"
        for each in shape.inputs.values()
    )
    table = f"<table><tr><th>Input<th>In<th>Type<th>{fields}</table>" if fields else ""
    codes = ", ".join(f"<code>{code}</code>" for code in rejections(shape))
    answer = "nothing" if shape.answer is None else _keys(contract, shape.answer)
    return (
        f'<h2 id="{escape(row.name)}">{escape(row.name)}</h2><p><code>{row.method} /api/v1{escape(row.path)}</code>'
        f"<p>{escape(shape.summary)}{table}<p>Answers: {answer}.<p>May be refused with {codes}."
    )


def _keys(contract: Contract, answer: JsonSchema) -> str:
    named = contract.components[str(answer["$ref"]).rpartition("/")[2]] if "$ref" in answer else answer
    return ", ".join(f"<code>{escape(name)}</code>" for name in cast("Json", named["properties"]))
