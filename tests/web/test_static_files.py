"""Are static files immutable, and compressed for browsers that take it, with the same bytes inside?"""

import gzip

import pytest

from tests.support.processes.servers import http
from web.pages import static_files, static_url


@pytest.mark.parametrize(
    "name",
    [
        "vega.js",
        "chart.js",
        "tokens.css",
        "style.css",
        "published.css",
        "inter.css",
        "inter-latin.woff2",
        "icon.svg",
        "icon-192.png",
        "app.webmanifest",
    ],
)
def test_a_static_file_is_sent_as_the_browser_takes_it(served, name):
    path = static_url(name)
    content = static_files()[path.rpartition("/")[2]].content
    with http(served.origin) as browser:
        for encoding, unpacked in (("gzip, br", gzip.decompress), ("identity", bytes), ("gzip;q=0", bytes)):
            with browser.stream("GET", path, headers={"accept-encoding": encoding}) as answer:
                sent = b"".join(answer.iter_raw())
            assert unpacked(sent) == content
            assert int(answer.headers["content-length"]) == len(sent)
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert answer.headers["vary"] == "accept-encoding"
            assert answer.headers["content-type"].startswith(static_files()[path.rpartition("/")[2]].media_type)


def test_the_library_of_charts_is_sent_as_a_third_of_itself():
    file = static_files()[static_url("vega.js").rpartition("/")[2]]
    assert len(file.compressed) * 2 < len(file.content)
