import ast
import re

import pytest

from tests.architecture.sources import files, name, tree

FORBIDDEN_NAMES = re.compile(r"(^|_)(utils?|helpers?|services?|managers?|common|misc)$")
# A migration is a list of statements that is written once and never read for its shape.
WRITTEN_BY_HAND = [path for path in files() if "versions" not in path.parts]


@pytest.mark.parametrize("path", WRITTEN_BY_HAND, ids=name)
def test_a_file_has_a_docstring(path):
    assert ast.get_docstring(tree(path)), f"{name(path)} has no docstring"


@pytest.mark.parametrize("path", WRITTEN_BY_HAND, ids=name)
def test_a_file_is_named_after_what_it_is_about(path):
    assert not FORBIDDEN_NAMES.search(path.stem)
