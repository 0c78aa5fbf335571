"""Whether the clients of others for GraphQL work with the service as their own pages and docs/front-ends.md say."""

import json
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PAGE = (Path(__file__).parents[2] / "docs" / "front-ends.md").read_text()
OPERATIONS = "\n".join(re.findall(r"```graphql\n(.*?)```", PAGE, re.DOTALL))
(CACHE,) = (block for block in re.findall(r"```js\n(.*?)```", PAGE, re.DOTALL) if "cacheExchange" in block)

pytestmark = [pytest.mark.slow, pytest.mark.installs]


USED = ("Home", "Folder", "BeforeMoving", "History", "Changes")


def operation(name):
    """An operation of the page."""
    (found,) = re.findall(rf"^((?:query|mutation|subscription) {name}\b.*?^\}})", OPERATIONS, re.MULTILINE | re.DOTALL)
    return found


@pytest.fixture
def world(ada, server):
    """A drive of Ada's with three folders, and what a program needs to ask for it."""
    drive = ada.drive("Clients of others")
    folders = [ada.folder(drive, f"Folder {number}") for number in range(3)]
    document = ada.document(folders[0], "Plan")
    return {
        "URL": f"{server.origin}/graphql",
        "KEY": ada.key,
        "DRIVE": drive,
        "FOLDER": folders[0],
        "DOCUMENT": document,
    }


def test_types_are_generated_from_the_server_and_hold(project, world):
    config = {
        "schema": [{world["URL"]: {"headers": {"x-api-key": world["KEY"]}}}],
        "documents": "*.ts",
        "generates": {"./generated/": {"preset": "client"}},
        "emitLegacyCommonJSImports": False,
    }
    project.write("codegen.json", json.dumps(config))
    program = (HERE / "typed.ts").read_text()
    for name in USED:
        program = program.replace(f"/* {name} */", operation(name))
    project.write("typed.ts", program)
    project.runs("node_modules/@graphql-codegen/cli/cjs/bin.js", "--config", "codegen.json")
    project.compiles()
    told = json.loads(project.runs("typed.js", **world))
    assert told == {"name": "Ada Lovelace", "folder": ["Plan"], "gains": [], "kinds": ["inserted"]}


def test_urql_with_graphcache_pages_follows_and_is_told_of_each_key(project, world):
    imports = (
        'import { cacheExchange } from "@urql/exchange-graphcache";\n'
        'import { relayPagination } from "@urql/exchange-graphcache/extras";\n'
    )
    project.write("cache.mjs", imports + CACHE)
    project.write("urql.mjs", (HERE / "urql.mjs").read_text())
    page = json.dumps({name: operation(name) for name in USED})
    told = json.loads(project.runs("urql.mjs", **world, OPERATIONS=page))
    assert told["warnings"] == []
    assert told["pages"] == [2, 3]
    assert told["renamed"] == told["shown"] == "Renamed"
    assert told["persisted"] == "Ada Lovelace"
    assert told["followed"] == {"type": "itemRenamed", "itemId": world["FOLDER"]}


def test_apollo_pages_and_sends_what_is_not_persisted(project, world):
    project.write("apollo.mjs", (HERE / "apollo.mjs").read_text())
    told = json.loads(project.runs("apollo.mjs", **world))
    assert told["pages"] == [2, 3]
    assert told["name"] == "Ada Lovelace"
    assert told["code"] == "NOT_FOUND"
    assert told["followed"] == {"type": "itemRenamed", "itemId": world["FOLDER"]}
