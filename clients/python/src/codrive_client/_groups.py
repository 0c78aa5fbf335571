"""The methods of the client, in their groups: each twice, blocking and as a coroutine.

Written by `just generate` from contract.json: change the contract, not this file.
"""

from codrive_client import types
from codrive_client._call import AsyncRun, Options, Run, Unpack
from codrive_client._operations import BY_NAME


class Documents:
    """The operations `documents.*`."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def read(self, input: types.DocumentsReadInput, /, **options: Unpack[Options]) -> types.Document:
        """A document as it is now, with the edits that others are making at this moment.

        - `documentId`: The item's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.Document = self._run(BY_NAME["documents.read"], input, options)
        return answer

    def edit(self, input: types.DocumentsEditInput, /, **options: Unpack[Options]) -> types.AppliedEdit:
        """Edit a document in Markdown by exactly one of `replace`, `append` and `passages`, and tell what that did. What others wrote stays: a replacement is made to the revision `base` and merged with what came since.

        - `documentId`: The document's id.
        - `replace`: All of the Markdown becomes this, compared with the revision `base`. Blocks and words that stay are not touched. Optional.
        - `append`: This comes after what there is; a list at the end may go on. Optional.
        - `passages`: At most 500 passages become others, all of them or none. Optional.
        - `section`: What `replace` becomes: the section of this heading, as `documentPart` reads it, the heading included. PASSAGE_NOT_FOUND where the heading is gone by now. Optional.
        - `base`: The revision that you read, which a replacement is made to and merged from with what others wrote since; 0 of a new document. An edit by `append` or `passages` is made to the present document; a `base` that never was is refused there, too. Optional.
        - `onConflict`: What a replacement does where it conflicts with what others changed since `base`: leave the conflicts undone, or change nothing at all. Optional.
        - `dryRun`: Tell what the edit would do, and change nothing. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
        `NOT_A_DOCUMENT`, `PASSAGE_AMBIGUOUS`, `PASSAGE_NOT_FOUND`, `REVISION_CHANGED`, `REVISION_GONE`,
        `STORAGE_FULL`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.AppliedEdit = self._run(BY_NAME["documents.edit"], input, options)
        return answer

    def changes(self, input: types.DocumentsChangesInput, /, **options: Unpack[Options]) -> types.ChangeConnection:
        """Who changed what in a document, the oldest edit first, and what one edit changed in the order of the document; for those who may edit it. Without a `since…`, from the beginning; without an `until…`, to the present.

        - `documentId`: The document's id.
        - `sinceRevision`: Only what came after this revision; 0 is the beginning. Optional.
        - `sinceVersion`: Only what came after the version of this number. Optional.
        - `sinceTime`: Only what was done at this moment or later, or in its minute where edits are no longer stored one by one. Optional.
        - `userId`: Only what this user, or an agent of theirs, did. Optional.
        - `agent`: Only what this agent did; empty for what people did themselves. Optional.
        - `untilRevision`: Only what had come at this revision, as it was then. Optional.
        - `untilVersion`: Only what had come at the version of this number, as it was then. Optional.
        - `untilTime`: Only what was done before this moment, as it was then. Optional.
        - `newestFirst`: The changes of the newest edit first; those of one edit stay as one reads them. Optional.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `REVISION_GONE`,
        `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.ChangeConnection = self._run(BY_NAME["documents.changes"], input, options)
        return answer

    def undo_changes(
        self, input: types.DocumentsUndoChangesInput, /, **options: Unpack[Options]
    ) -> types.UndoneChanges:
        """Take changes of a document back, and nothing else: those with the `ids`, your own `last` edit, or all that one user, or one agent of theirs, did since a revision or a time. It is an edit of yours, which can be taken back itself; what others wrote stays. With `dryRun` nothing is changed.

        - `documentId`: The document's id.
        - `ids`: The ids of at most 500 changes. Optional.
        - `userId`: Whose changes, instead of `ids`: theirs and their agents'. Optional.
        - `agent`: Only what this agent of the user did; empty for the user alone. Optional.
        - `sinceRevision`: Only what came after this revision; 0 is the beginning. Optional.
        - `sinceTime`: Only what was done at this moment or later, or in its minute where edits are no longer stored one by one. Optional.
        - `last`: Your own last edit, instead of `ids` or `userId`: that of the agent that this request is credited to, or without one, of yourself. An undo is an edit, too. Optional.
        - `dryRun`: Tell what would be taken back, and change nothing. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
        `NOT_A_DOCUMENT`, `REVISION_CHANGED`, `REVISION_GONE`, `STORAGE_FULL`, `PAYLOAD_TOO_LARGE`,
        `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.UndoneChanges = self._run(BY_NAME["documents.undoChanges"], input, options)
        return answer

    undoChanges = undo_changes

    def attributions(
        self, input: types.DocumentsAttributionsInput, /, **options: Unpack[Options]
    ) -> types.Attributions:
        """Who wrote which stretch of a document's text, as it is now, in parts.

        - `documentId`: The document's id.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `REVISION_GONE`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.Attributions = self._run(BY_NAME["documents.attributions"], input, options)
        return answer

    def versions(self, input: types.DocumentsVersionsInput, /, **options: Unpack[Options]) -> types.VersionConnection:
        """The versions of a document, the newest first; for those who may edit it.

        - `documentId`: The document's id.
        - `userId`: Only what this user did. Optional.
        - `agent`: Only what this agent did; empty for what people did themselves. Optional.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.VersionConnection = self._run(BY_NAME["documents.versions"], input, options)
        return answer

    def read_version(
        self, input: types.DocumentsReadVersionInput, /, **options: Unpack[Options]
    ) -> types.VersionInDocumentsReadVersion:
        """A version of a document; for those who may edit the document.

        - `documentId`: The document's id.
        - `number`: The version's number.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.VersionInDocumentsReadVersion = self._run(BY_NAME["documents.readVersion"], input, options)
        return answer

    readVersion = read_version

    def restore_version(
        self, input: types.DocumentsRestoreVersionInput, /, **options: Unpack[Options]
    ) -> types.Document:
        """Bring back what a version held, as an edit of yours that everybody who has the document open sees. Nothing is rewound: what others write meanwhile is merged, and what was there before is a version, too.

        - `documentId`: The document's id.
        - `number`: The version's number.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `NOT_A_DOCUMENT`,
        `STORAGE_FULL`, `PAYLOAD_TOO_LARGE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.Document = self._run(BY_NAME["documents.restoreVersion"], input, options)
        return answer

    restoreVersion = restore_version

    def outline(self, input: types.DocumentsOutlineInput, /, **options: Unpack[Options]) -> types.DocumentOutline:
        """The headings of a document, by which parts of it are read.

        - `documentId`: The document's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DocumentOutline = self._run(BY_NAME["documents.outline"], input, options)
        return answer

    def read_part(self, input: types.DocumentsReadPartInput, /, **options: Unpack[Options]) -> types.DocumentPart:
        """A part of a document: a section, or a run of blocks.

        - `documentId`: The document's id.
        - `section`: Only the section of this heading: the heading with all up to the next one of its level or a higher one. Optional.
        - `fromBlock`: Only from this block on, counted from 0 in the whole document, as `path` counts. Optional.
        - `toBlock`: Only up to this block, which is not read. Optional.
        - `characters`: At most so many characters of Markdown, in whole blocks, but one block at least: `nextBlock` is where to go on. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `PASSAGE_NOT_FOUND`,
        `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DocumentPart = self._run(BY_NAME["documents.readPart"], input, options)
        return answer

    readPart = read_part


class AsyncDocuments:
    """The operations `documents.*`."""

    def __init__(self, run: AsyncRun) -> None:
        self._run = run

    async def read(self, input: types.DocumentsReadInput, /, **options: Unpack[Options]) -> types.Document:
        """A document as it is now, with the edits that others are making at this moment.

        - `documentId`: The item's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.Document = await self._run(BY_NAME["documents.read"], input, options)
        return answer

    async def edit(self, input: types.DocumentsEditInput, /, **options: Unpack[Options]) -> types.AppliedEdit:
        """Edit a document in Markdown by exactly one of `replace`, `append` and `passages`, and tell what that did. What others wrote stays: a replacement is made to the revision `base` and merged with what came since.

        - `documentId`: The document's id.
        - `replace`: All of the Markdown becomes this, compared with the revision `base`. Blocks and words that stay are not touched. Optional.
        - `append`: This comes after what there is; a list at the end may go on. Optional.
        - `passages`: At most 500 passages become others, all of them or none. Optional.
        - `section`: What `replace` becomes: the section of this heading, as `documentPart` reads it, the heading included. PASSAGE_NOT_FOUND where the heading is gone by now. Optional.
        - `base`: The revision that you read, which a replacement is made to and merged from with what others wrote since; 0 of a new document. An edit by `append` or `passages` is made to the present document; a `base` that never was is refused there, too. Optional.
        - `onConflict`: What a replacement does where it conflicts with what others changed since `base`: leave the conflicts undone, or change nothing at all. Optional.
        - `dryRun`: Tell what the edit would do, and change nothing. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
        `NOT_A_DOCUMENT`, `PASSAGE_AMBIGUOUS`, `PASSAGE_NOT_FOUND`, `REVISION_CHANGED`, `REVISION_GONE`,
        `STORAGE_FULL`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.AppliedEdit = await self._run(BY_NAME["documents.edit"], input, options)
        return answer

    async def changes(
        self, input: types.DocumentsChangesInput, /, **options: Unpack[Options]
    ) -> types.ChangeConnection:
        """Who changed what in a document, the oldest edit first, and what one edit changed in the order of the document; for those who may edit it. Without a `since…`, from the beginning; without an `until…`, to the present.

        - `documentId`: The document's id.
        - `sinceRevision`: Only what came after this revision; 0 is the beginning. Optional.
        - `sinceVersion`: Only what came after the version of this number. Optional.
        - `sinceTime`: Only what was done at this moment or later, or in its minute where edits are no longer stored one by one. Optional.
        - `userId`: Only what this user, or an agent of theirs, did. Optional.
        - `agent`: Only what this agent did; empty for what people did themselves. Optional.
        - `untilRevision`: Only what had come at this revision, as it was then. Optional.
        - `untilVersion`: Only what had come at the version of this number, as it was then. Optional.
        - `untilTime`: Only what was done before this moment, as it was then. Optional.
        - `newestFirst`: The changes of the newest edit first; those of one edit stay as one reads them. Optional.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `REVISION_GONE`,
        `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.ChangeConnection = await self._run(BY_NAME["documents.changes"], input, options)
        return answer

    async def undo_changes(
        self, input: types.DocumentsUndoChangesInput, /, **options: Unpack[Options]
    ) -> types.UndoneChanges:
        """Take changes of a document back, and nothing else: those with the `ids`, your own `last` edit, or all that one user, or one agent of theirs, did since a revision or a time. It is an edit of yours, which can be taken back itself; what others wrote stays. With `dryRun` nothing is changed.

        - `documentId`: The document's id.
        - `ids`: The ids of at most 500 changes. Optional.
        - `userId`: Whose changes, instead of `ids`: theirs and their agents'. Optional.
        - `agent`: Only what this agent of the user did; empty for the user alone. Optional.
        - `sinceRevision`: Only what came after this revision; 0 is the beginning. Optional.
        - `sinceTime`: Only what was done at this moment or later, or in its minute where edits are no longer stored one by one. Optional.
        - `last`: Your own last edit, instead of `ids` or `userId`: that of the agent that this request is credited to, or without one, of yourself. An undo is an edit, too. Optional.
        - `dryRun`: Tell what would be taken back, and change nothing. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
        `NOT_A_DOCUMENT`, `REVISION_CHANGED`, `REVISION_GONE`, `STORAGE_FULL`, `PAYLOAD_TOO_LARGE`,
        `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.UndoneChanges = await self._run(BY_NAME["documents.undoChanges"], input, options)
        return answer

    undoChanges = undo_changes

    async def attributions(
        self, input: types.DocumentsAttributionsInput, /, **options: Unpack[Options]
    ) -> types.Attributions:
        """Who wrote which stretch of a document's text, as it is now, in parts.

        - `documentId`: The document's id.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `REVISION_GONE`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.Attributions = await self._run(BY_NAME["documents.attributions"], input, options)
        return answer

    async def versions(
        self, input: types.DocumentsVersionsInput, /, **options: Unpack[Options]
    ) -> types.VersionConnection:
        """The versions of a document, the newest first; for those who may edit it.

        - `documentId`: The document's id.
        - `userId`: Only what this user did. Optional.
        - `agent`: Only what this agent did; empty for what people did themselves. Optional.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.VersionConnection = await self._run(BY_NAME["documents.versions"], input, options)
        return answer

    async def read_version(
        self, input: types.DocumentsReadVersionInput, /, **options: Unpack[Options]
    ) -> types.VersionInDocumentsReadVersion:
        """A version of a document; for those who may edit the document.

        - `documentId`: The document's id.
        - `number`: The version's number.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.VersionInDocumentsReadVersion = await self._run(BY_NAME["documents.readVersion"], input, options)
        return answer

    readVersion = read_version

    async def restore_version(
        self, input: types.DocumentsRestoreVersionInput, /, **options: Unpack[Options]
    ) -> types.Document:
        """Bring back what a version held, as an edit of yours that everybody who has the document open sees. Nothing is rewound: what others write meanwhile is merged, and what was there before is a version, too.

        - `documentId`: The document's id.
        - `number`: The version's number.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `NOT_A_DOCUMENT`,
        `STORAGE_FULL`, `PAYLOAD_TOO_LARGE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.Document = await self._run(BY_NAME["documents.restoreVersion"], input, options)
        return answer

    restoreVersion = restore_version

    async def outline(self, input: types.DocumentsOutlineInput, /, **options: Unpack[Options]) -> types.DocumentOutline:
        """The headings of a document, by which parts of it are read.

        - `documentId`: The document's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DocumentOutline = await self._run(BY_NAME["documents.outline"], input, options)
        return answer

    async def read_part(self, input: types.DocumentsReadPartInput, /, **options: Unpack[Options]) -> types.DocumentPart:
        """A part of a document: a section, or a run of blocks.

        - `documentId`: The document's id.
        - `section`: Only the section of this heading: the heading with all up to the next one of its level or a higher one. Optional.
        - `fromBlock`: Only from this block on, counted from 0 in the whole document, as `path` counts. Optional.
        - `toBlock`: Only up to this block, which is not read. Optional.
        - `characters`: At most so many characters of Markdown, in whole blocks, but one block at least: `nextBlock` is where to go on. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `PASSAGE_NOT_FOUND`,
        `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DocumentPart = await self._run(BY_NAME["documents.readPart"], input, options)
        return answer

    readPart = read_part


class DriveItems:
    """The operations `driveItems.*`."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def get(self, input: types.DriveItemsGetInput, /, **options: Unpack[Options]) -> types.DriveItemOverview:
        """An item that you see, with all that a page about it shows.

        - `itemId`: The item's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemOverview = self._run(BY_NAME["driveItems.get"], input, options)
        return answer

    def shared_with_me(
        self, input: types.NoInput | None = None, /, **options: Unpack[Options]
    ) -> types.DriveItemsSharedWithMeAnswer:
        """All that was shared with you directly, newest first.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemsSharedWithMeAnswer = self._run(BY_NAME["driveItems.sharedWithMe"], input, options)
        return answer

    sharedWithMe = shared_with_me

    def share_suggestions(
        self, input: types.DriveItemsShareSuggestionsInput, /, **options: Unpack[Options]
    ) -> types.DriveItemsShareSuggestionsAnswer:
        """People who have no access to the item yet, at most 50: of the drive's organization, or on a personal drive of your active one.

        - `itemId`: The item's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemsShareSuggestionsAnswer = self._run(
            BY_NAME["driveItems.shareSuggestions"], input, options
        )
        return answer

    shareSuggestions = share_suggestions

    def rename(self, input: types.DriveItemsRenameInput, /, **options: Unpack[Options]) -> None:
        """Give an item another name.

        - `itemId`: The item's id.
        - `name`: The name, 1 to 255 characters.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `PAYLOAD_TOO_LARGE`,
        `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        self._run(BY_NAME["driveItems.rename"], input, options)

    def move(self, input: types.DriveItemsMoveInput, /, **options: Unpack[Options]) -> None:
        """Move an item, with all below it, into a folder or to the root of a drive.

        - `itemId`: The item's id.
        - `driveId`: The drive to move it to.
        - `parentId`: The folder; null for the root.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `CROSS_ORGANIZATION_MOVE`,
        `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`, `MOVE_CYCLE`, `NOT_A_FOLDER`, `PARENT_NOT_IN_DRIVE`,
        `STORAGE_FULL`, `TREE_TOO_DEEP`, `UNPUBLISH_FIRST`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`,
        `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        self._run(BY_NAME["driveItems.move"], input, options)

    def create_child(
        self, input: types.DriveItemsCreateChildInput, /, **options: Unpack[Options]
    ) -> types.DriveItemsCreateChildAnswer:
        """Make an item in a folder.

        - `itemId`: The item's id.
        - `name`: The name, 1 to 255 characters.
        - `driveItemType`: What to make.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
        `NOT_A_FOLDER`, `STORAGE_FULL`, `TREE_TOO_DEEP`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`,
        `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemsCreateChildAnswer = self._run(BY_NAME["driveItems.createChild"], input, options)
        return answer

    createChild = create_child

    def share(self, input: types.DriveItemsShareInput, /, **options: Unpack[Options]) -> None:
        """Share an item with an e-mail address.

        - `itemId`: The item's id.
        - `email`: The e-mail address.
        - `permission`: What the share allows.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
        `SELF_SHARE`, `SHARE_EXISTS`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        self._run(BY_NAME["driveItems.share"], input, options)

    def update_share(self, input: types.DriveItemsUpdateShareInput, /, **options: Unpack[Options]) -> None:
        """Change what a share allows.

        - `itemId`: The item's id.
        - `email`: The e-mail address.
        - `permission`: What the share allows.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `PAYLOAD_TOO_LARGE`,
        `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        self._run(BY_NAME["driveItems.updateShare"], input, options)

    updateShare = update_share

    def remove_share(self, input: types.DriveItemsRemoveShareInput, /, **options: Unpack[Options]) -> None:
        """End a share; your own, or any where you may share the item.

        - `itemId`: The item's id.
        - `email`: The e-mail address.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        self._run(BY_NAME["driveItems.removeShare"], input, options)

    removeShare = remove_share

    def set_publication(self, input: types.DriveItemsSetPublicationInput, /, **options: Unpack[Options]) -> None:
        """Give a document a public page, or take it away.

        - `itemId`: The item's id.
        - `published`: Whether it shall have one.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `PAYLOAD_TOO_LARGE`,
        `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        self._run(BY_NAME["driveItems.setPublication"], input, options)

    setPublication = set_publication

    def search(self, input: types.DriveItemsSearchInput, /, **options: Unpack[Options]) -> types.SearchConnection:
        """Items that you see with every one of these words in the name or the content, the best first. Where there is none: those with words that differ by one typing error, of words of five letters or more.

        - `text`: Words, each of which may be only begun.
        - `driveId`: Only what is in this drive. Optional.
        - `folderId`: Only what is in this folder, or in folders in it; nothing if you do not see it. Optional.
        - `types`: Only items of these types. Optional.
        - `userId`: Only what this user created or wrote in. Optional.
        - `agent`: Only what this agent created or wrote in; empty for what people did themselves. With a user: for them. Optional.
        - `changedSince`: Only what was changed last at this moment or later. Optional.
        - `changedUntil`: Only what was changed last at this moment or earlier. Optional.
        - `createdSince`: Only what was created at this moment or later. Optional.
        - `createdUntil`: Only what was created at this moment or earlier. Optional.
        - `order`: Which of the items found come first. Optional.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `LIMIT_EXCEEDED`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.SearchConnection = self._run(BY_NAME["driveItems.search"], input, options)
        return answer

    def duplicate(
        self, input: types.DriveItemsDuplicateInput, /, **options: Unpack[Options]
    ) -> types.DriveItemsDuplicateAnswer:
        """Copy an item, with all below it that is not in the trash, as of one moment: into a folder, to the root of a drive, or else beside it. Who wrote the text stays; shares, public pages and history are not copied. Links inside what is copied lead to the copies.

        - `itemId`: The item's id.
        - `driveId`: The drive of the copy, at its root unless a folder is named. Optional.
        - `parentId`: The folder of the copy. Optional.
        - `name`: The name of the copy; left out, `Copy of` and the name of the item. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
        `NOT_A_FOLDER`, `PARENT_NOT_IN_DRIVE`, `STORAGE_FULL`, `TREE_TOO_DEEP`, `PAYLOAD_TOO_LARGE`,
        `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemsDuplicateAnswer = self._run(BY_NAME["driveItems.duplicate"], input, options)
        return answer

    def trash(self, input: types.DriveItemsTrashInput, /, **options: Unpack[Options]) -> types.DriveItemsTrashAnswer:
        """Put an item, with all below it, in the trash for 30 days.

        - `itemId`: The item's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`,
        `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemsTrashAnswer = self._run(BY_NAME["driveItems.trash"], input, options)
        return answer

    def restore(
        self, input: types.DriveItemsRestoreInput, /, **options: Unpack[Options]
    ) -> types.DriveItemsRestoreAnswer:
        """Bring an item back from the trash: to its folder, else to the nearest one above that is not in the trash, else to the root; `parentId` says where. There must be room for it, since what is in the trash takes none.

        - `itemId`: The item's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
        `TREE_TOO_DEEP`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemsRestoreAnswer = self._run(BY_NAME["driveItems.restore"], input, options)
        return answer

    def explain_access(
        self, input: types.DriveItemsExplainAccessInput, /, **options: Unpack[Options]
    ) -> types.AccessExplanation:
        """What somebody may do to an item, and because of which roles and shares.

        - `itemId`: The item's id.
        - `email`: Whose access to explain.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.AccessExplanation = self._run(BY_NAME["driveItems.explainAccess"], input, options)
        return answer

    explainAccess = explain_access

    def preview_move(
        self, input: types.DriveItemsPreviewMoveInput, /, **options: Unpack[Options]
    ) -> types.AccessPreview:
        """Who would gain, lose and keep access if an item were moved; needs what the move needs, and is refused as it would be.

        - `itemId`: The item's id.
        - `driveId`: The drive to move it to.
        - `parentId`: The folder; null for the root.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `CROSS_ORGANIZATION_MOVE`,
        `LIMIT_EXCEEDED`, `MOVE_CYCLE`, `NOT_A_FOLDER`, `PARENT_NOT_IN_DRIVE`, `STORAGE_FULL`, `TREE_TOO_DEEP`,
        `UNPUBLISH_FIRST`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.AccessPreview = self._run(BY_NAME["driveItems.previewMove"], input, options)
        return answer

    previewMove = preview_move

    def preview_share(
        self, input: types.DriveItemsPreviewShareInput, /, **options: Unpack[Options]
    ) -> types.AccessPreview:
        """Who would gain and keep access if an item were shared with an address; needs what sharing needs, and is refused as it would be. An address that nobody has answers as any without access.

        - `itemId`: The item's id.
        - `email`: The e-mail address.
        - `permission`: What the share would allow.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `LIMIT_EXCEEDED`, `SELF_SHARE`,
        `SHARE_EXISTS`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.AccessPreview = self._run(BY_NAME["driveItems.previewShare"], input, options)
        return answer

    previewShare = preview_share

    def trashed(
        self, input: types.DriveItemsTrashedInput | None = None, /, **options: Unpack[Options]
    ) -> types.DriveItemConnection:
        """What you see in the trash, the last trashed first.

        - `driveId`: Only what is in this drive. Optional.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemConnection = self._run(BY_NAME["driveItems.trashed"], input, options)
        return answer


class AsyncDriveItems:
    """The operations `driveItems.*`."""

    def __init__(self, run: AsyncRun) -> None:
        self._run = run

    async def get(self, input: types.DriveItemsGetInput, /, **options: Unpack[Options]) -> types.DriveItemOverview:
        """An item that you see, with all that a page about it shows.

        - `itemId`: The item's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemOverview = await self._run(BY_NAME["driveItems.get"], input, options)
        return answer

    async def shared_with_me(
        self, input: types.NoInput | None = None, /, **options: Unpack[Options]
    ) -> types.DriveItemsSharedWithMeAnswer:
        """All that was shared with you directly, newest first.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemsSharedWithMeAnswer = await self._run(BY_NAME["driveItems.sharedWithMe"], input, options)
        return answer

    sharedWithMe = shared_with_me

    async def share_suggestions(
        self, input: types.DriveItemsShareSuggestionsInput, /, **options: Unpack[Options]
    ) -> types.DriveItemsShareSuggestionsAnswer:
        """People who have no access to the item yet, at most 50: of the drive's organization, or on a personal drive of your active one.

        - `itemId`: The item's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemsShareSuggestionsAnswer = await self._run(
            BY_NAME["driveItems.shareSuggestions"], input, options
        )
        return answer

    shareSuggestions = share_suggestions

    async def rename(self, input: types.DriveItemsRenameInput, /, **options: Unpack[Options]) -> None:
        """Give an item another name.

        - `itemId`: The item's id.
        - `name`: The name, 1 to 255 characters.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `PAYLOAD_TOO_LARGE`,
        `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        await self._run(BY_NAME["driveItems.rename"], input, options)

    async def move(self, input: types.DriveItemsMoveInput, /, **options: Unpack[Options]) -> None:
        """Move an item, with all below it, into a folder or to the root of a drive.

        - `itemId`: The item's id.
        - `driveId`: The drive to move it to.
        - `parentId`: The folder; null for the root.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `CROSS_ORGANIZATION_MOVE`,
        `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`, `MOVE_CYCLE`, `NOT_A_FOLDER`, `PARENT_NOT_IN_DRIVE`,
        `STORAGE_FULL`, `TREE_TOO_DEEP`, `UNPUBLISH_FIRST`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`,
        `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        await self._run(BY_NAME["driveItems.move"], input, options)

    async def create_child(
        self, input: types.DriveItemsCreateChildInput, /, **options: Unpack[Options]
    ) -> types.DriveItemsCreateChildAnswer:
        """Make an item in a folder.

        - `itemId`: The item's id.
        - `name`: The name, 1 to 255 characters.
        - `driveItemType`: What to make.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
        `NOT_A_FOLDER`, `STORAGE_FULL`, `TREE_TOO_DEEP`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`,
        `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemsCreateChildAnswer = await self._run(BY_NAME["driveItems.createChild"], input, options)
        return answer

    createChild = create_child

    async def share(self, input: types.DriveItemsShareInput, /, **options: Unpack[Options]) -> None:
        """Share an item with an e-mail address.

        - `itemId`: The item's id.
        - `email`: The e-mail address.
        - `permission`: What the share allows.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
        `SELF_SHARE`, `SHARE_EXISTS`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        await self._run(BY_NAME["driveItems.share"], input, options)

    async def update_share(self, input: types.DriveItemsUpdateShareInput, /, **options: Unpack[Options]) -> None:
        """Change what a share allows.

        - `itemId`: The item's id.
        - `email`: The e-mail address.
        - `permission`: What the share allows.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `PAYLOAD_TOO_LARGE`,
        `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        await self._run(BY_NAME["driveItems.updateShare"], input, options)

    updateShare = update_share

    async def remove_share(self, input: types.DriveItemsRemoveShareInput, /, **options: Unpack[Options]) -> None:
        """End a share; your own, or any where you may share the item.

        - `itemId`: The item's id.
        - `email`: The e-mail address.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        await self._run(BY_NAME["driveItems.removeShare"], input, options)

    removeShare = remove_share

    async def set_publication(self, input: types.DriveItemsSetPublicationInput, /, **options: Unpack[Options]) -> None:
        """Give a document a public page, or take it away.

        - `itemId`: The item's id.
        - `published`: Whether it shall have one.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `PAYLOAD_TOO_LARGE`,
        `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        await self._run(BY_NAME["driveItems.setPublication"], input, options)

    setPublication = set_publication

    async def search(self, input: types.DriveItemsSearchInput, /, **options: Unpack[Options]) -> types.SearchConnection:
        """Items that you see with every one of these words in the name or the content, the best first. Where there is none: those with words that differ by one typing error, of words of five letters or more.

        - `text`: Words, each of which may be only begun.
        - `driveId`: Only what is in this drive. Optional.
        - `folderId`: Only what is in this folder, or in folders in it; nothing if you do not see it. Optional.
        - `types`: Only items of these types. Optional.
        - `userId`: Only what this user created or wrote in. Optional.
        - `agent`: Only what this agent created or wrote in; empty for what people did themselves. With a user: for them. Optional.
        - `changedSince`: Only what was changed last at this moment or later. Optional.
        - `changedUntil`: Only what was changed last at this moment or earlier. Optional.
        - `createdSince`: Only what was created at this moment or later. Optional.
        - `createdUntil`: Only what was created at this moment or earlier. Optional.
        - `order`: Which of the items found come first. Optional.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `LIMIT_EXCEEDED`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.SearchConnection = await self._run(BY_NAME["driveItems.search"], input, options)
        return answer

    async def duplicate(
        self, input: types.DriveItemsDuplicateInput, /, **options: Unpack[Options]
    ) -> types.DriveItemsDuplicateAnswer:
        """Copy an item, with all below it that is not in the trash, as of one moment: into a folder, to the root of a drive, or else beside it. Who wrote the text stays; shares, public pages and history are not copied. Links inside what is copied lead to the copies.

        - `itemId`: The item's id.
        - `driveId`: The drive of the copy, at its root unless a folder is named. Optional.
        - `parentId`: The folder of the copy. Optional.
        - `name`: The name of the copy; left out, `Copy of` and the name of the item. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
        `NOT_A_FOLDER`, `PARENT_NOT_IN_DRIVE`, `STORAGE_FULL`, `TREE_TOO_DEEP`, `PAYLOAD_TOO_LARGE`,
        `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemsDuplicateAnswer = await self._run(BY_NAME["driveItems.duplicate"], input, options)
        return answer

    async def trash(
        self, input: types.DriveItemsTrashInput, /, **options: Unpack[Options]
    ) -> types.DriveItemsTrashAnswer:
        """Put an item, with all below it, in the trash for 30 days.

        - `itemId`: The item's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`,
        `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemsTrashAnswer = await self._run(BY_NAME["driveItems.trash"], input, options)
        return answer

    async def restore(
        self, input: types.DriveItemsRestoreInput, /, **options: Unpack[Options]
    ) -> types.DriveItemsRestoreAnswer:
        """Bring an item back from the trash: to its folder, else to the nearest one above that is not in the trash, else to the root; `parentId` says where. There must be room for it, since what is in the trash takes none.

        - `itemId`: The item's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
        `TREE_TOO_DEEP`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemsRestoreAnswer = await self._run(BY_NAME["driveItems.restore"], input, options)
        return answer

    async def explain_access(
        self, input: types.DriveItemsExplainAccessInput, /, **options: Unpack[Options]
    ) -> types.AccessExplanation:
        """What somebody may do to an item, and because of which roles and shares.

        - `itemId`: The item's id.
        - `email`: Whose access to explain.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.AccessExplanation = await self._run(BY_NAME["driveItems.explainAccess"], input, options)
        return answer

    explainAccess = explain_access

    async def preview_move(
        self, input: types.DriveItemsPreviewMoveInput, /, **options: Unpack[Options]
    ) -> types.AccessPreview:
        """Who would gain, lose and keep access if an item were moved; needs what the move needs, and is refused as it would be.

        - `itemId`: The item's id.
        - `driveId`: The drive to move it to.
        - `parentId`: The folder; null for the root.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `CROSS_ORGANIZATION_MOVE`,
        `LIMIT_EXCEEDED`, `MOVE_CYCLE`, `NOT_A_FOLDER`, `PARENT_NOT_IN_DRIVE`, `STORAGE_FULL`, `TREE_TOO_DEEP`,
        `UNPUBLISH_FIRST`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.AccessPreview = await self._run(BY_NAME["driveItems.previewMove"], input, options)
        return answer

    previewMove = preview_move

    async def preview_share(
        self, input: types.DriveItemsPreviewShareInput, /, **options: Unpack[Options]
    ) -> types.AccessPreview:
        """Who would gain and keep access if an item were shared with an address; needs what sharing needs, and is refused as it would be. An address that nobody has answers as any without access.

        - `itemId`: The item's id.
        - `email`: The e-mail address.
        - `permission`: What the share would allow.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `LIMIT_EXCEEDED`, `SELF_SHARE`,
        `SHARE_EXISTS`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.AccessPreview = await self._run(BY_NAME["driveItems.previewShare"], input, options)
        return answer

    previewShare = preview_share

    async def trashed(
        self, input: types.DriveItemsTrashedInput | None = None, /, **options: Unpack[Options]
    ) -> types.DriveItemConnection:
        """What you see in the trash, the last trashed first.

        - `driveId`: Only what is in this drive. Optional.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveItemConnection = await self._run(BY_NAME["driveItems.trashed"], input, options)
        return answer


class Drives:
    """The operations `drives.*`."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def list(self, input: types.DrivesListInput | None = None, /, **options: Unpack[Options]) -> types.DriveListing:
        """Every drive of yours with its members and all its items, in parts.

        - `cursor`: The `nextCursor` of the part before. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveListing = self._run(BY_NAME["drives.list"], input, options)
        return answer

    def create(self, input: types.DrivesCreateInput, /, **options: Unpack[Options]) -> types.DrivesCreateAnswer:
        """Make a shared drive in your active organization.

        - `name`: The name, 1 to 255 characters.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `IDEMPOTENCY_KEY_REUSED`, `NO_ACTIVE_ORGANIZATION`,
        `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DrivesCreateAnswer = self._run(BY_NAME["drives.create"], input, options)
        return answer

    def rename(self, input: types.DrivesRenameInput, /, **options: Unpack[Options]) -> None:
        """Give a drive another name.

        - `driveId`: The drive's id.
        - `name`: The name, 1 to 255 characters.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `PAYLOAD_TOO_LARGE`,
        `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        self._run(BY_NAME["drives.rename"], input, options)

    def create_item(
        self, input: types.DrivesCreateItemInput, /, **options: Unpack[Options]
    ) -> types.DrivesCreateItemAnswer:
        """Make an item at the root of a drive.

        - `driveId`: The drive's id.
        - `name`: The name, 1 to 255 characters.
        - `driveItemType`: What to make.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
        `STORAGE_FULL`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DrivesCreateItemAnswer = self._run(BY_NAME["drives.createItem"], input, options)
        return answer

    createItem = create_item

    def upsert_member(self, input: types.DrivesUpsertMemberInput, /, **options: Unpack[Options]) -> None:
        """Add somebody of the organization to a drive, or change a role.

        - `driveId`: The drive's id.
        - `userId`: The user's id.
        - `role`: The role to give.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `LAST_OWNER`, `LIMIT_EXCEEDED`,
        `NOT_A_SHARED_DRIVE`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        self._run(BY_NAME["drives.upsertMember"], input, options)

    upsertMember = upsert_member

    def remove_member(self, input: types.DrivesRemoveMemberInput, /, **options: Unpack[Options]) -> None:
        """Remove a member from a drive, or leave it yourself.

        - `driveId`: The drive's id.
        - `userId`: The user's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `LAST_OWNER`, `NOT_A_SHARED_DRIVE`,
        `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        self._run(BY_NAME["drives.removeMember"], input, options)

    removeMember = remove_member

    def get(self, input: types.DrivesGetInput, /, **options: Unpack[Options]) -> types.DrivesGetAnswer:
        """A drive that you are a member of.

        - `driveId`: The drive's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DrivesGetAnswer = self._run(BY_NAME["drives.get"], input, options)
        return answer

    def events(self, input: types.DrivesEventsInput, /, **options: Unpack[Options]) -> types.DriveEventConnection:
        """The record of all that happened in a drive, the newest first; for its members. Of what is filtered, a part may hold fewer than asked for, though there is more.

        - `driveId`: The drive's id.
        - `userId`: Only what this user did. Optional.
        - `agent`: Only what this agent did; empty for what people did themselves. Optional.
        - `itemId`: Only what is about this item. Optional.
        - `types`: Only events of these types, such as `itemRenamed`. Optional.
        - `since`: Only what happened at this moment or later. Optional.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveEventConnection = self._run(BY_NAME["drives.events"], input, options)
        return answer

    def organization_members(
        self, input: types.DrivesOrganizationMembersInput, /, **options: Unpack[Options]
    ) -> types.OrganizationMemberConnection:
        """The members of the organization that a drive belongs to, by when they joined; for members of the drive.

        - `driveId`: The drive's id.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.OrganizationMemberConnection = self._run(BY_NAME["drives.organizationMembers"], input, options)
        return answer

    organizationMembers = organization_members


class AsyncDrives:
    """The operations `drives.*`."""

    def __init__(self, run: AsyncRun) -> None:
        self._run = run

    async def list(
        self, input: types.DrivesListInput | None = None, /, **options: Unpack[Options]
    ) -> types.DriveListing:
        """Every drive of yours with its members and all its items, in parts.

        - `cursor`: The `nextCursor` of the part before. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveListing = await self._run(BY_NAME["drives.list"], input, options)
        return answer

    async def create(self, input: types.DrivesCreateInput, /, **options: Unpack[Options]) -> types.DrivesCreateAnswer:
        """Make a shared drive in your active organization.

        - `name`: The name, 1 to 255 characters.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `IDEMPOTENCY_KEY_REUSED`, `NO_ACTIVE_ORGANIZATION`,
        `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DrivesCreateAnswer = await self._run(BY_NAME["drives.create"], input, options)
        return answer

    async def rename(self, input: types.DrivesRenameInput, /, **options: Unpack[Options]) -> None:
        """Give a drive another name.

        - `driveId`: The drive's id.
        - `name`: The name, 1 to 255 characters.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `PAYLOAD_TOO_LARGE`,
        `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        await self._run(BY_NAME["drives.rename"], input, options)

    async def create_item(
        self, input: types.DrivesCreateItemInput, /, **options: Unpack[Options]
    ) -> types.DrivesCreateItemAnswer:
        """Make an item at the root of a drive.

        - `driveId`: The drive's id.
        - `name`: The name, 1 to 255 characters.
        - `driveItemType`: What to make.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
        `STORAGE_FULL`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DrivesCreateItemAnswer = await self._run(BY_NAME["drives.createItem"], input, options)
        return answer

    createItem = create_item

    async def upsert_member(self, input: types.DrivesUpsertMemberInput, /, **options: Unpack[Options]) -> None:
        """Add somebody of the organization to a drive, or change a role.

        - `driveId`: The drive's id.
        - `userId`: The user's id.
        - `role`: The role to give.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `LAST_OWNER`, `LIMIT_EXCEEDED`,
        `NOT_A_SHARED_DRIVE`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`,
        `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        await self._run(BY_NAME["drives.upsertMember"], input, options)

    upsertMember = upsert_member

    async def remove_member(self, input: types.DrivesRemoveMemberInput, /, **options: Unpack[Options]) -> None:
        """Remove a member from a drive, or leave it yourself.

        - `driveId`: The drive's id.
        - `userId`: The user's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `LAST_OWNER`, `NOT_A_SHARED_DRIVE`,
        `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        await self._run(BY_NAME["drives.removeMember"], input, options)

    removeMember = remove_member

    async def get(self, input: types.DrivesGetInput, /, **options: Unpack[Options]) -> types.DrivesGetAnswer:
        """A drive that you are a member of.

        - `driveId`: The drive's id.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DrivesGetAnswer = await self._run(BY_NAME["drives.get"], input, options)
        return answer

    async def events(self, input: types.DrivesEventsInput, /, **options: Unpack[Options]) -> types.DriveEventConnection:
        """The record of all that happened in a drive, the newest first; for its members. Of what is filtered, a part may hold fewer than asked for, though there is more.

        - `driveId`: The drive's id.
        - `userId`: Only what this user did. Optional.
        - `agent`: Only what this agent did; empty for what people did themselves. Optional.
        - `itemId`: Only what is about this item. Optional.
        - `types`: Only events of these types, such as `itemRenamed`. Optional.
        - `since`: Only what happened at this moment or later. Optional.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveEventConnection = await self._run(BY_NAME["drives.events"], input, options)
        return answer

    async def organization_members(
        self, input: types.DrivesOrganizationMembersInput, /, **options: Unpack[Options]
    ) -> types.OrganizationMemberConnection:
        """The members of the organization that a drive belongs to, by when they joined; for members of the drive.

        - `driveId`: The drive's id.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.OrganizationMemberConnection = await self._run(
            BY_NAME["drives.organizationMembers"], input, options
        )
        return answer

    organizationMembers = organization_members


class Viewer:
    """The operations `viewer.*`."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def get(self, input: types.NoInput | None = None, /, **options: Unpack[Options]) -> types.Viewer:
        """You, as this request's credential says.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.Viewer = self._run(BY_NAME["viewer.get"], input, options)
        return answer

    def events(
        self, input: types.ViewerEventsInput | None = None, /, **options: Unpack[Options]
    ) -> types.DriveEventConnection:
        """What happened to everything that you see, in all drives and shares, the newest first: of a drive of yours all of its record, of a share what happened since it was given. A part may hold fewer than asked for, though there is more.

        - `userId`: Only what this user did. Optional.
        - `agent`: Only what this agent did; empty for what people did themselves. Optional.
        - `itemId`: Only what is about this item. Optional.
        - `types`: Only events of these types, such as `itemRenamed`. Optional.
        - `since`: Only what happened at this moment or later. Optional.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveEventConnection = self._run(BY_NAME["viewer.events"], input, options)
        return answer


class AsyncViewer:
    """The operations `viewer.*`."""

    def __init__(self, run: AsyncRun) -> None:
        self._run = run

    async def get(self, input: types.NoInput | None = None, /, **options: Unpack[Options]) -> types.Viewer:
        """You, as this request's credential says.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
        """
        answer: types.Viewer = await self._run(BY_NAME["viewer.get"], input, options)
        return answer

    async def events(
        self, input: types.ViewerEventsInput | None = None, /, **options: Unpack[Options]
    ) -> types.DriveEventConnection:
        """What happened to everything that you see, in all drives and shares, the newest first: of a drive of yours all of its record, of a share what happened since it was given. A part may hold fewer than asked for, though there is more.

        - `userId`: Only what this user did. Optional.
        - `agent`: Only what this agent did; empty for what people did themselves. Optional.
        - `itemId`: Only what is about this item. Optional.
        - `types`: Only events of these types, such as `itemRenamed`. Optional.
        - `since`: Only what happened at this moment or later. Optional.
        - `first`: How many at most, from 1 to 200. Optional.
        - `cursor`: Go on after this cursor. Optional.

        Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
        `SERVICE_UNAVAILABLE`.
        """
        answer: types.DriveEventConnection = await self._run(BY_NAME["viewer.events"], input, options)
        return answer
