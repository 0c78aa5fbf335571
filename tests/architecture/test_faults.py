"""The faults that `tools/mutants.py` seeds can be seeded: each has its place in the tree, and tests that are there."""

from collections import Counter

import pytest

from tools.mutants import ROOT, faults

FAULTS = faults()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_has_one_place_and_tests_to_find_it(fault):
    text = (ROOT / fault.file).read_text("utf-8")
    assert text.count(fault.text) == 1
    assert text.replace(fault.text, fault.replacement) != text
    tests = (*fault.tests, *fault.slow)
    assert tests
    assert [each for each in tests if not (ROOT / each).is_file()] == []


def test_faults_are_told_apart():
    assert [each for each, times in Counter(fault.name for fault in FAULTS).items() if times > 1] == []
    changes = Counter((fault.file, fault.text, fault.replacement) for fault in FAULTS)
    assert max(changes.values()) == 1
