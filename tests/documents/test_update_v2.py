"""Updates of version 2 are told from damaged updates of version 1."""

import base64

import pytest

from documents.admission.update_v2 import is_v2
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from documents.yjs.scan import IMPORT, Refused, scan
from tests.support.documents.foreign_updates import V2


@pytest.mark.parametrize("update", V2.values(), ids=V2)
def test_an_update_of_version_2_is_refused_by_the_scan_and_known(update):
    found = base64.b64decode(update)
    assert isinstance(scan(found, IMPORT), Refused)
    assert is_v2(found)


def test_updates_of_version_1_and_their_beginnings_are_not_of_version_2():
    for update in (from_tree(parse("Moved *here*"), 5), b"\0\0", b"\0\1\5\1\2\5"):
        assert not any(is_v2(update[:length]) for length in range(len(update) + 1))


def test_what_lacks_the_end_of_an_update_of_version_2_is_none():
    empty = base64.b64decode(V2["empty"])
    assert not any(is_v2(empty[:length]) for length in range(len(empty)))
