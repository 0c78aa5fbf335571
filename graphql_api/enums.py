"""The enumerations of the schema that more than one module asks for, with a description of each value."""

from enum import Enum, StrEnum

import strawberry

from documents.markdown.unsupported_markup import Unsayable
from domain.access import Can, DriveCan, Permission, Role
from domain.drive import DriveKind
from domain.item import ItemKind
from domain.organization import OrganizationRole
from graphql_api.strawberry_internals import enum_values

__all__ = [
    "Can",
    "DriveCan",
    "DriveKind",
    "EventType",
    "ItemKind",
    "OrganizationRole",
    "Permission",
    "Role",
    "Unsayable",
    "describe",
]


class EventType(StrEnum):
    accountCreated = "accountCreated"
    documentEdited = "documentEdited"
    documentPublished = "documentPublished"
    documentUnpublished = "documentUnpublished"
    driveCreated = "driveCreated"
    driveDeleted = "driveDeleted"
    driveRenamed = "driveRenamed"
    imageUploaded = "imageUploaded"
    itemCreated = "itemCreated"
    itemDeleted = "itemDeleted"
    itemMoved = "itemMoved"
    itemRenamed = "itemRenamed"
    itemRestored = "itemRestored"
    itemShared = "itemShared"
    itemTrashed = "itemTrashed"
    memberRemoved = "memberRemoved"
    memberSet = "memberSet"
    shareChanged = "shareChanged"
    shareRemoved = "shareRemoved"
    versionCut = "versionCut"
    versionNamed = "versionNamed"
    versionRestored = "versionRestored"
    accessChanged = "accessChanged"
    reload = "reload"


def describe(of: type[Enum], name: str, description: str, /, **meanings: str) -> None:
    """Declare an enumeration of the schema; a value without its meaning is a KeyError."""
    for each in enum_values(strawberry.enum(of, name=name, description=description)):
        each.description = meanings.pop(each.name)
    assert not meanings, f"{name} has no such values: {meanings}"


describe(
    ItemKind,
    "DriveItemType",
    "What an item is.",
    folder="A folder, which holds items.",
    docs_workbook="A document.",
    viz_workbook="A document that begins with a chart.",
)
describe(
    DriveKind,
    "DriveKind",
    "Whose a drive is: one person's or shared.",
    personal="One person's own.",
    shared="An organization's, for its members.",
)
describe(
    Role,
    "Role",
    "A member's role in a drive.",
    owner="May do everything, also delete for ever and choose owners.",
    manager="May also publish, move out, and choose members.",
    contributor="May read, edit, make, move, share and trash items.",
)
describe(
    Permission,
    "Permission",
    "What a share allows.",
    read_write="Reading and editing, and making items in a folder.",
    read_only="Reading.",
)
describe(
    Can,
    "ItemCapability",
    "Something that may be done to an item.",
    read="Read it, its document and images.",
    edit="Edit its content, rename it, add images.",
    createChild="Make items in it.",
    move="Move it within its drive.",
    moveOut="Move it to another drive.",
    share="Share it, and see and change its shares.",
    publish="Give it a public page, or take that away.",
    trash="Put it into the trash, and bring it back.",
    versions="Read, name and restore its versions.",
    deleteForever="Delete it for ever.",
)
describe(
    DriveCan,
    "DriveCapability",
    "Something a member may do to a drive.",
    createItem="Make items at its root.",
    rename="Rename it.",
    manageMembers="Add, change and remove managers and contributors.",
    manageOwners="Add, change and remove owners.",
    delete="Delete it, once it is empty.",
)
describe(
    OrganizationRole,
    "OrganizationRole",
    "A member's role in an organization.",
    admin="May invite and remove members.",
    member="May make drives in it.",
)
describe(
    EventType,
    "EventType",
    "What happened; `accessChanged` and `reload` are notices of the subscription `changes`.",
    accountCreated="The account was made that the drive is the personal one of.",
    documentEdited="A document was edited.",
    documentPublished="A document got a public page.",
    documentUnpublished="The public page of a document was taken away.",
    driveCreated="The drive was made.",
    driveDeleted="The drive was deleted.",
    driveRenamed="The drive was renamed.",
    imageUploaded="An image was uploaded for a document.",
    itemCreated="An item was made.",
    itemDeleted="An item was deleted for ever.",
    itemMoved="An item was moved, within the drive, into it or out of it.",
    itemRenamed="An item was renamed.",
    itemRestored="An item was taken out of the trash.",
    itemShared="An item was shared.",
    itemTrashed="An item was moved to the trash.",
    memberRemoved="A member was removed.",
    memberSet="A member was added, or got another role.",
    shareChanged="A share got another permission.",
    shareRemoved="A share was removed.",
    versionCut="A version of a document was made.",
    versionNamed="A version of a document was named.",
    versionRestored="A version of a document was restored.",
    accessChanged="You may see and do other things than before.",
    reload="What happened since `after` is too much, or not known, so ask anew for what you show.",
)
describe(
    Unsayable,
    "LostKind",
    "What it is that Markdown cannot say.",
    mark="A mark on text, such as a colour.",
    attribute="An attribute of a block, such as its alignment.",
    node="A node of a kind that Markdown does not have.",
)
