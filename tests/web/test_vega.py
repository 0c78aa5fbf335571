"""The bundle that draws charts is what its documented build makes of the pinned packages, licences with it."""

import json
import re

import pytest

from tools.vega.build import BUNDLE, HERE, LICENCES, WEB, build

PINNED = json.loads((HERE / "package.json").read_text())["dependencies"]


@pytest.mark.slow
def test_the_committed_bundle_is_the_one_that_the_build_makes(tmp_path):
    build(tmp_path)
    for name in (BUNDLE, LICENCES):
        assert (tmp_path / name).read_bytes() == (WEB / name).read_bytes(), f"{name}: run `python -m tools.vega.build`"


def test_every_package_in_the_bundle_is_pinned_and_has_its_licence():
    locked = json.loads((HERE / "package-lock.json").read_text())["packages"]
    versions = {(name.rpartition("node_modules/")[2], each["version"]) for name, each in locked.items() if name}
    assert versions >= set(PINNED.items())
    told = re.findall(r"^(\S+) (\d\S*) \((\S+)\)$", (WEB / LICENCES).read_text(), re.MULTILINE)
    assert {"vega", "vega-lite", "vega-interpreter"} <= {name for name, _, _ in told}
    for name, version, licence in told:
        assert (name, version) in versions
        assert licence in ("BSD-3-Clause", "ISC", "MIT"), f"{name}: {licence}"
