"""Is what is shown made of the fields that the schema declares, and shown by what whoever looks may do?"""

from dataclasses import fields

from graphql_api.types import DriveItemFields
from graphql_api.views import ItemView


def test_a_shown_item_has_exactly_the_declared_fields_in_their_order():
    assert list(ItemView.__struct_fields__) == [field.name for field in fields(DriveItemFields)]
