from domain.drive import Drive, DriveCreated, DriveDeleted, DriveKind, DriveRenamed, create, delete, member_of, rename
from domain.errors import NOT_FOUND, Code, Rejection
from domain.values import ItemName
from tests.domain.given import ACME, CONTRIBUTOR, LATER, MANAGER, OWNER, PERSONAL, drive

NAME = ItemName("New")


def test_a_drive_is_made_in_the_active_organization_by_its_first_owner():
    made = Drive("new", NAME, DriveKind.shared, "acme-inc", LATER, LATER)
    assert create("new", NAME, "acme-inc", "ada", LATER) == (DriveCreated(made, "ada"),)


def test_without_an_active_organization_no_drive_is_made():
    assert create("new", NAME, None, "ada", LATER).code is Code.NO_ACTIVE_ORGANIZATION


def test_managers_rename_a_drive():
    assert rename(drive(MANAGER), NAME) == (DriveRenamed("acme", NAME),)
    assert rename(drive(CONTRIBUTOR), NAME).code is Code.FORBIDDEN
    assert rename(drive(OWNER), ItemName("Acme")) == ()


def test_owners_delete_an_empty_shared_drive():
    assert delete(drive(live_items=0)) == (DriveDeleted("acme", "Acme"),)
    assert delete(drive(live_items=1)).code is Code.DRIVE_NOT_EMPTY
    assert delete(drive(MANAGER, live_items=0)).code is Code.FORBIDDEN


def test_a_drive_with_something_in_its_trash_is_not_empty():
    refused = delete(drive(live_items=0, trashed_items=1))
    assert refused == Rejection(Code.DRIVE_NOT_EMPTY, "delete everything in the trash of the drive for ever first")
    assert "trash" in delete(drive(live_items=1, trashed_items=1)).message


def test_a_personal_drive_stays():
    assert delete(drive(of=PERSONAL, live_items=0)).code is Code.NOT_A_SHARED_DRIVE


def test_to_others_a_drive_is_missing():
    for hidden in (None, drive(None), drive(None, PERSONAL)):
        assert rename(hidden, NAME) is NOT_FOUND
        assert delete(hidden) is NOT_FOUND
        assert member_of(hidden) is NOT_FOUND
    assert member_of(drive(CONTRIBUTOR)).drive is ACME
