"""Where a link or an image may lead: the same cases are asked of the application, in app/tests/addresses.test.ts."""

import json
from pathlib import Path

import pytest

from documents.markdown.addresses import safe_image, safe_link

CASES = json.loads(Path(__file__).with_name("samples").joinpath("addresses.json").read_text("utf-8"))


@pytest.mark.parametrize("url", ["", *CASES["led"]])
def test_a_reader_may_be_led_there(url):
    assert safe_link(url)


@pytest.mark.parametrize("url", CASES["not_led"])
def test_a_reader_is_not_led_there(url):
    assert not safe_link(url)


def test_an_image_may_carry_its_own_bytes_but_no_markup():
    assert safe_image("data:image/png;base64,AA==")
    assert not safe_image("data:image/svg+xml,<svg>")
    assert not safe_image("mailto:a@e.org")
