/**
 * The objects of the service in their JSON form: the wire's own names, times as ISO 8601 strings.
 *
 * Written by `just generate` from contract.json: change the contract, not this file.
 */

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The values of an error's `code`; a later server may send more. */
export type ErrorCode =
  /** 400: The request is malformed: a field is missing, unknown, of the wrong type or out of its limits. The message names the field. */
  | "BAD_REQUEST"
  /** 401: There is no valid API key in `x-api-key`. */
  | "UNAUTHORIZED"
  /** 403: You can see this, but may not do it. The message says what. */
  | "FORBIDDEN"
  /** 404: There is nothing here that you can see. Hidden and missing ids answer alike. */
  | "NOT_FOUND"
  /** 405: The address does not support the method; `Allow` lists those it supports. */
  | "METHOD_NOT_SUPPORTED"
  /** 409: Items do not move between the drives of two organizations. */
  | "CROSS_ORGANIZATION_MOVE"
  /** 409: A drive can be deleted only when it and its trash are empty. Restore what is still needed, and delete the rest for ever. */
  | "DRIVE_NOT_EMPTY"
  /** 409: The `Idempotency-Key` belongs to another request of the last 24 hours. */
  | "IDEMPOTENCY_KEY_REUSED"
  /** 409: An organization must keep an admin. */
  | "LAST_ADMIN"
  /** 409: A shared drive must keep an owner. */
  | "LAST_OWNER"
  /** 409: A limit is reached. The message says which. */
  | "LIMIT_EXCEEDED"
  /** 409: A folder cannot be moved into itself or below itself. */
  | "MOVE_CYCLE"
  /** 409: The key does not act in an organization, or you no longer belong to it. */
  | "NO_ACTIVE_ORGANIZATION"
  /** 409: The operation needs a document, and the item is a folder. */
  | "NOT_A_DOCUMENT"
  /** 409: The parent must be a folder, and is a document. */
  | "NOT_A_FOLDER"
  /** 409: A personal drive has no members to change. */
  | "NOT_A_SHARED_DRIVE"
  /** 409: Only items in the trash can be deleted for ever. An item outside the trash need not be restored: restoring it returns it unchanged. */
  | "NOT_IN_TRASH"
  /** 409: The parent is in another drive than the one named. */
  | "PARENT_NOT_IN_DRIVE"
  /** 409: The document has the passage more than once: send more of the text around it. Or it overlaps another passage of the edit there: send one in place of both. The message gives its index. */
  | "PASSAGE_AMBIGUOUS"
  /** 409: The document does not have the passage: read it again. The message gives the passage's index. */
  | "PASSAGE_NOT_FOUND"
  /** 409: Others changed what the edit changes: send `dryRun` with `onConflict: merge` to see the conflicts, or read the document again. */
  | "REVISION_CHANGED"
  /** 409: The document can no longer be made as it was at that revision, or it was never there. Read it again. */
  | "REVISION_GONE"
  /** 409: You cannot share with your own address. */
  | "SELF_SHARE"
  /** 409: The address has a share with another permission: update that share instead. */
  | "SHARE_EXISTS"
  /** 409: The drive may store no more bytes. Deleting what is in its trash for ever gives space back, within some seconds; an edit that only deletes is still taken. */
  | "STORAGE_FULL"
  /** 409: Folders nest at most 100 deep. */
  | "TREE_TOO_DEEP"
  /** 409: A published item moves only to a drive where you may publish. */
  | "UNPUBLISH_FIRST"
  /** 413: The body is larger than the service accepts. */
  | "PAYLOAD_TOO_LARGE"
  /** 415: The operation does not accept the type of the body. */
  | "UNSUPPORTED_MEDIA_TYPE"
  /** 429: You sent too many requests: wait as long as `Retry-After` says. */
  | "TOO_MANY_REQUESTS"
  /** 500: The server failed. Its log has the cause under the answer's `X-Request-Id`. */
  | "INTERNAL_SERVER_ERROR"
  /** 503: The service or its database is temporarily unavailable: send the same request again after `Retry-After` seconds. If one document alone stays unavailable, it is quarantined: ask the operator. */
  | "SERVICE_UNAVAILABLE";

/** Whom a change is credited to: a user and, where software made it, the agent. */
export interface Credit {
  /** The user's id. */
  userId: string;
  /** The user's name. */
  name: string;
  /** The agent that acted for the user, if any. */
  agent: string | null;
}

/** A folder or a document, as you meet it. */
export interface DriveItem {
  /** The item's id, which never changes. */
  id: string;
  /** The drive it is in. */
  driveId: string;
  /** Its folder; null at the root, or where you may not see the folder. */
  parentId: string | null;
  /** What it is. */
  driveItemType: "folder" | "docs_workbook" | "viz_workbook";
  /** Its name; siblings may share one. */
  name: string;
  /** When it was made. */
  createdAt: string;
  /** When it was last renamed, moved or edited. */
  updatedAt: string;
  /** Who made it. */
  createdBy: Credit;
  /** Who changed it last. */
  updatedBy: Credit;
  /** Whether it has a public page. */
  published: boolean;
  /** The address of its public page, if it has one. */
  publicUrl: string | null;
  /** Your role in its drive; null where it was shared with you. */
  role: "owner" | "manager" | "contributor" | null;
  /** Whether you may change its content. */
  permission: "read_write" | "read_only";
  /** Everything you may do to it. */
  capabilities: Array<"read" | "edit" | "createChild" | "move" | "moveOut" | "share" | "publish" | "trash" | "versions" | "deleteForever">;
  /** When it was put in the trash, if it is there. */
  trashedAt: string | null;
  /** The number of its document's last edit, 0 where nothing was written; null for a folder. */
  revision: number | null;
  /** Its address in the web application. */
  url: string;
}

/** Somebody who edited a document lately. */
export interface Author {
  /** The user's id. */
  userId: string;
  /** The user's name. */
  name: string;
  /** The agent that edited for the user, if any. */
  agent: string | null;
  /** When they last edited it. */
  editedAt: string;
}

/** A document as it is now: both projections come from one snapshot. */
export interface Document {
  /** The item that the document is. */
  item: DriveItem;
  /** The document as CommonMark with GFM tables, strikethrough and tasks. */
  markdown: string;
  /** The document as a ProseMirror tree. */
  prosemirrorDoc: Json;
  /** Who edited it last, the newest first, at most ten. */
  authors: Array<Author>;
}

/** A place that items live in, as you meet it. */
export interface Drive {
  /** The drive's id, which never changes. */
  id: string;
  /** Its name; empty where you see only single items of it. */
  name: string;
  /** Whether it is one person's or shared. */
  kind: "personal" | "shared";
  /** The organization it belongs to; null for a personal drive. */
  organizationId: string | null;
  /** Your role in it; null where you are no member. */
  role: "owner" | "manager" | "contributor" | null;
  /** Everything you may do to it. */
  capabilities: Array<"createItem" | "rename" | "manageMembers" | "manageOwners" | "delete">;
  /** When it was made. */
  createdAt: string;
  /** When it was last renamed. */
  updatedAt: string;
}

/** A direct grant on an item, by e-mail address. */
export interface Share {
  /** The address it was granted to, in its stored form. */
  email: string;
  /** What it allows. */
  permission: "read_write" | "read_only";
  /** Who that is, where they are in the drive's organization. */
  userId: string | null;
  /** Their name, where they are in the drive's organization. */
  name: string | null;
  /** When it was granted. */
  createdAt: string;
}

/** An item with all that a page about it shows, from one moment. */
export interface DriveItemOverview {
  /** The item. */
  item: DriveItem;
  /** Its drive; no more than that it is there, if you are no member. */
  drive: Drive;
  /** What lies in it, by name and id. */
  children: Array<DriveItem>;
  /** The folders above it that you see, the root first. */
  ancestors: Array<DriveItem>;
  /** Its direct shares. */
  shares: Array<Share>;
}

/** The answer of `driveItems.sharedWithMe`. */
export interface DriveItemsSharedWithMeAnswer {
  items: Array<DriveItem>;
}

/** Somebody an item could be shared with. */
export interface ShareSuggestion {
  /** The user's id. */
  userId: string;
  /** The address to share with. */
  email: string;
  /** Their name. */
  name: string;
}

/** The answer of `driveItems.shareSuggestions`. */
export interface DriveItemsShareSuggestionsAnswer {
  suggestions: Array<ShareSuggestion>;
}

/** The answer of `driveItems.createChild`. */
export interface DriveItemsCreateChildAnswer {
  item: DriveItem;
}

/** A member of a drive. */
export interface DriveMember {
  /** The user's id. */
  userId: string;
  /** Their role. */
  role: "owner" | "manager" | "contributor";
  /** Their name. */
  name: string;
  /** Their e-mail address. */
  email: string;
  /** When they became a member. */
  addedAt: string;
}

/** A drive with its members and a run of its items, flat. */
export interface ListedDrive {
  /** The drive's id, which never changes. */
  id: string;
  /** Its name; empty where you see only single items of it. */
  name: string;
  /** Whether it is one person's or shared. */
  kind: "personal" | "shared";
  /** The organization it belongs to; null for a personal drive. */
  organizationId: string | null;
  /** Your role in it; null where you are no member. */
  role: "owner" | "manager" | "contributor" | null;
  /** Everything you may do to it. */
  capabilities: Array<"createItem" | "rename" | "manageMembers" | "manageOwners" | "delete">;
  /** When it was made. */
  createdAt: string;
  /** When it was last renamed. */
  updatedAt: string;
  /** Its live items by depth, name and id. */
  items: Array<DriveItem>;
  /** Its members, by when they were added. */
  members: Array<DriveMember>;
}

/** Every drive of yours with all that lives in it, in as many parts as it takes. */
export interface DriveListing {
  /** The drives; later parts repeat those that go on. */
  drives: Array<ListedDrive>;
  /** What to pass as `cursor` for the next part; null at the end. */
  nextCursor: string | null;
}

/** The answer of `drives.create`. */
export interface DrivesCreateAnswer {
  drive: Drive;
}

/** The answer of `drives.createItem`. */
export interface DrivesCreateItemAnswer {
  item: DriveItem;
}

/** What an edit did to one block that lies directly in the document. */
export interface EditChange {
  /** What was done. */
  kind: "inserted" | "deleted" | "replaced" | "moved" | "formatted";
  /** The indexes that lead to the block in the document after the edit; null where it is gone. */
  path: Array<number> | null;
  /** The text that came. */
  inserted: string;
  /** The text that went. */
  deleted: string;
}

/** A block that the edit left alone in part, since others changed it meanwhile. */
export interface KeptBlock {
  /** The indexes that lead to the block in the document after the edit. */
  path: Array<number>;
  /** What was not done to it. */
  notDone: "deleted" | "retyped" | "moved";
}

/** A change that the edit did not make, since it conflicts with what others changed since its base. */
export interface EditConflict {
  /** The indexes that lead to the block in the document after the edit; null where it is gone. */
  path: Array<number> | null;
  /** Why it conflicts. */
  class: "deleted_by_others" | "place_gone" | "others_inside" | "same_place" | "attribute_changed" | "format_overlaps";
  /** What stands in the place now: text, or Markdown where it is about marks or blocks. */
  theirs: string;
  /** What the edit would have made of the place, as it was at its base. */
  yours: string;
}

/** Something that Markdown cannot say or documents have no place for, and that an edit left out. */
export interface LostMarkup {
  /** The indexes that lead to the block in the document after the edit; empty for what the given Markdown says. */
  path: Array<number>;
  /** What it is. */
  what: "mark" | "attribute" | "node";
  /**
   * Its name in the ProseMirror tree, or in the HTML that was given; of an image of another document that the caller
   * may not read, its path.
   */
  name: string;
}

/** What an edit did to a document, or would do. */
export interface AppliedEdit {
  /** The revision that the edit made; the present one, where it changed nothing or was not made. */
  revision: number;
  /** The document after the edit, as Markdown. */
  markdown: string;
  /** What the edit did, block by block, in the document's order. */
  changes: Array<EditChange>;
  /** The blocks that it did not delete, retype or move as asked, since others changed them meanwhile. */
  kept: Array<KeptBlock>;
  /** What it left undone, since others changed the same since its base: look at both, and edit again. */
  conflicts: Array<EditConflict>;
  /**
   * What was lost with it, though the text that had it is still there, because Markdown cannot say it; and what of
   * the given Markdown was left out, as comments, unknown tags and links around images are. An image of another
   * document is copied into this one; where the caller may not read it, readers of this one see none.
   */
  lost: Array<LostMarkup>;
}

/** A folder above an item. */
export interface PathEntry {
  /** The folder's id. */
  id: string;
  /** Its name. */
  name: string;
}

/** A stretch of an excerpt. It is plain text: whatever shows it, escapes it. */
export interface ExcerptPart {
  /** What is written there. */
  text: string;
  /** Whether it is what was searched for. */
  hit: boolean;
}

/** An item that was found, and where. */
export interface SearchEdge {
  /** The item. */
  item: DriveItem;
  /** The folders above it that you see, the root first. */
  folders: Array<PathEntry>;
  /** Where the words were found. */
  foundIn: Array<"name" | "content">;
  /** The part of the content with most of the words; empty where only the name was found. */
  excerpt: Array<ExcerptPart>;
  /** How well it answers: 4 for each word in the name, 1 for each in the content, 1 more if whole there. */
  rank: number;
}

/** A part of what was found. */
export interface SearchConnection {
  /** The items with where and how well each was found. */
  results: Array<SearchEdge>;
  /** The cursor to go on after; null where the list ends. */
  nextCursor: string | null;
}

/** The answer of `driveItems.duplicate`. */
export interface DriveItemsDuplicateAnswer {
  item: DriveItem;
}

/** The answer of `driveItems.trash`. */
export interface DriveItemsTrashAnswer {
  item: DriveItem;
}

/** The answer of `driveItems.restore`. */
export interface DriveItemsRestoreAnswer {
  item: DriveItem;
}

/** What was granted to an address, on an item or on a folder above it. */
export interface AccessReason {
  /** The role in the drive that gives it, if a role does. */
  role: "owner" | "manager" | "contributor" | null;
  /** The share that gives it, if a share does. */
  permission: "read_write" | "read_only" | null;
  /** The item that was shared. */
  itemId: string | null;
  /** The name of the item that was shared. */
  itemName: string | null;
  /** The user who gave it. */
  givenBy: string | null;
  /** The name of who gave it. */
  givenByName: string | null;
  /** When the share was given. */
  givenAt: string | null;
}

/** What somebody may do to an item, and why. */
export interface AccessExplanation {
  /** Whom this is about. */
  email: string;
  /** Their effective permission; null for no access. */
  permission: "read_write" | "read_only" | null;
  /** Everything they may do to it. */
  capabilities: Array<"read" | "edit" | "createChild" | "move" | "moveOut" | "share" | "publish" | "trash" | "versions" | "deleteForever">;
  /** Every role and share that this follows from. */
  because: Array<AccessReason>;
}

/** Text that went with a block which somebody else deleted without having seen it. */
export interface UnseenText {
  /** The text. */
  text: string;
  /** Who wrote it; null where that is not known. */
  by: Author | null;
  /** Who deleted the block, and when; null where that is not known. */
  deletedBy: Author | null;
}

/** What one author did to one block that lies directly in the document, without a pause of 60 seconds. */
export interface Change {
  /** Its id, by which it can be taken back. */
  id: string;
  /** When its last edit was made. */
  at: string;
  /** Who made it; null where that was not recorded. */
  by: Author | null;
  /** What it did. */
  kind: "inserted" | "deleted" | "replaced" | "moved" | "formatted";
  /**
   * The indexes that lead to the block in the present document, or in that of the `until…`; null where it is gone.
   */
  path: Array<number> | null;
  /** The text that it inserted. */
  inserted: string;
  /** The text that it deleted. */
  deleted: string;
  /**
   * Text that is gone since this change although nobody deleted it: the change wrote it into what somebody else had
   * deleted, or deleted a block in which somebody else had just written it. It is stored; undoing the deletion brings
   * it back.
   */
  unseen: Array<UnseenText>;
}

/** A part of a list. */
export interface ChangeConnection {
  /** The entries alone. */
  changes: Array<Change>;
  /** The cursor to go on after; null where the list ends. */
  nextCursor: string | null;
}

/** Something that was not taken back. */
export interface SkippedChange {
  /** Why. */
  reason: "others_inside" | "content_gone" | "place_gone" | "formatting";
  /** The indexes that led to its block in the document before; null where it was gone. */
  path: Array<number> | null;
}

/** What was taken back of a document, or would be. */
export interface UndoneChanges {
  /** The revision that the undo made; the present one, where it changed nothing or was not made. */
  revision: number;
  /** The changes that are taken back, the oldest first; at most 200 of them are told. */
  changes: Array<Change>;
  /** How many changes are taken back, told or not. */
  changesTotal: number;
  /** What was not taken back. */
  skipped: Array<SkippedChange>;
}

/** A stretch of a document's text, and who wrote it. */
export interface Attribution {
  /** Where its text node is in `prosemirrorDoc`: places in `content`, from the document down. */
  path: Array<number>;
  /** Where it begins in that text, in units of UTF-16. */
  start: number;
  /** Where it ends in that text, in units of UTF-16. */
  end: number;
  /** Who wrote it; `editedAt` is to the minute. */
  by: Author;
  /**
   * Who moved it to where it is, or brought it back by an undo or a restore, the last time; null where it stands
   * where it was written. `editedAt` is to the minute.
   */
  movedBy: Author | null;
}

/** Who wrote which stretch of a document, in the order of the text. */
export interface Attributions {
  /** The revision of the document whose stretches these are. */
  revision: number;
  /** The stretches. */
  attributions: Array<Attribution>;
  /**
   * The cursor to go on after; later parts are of the same revision. It is good for a day at least. Null at the end.
   */
  nextCursor: string | null;
}

/** What a document was when a stretch of work on it ended. */
export interface Version {
  /** Its number in the document: 1, 2, 3 and so on. */
  number: number;
  /** The name that somebody gave it. */
  name: string | null;
  /** When the last edit in it was made. */
  createdAt: string;
  /** Who edited since the version before, the last to edit first. */
  authors: Array<Author>;
  /** How large the document was, as an encoded Yjs state. */
  byteSize: number;
  /** The number of the version that this one brought back. */
  restoredFrom: number | null;
}

/** A part of a list. */
export interface VersionConnection {
  /** The entries alone. */
  versions: Array<Version>;
  /** The cursor to go on after; null where the list ends. */
  nextCursor: string | null;
}

/** What a document was when a stretch of work on it ended. */
export interface VersionInDocumentsReadVersion {
  /** Its number in the document: 1, 2, 3 and so on. */
  number: number;
  /** The name that somebody gave it. */
  name: string | null;
  /** When the last edit in it was made. */
  createdAt: string;
  /** Who edited since the version before, the last to edit first. */
  authors: Array<Author>;
  /** How large the document was, as an encoded Yjs state. */
  byteSize: number;
  /** The number of the version that this one brought back. */
  restoredFrom: number | null;
  /** The document as it was, as CommonMark with GFM tables, strikethrough and tasks. */
  markdown: string;
  /** The document as it was, as a ProseMirror tree. */
  prosemirrorDoc: Json;
}

/** How much a drive stores, in bytes. */
export interface DriveStorage {
  /**
   * What its documents, with their versions and images, take, those in the trash included. It is counted some seconds
   * later.
   */
  used: number;
  /** The most that it may store. What would pass it is refused with STORAGE_FULL. */
  limit: number;
}

/** A place that items live in, as you meet it. */
export interface DriveInDrivesGet {
  /** The drive's id, which never changes. */
  id: string;
  /** Its name; empty where you see only single items of it. */
  name: string;
  /** Whether it is one person's or shared. */
  kind: "personal" | "shared";
  /** The organization it belongs to; null for a personal drive. */
  organizationId: string | null;
  /** Your role in it; null where you are no member. */
  role: "owner" | "manager" | "contributor" | null;
  /** Everything you may do to it. */
  capabilities: Array<"createItem" | "rename" | "manageMembers" | "manageOwners" | "delete">;
  /** When it was made. */
  createdAt: string;
  /** When it was last renamed. */
  updatedAt: string;
  /** Its members, by when they were added; for members. */
  members: Array<DriveMember>;
  /** How much it stores; null where you are no member. */
  storage: DriveStorage | null;
}

/** The answer of `drives.get`. */
export interface DrivesGetAnswer {
  drive: DriveInDrivesGet;
}

/** One change, as it was recorded with it. */
export interface DriveEvent {
  /** Its place in the record; later changes have greater ones. */
  id: string;
  /** What happened. */
  type: "accountCreated" | "documentEdited" | "documentPublished" | "documentUnpublished" | "driveCreated" | "driveDeleted" | "driveRenamed" | "imageUploaded" | "itemCreated" | "itemDeleted" | "itemMoved" | "itemRenamed" | "itemRestored" | "itemShared" | "itemTrashed" | "memberRemoved" | "memberSet" | "shareChanged" | "shareRemoved" | "versionCut" | "versionNamed" | "versionRestored" | "accessChanged" | "reload";
  /** The drive it happened in. */
  driveId: string | null;
  /** The item it happened to. */
  itemId: string | null;
  /** The present name of the item; null where it is no longer in the drive, and of live edits. */
  itemName: string | null;
  /** Who did it. */
  by: Credit;
  /** When it happened. */
  at: string;
  /** What else is known of it, by name. */
  details: Json;
}

/** A part of a list. */
export interface DriveEventConnection {
  /** The entries alone. */
  events: Array<DriveEvent>;
  /** The cursor to go on after; null where the list ends. */
  nextCursor: string | null;
}

/** A member of an organization. */
export interface OrganizationMember {
  /** The user's id. */
  userId: string;
  /** Their role. */
  role: "admin" | "member";
  /** Their name. */
  name: string;
  /** Their e-mail address. */
  email: string;
  /** When they joined. */
  joinedAt: string;
}

/** A part of a list. */
export interface OrganizationMemberConnection {
  /** The entries alone. */
  members: Array<OrganizationMember>;
  /** The cursor to go on after; null where the list ends. */
  nextCursor: string | null;
}

/** What somebody may do to an item at one moment. */
export interface AccessLevel {
  /** Their effective permission; null for no access. */
  permission: "read_write" | "read_only" | null;
  /** Their role in the item's drive, if any. */
  role: "owner" | "manager" | "contributor" | null;
  /** Everything they may do to it. */
  capabilities: Array<"read" | "edit" | "createChild" | "move" | "moveOut" | "share" | "publish" | "trash" | "versions" | "deleteForever">;
}

/** What somebody may do to an item before and after it is moved or shared. */
export interface AccessChange {
  /** Whom this is about. */
  email: string;
  /** Who that is, where they are in the drive or in its organization. */
  userId: string | null;
  /** Their name, where they are in the drive or in its organization. */
  name: string | null;
  /** What they may do now. */
  before: AccessLevel;
  /** What they could do afterwards. */
  after: AccessLevel;
  /** The roles and shares that they gain it by, lose it with, or keep it by. */
  because: Array<AccessReason>;
}

/** Who would gain, lose and keep access: named where you see it, 200 a list at most; others are counted. */
export interface AccessPreview {
  /** Who could do more with it than now, by address. */
  gains: Array<AccessChange>;
  /** Who could do less with it than now, by address. */
  loses: Array<AccessChange>;
  /** Who could do the same with it as now, by address. */
  keeps: Array<AccessChange>;
  /** How many others could do more. */
  otherGains: number;
  /** How many others could do less. */
  otherLoses: number;
  /** How many others could do the same. */
  otherKeeps: number;
}

/** An organization you belong to. */
export interface Organization {
  /** The organization's id. */
  id: string;
  /** Its name. */
  name: string;
  /** Your role in it. */
  role: "admin" | "member";
}

/** What a request, a document and a minute of yours may hold at most. */
export interface Limits {
  /** How many reads a minute all your credentials have together; null where they are not counted. */
  readsPerMinute: number | null;
  /** As `readsPerMinute`, of writes. */
  writesPerMinute: number | null;
  /** The largest body of a request that is no image. */
  requestBytes: number;
  /** The largest document, as an encoded Yjs state. */
  documentBytes: number;
  /** The largest image. */
  imageBytes: number;
  /** The most entries that a list answers at once. */
  pageSize: number;
}

/** You. */
export interface Viewer {
  /** Your id. */
  id: string;
  /** Your name. */
  name: string;
  /** Your e-mail address. */
  email: string;
  /** The agent that this request is credited to, if any. */
  agent: string | null;
  /** The organization that this request acts in. */
  organization: Organization | null;
  /** What your requests may hold at most. */
  limits: Limits;
}

/** A part of a list. */
export interface DriveItemConnection {
  /** The entries alone. */
  items: Array<DriveItem>;
  /** The cursor to go on after; null where the list ends. */
  nextCursor: string | null;
}

/** A heading that lies directly in a document, and its section. */
export interface OutlineHeading {
  /** Its id, which stays while the heading is in the document. It is the Yjs id: client and clock. */
  id: string;
  /** Its level, 1 to 6. */
  level: number;
  /** Its text. */
  text: string;
  /** The index of its first block among the blocks that lie directly in the document, from 0. That is the heading. */
  fromBlock: number;
  /** The index of the first block after its section. */
  toBlock: number;
  /** How many characters of Markdown its section has. */
  size: number;
}

/** The headings of a document. */
export interface DocumentOutline {
  /** The revision of the document whose headings these are. */
  revision: number;
  /** How many characters of Markdown the document has. */
  size: number;
  /** How many blocks lie directly in the document. */
  blocks: number;
  /** The headings that lie directly in the document, in its order. */
  headings: Array<OutlineHeading>;
}

/** A part of a document. */
export interface DocumentPart {
  /** The revision of the document that was read: what an edit of it sends as `base`. */
  revision: number;
  /** The part as CommonMark with GFM tables, strikethrough and tasks, as it stands in the whole. */
  markdown: string;
  /** The index of its first block among the blocks that lie directly in the document, from 0. */
  fromBlock: number;
  /** The index of the first block after it. */
  toBlock: number;
  /** The block to go on from, by `fromBlock`, where `characters` ended the part; null otherwise. */
  nextBlock: number | null;
  /** How many blocks lie directly in the document. */
  blocks: number;
}

/** One passage of a document's Markdown, and what becomes of it. */
export interface PassageInput {
  /** The passage as it is now; it must be there exactly once. */
  old: string;
  /** What stands there afterwards. */
  new: string;
}

/** The input of an operation without fields. */
export type NoInput = Record<string, never>;

/** The input of `documents.read`. */
export interface DocumentsReadInput {
  /** The item's id. */
  documentId: string;
}

/** The input of `driveItems.get`. */
export interface DriveItemsGetInput {
  /** The item's id. */
  itemId: string;
}

/** The input of `driveItems.shareSuggestions`. */
export interface DriveItemsShareSuggestionsInput {
  /** The item's id. */
  itemId: string;
}

/** The input of `driveItems.rename`. */
export interface DriveItemsRenameInput {
  /** The item's id. */
  itemId: string;
  /** The name, 1 to 255 characters. */
  name: string;
}

/** The input of `driveItems.move`. */
export interface DriveItemsMoveInput {
  /** The item's id. */
  itemId: string;
  /** The drive to move it to. */
  driveId: string;
  /** The folder; null for the root. */
  parentId: string | null;
}

/** The input of `driveItems.createChild`. */
export interface DriveItemsCreateChildInput {
  /** The item's id. */
  itemId: string;
  /** The name, 1 to 255 characters. */
  name: string;
  /** What to make. */
  driveItemType: "folder" | "docs_workbook" | "viz_workbook";
}

/** The input of `driveItems.share`. */
export interface DriveItemsShareInput {
  /** The item's id. */
  itemId: string;
  /** The e-mail address. */
  email: string;
  /** What the share allows. */
  permission: "read_write" | "read_only";
}

/** The input of `driveItems.updateShare`. */
export interface DriveItemsUpdateShareInput {
  /** The item's id. */
  itemId: string;
  /** The e-mail address. */
  email: string;
  /** What the share allows. */
  permission: "read_write" | "read_only";
}

/** The input of `driveItems.removeShare`. */
export interface DriveItemsRemoveShareInput {
  /** The item's id. */
  itemId: string;
  /** The e-mail address. */
  email: string;
}

/** The input of `driveItems.setPublication`. */
export interface DriveItemsSetPublicationInput {
  /** The item's id. */
  itemId: string;
  /** Whether it shall have one. */
  published: boolean;
}

/** The input of `drives.list`. */
export interface DrivesListInput {
  /** The `nextCursor` of the part before. */
  cursor?: string;
}

/** The input of `drives.create`. */
export interface DrivesCreateInput {
  /** The name, 1 to 255 characters. */
  name: string;
}

/** The input of `drives.rename`. */
export interface DrivesRenameInput {
  /** The drive's id. */
  driveId: string;
  /** The name, 1 to 255 characters. */
  name: string;
}

/** The input of `drives.createItem`. */
export interface DrivesCreateItemInput {
  /** The drive's id. */
  driveId: string;
  /** The name, 1 to 255 characters. */
  name: string;
  /** What to make. */
  driveItemType: "folder" | "docs_workbook" | "viz_workbook";
}

/** The input of `drives.upsertMember`. */
export interface DrivesUpsertMemberInput {
  /** The drive's id. */
  driveId: string;
  /** The user's id. */
  userId: string;
  /** The role to give. */
  role: "owner" | "manager" | "contributor";
}

/** The input of `drives.removeMember`. */
export interface DrivesRemoveMemberInput {
  /** The drive's id. */
  driveId: string;
  /** The user's id. */
  userId: string;
}

/** The input of `documents.edit`. */
export interface DocumentsEditInput {
  /** The document's id. */
  documentId: string;
  /**
   * All of the Markdown becomes this, compared with the revision `base`. Blocks and words that stay are not touched.
   */
  replace?: string | null;
  /** This comes after what there is; a list at the end may go on. */
  append?: string | null;
  /** At most 500 passages become others, all of them or none. */
  passages?: Array<PassageInput> | null;
  /**
   * What `replace` becomes: the section of this heading, as `documentPart` reads it, the heading included.
   * PASSAGE_NOT_FOUND where the heading is gone by now.
   */
  section?: string | null;
  /**
   * The revision that you read, which a replacement is made to and merged from with what others wrote since; 0 of a
   * new document. An edit by `append` or `passages` is made to the present document; a `base` that never was is
   * refused there, too.
   */
  base?: number | null;
  /**
   * What a replacement does where it conflicts with what others changed since `base`: leave the conflicts undone, or
   * change nothing at all.
   */
  onConflict?: "merge" | "refuse";
  /** Tell what the edit would do, and change nothing. */
  dryRun?: boolean;
}

/** The input of `driveItems.search`. */
export interface DriveItemsSearchInput {
  /** Words, each of which may be only begun. */
  text: string;
  /** Only what is in this drive. */
  driveId?: string;
  /** Only what is in this folder, or in folders in it; nothing if you do not see it. */
  folderId?: string;
  /** Only items of these types. */
  types?: Array<"folder" | "docs_workbook" | "viz_workbook">;
  /** Only what this user created or wrote in. */
  userId?: string;
  /** Only what this agent created or wrote in; empty for what people did themselves. With a user: for them. */
  agent?: string;
  /** Only what was changed last at this moment or later. */
  changedSince?: string;
  /** Only what was changed last at this moment or earlier. */
  changedUntil?: string;
  /** Only what was created at this moment or later. */
  createdSince?: string;
  /** Only what was created at this moment or earlier. */
  createdUntil?: string;
  /** Which of the items found come first. */
  order?: "relevance" | "date";
  /** How many at most, from 1 to 200. */
  first?: number;
  /** Go on after this cursor. */
  cursor?: string;
}

/** The input of `driveItems.duplicate`. */
export interface DriveItemsDuplicateInput {
  /** The item's id. */
  itemId: string;
  /** The drive of the copy, at its root unless a folder is named. */
  driveId?: string | null;
  /** The folder of the copy. */
  parentId?: string | null;
  /** The name of the copy; left out, `Copy of` and the name of the item. */
  name?: string | null;
}

/** The input of `driveItems.trash`. */
export interface DriveItemsTrashInput {
  /** The item's id. */
  itemId: string;
}

/** The input of `driveItems.restore`. */
export interface DriveItemsRestoreInput {
  /** The item's id. */
  itemId: string;
}

/** The input of `driveItems.explainAccess`. */
export interface DriveItemsExplainAccessInput {
  /** The item's id. */
  itemId: string;
  /** Whose access to explain. */
  email: string;
}

/** The input of `documents.changes`. */
export interface DocumentsChangesInput {
  /** The document's id. */
  documentId: string;
  /** Only what came after this revision; 0 is the beginning. */
  sinceRevision?: number;
  /** Only what came after the version of this number. */
  sinceVersion?: number;
  /** Only what was done at this moment or later, or in its minute where edits are no longer stored one by one. */
  sinceTime?: string;
  /** Only what this user, or an agent of theirs, did. */
  userId?: string;
  /** Only what this agent did; empty for what people did themselves. */
  agent?: string;
  /** Only what had come at this revision, as it was then. */
  untilRevision?: number;
  /** Only what had come at the version of this number, as it was then. */
  untilVersion?: number;
  /** Only what was done before this moment, as it was then. */
  untilTime?: string;
  /** The changes of the newest edit first; those of one edit stay as one reads them. */
  newestFirst?: boolean;
  /** How many at most, from 1 to 200. */
  first?: number;
  /** Go on after this cursor. */
  cursor?: string;
}

/** The input of `documents.undoChanges`. */
export interface DocumentsUndoChangesInput {
  /** The document's id. */
  documentId: string;
  /** The ids of at most 500 changes. */
  ids?: Array<string> | null;
  /** Whose changes, instead of `ids`: theirs and their agents'. */
  userId?: string | null;
  /** Only what this agent of the user did; empty for the user alone. */
  agent?: string | null;
  /** Only what came after this revision; 0 is the beginning. */
  sinceRevision?: number | null;
  /** Only what was done at this moment or later, or in its minute where edits are no longer stored one by one. */
  sinceTime?: string | null;
  /**
   * Your own last edit, instead of `ids` or `userId`: that of the agent that this request is credited to, or without
   * one, of yourself. An undo is an edit, too.
   */
  last?: boolean;
  /** Tell what would be taken back, and change nothing. */
  dryRun?: boolean;
}

/** The input of `documents.attributions`. */
export interface DocumentsAttributionsInput {
  /** The document's id. */
  documentId: string;
  /** How many at most, from 1 to 200. */
  first?: number;
  /** Go on after this cursor. */
  cursor?: string;
}

/** The input of `documents.versions`. */
export interface DocumentsVersionsInput {
  /** The document's id. */
  documentId: string;
  /** Only what this user did. */
  userId?: string;
  /** Only what this agent did; empty for what people did themselves. */
  agent?: string;
  /** How many at most, from 1 to 200. */
  first?: number;
  /** Go on after this cursor. */
  cursor?: string;
}

/** The input of `documents.readVersion`. */
export interface DocumentsReadVersionInput {
  /** The document's id. */
  documentId: string;
  /** The version's number. */
  number: number;
}

/** The input of `documents.restoreVersion`. */
export interface DocumentsRestoreVersionInput {
  /** The document's id. */
  documentId: string;
  /** The version's number. */
  number: number;
}

/** The input of `drives.get`. */
export interface DrivesGetInput {
  /** The drive's id. */
  driveId: string;
}

/** The input of `drives.events`. */
export interface DrivesEventsInput {
  /** The drive's id. */
  driveId: string;
  /** Only what this user did. */
  userId?: string;
  /** Only what this agent did; empty for what people did themselves. */
  agent?: string;
  /** Only what is about this item. */
  itemId?: string;
  /** Only events of these types, such as `itemRenamed`. */
  types?: Array<"accountCreated" | "documentEdited" | "documentPublished" | "documentUnpublished" | "driveCreated" | "driveDeleted" | "driveRenamed" | "imageUploaded" | "itemCreated" | "itemDeleted" | "itemMoved" | "itemRenamed" | "itemRestored" | "itemShared" | "itemTrashed" | "memberRemoved" | "memberSet" | "shareChanged" | "shareRemoved" | "versionCut" | "versionNamed" | "versionRestored" | "accessChanged" | "reload">;
  /** Only what happened at this moment or later. */
  since?: string;
  /** How many at most, from 1 to 200. */
  first?: number;
  /** Go on after this cursor. */
  cursor?: string;
}

/** The input of `drives.organizationMembers`. */
export interface DrivesOrganizationMembersInput {
  /** The drive's id. */
  driveId: string;
  /** How many at most, from 1 to 200. */
  first?: number;
  /** Go on after this cursor. */
  cursor?: string;
}

/** The input of `driveItems.previewMove`. */
export interface DriveItemsPreviewMoveInput {
  /** The item's id. */
  itemId: string;
  /** The drive to move it to. */
  driveId: string;
  /** The folder; null for the root. */
  parentId: string | null;
}

/** The input of `driveItems.previewShare`. */
export interface DriveItemsPreviewShareInput {
  /** The item's id. */
  itemId: string;
  /** The e-mail address. */
  email: string;
  /** What the share would allow. */
  permission: "read_write" | "read_only";
}

/** The input of `driveItems.trashed`. */
export interface DriveItemsTrashedInput {
  /** Only what is in this drive. */
  driveId?: string;
  /** How many at most, from 1 to 200. */
  first?: number;
  /** Go on after this cursor. */
  cursor?: string;
}

/** The input of `documents.outline`. */
export interface DocumentsOutlineInput {
  /** The document's id. */
  documentId: string;
}

/** The input of `documents.readPart`. */
export interface DocumentsReadPartInput {
  /** The document's id. */
  documentId: string;
  /** Only the section of this heading: the heading with all up to the next one of its level or a higher one. */
  section?: string;
  /** Only from this block on, counted from 0 in the whole document, as `path` counts. */
  fromBlock?: number;
  /** Only up to this block, which is not read. */
  toBlock?: number;
  /**
   * At most so many characters of Markdown, in whole blocks, but one block at least: `nextBlock` is where to go on.
   */
  characters?: number;
}

/** The input of `viewer.events`. */
export interface ViewerEventsInput {
  /** Only what this user did. */
  userId?: string;
  /** Only what this agent did; empty for what people did themselves. */
  agent?: string;
  /** Only what is about this item. */
  itemId?: string;
  /** Only events of these types, such as `itemRenamed`. */
  types?: Array<"accountCreated" | "documentEdited" | "documentPublished" | "documentUnpublished" | "driveCreated" | "driveDeleted" | "driveRenamed" | "imageUploaded" | "itemCreated" | "itemDeleted" | "itemMoved" | "itemRenamed" | "itemRestored" | "itemShared" | "itemTrashed" | "memberRemoved" | "memberSet" | "shareChanged" | "shareRemoved" | "versionCut" | "versionNamed" | "versionRestored" | "accessChanged" | "reload">;
  /** Only what happened at this moment or later. */
  since?: string;
  /** How many at most, from 1 to 200. */
  first?: number;
  /** Go on after this cursor. */
  cursor?: string;
}
