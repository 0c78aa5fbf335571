"""Drives, folders and documents as pages that are only read, for whoever is signed in and sees them."""

import base64
import json
import re
from urllib.parse import unquote

import pytest

from documents.tree.build import from_tree
from tests.support.processes.rates import told_so, until_refused
from tests.support.web.payloads import PAYLOADS, check_inert, sendable
from tests.support.web.publishing import code, document, paragraph, sample_picture
from tests.support.web.visitors import Visitor, ask

NOWHERE = "01900000-0000-7000-8000-000000000000"
MAKE = """mutation($d: ID!, $n: ItemName!, $k: DriveItemType!) {
  createItem(driveId: $d, name: $n, driveItemType: $k) { id } }"""
BELOW = """mutation($p: ID!, $n: ItemName!, $k: DriveItemType!) {
  createChild(itemId: $p, name: $n, driveItemType: $k) { id } }"""
SHARE = "mutation($i: ID!, $e: EmailAddress!) { shareItem(itemId: $i, email: $e, permission: read_only) { id } }"
IMPORT = "mutation($i: ID!, $u: String!) { importYjsUpdate(documentId: $i, update: $u) { id } }"
DRIVE = "mutation($n: ItemName!) { createDrive(name: $n) { id } }"
TRASH = "mutation($i: ID!) { trashItem(itemId: $i) { id } }"


def made_in(visitor, drive, name, kind="docs_workbook"):
    return ask(visitor, MAKE, d=drive, n=name, k=kind)["createItem"]["id"]


def made_below(visitor, parent, name, kind="docs_workbook"):
    return ask(visitor, BELOW, p=parent, n=name, k=kind)["createChild"]["id"]


def written(visitor, item, *blocks):
    update = base64.b64encode(from_tree(document(*blocks), 7)).decode()
    assert ask(visitor, IMPORT, i=item, u=update) == {"importYjsUpdate": {"id": item}}


def links(text):
    return dict(re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', text))


def crumbs(text):
    (nav,) = re.findall(r'<nav class="crumbs".*?</nav>', text, re.DOTALL)
    return [*links(nav).items()]


@pytest.fixture
def tree(browser_of):
    """A drive of Ada's with two folders and a document: its parts by name."""
    ada = browser_of("ada")
    drive = ask(ada, DRIVE, n="Voyages")["createDrive"]["id"]
    outer = made_in(ada, drive, "Secret outer", "folder")
    inner = made_below(ada, outer, "Inner", "folder")
    leaf = made_below(ada, inner, "Leaf")
    written(ada, leaf, paragraph("What was found"))
    return {"ada": ada, "drive": drive, "outer": outer, "inner": inner, "leaf": leaf}


def test_the_start_links_to_every_drive_and_to_what_is_shared_with_one(tree, browser_of):
    ask(tree["ada"], SHARE, i=tree["inner"], e="gus@globex.example")
    ask(tree["ada"], SHARE, i=tree["leaf"], e="gus@globex.example")
    start = links(tree["ada"].get("/").text)
    assert start[f"/drive/{tree['drive']}"] == "Voyages"
    drives = ask(tree["ada"], "{ drives(first: 50) { nodes { id name } } }")["drives"]["nodes"]
    for drive in drives:
        assert start[f"/drive/{drive['id']}"] == drive["name"]
        assert tree["ada"].get(f"/drive/{drive['id']}").status_code == 200
    gus = browser_of("gus")
    for path in ("/", "/shared"):
        shown = links(gus.get(path).text)
        assert (shown[f"/folder/{tree['inner']}"], shown[f"/doc/{tree['leaf']}"]) == ("Inner", "Leaf")


def test_long_lists_come_in_parts_that_lead_to_each_other(tree):
    ada = tree["ada"]
    names = [f"Part {number:03}" for number in range(101)]
    for name in names:
        made_in(ada, tree["drive"], name)
    found, path = [], f"/drive/{tree['drive']}"
    while path:
        page = ada.get(path)
        assert page.status_code == 200
        found += [name for address, name in links(page.text).items() if address.startswith("/doc/")]
        path = next((address for address, name in links(page.text).items() if name == "Go on"), None)
    assert found == names
    assert "From the beginning" in page.text
    assert ada.get(f"/drive/{tree['drive']}?after=").status_code in (400, 404)


def test_an_item_says_where_it_is_from_the_first_place_that_its_reader_sees(tree, browser_of):
    ask(tree["ada"], SHARE, i=tree["inner"], e="gus@globex.example")
    folders = [(f"/folder/{tree['outer']}", "Secret outer"), (f"/folder/{tree['inner']}", "Inner")]
    seen = tree["ada"].get(f"/doc/{tree['leaf']}")
    assert crumbs(seen.text) == [(f"/drive/{tree['drive']}", "Voyages"), *folders]
    gus = browser_of("gus")
    for path, above in ((f"/doc/{tree['leaf']}", [folders[1]]), (f"/folder/{tree['inner']}", [])):
        page = gus.get(path)
        assert crumbs(page.text) == [("/shared", "Shared with you"), *above]
        assert "Secret outer" not in page.text
        assert "Voyages" not in page.text
    assert gus.get(f"/folder/{tree['outer']}").status_code == 404
    assert gus.get(f"/drive/{tree['drive']}").status_code == 404


def test_what_is_hidden_and_what_does_not_exist_are_the_same_page(tree, browser_of):
    gus = browser_of("gus")

    def told(path):
        answer = gus.get(path)
        ours = {name: value for name, value in answer.headers.items() if name not in ("date", "x-request-id")}
        return answer.status_code, answer.text, ours

    for path, item in (
        ("/doc/{}", "leaf"),
        ("/doc/{}.md", "leaf"),
        ("/doc/{}", "outer"),
        ("/folder/{}", "outer"),
        ("/folder/{}", "leaf"),
        ("/drive/{}", "drive"),
        (f"/doc/{{}}/charts/{'0' * 32}", "leaf"),
    ):
        hidden = told(path.format(tree[item]))
        assert hidden[0] == 404
        assert hidden == told(path.format(NOWHERE)) == told(path.format("nonsense")), path
    missing = gus.get(f"/doc/{tree['leaf']}").text
    assert "You are signed in as <strong>gus@globex.example</strong>" in missing
    assert "Was it shared with another address of yours?" in missing
    assert tree["ada"].get(f"/doc/{tree['leaf']}.txt").status_code == 404


def test_what_is_in_the_trash_is_no_page(tree):
    ask(tree["ada"], TRASH, i=tree["inner"])
    for path in (f"/folder/{tree['inner']}", f"/doc/{tree['leaf']}", f"/doc/{tree['leaf']}.md"):
        assert tree["ada"].get(path).status_code == 404


def test_whoever_is_not_signed_in_signs_in_and_comes_back(tree, browser_of, served):
    user = served.credentials["users"]["ada"]
    for kind, item in (("doc", tree["leaf"]), ("folder", tree["inner"]), ("drive", tree["drive"]), ("doc", NOWHERE)):
        visitor = browser_of()
        sent = visitor.get(f"/{kind}/{item}")
        assert sent.status_code == 303
        assert unquote(sent.headers["location"]) == f"/sign-in?next=/{kind}/{item}"
        form = visitor.form(sent.headers["location"], "/sign-in")
        entered = visitor.fill(form, email=user["email"], password=user["password"])
        assert entered.headers["location"] == f"/{kind}/{item}"
    assert browser_of().get("/shared").status_code == 303


def test_a_document_is_shown_with_who_wrote_it_and_its_markdown(tree):
    ada, leaf = tree["ada"], tree["leaf"]
    page = ada.get(f"/doc/{leaf}")
    assert "<p>What was found</p>" in page.text
    assert re.search(r"Ada Lovelace, <time", page.text)
    assert f'href="/doc/{leaf}.md"' in page.text
    markdown = ada.get(f"/doc/{leaf}.md")
    assert markdown.text == "What was found\n"
    assert markdown.headers["content-type"].startswith("text/markdown")
    assert markdown.headers["content-security-policy"].endswith("sandbox")
    check_inert(page.text)
    assert "<script" not in page.text
    assert "script-src" not in page.headers["content-security-policy"]
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert page.headers["cache-control"] == "no-store"
    assert ask(ada, f'{{ document(id: "{leaf}") {{ authors {{ name }} }} }}')["document"]["authors"]


def test_a_documents_images_are_shown_in_their_size(tree, served):
    ada, leaf = tree["ada"], made_below(tree["ada"], tree["inner"], "Pictures")
    key = {"x-api-key": served.credentials["users"]["ada"]["apiKey"]}
    files = {"file": ("hills.png", sample_picture(), "image/png")}
    image = ada.post(f"/api/v1/drive-items/{leaf}/images", files=files, headers=key).raise_for_status().json()["image"]
    written(ada, leaf, {"type": "image", "attrs": {"src": image["url"], "alt": "Hills"}})
    page = ada.get(f"/doc/{leaf}").text
    assert f'<img src="/images/{image["id"]}" alt="Hills" width="1280" height="520"' in page
    listed = ask(
        ada, f'{{ document(id: "{leaf}") {{ images {{ id url width height contentType byteSize createdAt }} }} }}'
    )
    assert listed["document"]["images"] == [image]


def test_a_chart_is_a_frame_of_its_own_that_shares_nothing_with_the_page(tree, browser_of):
    ada, leaf = tree["ada"], made_below(tree["ada"], tree["inner"], "Charts")
    specification = json.dumps({"mark": "bar", "data": {"values": [{"a": 1}]}, "encoding": {"x": {"field": "a"}}})
    written(ada, leaf, code("vega-lite", specification), code("vega-lite", "{}"), code("json", "{}"))
    page = ada.get(f"/doc/{leaf}")
    frames = re.findall(r'<iframe class="chart" src="([^"]+)" title="Chart" loading="lazy"></iframe>', page.text)
    assert len(frames) == 2
    chart = ada.get(frames[0])
    assert "&quot;mark&quot;: &quot;bar&quot;" in chart.text
    policy = chart.headers["content-security-policy"]
    assert re.search(r"sandbox allow-popups allow-popups-to-escape-sandbox allow-scripts; script-src 'self'$", policy)
    assert "allow-same-origin" not in policy
    assert "frame-ancestors 'self'" in policy
    assert chart.headers["x-frame-options"] == "SAMEORIGIN"
    assert ada.get(f"/doc/{leaf}/charts/{'0' * 32}").status_code == 404
    assert browser_of("gus").get(frames[0]).status_code == 404
    assert browser_of().get(frames[0]).status_code == 303


def test_an_item_at_the_address_of_another_kind_leads_to_its_own(tree):
    for path, own in (("/doc/{}", "/folder/{}"), ("/folder/{}", "/doc/{}")):
        item = tree["leaf" if own.startswith("/doc") else "inner"]
        answer = tree["ada"].get(path.format(item))
        assert (answer.status_code, answer.headers["location"]) == (303, own.format(item))


def test_names_and_words_of_others_are_only_shown(tree):
    ada, drive = tree["ada"], tree["drive"]
    for words in PAYLOADS[::17]:
        name = re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", sendable(words))[:200].strip() or "x"
        folder = made_in(ada, drive, name, "folder")
        leaf = made_below(ada, folder, name)
        for path in (f"/drive/{drive}", f"/folder/{folder}", f"/doc/{leaf}"):
            check_inert(ada.get(path).text)


@pytest.mark.slow  # it starts a server of its own
def test_pages_of_items_count_as_reads(running):
    with running("--reads-per-minute", "4", "--no-app") as server, Visitor(server.origin) as visitor:
        user = server.credentials["users"]["ada"]
        visitor.sign_in(user["email"], user["password"])
        *answers, refused = until_refused(lambda: visitor.get(f"/doc/{NOWHERE}"), 4, told_so)
        assert len(answers) >= 3
        assert {answer.status_code for answer in answers} == {404}
        assert int(refused.headers["retry-after"]) > 0
