from importlib.metadata import packages_distributions

from tests.architecture.sources import PACKAGES, ROOT


def test_no_installed_distribution_has_a_package_of_our_names():
    owners = packages_distributions()
    assert {
        package: owners.get(package, []) for package in PACKAGES if set(owners.get(package, [])) - {"codrive-server"}
    } == {}


def test_every_package_that_is_imported_is_our_own():
    for package in PACKAGES:
        assert __import__(package).__file__ == str(ROOT / package / "__init__.py")
