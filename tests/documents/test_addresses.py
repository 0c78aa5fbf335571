import pytest

from documents.markdown.addresses import safe_image, safe_link


@pytest.mark.parametrize(
    "url",
    ["", "#a", "/a:b", "a/b", "?a:b", "//e.org", "http://e.org", "HTTPS://e.org", "mailto:a@e.org", "tel:+1", "1:2"],
)
def test_a_reader_may_be_led_there(url):
    assert safe_link(url)


@pytest.mark.parametrize(
    "url",
    [
        *("javascript:x", "JavaScript:x", " javascript:x", "\x01javascript:x", "java\nscript:x", "java\tscript:x"),
        *(
            "data:text/html,x",
            "data:image/png;base64,AA==",
            "vbscript:x",
            "file:///etc/passwd",
            "ftp://e.org",
            "blob:x",
        ),
    ],
)
def test_a_reader_is_not_led_there(url):
    assert not safe_link(url)


def test_an_image_may_carry_its_own_bytes_but_no_markup():
    assert safe_image("data:image/png;base64,AA==")
    assert not safe_image("data:image/svg+xml,<svg>")
    assert not safe_image("mailto:a@e.org")
