"""Every page says what is so: its commands work and print what it shows, its links lead somewhere, its names exist."""

import json
import re
import shutil
import tempfile
from dataclasses import fields
from pathlib import Path

import click
import pytest
from graphql import build_schema, parse, validate

from codegen.reference import MEANINGS, settings_page
from contract.operations import OPERATIONS
from domain.errors import Code
from edge.responses import STATUS
from graphql_api.request_limits import MAX_QUERY_LENGTH
from graphql_api.schema import DEFAULT_LIMITS
from service.command import main
from service.settings import Settings, variable
from tests.docs.blocks import ROOT, blocks, holds, run

PAGES = sorted(str(page.relative_to(ROOT)) for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
TYPED = [page for page in PAGES if blocks(page)]
GRAPHQL = re.compile(r"```graphql\n(.*?)```", re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def text_of(page):
    return (ROOT / page).read_text()


@pytest.fixture(scope="module")
def server(demo_world):
    made = Path(tempfile.mkdtemp(prefix="codrive-tests-"))
    with demo_world.serving(made) as running:
        yield running
    shutil.rmtree(made)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="the pages' commands use curl")
@pytest.mark.parametrize("page", TYPED)
def test_what_a_page_tells_to_type_prints_what_it_shows(server, page):
    for block, printed in zip(blocks(page), run(page, server), strict=True):
        if block.shown is not None:
            assert holds(block.shown, json.loads(printed)), printed
        elif block.text is not None:
            assert printed == block.text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="the page's commands use curl")
def test_the_first_task_of_the_readme_prints_to_the_letter_what_the_page_shows(server):
    shown = [block.text for block in blocks("README.md")]
    assert shown == run("README.md", server)
    assert "We launch in **June**." in shown[0], "it reads back what it wrote"


def test_the_first_paragraph_of_the_start_says_what_the_link_is():
    start = text_of("README.md").split("\n## Start\n\n")[1].split("\n\n")[0]
    for first in (start, text_of("docs/app.md").split("\n\n")[1]):
        assert "link" in first
        assert "works once" in first
        assert "signs you in" in first


def test_every_document_of_graphql_that_a_page_shows_is_one_of_the_schema():
    schema = build_schema(text_of("schema.graphql"))
    for page in set(PAGES) - {"docs/operations.md"}:  # which leaves out the fragments of the documents it is made from
        for shown in GRAPHQL.findall(text_of(page)):
            assert validate(schema, parse(shown)) == [], f"{page}: {shown}"


def test_there_are_pages_with_documents_of_graphql():
    assert GRAPHQL.findall(text_of("docs/front-ends.md"))


def test_there_are_pages_with_something_to_type():
    assert {"README.md", "docs/rest.md", "docs/graphql.md", "docs/command-line.md"} <= set(TYPED)


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page):
    for target in LINK.findall(text_of(page)):
        path, _, heading = target.partition("#")
        if "://" in target:
            assert target.startswith("http://127.0.0.1:8000/"), f"{page} sends readers away: {target}"
            continue
        file = (ROOT / page).parent / path if path else ROOT / page
        assert file.exists(), f"{page}: {target}"
        assert not heading or heading in headings(file), f"{page}: {target}"


def headings(file):
    found = re.findall(r"^#+ (.+)$", file.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in found}


def options(command):
    """Every flag of a command and of those below it."""
    found = {name for parameter in command.params for name in parameter.opts if name.startswith("--")} | {"--help"}
    return found.union(*(options(each) for each in getattr(command, "commands", {}).values()))


@pytest.mark.parametrize("page", PAGES)
def test_every_flag_command_and_variable_exists(page):
    said = text_of(page)
    known = {variable(setting.name, dict(setting.metadata)) for setting in fields(Settings)}
    assert set(re.findall(r"\bCODRIVE_[A-Z_]+\b", said)) <= known | {"CODRIVE_ROUNDS", "CODRIVE_SEED"}
    for line in re.findall(r"codrive-server ([^`\n]*)", said):
        assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", line)) <= options(main), line
        command = main
        words = re.sub(r"--\S+ \S+", "", line).split()
        while words and isinstance(command, click.Group) and re.fullmatch(r"[a-z]+", words[0]):
            if words[0] not in command.commands:
                break
            command = command.commands[words.pop(0)]


@pytest.mark.parametrize("page", PAGES)
def test_no_page_names_a_machine_or_a_real_key(page):
    said = text_of(page)
    assert not re.search(r"/(root|work|home)/|cdr_[0-9A-Za-z]{10}|pypi|npmjs", said)


@pytest.mark.parametrize("code", Code)
def test_each_code_has_its_heading_its_status_and_its_meaning(code):
    assert f"\n## {code}\n\n{STATUS[code]}. {MEANINGS[code]}\n" in text_of("docs/errors.md")


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.name)
def test_each_operation_has_its_heading_its_path_and_its_document(row):
    section = text_of("docs/operations.md").split(f"\n## {row.name}\n")[1].split("\n## ")[0]
    assert f"`{row.method} {row.path}`" in section
    assert f" {row.document}" in section
    assert all(f"[{code}]" in section for code in row.rejects)


def test_the_page_of_mcp_names_what_takes_an_idempotency_key():
    (named,) = re.findall(
        r"`Idempotency-Key` works as over REST, on the tools that ([a-z, ]+)\.", text_of("docs/mcp.md")
    )
    keyed = [row.name.partition(".")[2] for row in OPERATIONS if row.takes_idempotency_key and not row.rest_only]
    assert re.split(", | and ", named) == sorted({re.findall("[a-z]+", name)[0] for name in keyed})


def test_each_setting_has_its_row():
    assert text_of("docs/settings.md") == settings_page()
    for setting in fields(Settings):
        assert f"| `--{setting.name.replace('_', '-')}` |" in settings_page()


def test_the_limits_of_a_document_are_as_the_page_says():
    limits = DEFAULT_LIMITS
    said = f"{limits.tokens:,} tokens, {limits.depth} levels and {limits.aliases} aliases"
    assert said in text_of("docs/graphql.md")
    assert f"{MAX_QUERY_LENGTH:,} characters" in text_of("docs/graphql.md")


def test_the_picture_is_of_the_commands_that_work():
    picture = (ROOT / "docs/images/session.svg").read_text()
    assert "codrive-server --demo" in picture
    assert not re.search(r"/(root|work|home|tmp)/|cdr_[0-9A-Za-z]{10}|sign-in/\w", picture)
    assert "Open this in a browser" in picture
