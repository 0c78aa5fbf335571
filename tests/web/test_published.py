"""Anybody may read a published document, as a page or as Markdown, for exactly as long as it is published."""

import asyncio

import html5lib
import httpx
import pytest

from documents.tree.build import from_tree
from domain.values import item_name
from edge.rate_limit import Rate, RateLimiter
from tests.support.processes.servers import async_http
from tests.support.web.payloads import PAYLOADS, check_inert, sendable
from tests.support.web.publishing import ORIGIN, code, document, paragraph, publishing
from web.published import PageCache, RenderedPage

OWN = ("/", f"{ORIGIN}/")
HEADING = {"type": "heading", "attrs": {"level": 1}, "content": [{"type": "text", "text": "Own title"}]}
LINKED = {"type": "link", "attrs": {"href": "https://e.org"}}


@pytest.fixture
async def ada(postgres):
    async with publishing(postgres) as publisher:
        yield publisher


def picture(image):
    return {"type": "image", "attrs": {"src": f"{ORIGIN}/images/{image}", "alt": "A cat"}}


async def test_a_published_document_is_a_page_with_its_name_and_first_words(ada):
    path = await ada.publish(await ada.document(document(paragraph("One & two."), paragraph("three")), "A <b> name"))
    answer = await ada.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    page = html5lib.parse(answer.text, namespaceHTMLElements=False)
    assert page.find(".//title").text == "A <b> name"
    assert page.find(".//h1").text == "A <b> name"
    told = {meta.get("property") or meta.get("name"): meta.get("content") for meta in page.iter("meta")}
    assert told["description"] == told["og:description"] == "One & two. three"
    assert told["og:title"] == "A <b> name"
    assert told["og:url"] == ORIGIN + path
    assert told["og:type"] == "article"
    assert told["robots"] == "noindex, nofollow"
    assert "og:image" not in told


async def test_a_document_that_begins_with_its_own_title_has_no_second_one(ada):
    answer = await ada.get(await ada.publish(await ada.document(document(HEADING, paragraph("x")), "Other name")))
    page = html5lib.parse(answer.text, namespaceHTMLElements=False)
    assert ["".join(each.itertext()) for each in page.iter("h1")] == ["Own title"]
    assert page.find(".//title").text == "Other name"


async def test_the_page_may_run_nothing_and_is_not_to_be_found(ada):
    answer = await ada.get(await ada.publish(await ada.document(document(paragraph("x")))))
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert policy == {
        "default-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "img-src": "'self'",
        "style-src": "'self'",
        "font-src": "'self'",
        "sandbox": "allow-popups allow-popups-to-escape-sandbox",
    }
    assert "<script" not in answer.text
    assert answer.headers["x-robots-tag"] == "noindex, nofollow"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-cache"


async def test_a_page_with_charts_may_run_our_own_scripts_and_nothing_else(ada):
    answer = await ada.get(await ada.publish(await ada.document(document(code("vega-lite", "{}")))))
    policy = answer.headers["content-security-policy"]
    assert "; script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "allow-same-origin" not in policy
    page = check_inert(answer.text, OWN)
    scripts = [each.get("src") for each in page.iter("{http://www.w3.org/1999/xhtml}script")]
    assert [src.split(".")[0] for src in scripts] == ["/static/vega", "/static/chart"]
    for src in scripts:
        assert (await ada.get(src)).headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("form", ["address", "header"])
async def test_the_same_document_is_there_as_markdown(ada, form):
    path = await ada.publish(await ada.document(document(HEADING, paragraph("go", LINKED))))
    answer = await (ada.get(f"{path}.md") if form == "address" else ada.get(path, accept="text/markdown"))
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.headers["x-robots-tag"] == "noindex, nofollow"
    assert answer.text == "# Own title\n\n[go](https://e.org)\n"


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "text/html"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html"),
        ("text/markdown, text/html;q=0.9", "text/markdown"),
        ("text/html, text/markdown;q=0.5", "text/html"),
        ("image/png", "text/html"),
        (";;,q", "text/html"),
    ],
)
async def test_who_prefers_markdown_says_so(ada, accept, kind):
    answer = await ada.get(await ada.publish(await ada.document(document(paragraph("x")))), accept=accept)
    assert answer.headers["content-type"].startswith(kind)
    assert answer.headers["vary"] == "accept"


async def test_who_has_the_page_already_is_told_so_until_it_changes(ada):
    item = await ada.document(document(paragraph("x")))
    path = await ada.publish(item)
    first = await ada.get(path)
    markdown = await ada.get(f"{path}.md")
    assert first.headers["etag"] != markdown.headers["etag"]
    for known in (first.headers["etag"], f'"a", W/{first.headers["etag"]}', "*"):
        again = await ada.get(path, if_none_match=known)
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert again.headers["content-security-policy"] == first.headers["content-security-policy"]
    await ada.world.rename("ada", item, "Renamed")
    changed = await ada.get(path, if_none_match=first.headers["etag"])
    assert changed.status_code == 200
    assert "Renamed" in changed.text


async def test_the_head_of_a_page_is_that_of_the_page(ada):
    path = await ada.publish(await ada.document(document(paragraph("x"))))
    got, head = await ada.get(path), await ada.readers.head(path)
    assert head.content == b""
    assert (head.status_code, head.headers) == (got.status_code, got.headers)
    assert int(head.headers["content-length"]) == len(got.content)


async def test_images_are_served_at_the_page_while_it_is_published_and_only_its_own(ada):
    item, other = await ada.document(document(paragraph("x"))), await ada.document(document(paragraph("y")))
    image, foreign = await ada.image(item), await ada.image(other)
    await ada.world.edit("ada", item, from_tree(document(picture(image)), 8))
    path = await ada.publish(item)
    await ada.publish(other)
    page = await ada.get(path)
    assert f'<img src="{path}/images/{image}" alt="A cat"' in page.text
    assert f'<meta property="og:image" content="{ORIGIN}{path}/images/{image}">' in page.text
    assert f"{ORIGIN}{path}/images/{image}" in (await ada.get(f"{path}.md")).text
    answer = await ada.get(f"{path}/images/{image}")
    assert (answer.status_code, answer.content) == (200, b"an image")
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["content-security-policy"].endswith("sandbox")
    assert answer.headers["content-disposition"] == f'inline; filename="{image}.png"'
    assert (await ada.get(f"{path}/images/{image}", if_none_match=answer.headers["etag"])).status_code == 304
    assert (await ada.get(f"{path}/images/{foreign}")).status_code == 404
    await ada.world.publish("ada", item, published=False)
    assert (await ada.get(f"{path}/images/{image}")).status_code == 404


async def gone(ada, path, unknown):
    for ending in ("", ".md", f"/images/{'0' * 8}-0000-0000-0000-{'0' * 12}"):
        found, never = await ada.get(path + ending), await ada.get(unknown + ending)
        assert found.status_code == never.status_code == 404
        assert found.content == never.content
        assert found.headers == never.headers
        assert "etag" not in found.headers


async def test_what_is_unpublished_is_gone_at_once_as_if_it_had_never_been(ada):
    item = await ada.document(document(paragraph("x")))
    path = await ada.publish(item)
    assert (await ada.get(path)).status_code == 200
    await ada.world.publish("ada", item, published=False)
    await gone(ada, path, "/p/NeverWasAnythingHere1")
    etag = (await ada.get(await ada.publish(item))).headers["etag"]
    assert (await ada.get(path, if_none_match=etag)).status_code == 404, "a new publication has a new address"


@pytest.mark.parametrize("what", ["document", "folder"])
async def test_what_is_in_the_trash_is_gone_at_once_and_stays_so_when_it_comes_back(ada, what):
    folder = await ada.world.make("ada", drive_id=ada.drive, name="folder")
    item = await ada.document(document(paragraph("x")), parent=folder)
    path = await ada.publish(item)
    assert (await ada.get(path)).status_code == 200
    trashed = item if what == "document" else folder
    await ada.world.trash("ada", trashed)
    await gone(ada, path, "/p/NeverWasAnythingHere1")
    await ada.world.restore("ada", trashed)
    await gone(ada, path, "/p/NeverWasAnythingHere1")


@pytest.mark.parametrize(
    "path",
    ["/p/", "/p/%00", "/p/x.html", "/p/x.md.md", "/p/.md", "/p/%2e%2e", "/p/%FF", "/p/'", "/p/x/y", "/p/x/images/y"],
)
async def test_an_address_that_leads_nowhere_is_not_found(ada, path):
    assert (await ada.get(path)).status_code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_a_page_can_only_be_read(ada, method):
    path = await ada.publish(await ada.document(document(paragraph("x"))))
    assert (await ada.readers.request(method, path)).status_code == 405


async def test_whoever_reads_too_much_waits_and_nobody_else_does(postgres):
    now, rate = [0.0], Rate("published-reads", 3, 60.0)
    async with publishing(postgres, limiter=RateLimiter(now=lambda: now[0]), rate=rate) as ada:
        item = await ada.document(document(paragraph("x")))
        image, path = await ada.image(item), await ada.publish(item)
        first = await ada.get(path)
        assert (first.status_code, (await ada.get(path, if_none_match=first.headers["etag"])).status_code) == (200, 304)
        assert (await ada.get("/p/NeverWasAnythingHere1")).status_code == 404
        for place in (path, f"{path}.md", f"{path}/images/{image}", "/p/NeverWasAnythingHere1"):
            for answer in (await ada.get(place), await ada.readers.head(place)):
                assert (answer.status_code, answer.headers["retry-after"]) == (429, "20")
                assert "etag" not in answer.headers
        other = httpx.ASGITransport(ada.app, client=("198.51.100.1", 1))
        async with async_http(ORIGIN, transport=other) as elsewhere:
            assert (await elsewhere.get(path)).status_code == 200
        now[0] = 20.0
        assert [(await ada.get(path)).status_code for _ in range(2)] == [200, 429]


def test_what_was_made_before_is_kept_within_bounds_and_only_while_it_fits():
    kept, made = PageCache(most=400), RenderedPage(b"x" * 100, "text/html", "")
    for number in range(9):
        kept.keep((str(number), "text/html"), number, made)
    assert [number for number in range(9) if kept.find((str(number), "text/html"), number)] == [5, 6, 7, 8]
    assert kept.find(("8", "text/html"), 7) is None
    kept.keep(("9", "text/html"), 9, RenderedPage(b"x" * 401, "text/html", ""))
    assert kept.find(("9", "text/html"), 9) is None
    assert kept.find(("8", "text/html"), 8) == made


async def test_whatever_a_document_is_called_its_page_stays_what_it_is(ada):
    item = await ada.document(document(paragraph("x")))
    path = await ada.publish(item)
    names = [text for text in map(sendable, PAYLOADS) if isinstance(item_name(text), str)]
    assert len(names) > 200
    for name in names:
        await ada.world.rename("ada", item, name)
        page = check_inert((await ada.get(path)).text, OWN)
        assert page.find(".//{*}title").text == name
        assert page.find(".//{*}h1").text == name


async def test_a_page_that_many_ask_for_at_once_is_made_once(ada):
    path = await ada.publish(await ada.document(document(*[paragraph("word " * 50)] * 2000)))
    answers = await asyncio.gather(*(ada.get(path) for _ in range(20)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.headers["etag"] for answer in answers}) == 1
    assert ada.documents.reads == 1
    assert (await ada.get(path)).content == answers[0].content
    assert ada.documents.reads == 1
