from dataclasses import replace

import pytest

from domain import document, publication
from domain.access import DRIVE_CONFERS
from domain.account import Account
from domain.document import DocumentEdited, Image, ImageUploaded
from domain.errors import NOT_FOUND, Code
from domain.item import Item, ItemCreated, ItemKind, ItemRenamed, TreeLimits, create, rename
from domain.publication import DocumentPublished, DocumentUnpublished, set_publication
from domain.values import Email, ItemName
from tests.domain.given import (
    ADA,
    CONTRIBUTOR,
    LATER,
    LIMITS,
    MANAGER,
    NOW,
    OWNER,
    READ_ONLY,
    READ_WRITE,
    drive,
    facts,
    folder,
    place,
)

NAME = ItemName("New")
VERIFIED = Account("ada", "Ada", Email("ada@acme.example"), email_verified=True, created_at=NOW)
IMAGE = Image("image", "memo", "image/png", 1, 1, 10, NOW, "image")


def make(where, limits=LIMITS, kind=ItemKind.docs_workbook):
    return create(where, "new", NAME, kind, ADA, LATER, limits)


def test_an_item_is_made_in_a_folder_with_its_credit_and_time():
    parent = folder("plans", role=CONTRIBUTOR)
    made = Item("new", "acme", "plans", ItemKind.docs_workbook, NAME, LATER, LATER, ADA, ADA)
    assert make(place(parent, drive=drive(CONTRIBUTOR))) == (ItemCreated(made),)


def test_an_item_is_made_at_the_root_by_members():
    (made,) = make(place(drive=drive(CONTRIBUTOR)))
    assert (made.item.drive_id, made.item.parent_id) == ("acme", None)


def test_a_writing_grantee_makes_items_in_the_granted_folder():
    assert make(place(folder(("plans", READ_WRITE)), drive=drive(None)))


def test_a_reading_grantee_may_not_make_items():
    assert make(place(folder(("plans", READ_ONLY)), drive=drive(None))).code is Code.FORBIDDEN


@pytest.mark.parametrize("where", [place(drive=None), place(drive=drive(None)), place(drive=None, parent_id="gone")])
def test_a_place_that_is_not_seen_is_missing(where):
    assert make(where) is NOT_FOUND


def test_no_item_is_made_under_a_document():
    assert make(place(facts("memo", role=OWNER), drive=drive())).code is Code.NOT_A_FOLDER


def test_who_may_not_create_under_a_document_learns_only_that():
    assert make(place(facts(("memo", READ_ONLY)), drive=drive(None))).code is Code.FORBIDDEN


def test_a_folder_at_the_greatest_depth_takes_nothing_more():
    parent = folder("c", "b", "a", role=OWNER)
    assert make(place(parent, drive=drive()), TreeLimits(depth=3)).code is Code.TREE_TOO_DEEP
    assert make(place(parent, drive=drive()), TreeLimits(depth=4))


def test_a_full_folder_takes_nothing_more():
    full = place(folder("plans", role=OWNER), drive=drive(), children=10)
    assert make(full, TreeLimits(folder_children=10)).code is Code.LIMIT_EXCEEDED
    assert make(full, TreeLimits(folder_children=11))


def test_a_full_drive_takes_nothing_more():
    assert make(place(drive=drive(live_items=10)), TreeLimits(drive_items=10)).code is Code.LIMIT_EXCEEDED
    assert make(place(drive=drive(live_items=9)), TreeLimits(drive_items=10))
    assert make(place(folder("plans", role=OWNER), drive=None), TreeLimits(drive_items=0))


def test_an_item_is_renamed_by_whoever_edits_it():
    assert rename(facts(("memo", READ_WRITE)), NAME) == (ItemRenamed("memo", "acme", NAME),)
    assert rename(facts(("memo", READ_ONLY)), NAME).code is Code.FORBIDDEN


def test_the_same_name_again_is_no_change():
    assert rename(facts("memo", role=OWNER), ItemName("Plan")) == ()


def test_a_document_is_edited_and_gets_images_from_whoever_edits_it():
    memo = facts(("memo", READ_WRITE))
    assert document.edit(memo, b"update") == (DocumentEdited("memo", "acme", b"update"),)
    assert document.upload(memo, IMAGE) == (ImageUploaded(IMAGE, "acme"),)


def test_a_reader_edits_nothing_and_adds_no_images():
    memo = facts(("memo", READ_ONLY))
    assert document.edit(memo, b"").code is Code.FORBIDDEN
    assert document.upload(memo, IMAGE).code is Code.FORBIDDEN


def test_a_folder_has_no_document():
    plans = folder("plans", role=OWNER)
    for refused in (document.edit(plans, b""), document.upload(plans, IMAGE), publish(plans), document.document(plans)):
        assert refused.code is Code.NOT_A_DOCUMENT


def publish(memo, *, published=True, by=VERIFIED):
    return set_publication(memo, published=published, new_slug="fresh", by=by)


def test_managers_publish_under_a_new_slug_and_unpublish():
    assert publish(facts("memo", role=MANAGER)) == (DocumentPublished("memo", "acme", "fresh"),)
    published = facts("memo", role=MANAGER, slug="old")
    assert publish(published, published=False) == (DocumentUnpublished("memo", "acme"),)


def test_publishing_twice_is_no_change():
    assert publish(facts("memo", role=OWNER, slug="old")) == ()
    assert publish(facts("memo", role=OWNER), published=False) == ()


def test_whoever_has_not_verified_an_address_publishes_nothing_but_may_end_a_publication():
    unverified = replace(VERIFIED, email_verified=False)
    assert publish(facts("memo", role=MANAGER), by=unverified).code is Code.FORBIDDEN
    published = facts("memo", role=MANAGER, slug="old")
    assert publish(published, published=False, by=unverified) == (DocumentUnpublished("memo", "acme"),)


def test_contributors_may_not_publish():
    assert publish(facts("memo", role=CONTRIBUTOR)).code is Code.FORBIDDEN


def test_who_may_not_publish_a_folder_is_told_so_before_its_kind():
    assert publish(folder("plans", role=CONTRIBUTOR)).code is Code.FORBIDDEN
    assert publication.set_publication(None, published=True, new_slug="x", by=VERIFIED) is NOT_FOUND


def test_who_may_create_at_the_root_is_for_the_table_to_say(monkeypatch):
    monkeypatch.setitem(DRIVE_CONFERS, CONTRIBUTOR, frozenset())
    assert make(place(drive=drive(CONTRIBUTOR))).code is Code.FORBIDDEN
