"""Object types of the schema whose fields are all attributes.

Values of the domain are answered as they are where their attributes fit: a class named `…Type` only declares fields.
"""

from collections.abc import Sequence
from datetime import datetime

import strawberry

from contract.scalars import ByteCount, Json
from documents.editing.edit_report import Lost
from domain.access import Step
from domain.credit import Credit
from domain.cursor import Cursor
from domain.key import ApiKey
from domain.organization import Invitation
from domain.preview import MAX_NAMED
from graphql_api.enums import (
    Can,
    DriveCan,
    DriveKind,
    EventType,
    ItemKind,
    OrganizationRole,
    Permission,
    Role,
    Unsayable,
)
from graphql_api.query_limits import HELD

ID = strawberry.ID


@strawberry.type(
    name="Credit", description="Whom a change is credited to: a user and, where software made it, the agent."
)
class CreditType:
    user_id: str = strawberry.field(graphql_type=ID, description="The user's id.")
    name: str = strawberry.field(description="The user's name.")
    agent: str | None = strawberry.field(description="The agent that acted for the user, if any.")


@strawberry.type(name="Author", description="Somebody who edited a document lately.")
class AuthorType:
    user_id: str = strawberry.field(graphql_type=ID, description="The user's id.")
    name: str = strawberry.field(description="The user's name.")
    agent: str | None = strawberry.field(description="The agent that edited for the user, if any.")
    edited_at: datetime = strawberry.field(description="When they last edited it.")


@strawberry.type(name="Share", description="A direct grant on an item, by e-mail address.")
class ShareType:
    email: str = strawberry.field(description="The address it was granted to, in its stored form.")
    permission: Permission = strawberry.field(description="What it allows.")
    user_id: str | None = strawberry.field(
        graphql_type=ID | None, description="Who that is, where they are in the drive's organization."
    )
    name: str | None = strawberry.field(description="Their name, where they are in the drive's organization.")
    created_at: datetime = strawberry.field(description="When it was granted.")


@strawberry.type(description="A folder above an item.")
class PathEntry:
    id: str = strawberry.field(graphql_type=ID, description="The folder's id.")
    name: str = strawberry.field(description="Its name.")


@strawberry.type(
    name="LostMarkup",
    description="Something that Markdown cannot say or documents have no place for, and that an edit left out.",
)
class LostMarkupType:
    path: Sequence[int] = strawberry.field(
        graphql_type=list[int],
        description="The indexes that lead to the block in the document after the edit; empty for what the given Markdown says.",
    )
    what: Unsayable = strawberry.field(description="What it is.")
    name: str = strawberry.field(
        description="Its name in the ProseMirror tree, or in the HTML that was given; of an image of another document that the "
        "caller may not read, its path."
    )


@strawberry.type
class DriveItemFields:
    id: str = strawberry.field(graphql_type=ID, description="The item's id, which never changes.")
    drive_id: str = strawberry.field(graphql_type=ID, description="The drive it is in.")
    parent_id: str | None = strawberry.field(
        graphql_type=ID | None, description="Its folder; null at the root, or where you may not see the folder."
    )
    drive_item_type: ItemKind = strawberry.field(description="What it is.")
    name: str = strawberry.field(description="Its name; siblings may share one.")
    created_at: datetime = strawberry.field(description="When it was made.")
    updated_at: datetime = strawberry.field(description="When it was last renamed, moved or edited.")
    created_by: Credit = strawberry.field(graphql_type=CreditType, description="Who made it.")
    updated_by: Credit = strawberry.field(graphql_type=CreditType, description="Who changed it last.")
    published: bool = strawberry.field(description="Whether it has a public page.")
    public_url: str | None = strawberry.field(description="The address of its public page, if it has one.")
    role: Role | None = strawberry.field(description="Your role in its drive; null where it was shared with you.")
    permission: Permission = strawberry.field(description="Whether you may change its content.")
    capabilities: Sequence[Can] = strawberry.field(graphql_type=list[Can], description="Everything you may do to it.")
    trashed_at: datetime | None = strawberry.field(description="When it was put in the trash, if it is there.")
    revision: int | None = strawberry.field(
        description="The number of its document's last edit, 0 where nothing was written; null for a folder."
    )
    url: str = strawberry.field(description="Its address in the web application.")
    shared_by: Credit | None = strawberry.field(
        graphql_type=CreditType | None,
        description="Who shared it with you, in `sharedWithMe`; null elsewhere.",
        default=None,
    )
    lost: Sequence[Lost] | None = strawberry.field(
        graphql_type=list[LostMarkupType] | None,
        description="What of the `content` that it was made with was left out, as an edit tells it; null in any other answer.",
        default=None,
        metadata={HELD: 1},  # told of the one item that was made
    )
    above: strawberry.Private[Sequence[Step] | None] = None  # the folders that the caller sees, nearest first


@strawberry.type
class DriveFields:
    id: str = strawberry.field(graphql_type=ID, description="The drive's id, which never changes.")
    name: str = strawberry.field(description="Its name; empty where you see only single items of it.")
    kind: DriveKind = strawberry.field(description="Whether it is one person's or shared.")
    organization_id: str | None = strawberry.field(
        graphql_type=ID | None, description="The organization it belongs to; null for a personal drive."
    )
    role: Role | None = strawberry.field(description="Your role in it; null where you are no member.")
    capabilities: Sequence[DriveCan] = strawberry.field(
        graphql_type=list[DriveCan], description="Everything you may do to it."
    )
    created_at: datetime = strawberry.field(description="When it was made.")
    updated_at: datetime = strawberry.field(description="When it was last renamed.")


@strawberry.type(name="DriveStorage", description="How much a drive stores, in bytes.")
class DriveStorageType:
    used: int = strawberry.field(
        graphql_type=ByteCount,
        description="What its documents, with their versions and images, take, those in the trash included. It is counted some "
        "seconds later.",
    )
    limit: int = strawberry.field(
        graphql_type=ByteCount,
        description="The most that it may store. What would pass it is refused with STORAGE_FULL.",
    )


@strawberry.type(description="A member of a drive.")
class DriveMember:
    user_id: str = strawberry.field(graphql_type=ID, description="The user's id.")
    role: Role = strawberry.field(description="Their role.")
    name: str = strawberry.field(description="Their name.")
    email: str = strawberry.field(description="Their e-mail address.")
    added_at: datetime = strawberry.field(description="When they became a member.")


@strawberry.type(description="Somebody an item could be shared with.")
class ShareSuggestion:
    user_id: str = strawberry.field(graphql_type=ID, description="The user's id.")
    email: str = strawberry.field(description="The address to share with.")
    name: str = strawberry.field(description="Their name.")


@strawberry.type(name="Image", description="An image in a document.")
class ImageType:
    id: str = strawberry.field(graphql_type=ID, description="The image's id.")
    url: str = strawberry.field(description="Where it is served, to everybody who may read the document.")
    content_type: str = strawberry.field(description="Its media type.")
    width: int = strawberry.field(description="Its width in pixels.")
    height: int = strawberry.field(description="Its height in pixels.")
    byte_size: int = strawberry.field(description="Its size in bytes, as stored.")
    created_at: datetime = strawberry.field(description="When it was uploaded.")


@strawberry.type(description="What was granted to an address, on an item or on a folder above it.")
class AccessReason:
    role: Role | None = strawberry.field(description="The role in the drive that gives it, if a role does.")
    permission: Permission | None = strawberry.field(description="The share that gives it, if a share does.")
    item_id: str | None = strawberry.field(graphql_type=ID | None, description="The item that was shared.")
    item_name: str | None = strawberry.field(description="The name of the item that was shared.")
    given_by: str | None = strawberry.field(graphql_type=ID | None, description="The user who gave it.")
    given_by_name: str | None = strawberry.field(description="The name of who gave it.")
    given_at: datetime | None = strawberry.field(description="When the share was given.")


@strawberry.type(description="What somebody may do to an item, and why.")
class AccessExplanation:
    email: str = strawberry.field(description="Whom this is about.")
    permission: Permission | None = strawberry.field(description="Their effective permission; null for no access.")
    capabilities: Sequence[Can] = strawberry.field(graphql_type=list[Can], description="Everything they may do to it.")
    because: list[AccessReason] = strawberry.field(description="Every role and share that this follows from.")


@strawberry.type(name="AccessLevel", description="What somebody may do to an item at one moment.")
class AccessLevelType:
    permission: Permission | None = strawberry.field(description="Their effective permission; null for no access.")
    role: Role | None = strawberry.field(description="Their role in the item's drive, if any.")
    capabilities: Sequence[Can] = strawberry.field(graphql_type=list[Can], description="Everything they may do to it.")


@strawberry.type(
    name="AccessChange", description="What somebody may do to an item before and after it is moved or shared."
)
class AccessChangeType:
    email: str = strawberry.field(description="Whom this is about.")
    user_id: str | None = strawberry.field(
        graphql_type=ID | None, description="Who that is, where they are in the drive or in its organization."
    )
    name: str | None = strawberry.field(description="Their name, where they are in the drive or in its organization.")
    before: AccessLevelType = strawberry.field(description="What they may do now.")
    after: AccessLevelType = strawberry.field(description="What they could do afterwards.")
    because: list[AccessReason] = strawberry.field(
        description="The roles and shares that they gain it by, lose it with, or keep it by."
    )


@strawberry.type(
    name="AccessPreview",
    description="Who would gain, lose and keep access: named where you see it, 200 a list at most; others are counted.",
)
class AccessPreviewType:
    gains: list[AccessChangeType] = strawberry.field(
        description="Who could do more with it than now, by address.", metadata={HELD: MAX_NAMED}
    )
    loses: list[AccessChangeType] = strawberry.field(
        description="Who could do less with it than now, by address.", metadata={HELD: MAX_NAMED}
    )
    keeps: list[AccessChangeType] = strawberry.field(
        description="Who could do the same with it as now, by address.", metadata={HELD: MAX_NAMED}
    )
    other_gains: int = strawberry.field(description="How many others could do more.")
    other_loses: int = strawberry.field(description="How many others could do less.")
    other_keeps: int = strawberry.field(description="How many others could do the same.")


@strawberry.type(description="One change, as it was recorded with it.")
class DriveEvent:
    id: str = strawberry.field(graphql_type=ID, description="Its place in the record; later changes have greater ones.")
    type: EventType = strawberry.field(description="What happened.")
    drive_id: str | None = strawberry.field(graphql_type=ID | None, description="The drive it happened in.")
    item_id: str | None = strawberry.field(graphql_type=ID | None, description="The item it happened to.")
    by: Credit = strawberry.field(graphql_type=CreditType, description="Who did it.")
    at: datetime = strawberry.field(description="When it happened.")
    details: Json = strawberry.field(description="What else is known of it, by name.")
    item_name: str | None = strawberry.field(
        description="The present name of the item; null where it is no longer in the drive, and of live edits.",
        default=None,
    )


@strawberry.type(description="A change of something that you see, or a notice that you see other things than before.")
class ViewerEvent:
    id: Cursor = strawberry.field(description="The place behind it: pass it as `after` to go on from there.")
    type: EventType = strawberry.field(description="What happened, or the notice that it is.")
    drive_id: str | None = strawberry.field(graphql_type=ID | None, description="The drive it happened in.")
    item_id: str | None = strawberry.field(graphql_type=ID | None, description="The item it happened to.")
    by: Credit | None = strawberry.field(graphql_type=CreditType | None, description="Who did it; null for notices.")
    at: datetime | None = strawberry.field(description="When it happened; null for notices.")
    details: Json = strawberry.field(
        description="What else is known of it, by name: all for members of the drive, for others its name or share."
    )


@strawberry.type(name="AccessEnd", description="Who took your access to an item away, and when.")
class AccessEndType:
    by: Credit = strawberry.field(graphql_type=CreditType, description="Who did it.")
    at: datetime = strawberry.field(description="When they did.")


@strawberry.type(description="A browser that you are signed in with.")
class BrowserSession:
    id: str = strawberry.field(graphql_type=ID, description="The session's id, to end it with.")
    device: str = strawberry.field(description="What the browser says it is.")
    current: bool = strawberry.field(description="Whether this request came with it.")
    created_at: datetime = strawberry.field(description="When you signed in.")
    last_seen_at: datetime = strawberry.field(description="When it last asked for anything, give or take a minute.")


@strawberry.type(description="An organization you belong to.")
class OrganizationFields:
    id: str = strawberry.field(graphql_type=ID, description="The organization's id.")
    name: str = strawberry.field(description="Its name.")
    role: OrganizationRole = strawberry.field(description="Your role in it.")
    created_at: datetime = strawberry.field(description="When it was made.")


@strawberry.type(name="OrganizationMember", description="A member of an organization.")
class OrganizationMemberType:
    user_id: str = strawberry.field(graphql_type=ID, description="The user's id.")
    role: OrganizationRole = strawberry.field(description="Their role.")
    name: str = strawberry.field(description="Their name.")
    email: str = strawberry.field(description="Their e-mail address.")
    joined_at: datetime = strawberry.field(description="When they joined.")


@strawberry.type(name="Invitation", description="An invitation to an organization that has not been accepted yet.")
class InvitationType:
    id: str = strawberry.field(graphql_type=ID, description="The invitation's id.")
    organization_id: str = strawberry.field(graphql_type=ID, description="The organization it invites to.")
    email: str = strawberry.field(description="The address it was made for, which alone may accept it.")
    role: OrganizationRole = strawberry.field(description="The role it gives.")
    created_at: datetime = strawberry.field(description="When it was made.")
    expires_at: datetime = strawberry.field(description="When it runs out.")


@strawberry.type(name="ApiKey", description="An API key, without its secret.")
class ApiKeyType:
    id: str = strawberry.field(graphql_type=ID, description="The key's id.")
    name: str = strawberry.field(description="What its owner calls it.")
    agent: str | None = strawberry.field(description="The agent that everything done with it is credited to.")
    organization_id: str | None = strawberry.field(
        graphql_type=ID | None, description="The organization it acts in, while its owner belongs to it."
    )
    prefix: str = strawberry.field(description="The first characters of the secret.")
    last_four: str = strawberry.field(description="The last four characters of the secret.")
    created_at: datetime = strawberry.field(description="When it was made.")
    last_used_at: datetime | None = strawberry.field(description="When it was last used, to the minute.")


@strawberry.type(description="A new API key with its secret, which is shown this once.")
class CreatedApiKey:
    api_key: ApiKey = strawberry.field(graphql_type=ApiKeyType, description="The key.")
    secret: str = strawberry.field(description="What to send as `x-api-key`. It is kept nowhere: store it now.")


@strawberry.type(description="A new invitation. The link that accepts it is sent to the invited address alone.")
class CreatedInvitation:
    invitation: Invitation = strawberry.field(graphql_type=InvitationType, description="The invitation.")


@strawberry.type(
    description="What opens a document over a WebSocket, once, for clients that cannot send headers there."
)
class CollaborationTicket:
    ticket: str = strawberry.field(description="What to send as the token of Hocuspocus's provider.")
    expires_at: datetime = strawberry.field(description="When it ends if nobody uses it.")


@strawberry.type(description="What opens a WebSocket at `/graphql`, once, for pages that cannot send headers there.")
class SocketTicket:
    ticket: str = strawberry.field(description="What to send as `ticket` in the payload of `connection_init`.")
    expires_at: datetime = strawberry.field(description="When it ends if nobody uses it.")


@strawberry.type(description="A share that has ended.")
class RemovedShare:
    item_id: str = strawberry.field(graphql_type=ID, description="The item that was shared.")
    email: str = strawberry.field(description="The address it was shared with.")


@strawberry.type(description="A membership that has ended.")
class RemovedMember:
    drive_id: str = strawberry.field(graphql_type=ID, description="The drive.")
    user_id: str = strawberry.field(graphql_type=ID, description="Who was its member.")


@strawberry.type(name="Deleted", description="Something that is gone for ever.")
class DeletedType:
    id: str = strawberry.field(graphql_type=ID, description="What its id was.")
