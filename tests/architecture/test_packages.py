"""Each package of the repository is checked like the others, and the wheel holds those that run."""

import tomllib

from tests.architecture.sources import PACKAGES, ROOT, files, name

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
# benchmarks start servers and measure them: they are no part of one
PRESENT = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"benchmarks"}
# writes files of the repository, with tools that a server does not install
NOT_SHIPPED = {"codegen"}


def test_every_package_is_held_by_the_architecture_tests():
    assert set(PACKAGES) == PRESENT


def test_every_package_is_typed_and_so_is_what_tests_share():
    assert set(PROJECT["mypy"]["files"]) == PRESENT | {"clients/python/src", "tests/support"}


def test_every_package_has_its_layer():
    linter = PROJECT["importlinter"]
    (layers,) = (
        contract["layers"] for contract in linter["contracts"] if contract["name"] == "the layers of the house"
    )
    assert sorted(name.strip() for layer in layers for name in layer.split("|")) == sorted(PRESENT)
    assert set(linter["root_packages"]) == PRESENT


def test_the_wheel_holds_every_package_but_the_generator():
    assert set(PROJECT["hatch"]["build"]["targets"]["wheel"]["packages"]) == PRESENT - NOT_SHIPPED


def test_callers_are_made_in_one_module():
    assert [name(path) for path in files() if " Caller(" in path.read_text()] == ["domain/caller.py"]
