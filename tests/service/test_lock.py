"""How versions are written into the project: direct ones in their lists, all others as constraints."""

import tomllib

import click
import pytest

from tools.lock import PROJECT, ROOT, loosened, pinned, versions_in

TEXT = """\
[project]
name = "x"
dependencies = [
    "Alpha_Beta==1.0",
    "gamma[one,two]==2.0",
]

[dependency-groups]
dev = ["tool==3.0"]

[build-system]
requires = ["hatchling==9"]

[tool.uv]
# a word about it
constraint-dependencies = [
    "old==1",
]

[tool.other]
key = "value==kept"
"""
VERSIONS = {"alpha-beta": "1.1", "gamma": "2.1", "tool": "3.1", "new": "5.0"}


def test_direct_versions_are_written_in_their_lists_and_all_others_as_constraints():
    written = tomllib.loads(pinned(TEXT.replace('["tool==3.0"]', '[\n    "tool==3.0",\n]'), VERSIONS))
    assert written["project"]["dependencies"] == ["Alpha_Beta==1.1", "gamma[one,two]==2.1"]
    assert written["dependency-groups"]["dev"] == ["tool==3.1"]
    assert written["build-system"]["requires"] == ["hatchling==9"], "what builds is in no lock: it stays as it is"
    assert written["tool"]["uv"]["constraint-dependencies"] == ["new==5.0"]
    assert written["tool"]["other"]["key"] == "value==kept"


def test_everything_is_free_while_it_is_resolved():
    free = tomllib.loads(loosened(TEXT))
    assert free["project"]["dependencies"] == ["Alpha_Beta", "gamma[one,two]"]
    assert free["tool"]["uv"]["constraint-dependencies"] == []


def test_a_lock_is_read_without_the_project_and_never_with_two_versions_of_one():
    lock = """
[[package]]
name = "x"
source = { editable = "." }
[[package]]
name = "alpha"
version = "1.0"
source = { registry = "somewhere" }
"""
    assert versions_in(lock) == {"alpha": "1.0"}
    with pytest.raises(click.ClickException, match="alpha"):
        versions_in(lock + lock[lock.index('[[package]]\nname = "alpha"') :].replace("1.0", "2.0"))


def test_writing_the_versions_that_are_there_changes_nothing():
    text = (ROOT / PROJECT).read_text()
    project = tomllib.loads(text)
    lists = [project["project"]["dependencies"], project["tool"]["uv"]["constraint-dependencies"]]
    pins = [pin for each in [*lists, *project["dependency-groups"].values()] for pin in each]
    versions = {pin.partition("==")[0].partition("[")[0].lower(): pin.partition("==")[2] for pin in pins}
    assert all(versions.values()), "every requirement is pinned"
    assert pinned(text, versions) == text


def test_no_lock_file_is_committed():
    assert "uv.lock" in (ROOT / ".gitignore").read_text().splitlines()
