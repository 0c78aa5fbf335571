"""Is the application built once for its sources, and does the server do without it where it could not be built?"""

import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from hatch_build import FAILED, NODE, SHARED, TOOLS, WebApplicationHook, build, is_built
from service.pages import built_or_none
from service.settings import Settings
from tools.application import install
from web.built_application import ENTRY, NotBuilt, built_application

ROOT = Path(__file__).parents[2]


@pytest.fixture
def checkout(tmp_path):
    """A copy of the sources, with the packages that are installed beside them."""
    shutil.copytree(ROOT / "app", tmp_path / "app", ignore=shutil.ignore_patterns("node_modules"))
    for name in SHARED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def developed():
    """The packages with the tools of developers."""
    install()
    return ROOT / "app" / "node_modules"


def hook(root, warnings=None):
    says = SimpleNamespace(display_warning=(warnings if warnings is not None else []).append)
    return WebApplicationHook(str(root), {}, None, None, str(root / "dist"), "wheel", says)


def test_the_same_sources_are_built_once_and_changed_ones_again(checkout):
    packages = checkout / "app" / "node_modules"
    packages.symlink_to(developed())
    built = checkout / "web" / "built"
    shutil.copytree(ROOT / "web" / "built", built)  # as the installation for these tests left it
    build(checkout)  # which builds where that was of other sources
    made = {path: path.stat().st_mtime_ns for path in built.iterdir()}
    assert hook(checkout).dependencies() == []
    hook(checkout).initialize("standard", {})
    assert {path: path.stat().st_mtime_ns for path in built.iterdir()} == made
    first = built_application(built)
    (checkout / "app" / ENTRY).write_text((checkout / "app" / ENTRY).read_text() + "console.info('changed');\n")
    assert not is_built(checkout)
    assert hook(checkout).dependencies() == [NODE]
    build(checkout)
    assert built_application(built).script != first.script
    assert (packages / TOOLS).is_file(), "a developer's packages stay"


def test_what_only_the_build_needs_is_gone_after_it(checkout, monkeypatch):
    cache = checkout / "cache"
    monkeypatch.setenv("npm_config_cache", str(cache))
    build(checkout)
    made = built_application(checkout / "web" / "built")
    assert made.script.removeprefix("/static/app/") in made.assets
    assert "## react " in (checkout / "web" / "built" / "licences.md").read_text()
    assert not (checkout / "app" / "node_modules").exists()
    assert not cache.exists()


@pytest.mark.parametrize(
    ("output", "why"),
    [
        (
            "npm error FetchError: request to http://npm.example/react failed, reason: refused\nnpm error A complete log is in: /x\n",
            "FetchError: request to http://npm.example/react failed, reason: refused",
        ),
        ("Node is not installed", "Node is not installed"),
        ("x\nsomething else\n\n", "something else"),
        ("", "its build failed"),
    ],
)
def test_the_server_says_why_there_is_no_build(tmp_path, output, why):
    (tmp_path / FAILED).write_text(output)
    with pytest.raises(NotBuilt) as caught:
        built_application(tmp_path)
    assert str(caught.value) == why


def test_the_installation_goes_on_where_no_package_can_be_had(checkout, monkeypatch):
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_cache", str(checkout / "cache"))
    warnings = []
    hook(checkout, warnings).initialize("standard", {})
    assert "the web application was not built" in warnings[0]
    with pytest.raises(NotBuilt, match="ECONNREFUSED"):
        built_application(checkout / "web" / "built")
    assert not (checkout / "app" / "node_modules").exists()
    assert not (checkout / "cache").exists()
    assert (checkout / "web" / "built" / FAILED).read_text()
    assert not is_built(checkout)


def test_the_server_without_the_application_says_so_and_serves_the_read_only_pages(tmp_path, capsys):
    assert built_or_none(replace(Settings(), no_app=True), tmp_path) is None
    assert built_or_none(Settings(), tmp_path) is None
    assert "uv sync --no-dev --reinstall-package codrive-server" in "".join(capsys.readouterr())


def test_a_source_distribution_brings_what_is_built(tmp_path):
    assert is_built(tmp_path)
    assert hook(tmp_path).dependencies() == []
