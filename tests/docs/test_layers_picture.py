"""The picture of the layers shows the layers that import-linter holds."""

from tools.layers import PICTURE, drawn, layers


def test_the_picture_of_the_layers_is_drawn_from_the_contract():
    assert PICTURE.read_text() == drawn(layers()), "run `uv run python -m tools.layers`"
