"""The status of HTTP that each code is answered under, wherever an answer has one."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from domain.errors import Code

STATUS: Final[Mapping[Code, int]] = MappingProxyType(
    {
        Code.BAD_REQUEST: 400,
        Code.UNAUTHORIZED: 401,
        Code.FORBIDDEN: 403,
        Code.NOT_FOUND: 404,
        Code.METHOD_NOT_SUPPORTED: 405,
        Code.CROSS_ORGANIZATION_MOVE: 409,
        Code.DRIVE_NOT_EMPTY: 409,
        Code.IDEMPOTENCY_KEY_REUSED: 409,
        Code.LAST_ADMIN: 409,
        Code.LAST_OWNER: 409,
        Code.LIMIT_EXCEEDED: 409,
        Code.MOVE_CYCLE: 409,
        Code.NO_ACTIVE_ORGANIZATION: 409,
        Code.NOT_A_DOCUMENT: 409,
        Code.NOT_A_FOLDER: 409,
        Code.NOT_A_SHARED_DRIVE: 409,
        Code.NOT_IN_TRASH: 409,
        Code.PARENT_NOT_IN_DRIVE: 409,
        Code.PASSAGE_AMBIGUOUS: 409,
        Code.PASSAGE_NOT_FOUND: 409,
        Code.REVISION_CHANGED: 409,
        Code.REVISION_GONE: 409,
        Code.SELF_SHARE: 409,
        Code.SHARE_EXISTS: 409,
        Code.TREE_TOO_DEEP: 409,
        Code.UNPUBLISH_FIRST: 409,
        Code.PAYLOAD_TOO_LARGE: 413,
        Code.UNSUPPORTED_MEDIA_TYPE: 415,
        Code.TOO_MANY_REQUESTS: 429,
        Code.INTERNAL_SERVER_ERROR: 500,
        Code.SERVICE_UNAVAILABLE: 503,
    }
)
