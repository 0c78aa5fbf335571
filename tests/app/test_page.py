"""What the server sends for the web application: one page for every id, its assets, and the documents that it asks with."""

import gzip
import json
import re

import pytest

from tests.support.processes.servers import http
from tests.support.web.visitors import Visitor
from web.application import application_documents, prepared_texts

UNKNOWN = "00000000-0000-4000-8000-000000000000"
BOOT = re.compile(r'<script type="application/json" id="boot">(.*?)</script>')
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "


@pytest.fixture
def ada(served_app, people):
    with Visitor(served_app.origin) as visitor:
        assert visitor.sign_in(people["ada"]["email"], people["ada"]["password"]).status_code == 303
        yield visitor


def test_a_known_a_hidden_and_an_unknown_id_have_the_same_page(ada, world_of):
    own, hidden = world_of("ada").drive("Own"), world_of("gus").drive("Hidden")
    pages = [ada.get(f"/drive/{each}") for each in (own, hidden, UNKNOWN)]
    pages += [ada.get(f"/{kind}/{UNKNOWN}") for kind in ("drive", "folder")]
    assert {answer.status_code for answer in pages} == {200}
    assert len({re.sub(r'"changesCursor":"[^"]+"', "", answer.text) for answer in pages}) == 1


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/drive/x",
        "/folder/x",
        "/shared",
        "/recent",
        "/starred",
        "/trash",
        "/search?q=a%20b",
        "/doc/x/history",
        "/agents",
        "/agents/x",
    ],
)
def test_a_page_of_the_application_runs_its_own_scripts_alone(ada, path):
    answer = ada.get(path)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith(POLICY)
    assert "unsafe" not in policy
    assert answer.headers["cache-control"] == "no-store"
    assert not re.search(r"\son\w+=|style=|<style", answer.text)
    first = json.loads(BOOT.search(answer.text)[1])
    assert first["viewer"]["email"] == "ada@acme.example"
    assert "Engineering" in [drive["name"] for drive in first["drives"]["nodes"]]


def test_the_editor_is_asked_for_with_the_page_of_a_document_and_of_nothing_else(ada):
    modules = {
        path: set(re.findall(r'<link rel="modulepreload" href="([^"]+)">', ada.get(path).text))
        for path in ("/", f"/doc/{UNKNOWN}", f"/doc/{UNKNOWN}/history")
    }
    assert modules["/"] == modules[f"/doc/{UNKNOWN}/history"]
    editor = modules[f"/doc/{UNKNOWN}"] - modules["/"]
    assert modules["/"] < modules[f"/doc/{UNKNOWN}"]
    assert any(re.search(r"/DocumentScreen-[^/]+\.js$", module) for module in editor)
    assert {ada.get(module).status_code for module in editor} == {200}


@pytest.mark.parametrize("path", ["/", "/drive/x", "/trash", "/search?q=a%20b"])
def test_somebody_who_is_not_signed_in_signs_in_first_and_comes_back(served_app, path):
    with Visitor(served_app.origin) as visitor:
        answer = visitor.get(path)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/sign-in?next=")


def test_what_ends_a_script_in_a_name_ends_nothing_in_the_page(ada, world_of):
    name = "</script><script>alert(1)</script><!--"
    world_of("ada").drive(name)
    text = ada.get("/").text
    assert text.count("</script>") == 2
    first = json.loads(re.search(r'id="boot">(.*?)</script>', text)[1])
    assert name in [drive["name"] for drive in first["drives"]["nodes"]]


def test_assets_are_immutable_and_sent_as_they_were_packed(served_app, ada):
    paths = re.findall(r'(?:src|href)="(/static/app/[^"]+)"', ada.get("/").text)
    assert any(path.endswith(".js") for path in paths)
    assert any(path.endswith(".css") for path in paths)
    with http(served_app.origin) as browser:
        for path in paths:
            plain = browser.get(path, headers={"accept-encoding": "identity"})
            assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert plain.headers["vary"] == "accept-encoding"
            with browser.stream("GET", path, headers={"accept-encoding": "gzip"}) as answer:
                packed = b"".join(answer.iter_raw())
            assert answer.headers["content-encoding"] == "gzip"
            assert gzip.decompress(packed) == plain.content
        assert browser.get("/static/app/none.js").status_code == 404
        assert browser.get("/static/app/manifest.json").status_code == 404


def test_the_frame_of_charts_has_an_origin_of_its_own_and_asks_nobody(served_app):
    with Visitor(served_app.origin) as visitor:
        answer = visitor.get("/chart")
    assert answer.status_code == 200
    policy = [each.strip() for each in answer.headers["content-security-policy"].split(";")]
    assert {"default-src 'none'", "script-src 'self'", "form-action 'none'", "frame-ancestors 'self'"} <= {*policy}
    (sandbox,) = [each.split()[1:] for each in policy if each.startswith("sandbox")]
    assert "allow-scripts" in sandbox
    assert "allow-same-origin" not in sandbox
    assert not any(each.startswith("connect-src") for each in policy)


def test_the_first_load_is_not_larger_than_its_budget(ada):
    paths = re.findall(r'(?:src|href)="(/static/app/[^"]+\.js)"', ada.get("/").text)
    sizes = {}
    for path in {*paths}:
        with ada.stream("GET", path, headers={"accept-encoding": "gzip"}) as answer:
            sizes[path] = len(b"".join(answer.iter_raw()))
    assert sum(sizes.values()) <= 230_000, sizes


async def test_the_application_asks_with_the_texts_that_the_server_prepared(window, world_of):
    world_of("ada").drive("Prepared")
    known = {*application_documents().values()}
    assert len(prepared_texts()) == len(known) - 1
    async with window("ada") as page:
        asked = []
        page.on("request", lambda each: asked.append(each.post_data_json) if each.url.endswith("/graphql") else None)
        await page.get_by_role("main").get_by_role("link", name="Prepared").click()
        await page.get_by_role("button", name="New folder").click()
        await page.keyboard.press("Enter")
        await page.get_by_role("row").filter(has_text="New folder").wait_for()
    assert {each["operationName"] for each in asked if each} >= {"DriveList", "CreateItem"}
    assert [each["query"] for each in asked if each and each["query"] not in known] == []


def test_the_page_names_what_a_phone_installs_the_application_by(ada):
    page = ada.get("/")
    (manifest,) = re.findall(r'<link rel="manifest" href="([^"]+)">', page.text)
    told = ada.get(manifest).raise_for_status()
    assert "manifest-src 'self'" in page.headers["content-security-policy"]
    assert told.headers["content-type"].startswith("application/manifest+json")
    held = told.json()
    assert (held["start_url"], held["scope"], held["display"]) == ("/", "/", "standalone")
    for icon in held["icons"]:
        answer = ada.get(f"/static/{icon['src']}").raise_for_status()
        assert answer.headers["content-type"] == icon["type"]
        assert f"{int.from_bytes(answer.content[16:20])}x{int.from_bytes(answer.content[20:24])}" == icon["sizes"]
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in held["icons"]}
    assert any(icon.get("purpose") == "maskable" for icon in held["icons"])


def test_the_page_of_a_document_has_the_item_and_that_of_a_hidden_one_what_an_unknown_one_has(ada, world_of):
    world, gus = world_of("ada"), world_of("gus")
    own = world.item(world.drive("First data"), "Known at once", "docs_workbook")
    hidden = gus.item(gus.drive("Hidden"), "Hidden", "docs_workbook")
    held = [json.loads(BOOT.search(ada.get(f"/doc/{each}").text)[1]) for each in (own, hidden, UNKNOWN)]
    assert (held[0]["item"]["name"], held[0]["item"]["drive"]["name"]) == ("Known at once", "First data")
    assert [{*held[0]} - {*each} for each in held[1:]] == [{"item"}, {"item"}]
    assert "item" not in json.loads(BOOT.search(ada.get("/doc/x").text)[1])
