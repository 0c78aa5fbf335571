"""THE CONTRACT: one row for each operation, from which REST, MCP, the clients and the command line are mapped.

A row names a document of `operations.graphql`; its inputs, its answer's shape and its place on every surface follow. Its
texts are in `descriptions.py`.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from domain.errors import Code


class Method(StrEnum):
    GET = "GET"
    POST = "POST"
    PUT = "PUT"
    PATCH = "PATCH"
    DELETE = "DELETE"


class MediaType(StrEnum):
    """The media type of a body."""

    JSON = "application/json"
    MULTIPART = "multipart/form-data"


class Answer(StrEnum):
    """The part of GraphQL's `data` that is the answer: all of it, the value of its one field, or nothing."""

    DATA = "data"
    VALUE = "value"
    EMPTY = "empty"


class Surface(StrEnum):
    REST = "rest"
    MCP = "mcp"
    MCP_FULL = "mcpFull"
    CLIENT = "client"
    COMMAND_LINE = "commandLine"


class ToolSet(StrEnum):
    """Tools that an MCP address offers alone where its `tools` asks for it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Hints:
    """MCP's hints: whether an operation only reads, replaces or ends something, may be repeated, and reaches beyond.

    `open_world` is for what reaches people beyond the service's own: any address, anybody with a link.
    """

    read_only: bool = False
    destructive: bool = False
    idempotent: bool = True
    open_world: bool = False


READS = Hints(read_only=True)
ADDS = Hints()
MAKES = Hints(idempotent=False)  # each call makes another one
REPLACES = Hints(destructive=True)
REPLACES_AGAIN = Hints(destructive=True, idempotent=False)  # a call that comes again changes what is there once more


@dataclass(frozen=True, slots=True)
class BodyForm:
    """One of the forms that a body has: these fields are given, and none of the `absent` ones; a boolean is given where it is true."""

    given: tuple[str, ...]
    absent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation.

    `conditional` answers carry an ETag and need not be sent where they are the same. An `extension` is beyond the
    specification; one that `administers` changes drives, or who may do what. An Idempotency-Key is taken by each POST that
    writes, and where `keyed` says so. A body is of the media type `body`, and has exactly one of the `forms`, where there
    are any; whatever is answered is JSON.
    """

    name: str
    method: Method
    path: str
    document: str
    answer: Answer
    hints: Hints
    rejects: tuple[Code, ...]
    body: MediaType = MediaType.JSON
    conditional: bool = False
    extension: bool = False
    keyed: bool = False
    rest_only: bool = False
    administers: bool = False
    forms: tuple[BodyForm, ...] = ()

    @property
    def for_models(self) -> "Operation":
        """The row with the document of `models.graphql`, which answers what it did also where others answer nothing."""
        answer = Answer.DATA if self.answer is Answer.EMPTY else self.answer
        return replace(self, document=f"{self.document}ForModels", answer=answer)

    @property
    def group(self) -> str:
        return self.name.partition(".")[0]

    @property
    def read_only(self) -> bool:
        return self.hints.read_only

    @property
    def tool_set(self) -> ToolSet:
        if self.read_only:
            return ToolSet.READ
        return ToolSet.ADMIN if self.administers else ToolSet.WRITE

    @property
    def takes_idempotency_key(self) -> bool:
        return self.keyed or (self.method is Method.POST and not self.read_only)

    @property
    def surfaces(self) -> frozenset[Surface]:
        if self.rest_only:
            return frozenset({Surface.REST})
        return frozenset(Surface) - ({Surface.MCP} if self.extension else frozenset())


_SEEN = (Code.NOT_FOUND,)
_MAY = (Code.NOT_FOUND, Code.FORBIDDEN)

OPERATIONS = (
    Operation(
        "documents.read", Method.GET, "/documents/{documentId}", "DocumentsRead", Answer.VALUE,
        READS, rejects=(*_SEEN, Code.NOT_A_DOCUMENT), conditional=True,
    ),
    Operation(
        "driveItems.get", Method.GET, "/drive-items/{itemId}", "DriveItemsGet", Answer.VALUE,
        READS, rejects=_SEEN,
    ),
    Operation(
        "driveItems.sharedWithMe", Method.GET, "/drive-items/shared-with-me", "DriveItemsSharedWithMe", Answer.DATA,
        READS, rejects=(),
    ),
    Operation(
        "driveItems.shareSuggestions", Method.GET, "/drive-items/{itemId}/share-suggestions",
        "DriveItemsShareSuggestions", Answer.DATA,
        READS, rejects=_MAY,
    ),
    Operation(
        "driveItems.rename", Method.PATCH, "/drive-items/{itemId}", "DriveItemsRename", Answer.EMPTY,
        REPLACES, rejects=_MAY,
    ),
    Operation(
        "driveItems.move", Method.POST, "/drive-items/{itemId}/move", "DriveItemsMove", Answer.EMPTY,
        REPLACES,
        rejects=(
            *_MAY, Code.UNPUBLISH_FIRST, Code.NOT_A_FOLDER, Code.PARENT_NOT_IN_DRIVE, Code.MOVE_CYCLE,
            Code.CROSS_ORGANIZATION_MOVE, Code.TREE_TOO_DEEP, Code.LIMIT_EXCEEDED, Code.STORAGE_FULL,
        ),
    ),
    Operation(
        "driveItems.createChild", Method.POST, "/drive-items/{itemId}/children", "DriveItemsCreateChild", Answer.DATA,
        MAKES, rejects=(*_MAY, Code.NOT_A_FOLDER, Code.TREE_TOO_DEEP, Code.LIMIT_EXCEEDED, Code.STORAGE_FULL),
    ),
    Operation(
        "driveItems.share", Method.POST, "/drive-items/{itemId}/access", "DriveItemsShare", Answer.EMPTY,
        Hints(open_world=True), rejects=(*_MAY, Code.SHARE_EXISTS, Code.SELF_SHARE, Code.LIMIT_EXCEEDED),
        administers=True,
    ),
    Operation(
        "driveItems.updateShare", Method.PATCH, "/drive-items/{itemId}/access/{email}", "DriveItemsUpdateShare",
        Answer.EMPTY,
        REPLACES, rejects=_MAY, administers=True,
    ),
    Operation(
        "driveItems.removeShare", Method.DELETE, "/drive-items/{itemId}/access/{email}", "DriveItemsRemoveShare",
        Answer.EMPTY,
        REPLACES, rejects=_MAY, administers=True,
    ),
    Operation(
        "driveItems.setPublication", Method.PUT, "/drive-items/{itemId}/publication", "DriveItemsSetPublication",
        Answer.EMPTY,
        Hints(destructive=True, open_world=True), rejects=(*_MAY, Code.NOT_A_DOCUMENT), administers=True,
    ),
    Operation(
        "driveItems.uploadImage", Method.POST, "/drive-items/{itemId}/images", "DriveItemsUploadImage", Answer.DATA,
        MAKES, rejects=(*_MAY, Code.NOT_A_DOCUMENT, Code.STORAGE_FULL),
        body=MediaType.MULTIPART, rest_only=True,
    ),
    Operation(
        "drives.list", Method.GET, "/drives", "DrivesList", Answer.VALUE,
        READS, rejects=_SEEN,
    ),
    Operation(
        "drives.create", Method.POST, "/drives", "DrivesCreate", Answer.DATA,
        MAKES, rejects=(Code.NO_ACTIVE_ORGANIZATION,), administers=True,
    ),
    Operation(
        "drives.rename", Method.PATCH, "/drives/{driveId}", "DrivesRename", Answer.EMPTY,
        REPLACES, rejects=_MAY, administers=True,
    ),
    Operation(
        "drives.createItem", Method.POST, "/drives/{driveId}/items", "DrivesCreateItem", Answer.DATA,
        MAKES, rejects=(*_MAY, Code.LIMIT_EXCEEDED, Code.STORAGE_FULL),
    ),
    Operation(
        "drives.upsertMember", Method.PUT, "/drives/{driveId}/members/{userId}", "DrivesUpsertMember", Answer.EMPTY,
        REPLACES, rejects=(*_MAY, Code.NOT_A_SHARED_DRIVE, Code.LAST_OWNER, Code.LIMIT_EXCEEDED), administers=True,
    ),
    Operation(
        "drives.removeMember", Method.DELETE, "/drives/{driveId}/members/{userId}", "DrivesRemoveMember", Answer.EMPTY,
        REPLACES, rejects=(*_MAY, Code.NOT_A_SHARED_DRIVE, Code.LAST_OWNER), administers=True,
    ),
    Operation(
        "documents.edit", Method.PATCH, "/documents/{documentId}", "DocumentsEdit", Answer.VALUE,
        REPLACES_AGAIN,
        rejects=(
            *_MAY, Code.NOT_A_DOCUMENT, Code.REVISION_GONE, Code.REVISION_CHANGED, Code.PASSAGE_NOT_FOUND,
            Code.PASSAGE_AMBIGUOUS, Code.LIMIT_EXCEEDED, Code.STORAGE_FULL,
        ),
        extension=True, keyed=True,
        forms=(
            BodyForm(("replace", "base"), ("append", "passages")),
            BodyForm(("append",), ("replace", "passages", "section")),
            BodyForm(("passages",), ("replace", "append", "section")),
        ),
    ),
    Operation(
        "driveItems.search", Method.GET, "/search", "DriveItemsSearch", Answer.VALUE,
        READS, rejects=(*_SEEN, Code.LIMIT_EXCEEDED), extension=True,
    ),
    Operation(
        "driveItems.duplicate", Method.POST, "/drive-items/{itemId}/duplicate", "DriveItemsDuplicate", Answer.DATA,
        MAKES,
        rejects=(
            *_MAY, Code.NOT_A_FOLDER, Code.PARENT_NOT_IN_DRIVE, Code.TREE_TOO_DEEP, Code.LIMIT_EXCEEDED, Code.STORAGE_FULL,
        ),
        extension=True,
    ),
    Operation(
        "driveItems.trash", Method.POST, "/drive-items/{itemId}/trash", "DriveItemsTrash", Answer.DATA,
        REPLACES, rejects=_MAY, extension=True,
    ),
    Operation(
        "driveItems.restore", Method.POST, "/drive-items/{itemId}/restore", "DriveItemsRestore", Answer.DATA,
        ADDS, rejects=(*_MAY, Code.TREE_TOO_DEEP, Code.LIMIT_EXCEEDED), extension=True,
    ),
    Operation(
        "driveItems.explainAccess", Method.GET, "/drive-items/{itemId}/access/{email}", "DriveItemsExplainAccess",
        Answer.VALUE,
        READS, rejects=_MAY, extension=True,
    ),
    Operation(
        "documents.changes", Method.GET, "/documents/{documentId}/changes", "DocumentsChanges", Answer.VALUE,
        READS, rejects=(*_MAY, Code.NOT_A_DOCUMENT, Code.REVISION_GONE), extension=True,
    ),
    Operation(
        "documents.undoChanges", Method.POST, "/documents/{documentId}/undo-changes", "DocumentsUndoChanges", Answer.VALUE,
        REPLACES, rejects=(*_MAY, Code.NOT_A_DOCUMENT, Code.REVISION_GONE, Code.REVISION_CHANGED, Code.LIMIT_EXCEEDED, Code.STORAGE_FULL),
        extension=True,
        forms=(
            BodyForm(("ids",), ("last", "userId", "agent", "sinceRevision", "sinceTime")),
            BodyForm(("userId",), ("ids", "last")),
            BodyForm(("last",), ("ids", "userId", "agent", "sinceRevision", "sinceTime")),
        ),
    ),
    Operation(
        "documents.attributions", Method.GET, "/documents/{documentId}/attributions", "DocumentsAttributions",
        Answer.VALUE,
        READS, rejects=(*_SEEN, Code.NOT_A_DOCUMENT, Code.REVISION_GONE), extension=True,
    ),
    Operation(
        "documents.versions", Method.GET, "/documents/{documentId}/versions", "DocumentsVersions", Answer.VALUE,
        READS, rejects=(*_MAY, Code.NOT_A_DOCUMENT), extension=True,
    ),
    Operation(
        "documents.readVersion", Method.GET, "/documents/{documentId}/versions/{number}", "DocumentsReadVersion",
        Answer.VALUE,
        READS, rejects=(*_MAY, Code.NOT_A_DOCUMENT), extension=True,
    ),
    Operation(
        "documents.restoreVersion", Method.POST, "/documents/{documentId}/versions/{number}/restore",
        "DocumentsRestoreVersion", Answer.VALUE,
        REPLACES, rejects=(*_MAY, Code.NOT_A_DOCUMENT, Code.PAYLOAD_TOO_LARGE, Code.STORAGE_FULL), extension=True,
    ),
    Operation(
        "drives.get", Method.GET, "/drives/{driveId}", "DrivesGet", Answer.DATA,
        READS, rejects=_SEEN, extension=True,
    ),
    Operation(
        "drives.events", Method.GET, "/drives/{driveId}/events", "DrivesEvents", Answer.VALUE,
        READS, rejects=_SEEN, extension=True,
    ),
    Operation(
        "drives.organizationMembers", Method.GET, "/drives/{driveId}/organization-members",
        "DrivesOrganizationMembers", Answer.VALUE,
        READS, rejects=_SEEN, extension=True,
    ),
    Operation(
        "driveItems.previewMove", Method.POST, "/drive-items/{itemId}/move-preview", "DriveItemsPreviewMove",
        Answer.VALUE,
        READS,
        rejects=(
            *_MAY, Code.UNPUBLISH_FIRST, Code.NOT_A_FOLDER, Code.PARENT_NOT_IN_DRIVE, Code.MOVE_CYCLE,
            Code.CROSS_ORGANIZATION_MOVE, Code.TREE_TOO_DEEP, Code.LIMIT_EXCEEDED, Code.STORAGE_FULL,
        ),
        extension=True,
    ),
    Operation(
        "driveItems.previewShare", Method.POST, "/drive-items/{itemId}/access-preview", "DriveItemsPreviewShare",
        Answer.VALUE,
        READS, rejects=(*_MAY, Code.SHARE_EXISTS, Code.SELF_SHARE, Code.LIMIT_EXCEEDED), extension=True,
    ),
    Operation(
        "viewer.get", Method.GET, "/viewer", "ViewerGet", Answer.VALUE,
        READS, rejects=(), extension=True,
    ),
    Operation(
        "driveItems.trashed", Method.GET, "/drive-items/trashed", "DriveItemsTrashed", Answer.VALUE,
        READS, rejects=_SEEN, extension=True,
    ),
    Operation(
        "documents.outline", Method.GET, "/documents/{documentId}/outline", "DocumentsOutline", Answer.VALUE,
        READS, rejects=(*_SEEN, Code.NOT_A_DOCUMENT), extension=True,
    ),
    Operation(
        "documents.readPart", Method.GET, "/documents/{documentId}/part", "DocumentsReadPart", Answer.VALUE,
        READS, rejects=(*_SEEN, Code.NOT_A_DOCUMENT, Code.PASSAGE_NOT_FOUND), extension=True,
    ),
    Operation(
        "viewer.events", Method.GET, "/viewer/events", "ViewerEvents", Answer.VALUE,
        READS, rejects=_SEEN, extension=True,
    ),
)  # fmt: skip

BY_NAME = {operation.name: operation for operation in OPERATIONS}
