"""GraphiQL at `/graphql`: the page under a policy of its own, what it loads, and where it is not served."""

import gzip
import re

import pytest

from service.pages import graphiql_or_none
from service.settings import Settings
from tests.support.processes.servers import http
from web.built_application import BUILT, GRAPHIQL, NotBuilt, built_graphiql

HTML = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def page(served):
    with http(served.origin) as browser:
        yield browser.get("/graphql", headers=HTML)


def test_the_page_runs_our_scripts_alone_and_is_never_framed_nor_stored(page):
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    policy = dict(part.split(" ", 1) for part in page.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["worker-src"] == "'self'"
    assert policy["connect-src"].startswith("'self' ws://127.0.0.1:")
    assert (page.headers["x-frame-options"], page.headers["cache-control"]) == ("DENY", "no-store")
    assert not re.search(r"\son\w+=|style=|<style|<script(?! type=\"module\" src=\"/static/graphiql/)", page.text)


def test_no_other_page_has_that_policy(served):
    with http(served.origin) as browser:
        for path in ("/sign-in", "/nothing"):
            assert "unsafe" not in browser.get(path, headers=HTML).headers["content-security-policy"]


def test_all_that_it_names_is_served_as_it_was_packed_and_nothing_else(served, page):
    paths = re.findall(r'(?:src|href)="(/static/graphiql/[^"]+)"', page.text)
    assert {path.rpartition(".")[2] for path in paths} == {"js", "css"}
    with http(served.origin) as browser:
        for path in paths:
            plain = browser.get(path, headers={"accept-encoding": "identity"})
            assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
            with browser.stream("GET", path, headers={"accept-encoding": "gzip"}) as answer:
                packed = b"".join(answer.iter_raw())
            assert answer.headers["content-encoding"] == "gzip"
            assert gzip.decompress(packed) == plain.content
            assert browser.head(path).status_code == 200
        for name in ("none.js", "manifest.json", "licences.md", "..%2Fmanifest.json", "%2e%2e%2fmanifest.json"):
            assert browser.get(f"/static/graphiql/{name}").status_code == 404


def test_nothing_of_it_names_another_host_to_load_from():
    loaded = re.compile(rb"""(?:import\(|importScripts\(|from|url\()\s*["'`]?(https?://[^"'`)]+)""")
    for path in (BUILT / GRAPHIQL).iterdir():
        if path.suffix in {".js", ".css"}:
            assert loaded.findall(path.read_bytes()) == [], path.name


def test_its_licences_lie_beside_it():
    told = (BUILT / GRAPHIQL / "licences.md").read_text()
    assert "## graphiql " in told
    assert "## monaco-editor " in told


def test_it_is_served_in_the_demo_alone(tmp_path, capsys):
    assert graphiql_or_none(Settings()) is None
    assert "".join(capsys.readouterr()) == ""
    assert graphiql_or_none(Settings(demo=True)) == built_graphiql()
    assert graphiql_or_none(Settings(demo=True), tmp_path) is None
    assert "uv sync --no-dev --reinstall-package codrive-server" in "".join(capsys.readouterr())


def test_why_it_is_not_there_is_told(tmp_path):
    with pytest.raises(NotBuilt, match="it was never built"):
        built_graphiql(tmp_path)
    (tmp_path / "failed.txt").write_text("npm error FetchError: reason: refused\n")
    with pytest.raises(NotBuilt, match="reason: refused"):
        built_graphiql(tmp_path)
