"""The tables with their constraints and indexes; the classes never leave this package.

They are the schema that the migrations are compared with; the statements are hand-written. No index holds a column
that an edit changes, so edits stay in their heap page and take no predicate locks that others could meet. A
`sort_key` is `domain.sort_key` of the name beside it: every list by name is in its order.
"""

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TSVECTOR
from sqlalchemy.types import UserDefinedType
from sqlmodel import Field, SQLModel

CASCADE = "CASCADE"


class Xid8(UserDefinedType[int]):
    """The number of a transaction."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "xid8"


class PgSnapshot(UserDefinedType[str]):
    """The transactions that had ended at a moment."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "pg_snapshot"


def _field(kind: Any, *constraints: Any, **options: Any) -> Any:
    options.setdefault("nullable", False)
    return Field(sa_column=sa.Column(kind, *constraints, **options))


def _id(target: str | None = None, ondelete: str | None = None, **options: Any) -> Any:
    return _field(sa.Uuid(), *([sa.ForeignKey(target, ondelete=ondelete)] if target else []), **options)


def _text(**options: Any) -> Any:
    """Text that compares by code point, whatever the database's own locale."""
    return _field(sa.Text(collation="C"), **options)


def _at(**options: Any) -> Any:
    return _field(sa.DateTime(timezone=True), **options)


def _one_of(column: str, *values: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"{column} in ({', '.join(repr(value) for value in values)})", name=f"{column}_known")


# All pieces of up to three characters of a name, in lower case: what a search finds in it is made of some of them.
NAME_GRAMS: sa.DDL = sa.DDL(  # type: ignore[no-untyped-call]
    """
create function name_grams(name text) returns text[] language sql immutable strict parallel safe cost 5000
return array(
    select distinct substr(folded, place, size)
    from lower(name collate "default") folded, generate_series(1, length(folded)) place, generate_series(1, 3) size
    where place + size <= length(folded) + 1)"""
)
# The words of a folded name, which are on its third line.
NAME_WORDS: sa.DDL = sa.DDL(  # type: ignore[no-untyped-call]
    """
create function name_words(folded text) returns tsvector language sql immutable strict parallel safe cost 1000
return array_to_tsvector(array_remove(string_to_array(split_part(folded, chr(10), 3), ' '), ''))"""
)
for _function in (NAME_GRAMS, NAME_WORDS):
    sa.event.listen(SQLModel.metadata, "before_create", _function)


class AccountRow(SQLModel, table=True):
    __tablename__ = "account"

    id: UUID = _id(primary_key=True)
    name: str = _text()
    sort_key: str = _text()
    email: str = _text(unique=True)
    email_verified_at: datetime | None = _at(nullable=True)
    password_hash: str | None = _text(nullable=True)
    disabled_at: datetime | None = _at(nullable=True)
    created_at: datetime = _at()


class LinkRow(SQLModel, table=True):
    """A link that was sent to somebody, by mail or else by the operator; `user_id` is empty where it makes an account."""

    __tablename__ = "link"
    __table_args__: ClassVar[Any] = (_one_of("purpose", "sign_in", "sign_up", "reset_password", "verify_email"),)

    id: UUID = _id(primary_key=True)
    digest: str = _text(unique=True)
    purpose: str = _text()
    email: str = _text()
    user_id: UUID | None = _id("account.id", CASCADE, nullable=True, index=True)
    expires_at: datetime = _at()
    mailed: bool = _field(sa.Boolean(), server_default=sa.text("false"))


class WebSessionRow(SQLModel, table=True):
    __tablename__ = "web_session"

    id: UUID = _id(primary_key=True)
    user_id: UUID = _id("account.id", CASCADE, index=True)
    digest: str = _text(unique=True)
    organization_id: UUID | None = _id("organization.id", "SET NULL", nullable=True)
    device: str = _text()
    created_at: datetime = _at()
    last_seen_at: datetime = _at()


class OrganizationRow(SQLModel, table=True):
    __tablename__ = "organization"

    id: UUID = _id(primary_key=True)
    name: str = _text()
    sort_key: str = _text()
    created_at: datetime = _at()


class OrganizationMemberRow(SQLModel, table=True):
    __tablename__ = "organization_member"
    __table_args__: ClassVar[Any] = (_one_of("role", "admin", "member"),)

    organization_id: UUID = _id("organization.id", CASCADE, primary_key=True)
    user_id: UUID = _id("account.id", CASCADE, primary_key=True, index=True)
    role: str = _text()
    joined_at: datetime = _at()


class InvitationRow(SQLModel, table=True):
    __tablename__ = "invitation"
    __table_args__: ClassVar[Any] = (_one_of("role", "admin", "member"),)

    id: UUID = _id(primary_key=True)
    organization_id: UUID = _id("organization.id", CASCADE, index=True)
    digest: str = _text(unique=True)
    email: str = _text()
    role: str = _text()
    created_at: datetime = _at()
    expires_at: datetime = _at()
    mailed: bool = _field(sa.Boolean(), server_default=sa.text("false"))


class DriveRow(SQLModel, table=True):
    """`items` is the number of its items, the trash included; `depth` is an upper bound."""

    __tablename__ = "drive"
    __table_args__: ClassVar[Any] = (
        _one_of("kind", "personal", "shared"),
        sa.CheckConstraint("(kind = 'shared') = (organization_id is not null)", name="shared_in_organization"),
    )

    id: UUID = _id(primary_key=True)
    kind: str = _text()
    name: str = _text()
    sort_key: str = _text()
    organization_id: UUID | None = _id("organization.id", nullable=True, index=True)
    created_at: datetime = _at()
    updated_at: datetime = _at()
    depth: int = _field(sa.Integer(), server_default=sa.text("0"))
    items: int = _field(sa.Integer(), server_default=sa.text("0"))


class DriveMemberRow(SQLModel, table=True):
    __tablename__ = "drive_member"
    __table_args__: ClassVar[Any] = (_one_of("role", "owner", "manager", "contributor"),)

    drive_id: UUID = _id("drive.id", CASCADE, primary_key=True)
    user_id: UUID = _id("account.id", CASCADE, primary_key=True, index=True)
    role: str = _text()
    added_at: datetime = _at()
    given_by: UUID | None = _id("account.id", nullable=True)


class ItemRow(SQLModel, table=True):
    """`sequence` is the number of the last update of the item's log, which every append compares and sets.

    `children` is the number of items directly in it that are not trashed themselves. `folded_name` is what is searched of
    the name; null until it was made, of items from before it was there.
    """

    __tablename__ = "item"
    __table_args__: ClassVar[Any] = (
        _one_of("kind", "folder", "docs_workbook", "viz_workbook"),
        sa.Index("item_of_drive", "drive_id", "id"),
        sa.Index("item_children", "parent_id", "trashed_at"),
        sa.Index(
            "item_children_by_name",
            "parent_id",
            "sort_key",
            "id",
            postgresql_where=sa.text("trashed_at is null"),
        ),
        sa.Index(
            "item_roots_by_name",
            "drive_id",
            "sort_key",
            "id",
            postgresql_where=sa.text("parent_id is null and trashed_at is null"),
        ),
        sa.Index("item_created_by", "created_by_user", sa.text("coalesce(created_by_agent, '')"), "id"),
        sa.Index("item_in_trash", "drive_id", "trashed_at", postgresql_where=sa.text("trashed_at is not null")),
        # Without a pending list (`fastupdate`), which every search would have to read.
        sa.Index(
            "item_name_grams",
            sa.text("name_grams(coalesce(folded_name, name))"),
            postgresql_using="gin",
            postgresql_with={"fastupdate": "off"},
        ),
        sa.Index(
            "item_name_words",
            sa.text("name_words(folded_name)"),
            postgresql_using="gin",
            postgresql_with={"fastupdate": "off"},
        ),
        sa.Index("item_unfolded", "id", postgresql_where=sa.text("folded_name is null")),
        sa.Index("item_slug", "slug", unique=True, postgresql_where=sa.text("slug is not null")),
        {"postgresql_with": {"fillfactor": "90"}},
    )

    id: UUID = _id(primary_key=True)
    drive_id: UUID = _id("drive.id", CASCADE)
    parent_id: UUID | None = _id("item.id", nullable=True)
    kind: str = _text()
    name: str = _text()
    sort_key: str = _text()
    created_at: datetime = _at()
    updated_at: datetime = _at()
    created_by_user: UUID = _id("account.id")
    created_by_agent: str | None = _text(nullable=True)
    updated_by_user: UUID = _id("account.id")
    updated_by_agent: str | None = _text(nullable=True)
    slug: str | None = _text(nullable=True)
    trashed_at: datetime | None = _at(nullable=True)
    sequence: int = _field(sa.BigInteger(), server_default=sa.text("0"))
    children: int = _field(sa.Integer(), server_default=sa.text("0"))
    folded_name: str | None = _text(nullable=True)


class ItemGrantRow(SQLModel, table=True):
    """`user_id` is empty until an account has verified the address: only then is the grant effective."""

    __tablename__ = "item_grant"
    __table_args__: ClassVar[Any] = (
        _one_of("permission", "read_write", "read_only"),
        sa.Index(
            "item_grant_of_user",
            "user_id",
            "item_id",
            unique=True,
            postgresql_include=["permission"],
            postgresql_where=sa.text("user_id is not null"),
        ),
        sa.Index(
            "item_grant_newest",
            "user_id",
            "created_at",
            "item_id",
            postgresql_where=sa.text("user_id is not null"),
        ),
        sa.Index("item_grant_waiting", "email", postgresql_where=sa.text("user_id is null")),
    )

    item_id: UUID = _id("item.id", CASCADE, primary_key=True)
    email: str = _text(primary_key=True)
    user_id: UUID | None = _id("account.id", nullable=True)
    permission: str = _text()
    given_by: UUID = _id("account.id", index=True)
    created_at: datetime = _at()


class ItemStarRow(SQLModel, table=True):
    __tablename__ = "item_star"
    __table_args__: ClassVar[Any] = (sa.Index("item_star_newest", "user_id", "starred_at", "item_id"),)

    user_id: UUID = _id("account.id", CASCADE, primary_key=True)
    item_id: UUID = _id("item.id", CASCADE, primary_key=True, index=True)
    starred_at: datetime = _at()


class ApiKeyRow(SQLModel, table=True):
    """Its plain column `digest` is a hash: the key itself is nowhere."""

    __tablename__ = "api_key"

    id: UUID = _id(primary_key=True)
    user_id: UUID = _id("account.id", CASCADE, index=True)
    digest: str = _text(unique=True)
    name: str = _text()
    agent: str | None = _text(nullable=True)
    organization_id: UUID | None = _id("organization.id", "SET NULL", nullable=True)
    prefix: str = _text()
    last_four: str = _text()
    created_at: datetime = _at()
    last_used_at: datetime | None = _at(nullable=True)
    revoked_at: datetime | None = _at(nullable=True)


class IdempotencyRow(SQLModel, table=True):
    __tablename__ = "idempotency"

    user_id: UUID = _id("account.id", CASCADE, primary_key=True)
    operation: str = _text(primary_key=True)
    key: str = _text(primary_key=True)
    digest: str = _text()
    result_id: str = _text()
    at: datetime = _at(index=True)


class DocumentSnapshotRow(SQLModel, table=True):
    """All updates up to `sequence` as one; `credits` is whose what is in it is, where those updates are gone.

    Those from `rows_from` on are kept beside it, as they are young. Rows before that, up to `sequence`, are in no read.
    """

    __tablename__ = "document_snapshot"

    item_id: UUID = _id("item.id", CASCADE, primary_key=True)
    sequence: int = _field(sa.BigInteger())
    state: bytes = _field(sa.LargeBinary())
    credits: bytes | None = _field(sa.LargeBinary(), nullable=True)
    rows_from: int | None = _field(sa.BigInteger(), nullable=True)


class CompactionDueRow(SQLModel, table=True):
    """When the compaction worker looks at a document next; `sequence` is that of its last version."""

    __tablename__ = "compaction_due"

    item_id: UUID = _id("item.id", CASCADE, primary_key=True)
    sequence: int = _field(sa.BigInteger())
    due_at: datetime = _at(index=True)


class DocumentTextRow(SQLModel, table=True):
    __tablename__ = "document_text"
    __table_args__: ClassVar[Any] = (sa.Index("ix_document_text_words", "words", postgresql_using="gin"),)

    item_id: UUID = _id("item.id", CASCADE, primary_key=True)
    sequence: int = _field(sa.BigInteger())
    passages: list[str] = _field(ARRAY(sa.Text(collation="C")))
    folded: list[str] = _field(ARRAY(sa.Text(collation="C")))
    words: str = _field(TSVECTOR())


class DocumentLinkRow(SQLModel, table=True):
    """A link in the indexed text of a document to another item."""

    __tablename__ = "document_link"
    __table_args__: ClassVar[Any] = (sa.Index("document_link_to", "linked_id", "item_id"),)

    item_id: UUID = _id("item.id", CASCADE, primary_key=True)
    linked_id: UUID = _id("item.id", CASCADE, primary_key=True)


class DocumentUpdateRow(SQLModel, table=True):
    __tablename__ = "document_update"

    item_id: UUID = _id("item.id", CASCADE, primary_key=True)
    sequence: int = _field(sa.BigInteger(), primary_key=True)
    user_id: UUID = _id("account.id")
    agent: str | None = _text(nullable=True)
    at: datetime = _at()
    update: bytes = _field(sa.LargeBinary())
    copied: bytes | None = _field(sa.LargeBinary(), nullable=True)


class DocumentAuthorRow(SQLModel, table=True):
    """The first and the last edit of each user and agent; `agent` is empty where none acted."""

    __tablename__ = "document_author"
    __table_args__: ClassVar[Any] = (sa.Index("document_author_of_user", "user_id", "agent", "item_id"),)

    item_id: UUID = _id("item.id", CASCADE, primary_key=True)
    user_id: UUID = _id("account.id", primary_key=True)
    agent: str = _text(primary_key=True)
    edited_at: datetime = _at()
    first_edited_at: datetime = _at(server_default=sa.text("now()"))


class ShownClientIdRow(SQLModel, table=True):
    """A Yjs client id that an editor showed: nobody else may write under it in the document `until` then."""

    __tablename__ = "shown_client_id"

    item_id: UUID = _id("item.id", CASCADE, primary_key=True)
    client: int = _field(sa.BigInteger(), primary_key=True)
    user_id: UUID = _id("account.id")
    agent: str | None = _text(nullable=True)
    until: datetime = _at()


class DocumentVersionRow(SQLModel, table=True):
    """The state of the document at `sequence`.

    `state` is empty while the log has it, and while it equals the snapshot of the same `sequence`. Otherwise it is the whole
    state (`whole`), or what was added since the version before.
    """

    __tablename__ = "document_version"
    __table_args__: ClassVar[Any] = (sa.UniqueConstraint("item_id", "sequence"),)

    item_id: UUID = _id("item.id", CASCADE, primary_key=True)
    number: int = _field(sa.Integer(), primary_key=True)
    sequence: int = _field(sa.BigInteger())
    name: str | None = _text(nullable=True)
    created_at: datetime = _at()
    byte_size: int = _field(sa.Integer())
    restored_from: int | None = _field(sa.Integer(), nullable=True)
    whole: bool = _field(sa.Boolean(), server_default=sa.text("false"))
    state: bytes | None = _field(sa.LargeBinary(), nullable=True)


class DocumentVersionAuthorRow(SQLModel, table=True):
    """An author of edits since the version before, and the time of the last one; `agent` is empty if none acted."""

    __tablename__ = "document_version_author"
    __table_args__: ClassVar[Any] = (
        sa.ForeignKeyConstraint(
            ["item_id", "number"], ["document_version.item_id", "document_version.number"], ondelete=CASCADE
        ),
    )

    item_id: UUID = _id(primary_key=True)
    number: int = _field(sa.Integer(), primary_key=True)
    user_id: UUID = _id("account.id", primary_key=True)
    agent: str = _text(primary_key=True)
    edited_at: datetime = _at()


class ImageRow(SQLModel, table=True):
    __tablename__ = "image"

    id: UUID = _id(primary_key=True)
    item_id: UUID = _id("item.id", CASCADE, index=True)
    content_type: str = _text()
    width: int = _field(sa.Integer())
    height: int = _field(sa.Integer())
    byte_size: int = _field(sa.Integer())
    created_at: datetime = _at()
    blob: UUID = _id(index=True)


class DocumentStorageRow(SQLModel, table=True):
    """How many bytes the log, the snapshot, the versions and the images of a document had when they were counted last."""

    __tablename__ = "document_storage"

    item_id: UUID = _id("item.id", CASCADE, primary_key=True)
    bytes: int = _field(sa.BigInteger())


class DriveStorageRow(SQLModel, table=True):
    """The sum of `document_storage` over the documents of a drive, those in the trash included."""

    __tablename__ = "drive_storage"

    drive_id: UUID = _id("drive.id", CASCADE, primary_key=True)
    bytes: int = _field(sa.BigInteger(), index=True)


class BlobRemovalRow(SQLModel, table=True):
    """A blob of which a row is gone, until the last one is, and it is deleted, too."""

    __tablename__ = "blob_removal"

    key: str = _text(primary_key=True)


class OAuthClientRow(SQLModel, table=True):
    __tablename__ = "oauth_client"

    id: str = _text(primary_key=True)
    name: str = _text()
    redirect_uris: list[str] = _field(sa.ARRAY(sa.Text(collation="C")))
    refreshes: bool = _field(sa.Boolean())
    created_at: datetime = _at()
    last_used_at: datetime | None = _at(nullable=True)


class ConnectedAppRow(SQLModel, table=True):
    """A client that one user approved for one resource; its codes and tokens are deleted with it."""

    __tablename__ = "connected_app"
    __table_args__: ClassVar[Any] = (sa.UniqueConstraint("user_id", "client_id", "scope", "resource"),)

    id: UUID = _id(primary_key=True)
    user_id: UUID = _id("account.id", CASCADE)
    client_id: str = _field(sa.Text(collation="C"), sa.ForeignKey("oauth_client.id", ondelete=CASCADE), index=True)
    name: str = _text()
    scope: str = _text()
    resource: str = _text()
    redirect_uri: str = _text()
    organization_id: UUID | None = _id("organization.id", "SET NULL", nullable=True)
    connected_at: datetime = _at()
    last_used_at: datetime | None = _at(nullable=True)


class OAuthRequestRow(SQLModel, table=True):
    """An authorization request that waits for its user, in the one session that may decide."""

    __tablename__ = "oauth_request"

    digest: str = _text(primary_key=True)
    user_id: UUID = _id("account.id", CASCADE, index=True)
    session_id: UUID = _id("web_session.id", CASCADE, index=True)
    client_id: str = _field(sa.Text(collation="C"), sa.ForeignKey("oauth_client.id", ondelete=CASCADE), index=True)
    redirect_uri: str = _text()
    state: str | None = _text(nullable=True)
    scope: str = _text()
    resource: str = _text()
    challenge: str = _text()
    expires_at: datetime = _at()


class OAuthFamilyRow(SQLModel, table=True):
    """The codes and tokens of one approval."""

    __tablename__ = "oauth_family"

    id: UUID = _id(primary_key=True)
    app_id: UUID = _id("connected_app.id", CASCADE, index=True)
    begun_at: datetime = _at()


class OAuthSecretRow(SQLModel, table=True):
    """A code or token by its digest; one that is spent stays, so that it is known when it comes again."""

    __tablename__ = "oauth_secret"
    __table_args__: ClassVar[Any] = (_one_of("kind", "access", "refresh", "code"),)

    digest: str = _text(primary_key=True)
    family_id: UUID = _id("oauth_family.id", CASCADE, index=True)
    kind: str = _text()
    redirect_uri: str | None = _text(nullable=True)
    challenge: str | None = _text(nullable=True)
    expires_at: datetime = _at()
    spent_at: datetime | None = _at(nullable=True)
    salt: str | None = _text(nullable=True)


class EventRow(SQLModel, table=True):
    """The audit. It has no foreign keys, since it outlives what it records.

    The transaction that wrote an event, and the snapshot in which it did, say for which readers it is new: numbers are given out
    before they are committed. An event from before these were kept has the transaction 0 and no snapshot.
    """

    __tablename__ = "event"
    __table_args__: ClassVar[Any] = (
        sa.Index("event_of_drive", "drive_id", "sequence"),
        sa.Index("event_news", "transaction_id", "sequence"),
        sa.Index("event_news_of_drive", "drive_id", "transaction_id", "sequence"),
        sa.Index(
            "event_of_agent",
            "user_id",
            "agent",
            "sequence",
            postgresql_where=sa.text("agent is not null and type = 'documentEdited'"),
        ),
    )

    sequence: int = _field(sa.BigInteger(), sa.Identity(always=True), primary_key=True)
    type: str = _text()
    drive_id: UUID | None = _id(nullable=True)
    item_id: UUID | None = _id(nullable=True)
    user_id: UUID = _id()
    agent: str | None = _text(nullable=True)
    at: datetime = _at()
    details: Any = _field(JSONB())
    transaction_id: int = _field(Xid8(), server_default=sa.text("pg_current_xact_id()"))
    snapshot: str | None = _field(PgSnapshot(), nullable=True, server_default=sa.text("pg_current_snapshot()"))


class DocumentQuarantineRow(SQLModel, table=True):
    """The number of consecutive processes that died while loading a document, whose log ended at `sequence` then.

    Without strikes it only waits for the search index.
    """

    __tablename__ = "document_quarantine"

    item_id: UUID = _id("item.id", CASCADE, primary_key=True)
    strikes: int = _field(sa.Integer())
    sequence: int = _field(sa.BigInteger())
    since: datetime = _at()


class WorkerProgressRow(SQLModel, table=True):
    """The snapshot up to whose events a worker has done its work, and when that was recorded."""

    __tablename__ = "worker_progress"

    worker: str = _text(primary_key=True)
    snapshot: str = _field(PgSnapshot())
    at: datetime = _at(server_default=sa.text("now()"))


class CursorKeyRow(SQLModel, table=True):
    """The key that signs cursors, in the only row."""

    __tablename__ = "cursor_key"
    __table_args__: ClassVar[Any] = (sa.CheckConstraint("single", name="single_row"),)

    single: bool = _field(sa.Boolean(), primary_key=True, server_default=sa.text("true"))
    key: bytes = _field(sa.LargeBinary())


class ServiceOriginRow(SQLModel, table=True):
    """The public address of the server that started last, in the only row."""

    __tablename__ = "service_origin"
    __table_args__: ClassVar[Any] = (sa.CheckConstraint("single", name="single_row"),)

    single: bool = _field(sa.Boolean(), primary_key=True, server_default=sa.text("true"))
    origin: str = _text()


class TicketRow(SQLModel, table=True):
    """A ticket by its digest, what it opens, and its holder as JSON. It is gone once it was taken, or after a crash."""

    __tablename__ = "ticket"
    __table_args__: ClassVar[Any] = {"prefixes": ["UNLOGGED"]}

    digest: str = _text(primary_key=True)
    opens: str = _text()
    holder: bytes = _field(sa.LargeBinary())
    expires_at: datetime = _at(index=True)


class OutboxRow(SQLModel, table=True):
    """An e-mail to be sent, its next attempt is due at `due_at`; one with an outcome is over, at that time, and its `details` are empty."""

    __tablename__ = "outbox"
    __table_args__: ClassVar[Any] = (
        sa.Index("outbox_due", "due_at", postgresql_where=sa.text("outcome is null")),
        _one_of("outcome", "sent", "dropped", "given_up"),
    )

    id: int = _field(sa.BigInteger(), sa.Identity(always=True), primary_key=True)
    kind: str = _text()
    details: Any = _field(JSONB())
    attempts: int = _field(sa.Integer(), server_default=sa.text("0"))
    due_at: datetime = _at(server_default=sa.text("now()"))
    outcome: str | None = _text(nullable=True)


class NodeRow(SQLModel, table=True):
    """The lease of a process that serves this database, which ends some seconds after it was renewed.

    The process has let go of what changes of access end that are visible in the snapshot `heard`. `host` and `pid` say which it is,
    to the operator, `revision` the newest that its release knows, and `common` what it has in common with all others, by names.
    `sessions` is the `application_name` of its connections.
    """

    __tablename__ = "node"

    id: int = _field(sa.BigInteger(), sa.Identity(always=True), primary_key=True)
    renewed_at: datetime = _at(server_default=sa.text("now()"))
    heard: str = _field(PgSnapshot(), server_default=sa.text("pg_current_snapshot()"))
    host: str = _text(server_default="")
    pid: int = _field(sa.BigInteger(), server_default=sa.text("0"))
    taken_at: datetime = _at(server_default=sa.text("now()"))
    revision: str = _text(server_default="")
    common: Any = _field(JSONB(), server_default="{}")
    sessions: str = _text(server_default="")


class SchemaSupportRow(SQLModel, table=True):
    """The oldest revision of which servers may serve the database as it is, in the only row."""

    __tablename__ = "schema_support"
    __table_args__: ClassVar[Any] = (sa.CheckConstraint("single", name="single_row"),)

    single: bool = _field(sa.Boolean(), primary_key=True, server_default=sa.text("true"))
    oldest: str = _text()
