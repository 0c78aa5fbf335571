"""Is what is shown made of the fields that the schema declares, and shown by what whoever looks may do?"""

from dataclasses import fields
from datetime import UTC, datetime

from domain.access import Role
from domain.credit import Credit
from domain.drive import Drive, DriveKind
from domain.item import Item, ItemKind
from domain.questions import DriveContents
from graphql_api.present import ShownItem, drive_items
from graphql_api.types import DriveItemFields


def test_a_shown_item_has_exactly_the_declared_fields_in_their_order():
    assert list(ShownItem.__struct_fields__) == [field.name for field in fields(DriveItemFields)]


def test_an_item_that_is_listed_again_is_shown_as_the_same_object_to_those_of_the_same_role():
    at, ada = datetime(2026, 1, 2, tzinfo=UTC), Credit("u1", "Ada")
    drive = Drive("d1", "Research", DriveKind.shared, "o1", at, at)
    items = [Item(f"i{number}", "d1", None, ItemKind.folder, "a name", at, at, ada, ada) for number in range(2)]

    def shown(role, *listed):
        return drive_items(DriveContents(drive, role, listed, ()), "https://drive.example.com")

    first, second = shown(Role.owner, *items)
    again, renamed = shown(Role.owner, items[0], Item("i1", "d1", None, ItemKind.folder, "another", at, at, ada, ada))
    assert again is first
    assert (second.name, renamed.name) == ("a name", "another")
    (lesser,) = shown(Role.contributor, items[0])
    assert (first.role, lesser.role) == (Role.owner, Role.contributor)
    assert set(lesser.capabilities) < set(first.capabilities)
