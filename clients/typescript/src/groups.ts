/**
 * The methods of the client, in their groups, and the operations that they send.
 *
 * Written by `just generate` from contract.json: change the contract, not this file.
 */

import type { CallOptions, Operation, Run } from "./call.js";
import type * as types from "./types.js";

const OPERATIONS = {
  "documents.read": {
    name: "documents.read",
    method: "GET",
    path: "/documents/{documentId}",
    query: [],
    numbers: [],
    fields: ["item", "markdown", "prosemirrorDoc", "authors"],
    readOnly: true,
    idempotencyKey: false,
  },
  "driveItems.get": {
    name: "driveItems.get",
    method: "GET",
    path: "/drive-items/{itemId}",
    query: [],
    numbers: [],
    fields: ["item", "drive", "children", "ancestors", "shares"],
    readOnly: true,
    idempotencyKey: false,
  },
  "driveItems.sharedWithMe": {
    name: "driveItems.sharedWithMe",
    method: "GET",
    path: "/drive-items/shared-with-me",
    query: [],
    numbers: [],
    fields: ["items"],
    readOnly: true,
    idempotencyKey: false,
  },
  "driveItems.shareSuggestions": {
    name: "driveItems.shareSuggestions",
    method: "GET",
    path: "/drive-items/{itemId}/share-suggestions",
    query: [],
    numbers: [],
    fields: ["suggestions"],
    readOnly: true,
    idempotencyKey: false,
  },
  "driveItems.rename": {
    name: "driveItems.rename",
    method: "PATCH",
    path: "/drive-items/{itemId}",
    query: [],
    numbers: [],
    fields: [],
    readOnly: false,
    idempotencyKey: false,
  },
  "driveItems.move": {
    name: "driveItems.move",
    method: "POST",
    path: "/drive-items/{itemId}/move",
    query: [],
    numbers: [],
    fields: [],
    readOnly: false,
    idempotencyKey: true,
  },
  "driveItems.createChild": {
    name: "driveItems.createChild",
    method: "POST",
    path: "/drive-items/{itemId}/children",
    query: [],
    numbers: [],
    fields: ["item"],
    readOnly: false,
    idempotencyKey: true,
  },
  "driveItems.share": {
    name: "driveItems.share",
    method: "POST",
    path: "/drive-items/{itemId}/access",
    query: [],
    numbers: [],
    fields: [],
    readOnly: false,
    idempotencyKey: true,
  },
  "driveItems.updateShare": {
    name: "driveItems.updateShare",
    method: "PATCH",
    path: "/drive-items/{itemId}/access/{email}",
    query: [],
    numbers: [],
    fields: [],
    readOnly: false,
    idempotencyKey: false,
  },
  "driveItems.removeShare": {
    name: "driveItems.removeShare",
    method: "DELETE",
    path: "/drive-items/{itemId}/access/{email}",
    query: [],
    numbers: [],
    fields: [],
    readOnly: false,
    idempotencyKey: false,
  },
  "driveItems.setPublication": {
    name: "driveItems.setPublication",
    method: "PUT",
    path: "/drive-items/{itemId}/publication",
    query: [],
    numbers: [],
    fields: [],
    readOnly: false,
    idempotencyKey: false,
  },
  "drives.list": {
    name: "drives.list",
    method: "GET",
    path: "/drives",
    query: ["cursor"],
    numbers: [],
    fields: ["drives", "nextCursor"],
    readOnly: true,
    idempotencyKey: false,
  },
  "drives.create": {
    name: "drives.create",
    method: "POST",
    path: "/drives",
    query: [],
    numbers: [],
    fields: ["drive"],
    readOnly: false,
    idempotencyKey: true,
  },
  "drives.rename": {
    name: "drives.rename",
    method: "PATCH",
    path: "/drives/{driveId}",
    query: [],
    numbers: [],
    fields: [],
    readOnly: false,
    idempotencyKey: false,
  },
  "drives.createItem": {
    name: "drives.createItem",
    method: "POST",
    path: "/drives/{driveId}/items",
    query: [],
    numbers: [],
    fields: ["item"],
    readOnly: false,
    idempotencyKey: true,
  },
  "drives.upsertMember": {
    name: "drives.upsertMember",
    method: "PUT",
    path: "/drives/{driveId}/members/{userId}",
    query: [],
    numbers: [],
    fields: [],
    readOnly: false,
    idempotencyKey: false,
  },
  "drives.removeMember": {
    name: "drives.removeMember",
    method: "DELETE",
    path: "/drives/{driveId}/members/{userId}",
    query: [],
    numbers: [],
    fields: [],
    readOnly: false,
    idempotencyKey: false,
  },
  "documents.edit": {
    name: "documents.edit",
    method: "PATCH",
    path: "/documents/{documentId}",
    query: [],
    numbers: [],
    fields: ["revision", "markdown", "changes", "kept", "conflicts", "lost"],
    readOnly: false,
    idempotencyKey: true,
  },
  "driveItems.search": {
    name: "driveItems.search",
    method: "GET",
    path: "/search",
    query: ["text", "driveId", "folderId", "types", "userId", "agent", "changedSince", "changedUntil", "createdSince", "createdUntil", "order", "first", "cursor"],
    numbers: [],
    fields: ["results", "nextCursor"],
    readOnly: true,
    idempotencyKey: false,
  },
  "driveItems.duplicate": {
    name: "driveItems.duplicate",
    method: "POST",
    path: "/drive-items/{itemId}/duplicate",
    query: [],
    numbers: [],
    fields: ["item"],
    readOnly: false,
    idempotencyKey: true,
  },
  "driveItems.trash": {
    name: "driveItems.trash",
    method: "POST",
    path: "/drive-items/{itemId}/trash",
    query: [],
    numbers: [],
    fields: ["item"],
    readOnly: false,
    idempotencyKey: true,
  },
  "driveItems.restore": {
    name: "driveItems.restore",
    method: "POST",
    path: "/drive-items/{itemId}/restore",
    query: [],
    numbers: [],
    fields: ["item"],
    readOnly: false,
    idempotencyKey: true,
  },
  "driveItems.explainAccess": {
    name: "driveItems.explainAccess",
    method: "GET",
    path: "/drive-items/{itemId}/access/{email}",
    query: [],
    numbers: [],
    fields: ["email", "permission", "capabilities", "because"],
    readOnly: true,
    idempotencyKey: false,
  },
  "documents.changes": {
    name: "documents.changes",
    method: "GET",
    path: "/documents/{documentId}/changes",
    query: ["sinceRevision", "sinceVersion", "sinceTime", "userId", "agent", "untilRevision", "untilVersion", "untilTime", "newestFirst", "first", "cursor"],
    numbers: [],
    fields: ["changes", "nextCursor"],
    readOnly: true,
    idempotencyKey: false,
  },
  "documents.undoChanges": {
    name: "documents.undoChanges",
    method: "POST",
    path: "/documents/{documentId}/undo-changes",
    query: [],
    numbers: [],
    fields: ["revision", "changes", "changesTotal", "skipped"],
    readOnly: false,
    idempotencyKey: true,
  },
  "documents.attributions": {
    name: "documents.attributions",
    method: "GET",
    path: "/documents/{documentId}/attributions",
    query: ["first", "cursor"],
    numbers: [],
    fields: ["revision", "attributions", "nextCursor"],
    readOnly: true,
    idempotencyKey: false,
  },
  "documents.versions": {
    name: "documents.versions",
    method: "GET",
    path: "/documents/{documentId}/versions",
    query: ["userId", "agent", "first", "cursor"],
    numbers: [],
    fields: ["versions", "nextCursor"],
    readOnly: true,
    idempotencyKey: false,
  },
  "documents.readVersion": {
    name: "documents.readVersion",
    method: "GET",
    path: "/documents/{documentId}/versions/{number}",
    query: [],
    numbers: ["number"],
    fields: ["number", "name", "createdAt", "authors", "byteSize", "restoredFrom", "markdown", "prosemirrorDoc"],
    readOnly: true,
    idempotencyKey: false,
  },
  "documents.restoreVersion": {
    name: "documents.restoreVersion",
    method: "POST",
    path: "/documents/{documentId}/versions/{number}/restore",
    query: [],
    numbers: ["number"],
    fields: ["item", "markdown", "prosemirrorDoc", "authors"],
    readOnly: false,
    idempotencyKey: true,
  },
  "drives.get": {
    name: "drives.get",
    method: "GET",
    path: "/drives/{driveId}",
    query: [],
    numbers: [],
    fields: ["drive"],
    readOnly: true,
    idempotencyKey: false,
  },
  "drives.events": {
    name: "drives.events",
    method: "GET",
    path: "/drives/{driveId}/events",
    query: ["userId", "agent", "itemId", "types", "since", "first", "cursor"],
    numbers: [],
    fields: ["events", "nextCursor"],
    readOnly: true,
    idempotencyKey: false,
  },
  "drives.organizationMembers": {
    name: "drives.organizationMembers",
    method: "GET",
    path: "/drives/{driveId}/organization-members",
    query: ["first", "cursor"],
    numbers: [],
    fields: ["members", "nextCursor"],
    readOnly: true,
    idempotencyKey: false,
  },
  "driveItems.previewMove": {
    name: "driveItems.previewMove",
    method: "POST",
    path: "/drive-items/{itemId}/move-preview",
    query: [],
    numbers: [],
    fields: ["gains", "loses", "keeps", "otherGains", "otherLoses", "otherKeeps"],
    readOnly: true,
    idempotencyKey: false,
  },
  "driveItems.previewShare": {
    name: "driveItems.previewShare",
    method: "POST",
    path: "/drive-items/{itemId}/access-preview",
    query: [],
    numbers: [],
    fields: ["gains", "loses", "keeps", "otherGains", "otherLoses", "otherKeeps"],
    readOnly: true,
    idempotencyKey: false,
  },
  "viewer.get": {
    name: "viewer.get",
    method: "GET",
    path: "/viewer",
    query: [],
    numbers: [],
    fields: ["id", "name", "email", "agent", "organization", "limits"],
    readOnly: true,
    idempotencyKey: false,
  },
  "driveItems.trashed": {
    name: "driveItems.trashed",
    method: "GET",
    path: "/drive-items/trashed",
    query: ["driveId", "first", "cursor"],
    numbers: [],
    fields: ["items", "nextCursor"],
    readOnly: true,
    idempotencyKey: false,
  },
  "documents.outline": {
    name: "documents.outline",
    method: "GET",
    path: "/documents/{documentId}/outline",
    query: [],
    numbers: [],
    fields: ["revision", "size", "blocks", "headings"],
    readOnly: true,
    idempotencyKey: false,
  },
  "documents.readPart": {
    name: "documents.readPart",
    method: "GET",
    path: "/documents/{documentId}/part",
    query: ["section", "fromBlock", "toBlock", "characters"],
    numbers: [],
    fields: ["revision", "markdown", "fromBlock", "toBlock", "nextBlock", "blocks"],
    readOnly: true,
    idempotencyKey: false,
  },
  "viewer.events": {
    name: "viewer.events",
    method: "GET",
    path: "/viewer/events",
    query: ["userId", "agent", "itemId", "types", "since", "first", "cursor"],
    numbers: [],
    fields: ["events", "nextCursor"],
    readOnly: true,
    idempotencyKey: false,
  },
} as const satisfies Record<string, Operation>;

/** The operations `documents.*`. */
export class Documents {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  /**
   * A document as it is now, with the edits that others are making at this moment.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `TOO_MANY_REQUESTS`,
   * `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async read(input: types.DocumentsReadInput, options: CallOptions = {}): Promise<types.Document> {
    return (await this.#run(OPERATIONS["documents.read"], input, options)) as types.Document;
  }

  /**
   * Edit a document in Markdown by exactly one of `replace`, `append` and `passages`, and tell what that did. What
   * others wrote stays: a replacement is made to the revision `base` and merged with what came since.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
   * `NOT_A_DOCUMENT`, `PASSAGE_AMBIGUOUS`, `PASSAGE_NOT_FOUND`, `REVISION_CHANGED`, `REVISION_GONE`, `STORAGE_FULL`,
   * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
   * `SERVICE_UNAVAILABLE`.
   */
  async edit(input: types.DocumentsEditInput, options: CallOptions = {}): Promise<types.AppliedEdit> {
    return (await this.#run(OPERATIONS["documents.edit"], input, options)) as types.AppliedEdit;
  }

  /**
   * Who changed what in a document, the oldest edit first, and what one edit changed in the order of the document;
   * for those who may edit it. Without a `since…`, from the beginning; without an `until…`, to the present.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `REVISION_GONE`,
   * `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async changes(input: types.DocumentsChangesInput, options: CallOptions = {}): Promise<types.ChangeConnection> {
    return (await this.#run(OPERATIONS["documents.changes"], input, options)) as types.ChangeConnection;
  }

  /**
   * Take changes of a document back, and nothing else: those with the `ids`, your own `last` edit, or all that one
   * user, or one agent of theirs, did since a revision or a time. It is an edit of yours, which can be taken back
   * itself; what others wrote stays. With `dryRun` nothing is changed.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
   * `NOT_A_DOCUMENT`, `REVISION_CHANGED`, `REVISION_GONE`, `STORAGE_FULL`, `PAYLOAD_TOO_LARGE`,
   * `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async undoChanges(input: types.DocumentsUndoChangesInput, options: CallOptions = {}): Promise<types.UndoneChanges> {
    return (await this.#run(OPERATIONS["documents.undoChanges"], input, options)) as types.UndoneChanges;
  }

  /**
   * Who wrote which stretch of a document's text, as it is now, in parts.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `REVISION_GONE`, `TOO_MANY_REQUESTS`,
   * `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async attributions(input: types.DocumentsAttributionsInput, options: CallOptions = {}): Promise<types.Attributions> {
    return (await this.#run(OPERATIONS["documents.attributions"], input, options)) as types.Attributions;
  }

  /**
   * The versions of a document, the newest first; for those who may edit it.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `TOO_MANY_REQUESTS`,
   * `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async versions(input: types.DocumentsVersionsInput, options: CallOptions = {}): Promise<types.VersionConnection> {
    return (await this.#run(OPERATIONS["documents.versions"], input, options)) as types.VersionConnection;
  }

  /**
   * A version of a document; for those who may edit the document.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `TOO_MANY_REQUESTS`,
   * `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async readVersion(input: types.DocumentsReadVersionInput, options: CallOptions = {}): Promise<types.VersionInDocumentsReadVersion> {
    return (await this.#run(OPERATIONS["documents.readVersion"], input, options)) as types.VersionInDocumentsReadVersion;
  }

  /**
   * Bring back what a version held, as an edit of yours that everybody who has the document open sees. Nothing is
   * rewound: what others write meanwhile is merged, and what was there before is a version, too.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `NOT_A_DOCUMENT`,
   * `STORAGE_FULL`, `PAYLOAD_TOO_LARGE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async restoreVersion(input: types.DocumentsRestoreVersionInput, options: CallOptions = {}): Promise<types.Document> {
    return (await this.#run(OPERATIONS["documents.restoreVersion"], input, options)) as types.Document;
  }

  /**
   * The headings of a document, by which parts of it are read.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `TOO_MANY_REQUESTS`,
   * `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async outline(input: types.DocumentsOutlineInput, options: CallOptions = {}): Promise<types.DocumentOutline> {
    return (await this.#run(OPERATIONS["documents.outline"], input, options)) as types.DocumentOutline;
  }

  /**
   * A part of a document: a section, or a run of blocks.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `PASSAGE_NOT_FOUND`, `TOO_MANY_REQUESTS`,
   * `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async readPart(input: types.DocumentsReadPartInput, options: CallOptions = {}): Promise<types.DocumentPart> {
    return (await this.#run(OPERATIONS["documents.readPart"], input, options)) as types.DocumentPart;
  }
}

/** The operations `driveItems.*`. */
export class DriveItems {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  /**
   * An item that you see, with all that a page about it shows.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
   * `SERVICE_UNAVAILABLE`.
   */
  async get(input: types.DriveItemsGetInput, options: CallOptions = {}): Promise<types.DriveItemOverview> {
    return (await this.#run(OPERATIONS["driveItems.get"], input, options)) as types.DriveItemOverview;
  }

  /**
   * All that was shared with you directly, newest first.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async sharedWithMe(input: types.NoInput = {}, options: CallOptions = {}): Promise<types.DriveItemsSharedWithMeAnswer> {
    return (await this.#run(OPERATIONS["driveItems.sharedWithMe"], input, options)) as types.DriveItemsSharedWithMeAnswer;
  }

  /**
   * People who have no access to the item yet, at most 50: of the drive's organization, or on a personal drive of
   * your active one.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
   * `SERVICE_UNAVAILABLE`.
   */
  async shareSuggestions(input: types.DriveItemsShareSuggestionsInput, options: CallOptions = {}): Promise<types.DriveItemsShareSuggestionsAnswer> {
    return (await this.#run(OPERATIONS["driveItems.shareSuggestions"], input, options)) as types.DriveItemsShareSuggestionsAnswer;
  }

  /**
   * Give an item another name.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`,
   * `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async rename(input: types.DriveItemsRenameInput, options: CallOptions = {}): Promise<undefined> {
    return (await this.#run(OPERATIONS["driveItems.rename"], input, options)) as undefined;
  }

  /**
   * Move an item, with all below it, into a folder or to the root of a drive.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `CROSS_ORGANIZATION_MOVE`,
   * `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`, `MOVE_CYCLE`, `NOT_A_FOLDER`, `PARENT_NOT_IN_DRIVE`, `STORAGE_FULL`,
   * `TREE_TOO_DEEP`, `UNPUBLISH_FIRST`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`,
   * `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async move(input: types.DriveItemsMoveInput, options: CallOptions = {}): Promise<undefined> {
    return (await this.#run(OPERATIONS["driveItems.move"], input, options)) as undefined;
  }

  /**
   * Make an item in a folder.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
   * `NOT_A_FOLDER`, `STORAGE_FULL`, `TREE_TOO_DEEP`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`,
   * `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async createChild(input: types.DriveItemsCreateChildInput, options: CallOptions = {}): Promise<types.DriveItemsCreateChildAnswer> {
    return (await this.#run(OPERATIONS["driveItems.createChild"], input, options)) as types.DriveItemsCreateChildAnswer;
  }

  /**
   * Share an item with an e-mail address.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
   * `SELF_SHARE`, `SHARE_EXISTS`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`,
   * `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async share(input: types.DriveItemsShareInput, options: CallOptions = {}): Promise<undefined> {
    return (await this.#run(OPERATIONS["driveItems.share"], input, options)) as undefined;
  }

  /**
   * Change what a share allows.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`,
   * `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async updateShare(input: types.DriveItemsUpdateShareInput, options: CallOptions = {}): Promise<undefined> {
    return (await this.#run(OPERATIONS["driveItems.updateShare"], input, options)) as undefined;
  }

  /**
   * End a share; your own, or any where you may share the item.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
   * `SERVICE_UNAVAILABLE`.
   */
  async removeShare(input: types.DriveItemsRemoveShareInput, options: CallOptions = {}): Promise<undefined> {
    return (await this.#run(OPERATIONS["driveItems.removeShare"], input, options)) as undefined;
  }

  /**
   * Give a document a public page, or take it away.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `NOT_A_DOCUMENT`, `PAYLOAD_TOO_LARGE`,
   * `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async setPublication(input: types.DriveItemsSetPublicationInput, options: CallOptions = {}): Promise<undefined> {
    return (await this.#run(OPERATIONS["driveItems.setPublication"], input, options)) as undefined;
  }

  /**
   * Items that you see with every one of these words in the name or the content, the best first. Where there is none:
   * those with words that differ by one typing error, of words of five letters or more.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `LIMIT_EXCEEDED`, `TOO_MANY_REQUESTS`,
   * `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async search(input: types.DriveItemsSearchInput, options: CallOptions = {}): Promise<types.SearchConnection> {
    return (await this.#run(OPERATIONS["driveItems.search"], input, options)) as types.SearchConnection;
  }

  /**
   * Copy an item, with all below it that is not in the trash, as of one moment: into a folder, to the root of a
   * drive, or else beside it. Who wrote the text stays; shares, public pages and history are not copied. Links inside
   * what is copied lead to the copies.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
   * `NOT_A_FOLDER`, `PARENT_NOT_IN_DRIVE`, `STORAGE_FULL`, `TREE_TOO_DEEP`, `PAYLOAD_TOO_LARGE`,
   * `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async duplicate(input: types.DriveItemsDuplicateInput, options: CallOptions = {}): Promise<types.DriveItemsDuplicateAnswer> {
    return (await this.#run(OPERATIONS["driveItems.duplicate"], input, options)) as types.DriveItemsDuplicateAnswer;
  }

  /**
   * Put an item, with all below it, in the trash for 30 days.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `TOO_MANY_REQUESTS`,
   * `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async trash(input: types.DriveItemsTrashInput, options: CallOptions = {}): Promise<types.DriveItemsTrashAnswer> {
    return (await this.#run(OPERATIONS["driveItems.trash"], input, options)) as types.DriveItemsTrashAnswer;
  }

  /**
   * Bring an item back from the trash: to its folder, else to the nearest one above that is not in the trash, else to
   * the root; `parentId` says where. There must be room for it, since what is in the trash takes none.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
   * `TREE_TOO_DEEP`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async restore(input: types.DriveItemsRestoreInput, options: CallOptions = {}): Promise<types.DriveItemsRestoreAnswer> {
    return (await this.#run(OPERATIONS["driveItems.restore"], input, options)) as types.DriveItemsRestoreAnswer;
  }

  /**
   * What somebody may do to an item, and because of which roles and shares.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
   * `SERVICE_UNAVAILABLE`.
   */
  async explainAccess(input: types.DriveItemsExplainAccessInput, options: CallOptions = {}): Promise<types.AccessExplanation> {
    return (await this.#run(OPERATIONS["driveItems.explainAccess"], input, options)) as types.AccessExplanation;
  }

  /**
   * Who would gain, lose and keep access if an item were moved; needs what the move needs, and is refused as it would
   * be.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `CROSS_ORGANIZATION_MOVE`, `LIMIT_EXCEEDED`,
   * `MOVE_CYCLE`, `NOT_A_FOLDER`, `PARENT_NOT_IN_DRIVE`, `STORAGE_FULL`, `TREE_TOO_DEEP`, `UNPUBLISH_FIRST`,
   * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
   * `SERVICE_UNAVAILABLE`.
   */
  async previewMove(input: types.DriveItemsPreviewMoveInput, options: CallOptions = {}): Promise<types.AccessPreview> {
    return (await this.#run(OPERATIONS["driveItems.previewMove"], input, options)) as types.AccessPreview;
  }

  /**
   * Who would gain and keep access if an item were shared with an address; needs what sharing needs, and is refused
   * as it would be. An address that nobody has answers as any without access.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `LIMIT_EXCEEDED`, `SELF_SHARE`, `SHARE_EXISTS`,
   * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
   * `SERVICE_UNAVAILABLE`.
   */
  async previewShare(input: types.DriveItemsPreviewShareInput, options: CallOptions = {}): Promise<types.AccessPreview> {
    return (await this.#run(OPERATIONS["driveItems.previewShare"], input, options)) as types.AccessPreview;
  }

  /**
   * What you see in the trash, the last trashed first.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
   * `SERVICE_UNAVAILABLE`.
   */
  async trashed(input: types.DriveItemsTrashedInput = {}, options: CallOptions = {}): Promise<types.DriveItemConnection> {
    return (await this.#run(OPERATIONS["driveItems.trashed"], input, options)) as types.DriveItemConnection;
  }
}

/** The operations `drives.*`. */
export class Drives {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  /**
   * Every drive of yours with its members and all its items, in parts.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
   * `SERVICE_UNAVAILABLE`.
   */
  async list(input: types.DrivesListInput = {}, options: CallOptions = {}): Promise<types.DriveListing> {
    return (await this.#run(OPERATIONS["drives.list"], input, options)) as types.DriveListing;
  }

  /**
   * Make a shared drive in your active organization.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `IDEMPOTENCY_KEY_REUSED`, `NO_ACTIVE_ORGANIZATION`, `PAYLOAD_TOO_LARGE`,
   * `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async create(input: types.DrivesCreateInput, options: CallOptions = {}): Promise<types.DrivesCreateAnswer> {
    return (await this.#run(OPERATIONS["drives.create"], input, options)) as types.DrivesCreateAnswer;
  }

  /**
   * Give a drive another name.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`,
   * `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async rename(input: types.DrivesRenameInput, options: CallOptions = {}): Promise<undefined> {
    return (await this.#run(OPERATIONS["drives.rename"], input, options)) as undefined;
  }

  /**
   * Make an item at the root of a drive.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `LIMIT_EXCEEDED`,
   * `STORAGE_FULL`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
   * `SERVICE_UNAVAILABLE`.
   */
  async createItem(input: types.DrivesCreateItemInput, options: CallOptions = {}): Promise<types.DrivesCreateItemAnswer> {
    return (await this.#run(OPERATIONS["drives.createItem"], input, options)) as types.DrivesCreateItemAnswer;
  }

  /**
   * Add somebody of the organization to a drive, or change a role.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `LAST_OWNER`, `LIMIT_EXCEEDED`,
   * `NOT_A_SHARED_DRIVE`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `TOO_MANY_REQUESTS`,
   * `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async upsertMember(input: types.DrivesUpsertMemberInput, options: CallOptions = {}): Promise<undefined> {
    return (await this.#run(OPERATIONS["drives.upsertMember"], input, options)) as undefined;
  }

  /**
   * Remove a member from a drive, or leave it yourself.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`, `LAST_OWNER`, `NOT_A_SHARED_DRIVE`,
   * `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async removeMember(input: types.DrivesRemoveMemberInput, options: CallOptions = {}): Promise<undefined> {
    return (await this.#run(OPERATIONS["drives.removeMember"], input, options)) as undefined;
  }

  /**
   * A drive that you are a member of.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
   * `SERVICE_UNAVAILABLE`.
   */
  async get(input: types.DrivesGetInput, options: CallOptions = {}): Promise<types.DrivesGetAnswer> {
    return (await this.#run(OPERATIONS["drives.get"], input, options)) as types.DrivesGetAnswer;
  }

  /**
   * The record of all that happened in a drive, the newest first; for its members. Of what is filtered, a part may
   * hold fewer than asked for, though there is more.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
   * `SERVICE_UNAVAILABLE`.
   */
  async events(input: types.DrivesEventsInput, options: CallOptions = {}): Promise<types.DriveEventConnection> {
    return (await this.#run(OPERATIONS["drives.events"], input, options)) as types.DriveEventConnection;
  }

  /**
   * The members of the organization that a drive belongs to, by when they joined; for members of the drive.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
   * `SERVICE_UNAVAILABLE`.
   */
  async organizationMembers(input: types.DrivesOrganizationMembersInput, options: CallOptions = {}): Promise<types.OrganizationMemberConnection> {
    return (await this.#run(OPERATIONS["drives.organizationMembers"], input, options)) as types.OrganizationMemberConnection;
  }
}

/** The operations `viewer.*`. */
export class Viewer {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  /**
   * You, as this request's credential says.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`, `SERVICE_UNAVAILABLE`.
   */
  async get(input: types.NoInput = {}, options: CallOptions = {}): Promise<types.Viewer> {
    return (await this.#run(OPERATIONS["viewer.get"], input, options)) as types.Viewer;
  }

  /**
   * What happened to everything that you see, in all drives and shares, the newest first: of a drive of yours all of
   * its record, of a share what happened since it was given. A part may hold fewer than asked for, though there is
   * more.
   *
   * Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `NOT_FOUND`, `TOO_MANY_REQUESTS`, `INTERNAL_SERVER_ERROR`,
   * `SERVICE_UNAVAILABLE`.
   */
  async events(input: types.ViewerEventsInput = {}, options: CallOptions = {}): Promise<types.DriveEventConnection> {
    return (await this.#run(OPERATIONS["viewer.events"], input, options)) as types.DriveEventConnection;
  }
}
