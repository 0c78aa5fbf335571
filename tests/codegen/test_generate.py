"""The generated files are as the code says, and the contract only grows."""

import json
import subprocess
from copy import deepcopy

import pytest
from graphql import build_schema, print_schema

from codegen.breaking_changes import admitted, lost, lost_in_schema
from codegen.generate import CONTRACT, ROOT, SCHEMA, broken, differences, generated
from graphql_api.schema import build
from graphql_api.strawberry_internals import core_schema
from tests.support.processes.servers import PATIENCE

TEXTS = generated()
PRESENT = json.loads(TEXTS[CONTRACT])


def test_what_is_committed_is_what_the_code_says():
    changed = differences(ROOT, TEXTS)
    assert not changed, f"run `uv run just generate`\n{changed[:4000]}"


def test_a_difference_is_shown_as_a_diff(tmp_path):
    for name, text in TEXTS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert differences(tmp_path, TEXTS) == ""
    (tmp_path / SCHEMA).write_text("type Query { nothing: Int }\n")
    changed = differences(tmp_path, TEXTS)
    assert changed.startswith(f"--- committed/{SCHEMA}\n+++ generated/{SCHEMA}\n")
    assert "-type Query { nothing: Int }" in changed


def test_printing_the_schema_leaves_the_running_one_as_it_is():
    before = print_schema(core_schema(build()))
    generated()
    assert print_schema(core_schema(build())) == before
    assert build_schema(TEXTS[SCHEMA])


def changed(edit):
    after = deepcopy(PRESENT)
    edit(after, {each["name"]: each for each in after["operations"]})
    return lost(PRESENT, after)


def share_field(contract, name):
    return contract["components"]["schemas"]["Share"]["properties"][name]


def field_of(by, operation, name):
    return next(each for each in by[operation]["inputs"] if each["name"] == name)


def with_objects(contract):
    """Return the contract with an operation that takes a list of objects."""
    passage = {
        "type": "object",
        "properties": {"old": {"type": "string"}, "mark": {"type": "string", "enum": ["a", "b"]}},
        "required": ["old"],
    }
    given = {"name": "passages", "in": "body", "required": False, "schema": {
        "anyOf": [{"type": "array", "items": {"$ref": "#/components/schemas/Passage"}, "maxItems": 9}, {"type": "null"}],
    }}  # fmt: skip
    contract["components"]["schemas"]["Passage"] = passage
    contract["operations"].append(
        {"name": "documents.take", "method": "POST", "path": "/take", "surfaces": [], "inputs": [given], "answer": None}
    )
    return contract


OF_OBJECTS = {
    "a value of an entry is refused": (
        lambda passage, _: passage["properties"]["mark"]["enum"].pop(), "takes passages in its body[] mark: `b`"
    ),
    "a field of an entry is gone": (lambda passage, _: passage["properties"].pop("mark"), "passages in its body[] mark"),
    "a field of an entry is needed": (
        lambda passage, _: passage["required"].append("mark"), "documents.take takes passages[] needs `mark` now"
    ),
    "fewer entries": (
        lambda _, given: given["schema"]["anyOf"][0].update(maxItems=8), "takes passages: `maxItems` is 8 now"
    ),
    "a list is no longer null": (
        lambda _, given: given["schema"]["anyOf"].pop(), "documents.take takes passages in its body: null"
    ),
    "a list is needed": (lambda _, given: given.update(required=True), "documents.take needs `passages` now"),
}  # fmt: skip


@pytest.mark.parametrize(("edit", "told"), OF_OBJECTS.values(), ids=OF_OBJECTS)
def test_what_callers_lose_within_lists_and_objects_is_found(edit, told):
    before, after = with_objects(deepcopy(PRESENT)), with_objects(deepcopy(PRESENT))
    assert lost(before, after) == []
    edit(after["components"]["schemas"]["Passage"], after["operations"][-1]["inputs"][0])
    assert any(told in line for line in lost(before, after)), lost(before, after)


def test_what_is_widened_within_lists_and_objects_takes_nothing_away():
    before, after = with_objects(deepcopy(PRESENT)), with_objects(deepcopy(PRESENT))
    passage = after["components"]["schemas"]["Passage"]
    passage["properties"] |= {"new": {"type": "string"}}
    passage["properties"]["mark"]["enum"].append("c")
    passage["required"].clear()
    after["operations"][-1]["inputs"][0]["schema"]["anyOf"][0].pop("maxItems")
    assert lost(before, after) == []


BREAKING = {
    "a smaller number is refused": (
        lambda _, by: field_of(by, "driveItems.search", "first")["schema"].update(minimum=2),
        "first: `minimum` is 2 now",
    ),
    "a greater number is refused": (
        lambda _, by: field_of(by, "driveItems.search", "first")["schema"].update(maximum=10),
        "first: `maximum` is 10 now",
    ),
    "another default": (
        lambda _, by: field_of(by, "driveItems.search", "first")["schema"].update(default=5),
        "first: `default` is 5 now",
    ),
    "a longer text is refused": (
        lambda _, by: field_of(by, "drives.create", "name")["schema"].update(maxLength=9),
        "`maxLength` is 9 now",
    ),
    "another pattern": (
        lambda _, by: field_of(by, "drives.create", "name")["schema"].update(pattern="^a$"),
        "`pattern` is ^a$ now",
    ),
    "an optional input is needed": (
        lambda _, by: field_of(by, "driveItems.search", "driveId").update(required=True),
        "driveItems.search needs `driveId` now",
    ),
    "no idempotency key": (
        lambda _, by: by["drives.create"].update(idempotencyKey=False),
        "drives.create takes an idempotency key",
    ),
    "an operation is gone": (lambda all_, by: all_["operations"].remove(by["drives.rename"]), "drives.rename is PATCH"),
    "another path": (lambda _, by: by["drives.list"].update(path="/drive"), "drives.list is GET /drives"),
    "another method": (lambda _, by: by["drives.rename"].update(method="PUT"), "drives.rename is PATCH"),
    "a surface is gone": (lambda _, by: by["drives.list"]["surfaces"].remove("mcp"), "surface mcp"),
    "an input is gone": (lambda _, by: by["driveItems.move"]["inputs"].pop(), "takes parentId"),
    "an input is no longer null": (
        lambda _, by: by["driveItems.move"]["inputs"][-1].update(schema={"type": "string"}),
        "driveItems.move takes parentId in its body: null",
    ),
    "an input is needed": (
        lambda _, by: by["drives.rename"]["inputs"].append(by["drives.create"]["inputs"][0] | {"name": "why"}),
        "drives.rename needs `why`",
    ),
    "a value is refused": (
        lambda _, by: next(i for i in by["driveItems.share"]["inputs"] if i["name"] == "permission")["schema"][
            "enum"
        ].pop(),
        "driveItems.share takes permission",
    ),
    "a field is gone": (
        lambda all_, _: all_["components"]["schemas"]["Share"]["properties"].pop("name"),
        "driveItems.get answers shares[].name",
    ),
    "a field is of another type": (
        lambda all_, _: share_field(all_, "email").update(type="integer"),
        "driveItems.get answers shares[].email: string",
    ),
    "another status": (
        lambda all_, _: all_["errors"]["LIMIT_EXCEEDED"].update(status=422),
        "no longer: LIMIT_EXCEEDED is 409",
    ),
    "there is an answer": (
        lambda _, by: by["drives.rename"].update(answer={"type": "object"}),
        "drives.rename answers nothing",
    ),
}


@pytest.mark.parametrize(("edit", "told"), BREAKING.values(), ids=BREAKING)
def test_what_callers_lose_is_found(edit, told):
    assert any(told in line for line in changed(edit)), changed(edit)


def optional(contract, by):
    by["drives.list"]["inputs"].append(by["drives.list"]["inputs"][0] | {"name": "order"})
    contract["components"]["schemas"]["Share"]["properties"]["note"] = {"type": "string"}
    contract["operations"].append(by["drives.list"] | {"name": "drives.more", "path": "/more"})
    contract["codes"].append("NEW_CODE")


def test_what_is_added_takes_nothing_away():
    assert changed(optional) == []
    assert changed(lambda *_: None) == []


def test_a_field_that_the_schema_loses_is_found():
    before = "type Query { one: Int two: Int }"
    assert lost_in_schema(before, before) == []
    assert lost_in_schema(before, "type Query { one: Int }") == ["GraphQL: Field Query.two was removed."]


def test_only_the_unreleased_part_of_the_changelog_admits_to_it():
    assert admitted("# C\n\n## Unreleased\n\n- New things.\n- Breaking: `x` is gone.\n\n## 1.0\n")
    assert not admitted("# C\n\n## Unreleased\n\n- New things.\n\n## 1.0\n\n- Breaking: `x` is gone.\n")
    assert not admitted("# C\n\n## Unreleased\n\n- Not - Breaking: anything.\n")


@pytest.fixture
def repository(tmp_path):
    def git(*arguments):
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True, timeout=PATIENCE)

    git("init", "-q")
    more = deepcopy(PRESENT)
    more["operations"].append(more["operations"][0] | {"name": "drives.gone"})
    (tmp_path / CONTRACT).write_text(json.dumps(more))
    (tmp_path / SCHEMA).write_text(TEXTS[SCHEMA])
    git("add", ".")
    git("commit", "-qm", "first")
    return tmp_path


def test_the_commit_before_is_what_is_compared_with(repository):
    changelog = repository / "CHANGELOG.md"
    changelog.write_text("## Unreleased\n\n- Nothing.\n")
    assert any("drives.gone" in line for line in broken(repository, "HEAD", TEXTS))
    changelog.write_text("## Unreleased\n\n- Breaking: `drives.gone` is gone.\n")
    assert broken(repository, "HEAD", TEXTS) == []
    changelog.write_text("## Unreleased\n")
    assert broken(repository, "nowhere", TEXTS) == [], "without a history there is nothing to compare with"
