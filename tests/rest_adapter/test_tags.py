"""Does an ETag tell every answer from every other, however large, and the same answer as the same?"""

import msgspec
import pytest

from rest_adapter.etags import LARGE, MAX_KEPT_BYTES, ETags

LONG = "a" * (LARGE + 1)


def answer(**changes):
    return {"item": {"name": "Plan"}, "markdown": "text", "tree": msgspec.Raw(b'{"type":"doc"}'), **changes}


@pytest.mark.parametrize(
    "other",
    [
        answer(item={"name": "Plans"}),
        answer(markdown="texts"),
        answer(markdown=LONG),
        answer(markdown=LONG[1:] + "b"),
        answer(tree=msgspec.Raw(b'{"type":"none"}')),
        answer(tree=msgspec.Raw(b'"' + LONG.encode() + b'"')),
    ],
)
def test_what_differs_in_anything_has_another_tag(other):
    tags = ETags()
    assert tags.tag(answer()) != tags.tag(other) == tags.tag(dict(other)) == ETags().tag(other)


def test_equal_large_values_have_one_tag_whichever_object_they_are():
    tags, again = ETags(), LONG[:-1] + "a"
    assert again is not LONG
    assert tags.tag(answer(markdown=LONG)) == tags.tag(answer(markdown=again))


def test_few_bytes_of_large_values_are_kept_and_none_is_taken_for_another():
    tags, fresh = ETags(), ETags
    for number in range(30):
        each = answer(markdown=f"{number}" + "a" * (MAX_KEPT_BYTES // 10))
        assert tags.tag(each) == tags.tag(each) == fresh().tag(each)
    assert MAX_KEPT_BYTES // 2 < sum(len(kept.value) for kept in tags._kept.values()) <= MAX_KEPT_BYTES


def test_a_value_that_is_larger_than_all_that_is_kept_has_a_tag_and_is_not_kept():
    tags, each = ETags(), answer(markdown="a" * (MAX_KEPT_BYTES + 1))
    assert tags.tag(each) == ETags().tag(each)
    assert not tags._kept
