"""The typeface is that of the pinned package, its licence with it, and each style sheet names files that are served."""

import json
import re

import pytest

from tools.inter.build import FILES, HERE, LICENCE, WEB, build
from web.pages import static_files, static_url


@pytest.mark.slow
def test_the_committed_typeface_is_that_of_the_package(tmp_path):
    build(tmp_path)
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (WEB / name).read_bytes(), f"{name}: run `python -m tools.inter.build`"


def test_the_package_is_pinned_and_its_licence_is_shipped():
    pinned = json.loads((HERE / "package.json").read_text())["dependencies"]
    locked = json.loads((HERE / "package-lock.json").read_text())["packages"]
    assert {f"node_modules/{name}": version for name, version in pinned.items()} == {
        name: each["version"] for name, each in locked.items() if name
    }
    assert "SIL OPEN FONT LICENSE" in (WEB / LICENCE).read_text()


def test_the_style_sheet_names_each_subset_as_it_is_served():
    styles = static_files()[static_url("inter.css").rpartition("/")[2]].content.decode()
    named = re.findall(r'url\("([^"]+)"\)', styles)
    assert len(named) == len(FILES) - 2
    assert {static_files()[each].media_type for each in named} == {"font/woff2"}
