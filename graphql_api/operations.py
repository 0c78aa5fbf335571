"""THE CONTRACT: one row for each operation, from which REST, MCP, the clients and the command line are mapped.

A row names a document of `operations.graphql`; its inputs, its answer's shape and its place on every surface follow.
"""

from dataclasses import dataclass
from enum import StrEnum

from domain.errors import Code


class Method(StrEnum):
    GET = "GET"
    POST = "POST"
    PUT = "PUT"
    PATCH = "PATCH"
    DELETE = "DELETE"


class Answer(StrEnum):
    """The part of GraphQL's `data` that is the answer: all of it, the value of its one field, or nothing."""

    DATA = "data"
    VALUE = "value"
    EMPTY = "empty"


class Surface(StrEnum):
    REST = "rest"
    MCP = "mcp"
    CLIENT = "client"
    COMMAND_LINE = "commandLine"


ALL = frozenset(Surface)
REST_ONLY = frozenset({Surface.REST})


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation. `document` is None for the upload alone, whose body is no JSON."""

    name: str
    method: Method
    path: str
    document: str | None
    answer: Answer
    read_only: bool
    rejects: tuple[Code, ...]
    surfaces: frozenset[Surface] = ALL

    @property
    def group(self) -> str:
        return self.name.partition(".")[0]


_SEEN = (Code.NOT_FOUND,)
_MAY = (Code.NOT_FOUND, Code.FORBIDDEN)

OPERATIONS = (
    Operation(
        "documents.read", Method.GET, "/documents/{documentId}", "DocumentsRead", Answer.VALUE,
        read_only=True, rejects=(*_SEEN, Code.NOT_A_DOCUMENT),
    ),
    Operation(
        "driveItems.get", Method.GET, "/drive-items/{itemId}", "DriveItemsGet", Answer.VALUE,
        read_only=True, rejects=_SEEN,
    ),
    Operation(
        "driveItems.sharedWithMe", Method.GET, "/drive-items/shared-with-me", "DriveItemsSharedWithMe", Answer.DATA,
        read_only=True, rejects=(),
    ),
    Operation(
        "driveItems.shareSuggestions", Method.GET, "/drive-items/{itemId}/share-suggestions",
        "DriveItemsShareSuggestions", Answer.DATA,
        read_only=True, rejects=_MAY,
    ),
    Operation(
        "driveItems.rename", Method.PATCH, "/drive-items/{itemId}", "DriveItemsRename", Answer.EMPTY,
        read_only=False, rejects=_MAY,
    ),
    Operation(
        "driveItems.move", Method.POST, "/drive-items/{itemId}/move", "DriveItemsMove", Answer.EMPTY,
        read_only=False,
        rejects=(
            *_MAY, Code.UNPUBLISH_FIRST, Code.NOT_A_FOLDER, Code.PARENT_NOT_IN_DRIVE, Code.MOVE_CYCLE,
            Code.CROSS_ORGANIZATION_MOVE, Code.TREE_TOO_DEEP, Code.LIMIT_EXCEEDED,
        ),
    ),
    Operation(
        "driveItems.createChild", Method.POST, "/drive-items/{itemId}/children", "DriveItemsCreateChild", Answer.DATA,
        read_only=False, rejects=(*_MAY, Code.NOT_A_FOLDER, Code.TREE_TOO_DEEP, Code.LIMIT_EXCEEDED),
    ),
    Operation(
        "driveItems.share", Method.POST, "/drive-items/{itemId}/access", "DriveItemsShare", Answer.EMPTY,
        read_only=False, rejects=(*_MAY, Code.SHARE_EXISTS, Code.SELF_SHARE, Code.LIMIT_EXCEEDED),
    ),
    Operation(
        "driveItems.updateShare", Method.PATCH, "/drive-items/{itemId}/access/{email}", "DriveItemsUpdateShare",
        Answer.EMPTY,
        read_only=False, rejects=_MAY,
    ),
    Operation(
        "driveItems.removeShare", Method.DELETE, "/drive-items/{itemId}/access/{email}", "DriveItemsRemoveShare",
        Answer.EMPTY,
        read_only=False, rejects=_MAY,
    ),
    Operation(
        "driveItems.setPublication", Method.PUT, "/drive-items/{itemId}/publication", "DriveItemsSetPublication",
        Answer.EMPTY,
        read_only=False, rejects=(*_MAY, Code.NOT_A_DOCUMENT),
    ),
    Operation(
        "driveItems.uploadImage", Method.POST, "/drive-items/{itemId}/images", None, Answer.DATA,
        read_only=False,
        rejects=(*_MAY, Code.PAYLOAD_TOO_LARGE, Code.UNSUPPORTED_MEDIA_TYPE, Code.NOT_A_DOCUMENT),
        surfaces=REST_ONLY,
    ),
    Operation(
        "drives.list", Method.GET, "/drives", "DrivesList", Answer.VALUE,
        read_only=True, rejects=_SEEN,
    ),
    Operation(
        "drives.create", Method.POST, "/drives", "DrivesCreate", Answer.DATA,
        read_only=False, rejects=(Code.NO_ACTIVE_ORGANIZATION,),
    ),
    Operation(
        "drives.rename", Method.PATCH, "/drives/{driveId}", "DrivesRename", Answer.EMPTY,
        read_only=False, rejects=_MAY,
    ),
    Operation(
        "drives.createItem", Method.POST, "/drives/{driveId}/items", "DrivesCreateItem", Answer.DATA,
        read_only=False, rejects=(*_MAY, Code.LIMIT_EXCEEDED),
    ),
    Operation(
        "drives.upsertMember", Method.PUT, "/drives/{driveId}/members/{userId}", "DrivesUpsertMember", Answer.EMPTY,
        read_only=False, rejects=(*_MAY, Code.NOT_A_SHARED_DRIVE, Code.LAST_OWNER, Code.LIMIT_EXCEEDED),
    ),
    Operation(
        "drives.removeMember", Method.DELETE, "/drives/{driveId}/members/{userId}", "DrivesRemoveMember", Answer.EMPTY,
        read_only=False, rejects=(*_MAY, Code.NOT_A_SHARED_DRIVE, Code.LAST_OWNER),
    ),
)  # fmt: skip

BY_NAME = {operation.name: operation for operation in OPERATIONS}
