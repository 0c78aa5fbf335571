"""Is what is shown made of the fields that the schema declares?"""

from dataclasses import fields

from graphql_api.present import ShownItem
from graphql_api.types import DriveItemFields


def test_a_shown_item_has_exactly_the_declared_fields_in_their_order():
    assert list(ShownItem.__struct_fields__) == [field.name for field in fields(DriveItemFields)]
