"""Whether anybody can tell what is hidden from what does not exist: asked of every id that the contract takes."""

from urllib.parse import quote
from uuid import uuid4

import pytest
from graphql import GraphQLID, get_named_type, is_leaf_type, is_required_argument

from contract.operation_schema import Location
from contract.operations import BY_NAME, Surface
from domain.questions import KeysOf
from graphql_api.system import new_id
from tests.support.surfaces.callers import BESIDES, CONTRACT, LEFT_OUT, SCHEMA

APART = {"date", "x-request-id", "ratelimit", "ratelimit-policy"}
ENVELOPE = b'{"code":"NOT_FOUND","message":"there is nothing here that you can see"}'
IDS = [
    (shape.operation.name, each.name)
    for shape in CONTRACT.shapes.values()
    for each in shape.inputs.values()
    if each.schema.get("type") in ("string", ["string", "null"]) and each.name.endswith("Id")
]
OVER_GRAPHQL = [(name, field) for name, field in IDS if not CONTRACT.shapes[name].file]
FIELDS = [
    (root, name, argument)
    for root in (SCHEMA.query_type, SCHEMA.mutation_type)
    for name, field in root.fields.items()
    for argument, of in field.args.items()
    if get_named_type(of.type) is GraphQLID
]
MALFORMED = {
    "upper case": lambda known: known.upper(),
    "braces": lambda known: "{" + known + "}",
    "a space before": lambda known: " " + known,
    "a space after": lambda known: known + " ",
    "a line after": lambda known: known + "\n",
    "no hyphens": lambda known: known.replace("-", ""),
    "urn": lambda known: f"urn:uuid:{known}",
    "letters": lambda _: "abc",
    "one letter": lambda _: "x",
    "a number": lambda _: "42",
    "null": lambda _: "null",
    "long": lambda known: known * 20,
    "very long": lambda known: known * 100,
    "another version": lambda _: str(uuid4()),
    "all zeros": lambda _: "0" * 8 + "-0000-0000-0000-" + "0" * 12,
    "a slash": lambda known: known + "/",
    "dots": lambda _: "../../drives",
    "percent": lambda known: "%" + known,
    "escaped twice": lambda known: known.replace("-", "%2D"),
    "wide digits": lambda known: known.translate({ord("0"): "\uff10", ord("1"): "\uff11"}),
    "quotes": lambda known: known + "' or '1'='1",
    "emoji": lambda _: "\U0001f600",
}


OF_ONES_OWN = {
    "driveItems.restore": {"trashed", "below what is trashed", "an image"},
    "viewer.events": {"trashed", "below what is trashed", "deleted for ever", "somebody of another organization"},
}


def secret(operation: str, absent: dict[str, str]) -> dict[str, str]:
    """Return the ids that are none to Ada.

    What she has put into the trash she may bring back, and the members of a drive are told what happened to all that was in it,
    by whomever it was shared with, too.
    """
    return {what: value for what, value in absent.items() if what not in OF_ONES_OWN.get(operation, ())}


def malformed(known: str) -> dict[str, str]:
    return {f"spelled wrong: {what}": spell(known) for what, spell in MALFORMED.items()}


def is_path(operation: str, field: str) -> bool:
    return CONTRACT.shapes[operation].inputs[field].place is Location.PATH


def is_filter(operation: str, field: str) -> bool:
    return operation != "driveItems.duplicate" and not CONTRACT.shapes[operation].inputs[field].required


@pytest.fixture(scope="module")
def good(ada, ben, cleo):
    """Inputs that exist and that Ada may use, by name."""
    drive = ada.drive("Seen", contributor=ben)
    folder = ada.folder(drive)
    document = ada.document(folder)
    ada.share(document, cleo)
    return {
        "itemId": folder, "documentId": document, "driveId": drive, "parentId": None, "userId": ben.id,
        "name": "New", "driveItemType": "folder", "email": cleo.email, "permission": "read_only", "role": "contributor",
        "published": True, "update": "AAA=", "text": "new", "edit": {"append": "new"}, "number": 1,
        **LEFT_OUT,
    }  # fmt: skip


@pytest.fixture(scope="module")
def absent(ada, gus, newcomer):
    """Ids that are none to Ada: hidden from her, gone, or of what no operation takes."""
    drive = gus.drive("Hidden")
    folder = gus.folder(drive)
    thrown = gus.document(drive)
    gus.trash(thrown)
    mine = ada.drive("Mine")
    trashed, gone = ada.folder(mine), ada.folder(mine)
    below = ada.document(trashed)
    for item in (trashed, gone):
        ada.trash(item)
    ada.gql("mutation($i: ID!) { deleteItemForever(itemId: $i) { id } }", i=gone)
    image = ada.do("driveItems.uploadImage", itemId=ada.document(mine))["image"]["id"]
    zoe = newcomer()
    once = zoe.folder(zoe.personal())
    zoe.share(once, ada)
    zoe.do("driveItems.removeShare", itemId=once, email=ada.email)
    return {
        "a hidden folder": folder,
        "a hidden document": gus.document(folder),
        "a hidden drive": drive,
        "hidden and trashed": thrown,
        "somebody's own drive": gus.personal(),
        "somebody of another organization": gus.id,
        "another organization": gus.gql("{ viewer { activeOrganization { id } } }")["activeOrganization"]["id"],
        "somebody's key": gus.operator(lambda store: store.read(KeysOf(gus.id)))[0].id,
        "trashed": trashed,
        "below what is trashed": below,
        "deleted for ever": gone,
        "an image": image,
        "shared once": once,
    }


def wrong_kinds(field: str, good: dict) -> dict[str, str]:
    """Return ids that Ada may use, but not here."""
    of = {"itemId": "item", "documentId": "item", "parentId": "item", "driveId": "drive", "userId": "user"}
    kind = (of | {"folderId": "item"})[field]
    return {f"of another kind: {name}": good[name] for name in of if good[name] and of[name] != kind}


def told(said) -> tuple:
    """Return all that an answer tells, apart from what differs from one request to the next."""
    headers = tuple((name, value) for name, value in said.response.headers.items() if name not in APART)
    return said.response.status_code, said.response.content, headers


@pytest.mark.parametrize(("operation", "field"), IDS)
def test_over_rest_an_id_that_one_may_not_know_and_one_that_nobody_has_are_one_answer(
    operation, field, ada, good, absent
):
    def ask(value):
        shape = CONTRACT.shapes[operation]
        inputs = {name: good[name] for name in shape.inputs if name in good and shape.inputs[name].required}
        return told(ada.rest.ask(operation, **(inputs | BESIDES.get(operation, {}) | {field: value})))

    unknown = ask(new_id())
    narrows = is_filter(operation, field)  # nothing is found by what one does not see
    assert narrows or unknown[:2] == (404, ENVELOPE)
    assert narrows is (unknown[0] == 200)
    differing = [
        what for what, value in (secret(operation, absent) | wrong_kinds(field, good) | malformed(good["itemId"])).items()
        if ask(value) != unknown
    ]  # fmt: skip
    assert differing == []


@pytest.mark.parametrize(("operation", "field"), [each for each in IDS if is_path(*each)])
@pytest.mark.parametrize("junk", ["%", "%zz", "%ff", "%c0%af", "%00", "%ed%a0%80"])
def test_over_rest_junk_around_an_id_answers_the_same_whether_or_not_there_is_such_an_id(
    operation, field, junk, ada, good, absent
):
    def ask(value):
        row = BY_NAME[operation]
        path = row.path.format(**{**{name: quote(str(good[name])) for name in good}, field: value + junk})
        body = {each.name: good[each.name] for each in CONTRACT.shapes[operation].placed(Location.BODY)}
        content = {"json": body} if body else {}
        return told(ada.rest.send(row.method, path, **content))

    answers = {ask(value) for value in (new_id(), absent["a hidden folder"], good["itemId"], good["driveId"])}
    assert len(answers) == 1
    assert answers.pop()[0] in (400, 415)


@pytest.mark.parametrize(("operation", "field", "surface"), [
    (*each, surface)
    for each in OVER_GRAPHQL
    for surface in ("graphql", "mcp")
    if surface == "graphql" or Surface.MCP_FULL in BY_NAME[each[0]].surfaces
])  # fmt: skip
def test_over_graphql_and_mcp_an_id_that_one_may_not_know_and_one_that_nobody_has_are_one_answer(
    operation, field, surface, ada, good, absent
):
    def ask(value):
        shape = CONTRACT.shapes[operation]
        inputs = {name: good[name] for name in shape.inputs if shape.inputs[name].required}
        said = ada.on(surface).ask(operation, **(inputs | BESIDES.get(operation, {}) | {field: value}))
        assert said.code == (None if is_filter(operation, field) else "NOT_FOUND")
        return told(said)

    means_none = surface == "mcp" and CONTRACT.shapes[operation].inputs[field].type.nullable
    unknown = ask(new_id())
    differing = [
        what for what, value in (secret(operation, absent) | wrong_kinds(field, good) | malformed(good["itemId"])).items()
        if not (means_none and value.strip() in ("", "null")) and ask(value) != unknown
    ]  # fmt: skip
    assert differing == []


@pytest.mark.parametrize(("root", "name", "argument"), FIELDS, ids=str)
def test_every_field_of_the_schema_that_takes_an_id_keeps_the_secret(
    root, name, argument, ada_signed_in, acme, good, absent
):
    field = root.fields[name]
    given = {**good, "organizationId": acme, "id": good["itemId"], "token": "none", "file": "none"}
    needed = [arg for arg, of in field.args.items() if is_required_argument(of) or arg in (argument, "parentId")]
    declared = ", ".join(f"${arg}: {field.args[arg].type}" for arg in needed)
    passed = ", ".join(f"{arg}: ${arg}" for arg in needed)
    selection = "" if is_leaf_type(get_named_type(field.type)) else " { __typename }"
    kind = "query" if root is SCHEMA.query_type else "mutation"
    document = f"{kind}({declared}) {{ {name}({passed}){selection} }}"

    def ask(value):
        inputs = {arg: given[arg] for arg in needed if arg != argument} | {argument: value}
        return told(ada_signed_in.post(document, **inputs))

    unknown = ask(new_id())
    hidden = {what: value for what, value in absent.items() if what not in OF_ONES_OWN["driveItems.restore"]}
    assert [what for what, value in (hidden | malformed(good["itemId"])).items() if ask(value) != unknown] == []
