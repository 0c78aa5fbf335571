// Written by `python -m codegen.generate` from web/application.graphql and the schema.

/** The text of an operation, with the types of its answer and of its variables. */
export type Document<Data, Variables> = string & { readonly typed?: (variables: Variables) => Data };

export type ChangeKind = "inserted" | "deleted" | "replaced" | "moved" | "formatted";
export type DriveCapability = "createItem" | "rename" | "manageMembers" | "manageOwners" | "delete";
export type DriveItemType = "folder" | "docs_workbook" | "viz_workbook";
export type DriveKind = "personal" | "shared";
export type EventType = "accountCreated" | "documentEdited" | "documentPublished" | "documentUnpublished" | "driveCreated" | "driveDeleted" | "driveRenamed" | "imageUploaded" | "itemCreated" | "itemDeleted" | "itemMoved" | "itemRenamed" | "itemRestored" | "itemShared" | "itemTrashed" | "memberRemoved" | "memberSet" | "shareChanged" | "shareRemoved" | "versionCut" | "versionNamed" | "versionRestored" | "accessChanged" | "reload";
export type ItemCapability = "read" | "edit" | "createChild" | "move" | "moveOut" | "share" | "publish" | "trash" | "versions" | "deleteForever";
export type Permission = "read_write" | "read_only";
export type Role = "owner" | "manager" | "contributor";
export type SkipReason = "others_inside" | "content_gone" | "place_gone" | "formatting";

export type AuthorName = { userId: string; name: string; agent: string | null };
export type BranchName = { id: string; name: string; driveId: string; driveItemType: DriveItemType };
export type ChangeLine = { id: string; at: string; kind: ChangeKind; path: Array<number> | null; inserted: string; deleted: string; by: AuthorName | null };
export type DriveName = { id: string; name: string; kind: DriveKind; role: Role | null; capabilities: Array<DriveCapability> };
export type Level = { role: Role | null; permission: Permission | null; capabilities: Array<ItemCapability> };
export type MarkedChange = ChangeLine & { insertedRanges: unknown; deletedRanges: unknown };
export type MemberLine = { userId: string; name: string; email: string; role: Role };
export type Next = { hasNextPage: boolean; endCursor: string | null };
export type PersonChange = { email: string; name: string | null; userId: string | null; before: Level; after: Level; because: Array<Reason> };
export type Place = { drive: { id: string; name: string; kind: DriveKind; role: Role | null }; ancestors: Array<{ id: string; name: string }> };
export type Preview = { gains: Array<PersonChange>; loses: Array<PersonChange>; keeps: Array<PersonChange>; otherGains: number; otherLoses: number; otherKeeps: number };
export type Reason = { role: Role | null; permission: Permission | null; itemId: string | null; itemName: string | null; givenAt: string | null; givenByName: string | null };
export type Row = { id: string; name: string; driveItemType: DriveItemType; driveId: string; parentId: string | null; updatedAt: string; updatedBy: { userId: string; name: string; agent: string | null }; published: boolean; sharesTotal: number | null; trashedAt: string | null; isStarred: boolean; capabilities: Array<ItemCapability> };
export type ShareLine = { email: string; name: string | null; userId: string | null; permission: Permission };
export type VersionLine = { number: number; name: string | null; createdAt: string; restoredFrom: number | null; authors: Array<AuthorName> };

export type AccessEndData = { viewer: { accessEnd: { by: { userId: string; name: string; agent: string | null }; at: string } | null } };
export type AccessEndVariables = { id: string };
export const AccessEnd: Document<AccessEndData, AccessEndVariables> =
  "query AccessEnd($id: ID!) {\n  viewer {\n    accessEnd(itemId: $id) {\n      by {\n        userId\n        name\n        agent\n      }\n      at\n    }\n  }\n}";

export type AgentDocumentsData = { search: { nodes: Array<Row & { path: Array<{ id: string; name: string }> | null }>; pageInfo: Next } };
export type AgentDocumentsVariables = { agent: string; userId: string; after?: string | null };
export const AgentDocuments: Document<AgentDocumentsData, AgentDocumentsVariables> =
  "query AgentDocuments($agent: String!, $userId: ID!, $after: Cursor) {\n  search(\n    text: \"\"\n    agent: $agent\n    by: $userId\n    types: [docs_workbook, viz_workbook]\n    first: 100\n    after: $after\n  ) {\n    nodes {\n      ...Row\n      path {\n        id\n        name\n      }\n    }\n    pageInfo {\n      ...Next\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type AgentNamesData = { viewer: { agents: Array<{ name: string }> } };
export type AgentNamesVariables = Record<string, never>;
export const AgentNames: Document<AgentNamesData, AgentNamesVariables> =
  "query AgentNames {\n  viewer {\n    agents {\n      name\n    }\n  }\n}";

export type BacklinksData = { driveItem: { backlinks: { nodes: Array<Row>; pageInfo: Next } } | null };
export type BacklinksVariables = { id: string; after?: string | null };
export const Backlinks: Document<BacklinksData, BacklinksVariables> =
  "query Backlinks($id: ID!, $after: Cursor) {\n  driveItem(id: $id) {\n    backlinks(first: 20, after: $after) {\n      nodes {\n        ...Row\n      }\n      pageInfo {\n        ...Next\n      }\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type ChangedSinceData = { search: { edges: Array<{ authors: Array<AuthorName & { editedAt: string }>; node: Row }>; pageInfo: Next } };
export type ChangedSinceVariables = { since: string; after?: string | null };
export const ChangedSince: Document<ChangedSinceData, ChangedSinceVariables> =
  "query ChangedSince($since: Timestamp!, $after: Cursor) {\n  search(text: \"\", changedSince: $since, first: 50, after: $after) {\n    edges {\n      authors {\n        ...AuthorName\n        editedAt\n      }\n      node {\n        ...Row\n      }\n    }\n    pageInfo {\n      ...Next\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}\nfragment AuthorName on Author {\n  userId\n  name\n  agent\n}";

export type ChangesData = { changes: { id: string; type: EventType; itemId: string | null; driveId: string | null; at: string | null; by: { userId: string; name: string; agent: string | null } | null; details: unknown } };
export type ChangesVariables = { after?: string | null };
export const Changes: Document<ChangesData, ChangesVariables> =
  "subscription Changes($after: Cursor) {\n  changes(after: $after) {\n    id\n    type\n    itemId\n    driveId\n    at\n    by {\n      userId\n      name\n      agent\n    }\n    details\n  }\n}";

export type ChangesCursorData = { viewer: { changesCursor: string } };
export type ChangesCursorVariables = Record<string, never>;
export const ChangesCursor: Document<ChangesCursorData, ChangesCursorVariables> =
  "query ChangesCursor {\n  viewer {\n    changesCursor\n  }\n}";

export type ChangesOfRevisionData = { documentChanges: { nodes: Array<{ id: string }>; pageInfo: Next } | null };
export type ChangesOfRevisionVariables = { id: string; since: number; until: number; userId: string; after?: string | null };
export const ChangesOfRevision: Document<ChangesOfRevisionData, ChangesOfRevisionVariables> =
  "query ChangesOfRevision($id: ID!, $since: Int!, $until: Int!, $userId: ID!, $after: Cursor) {\n  documentChanges(\n    documentId: $id\n    sinceRevision: $since\n    untilRevision: $until\n    userId: $userId\n    agent: \"\"\n    first: 200\n    after: $after\n  ) {\n    nodes {\n      id\n    }\n    pageInfo {\n      ...Next\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}";

export type ChangesSinceLookedData = { documentChanges: { nodes: Array<{ by: AuthorName | null }>; pageInfo: Next } | null };
export type ChangesSinceLookedVariables = { id: string; revision: number };
export const ChangesSinceLooked: Document<ChangesSinceLookedData, ChangesSinceLookedVariables> =
  "query ChangesSinceLooked($id: ID!, $revision: Int!) {\n  documentChanges(documentId: $id, sinceRevision: $revision, first: 200) {\n    nodes {\n      by {\n        ...AuthorName\n      }\n    }\n    pageInfo {\n      ...Next\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}\nfragment AuthorName on Author {\n  userId\n  name\n  agent\n}";

export type CreateChildData = { createChild: Row };
export type CreateChildVariables = { itemId: string; name: string; type: DriveItemType };
export const CreateChild: Document<CreateChildData, CreateChildVariables> =
  "mutation CreateChild($itemId: ID!, $name: ItemName!, $type: DriveItemType!) {\n  createChild(itemId: $itemId, name: $name, driveItemType: $type) {\n    ...Row\n  }\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type CreateDriveData = { createDrive: DriveName };
export type CreateDriveVariables = { name: string };
export const CreateDrive: Document<CreateDriveData, CreateDriveVariables> =
  "mutation CreateDrive($name: ItemName!) {\n  createDrive(name: $name) {\n    ...DriveName\n  }\n}\nfragment DriveName on Drive {\n  id\n  name\n  kind\n  role\n  capabilities\n}";

export type CreateItemData = { createItem: Row };
export type CreateItemVariables = { driveId: string; name: string; type: DriveItemType };
export const CreateItem: Document<CreateItemData, CreateItemVariables> =
  "mutation CreateItem($driveId: ID!, $name: ItemName!, $type: DriveItemType!) {\n  createItem(driveId: $driveId, name: $name, driveItemType: $type) {\n    ...Row\n  }\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type DeleteDriveData = { deleteDrive: { id: string } };
export type DeleteDriveVariables = { driveId: string };
export const DeleteDrive: Document<DeleteDriveData, DeleteDriveVariables> =
  "mutation DeleteDrive($driveId: ID!) {\n  deleteDrive(driveId: $driveId) {\n    id\n  }\n}";

export type DeleteItemForeverData = { deleteItemForever: { id: string } };
export type DeleteItemForeverVariables = { itemId: string };
export const DeleteItemForever: Document<DeleteItemForeverData, DeleteItemForeverVariables> =
  "mutation DeleteItemForever($itemId: ID!) {\n  deleteItemForever(itemId: $itemId) {\n    id\n  }\n}";

export type DocumentAuthorIdsData = { documentAuthorIds: Array<string> | null };
export type DocumentAuthorIdsVariables = { id: string };
export const DocumentAuthorIds: Document<DocumentAuthorIdsData, DocumentAuthorIdsVariables> =
  "query DocumentAuthorIds($id: ID!) {\n  documentAuthorIds(documentId: $id)\n}";

export type DocumentChangesData = { documentChanges: { nodes: Array<MarkedChange>; pageInfo: Next } | null };
export type DocumentChangesVariables = { id: string; version?: number | null; revision?: number | null; time?: string | null; until?: number | null; userId?: string | null; agent?: string | null; after?: string | null };
export const DocumentChanges: Document<DocumentChangesData, DocumentChangesVariables> =
  "query DocumentChanges($id: ID!, $version: Int, $revision: Int, $time: Timestamp, $until: Int, $userId: ID, $agent: String, $after: Cursor) {\n  documentChanges(\n    documentId: $id\n    sinceVersion: $version\n    sinceRevision: $revision\n    sinceTime: $time\n    untilVersion: $until\n    userId: $userId\n    agent: $agent\n    first: 200\n    after: $after\n  ) {\n    nodes {\n      ...MarkedChange\n    }\n    pageInfo {\n      ...Next\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}\nfragment AuthorName on Author {\n  userId\n  name\n  agent\n}\nfragment ChangeLine on Change {\n  id\n  at\n  kind\n  path\n  inserted\n  deleted\n  by {\n    ...AuthorName\n  }\n}\nfragment MarkedChange on Change {\n  ...ChangeLine\n  insertedRanges\n  deletedRanges\n}";

export type DocumentCreditsData = { document: { credits: { revision: number; authors: Array<AuthorName & { editedAt: string }>; ranges: unknown; movers: Array<AuthorName & { editedAt: string }>; moved: unknown } } | null };
export type DocumentCreditsVariables = { id: string };
export const DocumentCredits: Document<DocumentCreditsData, DocumentCreditsVariables> =
  "query DocumentCredits($id: ID!) {\n  document(id: $id) {\n    credits {\n      revision\n      authors {\n        ...AuthorName\n        editedAt\n      }\n      ranges\n      movers {\n        ...AuthorName\n        editedAt\n      }\n      moved\n    }\n  }\n}\nfragment AuthorName on Author {\n  userId\n  name\n  agent\n}";

export type DocumentMarkdownData = { document: { markdown: string } | null };
export type DocumentMarkdownVariables = { id: string };
export const DocumentMarkdown: Document<DocumentMarkdownData, DocumentMarkdownVariables> =
  "query DocumentMarkdown($id: ID!) {\n  document(id: $id) {\n    markdown\n  }\n}";

export type DocumentPeopleData = { driveItem: { shares: Array<{ userId: string | null; name: string | null }>; ancestors: Array<{ shares: Array<{ userId: string | null; name: string | null }> }>; drive: { members: Array<{ userId: string; name: string }> } } | null; document: { authors: Array<{ userId: string; name: string }> } | null };
export type DocumentPeopleVariables = { id: string };
export const DocumentPeople: Document<DocumentPeopleData, DocumentPeopleVariables> =
  "query DocumentPeople($id: ID!) {\n  driveItem(id: $id) {\n    shares {\n      userId\n      name\n    }\n    ancestors {\n      shares {\n        userId\n        name\n      }\n    }\n    drive {\n      members {\n        userId\n        name\n      }\n    }\n  }\n  document(id: $id) {\n    authors {\n      userId\n      name\n    }\n  }\n}";

export type DocumentRevisionData = { driveItem: { revision: number | null } | null };
export type DocumentRevisionVariables = { id: string };
export const DocumentRevision: Document<DocumentRevisionData, DocumentRevisionVariables> =
  "query DocumentRevision($id: ID!) {\n  driveItem(id: $id) {\n    revision\n  }\n}";

export type DocumentTreeData = { document: { prosemirrorDoc: unknown } | null };
export type DocumentTreeVariables = { id: string };
export const DocumentTree: Document<DocumentTreeData, DocumentTreeVariables> =
  "query DocumentTree($id: ID!) {\n  document(id: $id) {\n    prosemirrorDoc\n  }\n}";

export type DocumentVersionsData = { documentVersions: { nodes: Array<VersionLine>; pageInfo: Next } | null };
export type DocumentVersionsVariables = { id: string; after?: string | null };
export const DocumentVersions: Document<DocumentVersionsData, DocumentVersionsVariables> =
  "query DocumentVersions($id: ID!, $after: Cursor) {\n  documentVersions(documentId: $id, first: 100, after: $after) {\n    nodes {\n      ...VersionLine\n    }\n    pageInfo {\n      ...Next\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}\nfragment AuthorName on Author {\n  userId\n  name\n  agent\n}\nfragment VersionLine on Version {\n  number\n  name\n  createdAt\n  restoredFrom\n  authors {\n    ...AuthorName\n  }\n}";

export type DriveBranchData = { drive: { items: { nodes: Array<BranchName>; pageInfo: Next } } | null };
export type DriveBranchVariables = { id: string; types: Array<DriveItemType>; after?: string | null };
export const DriveBranch: Document<DriveBranchData, DriveBranchVariables> =
  "query DriveBranch($id: ID!, $types: [DriveItemType!]!, $after: Cursor) {\n  drive(id: $id) {\n    items(types: $types, first: 200, after: $after) {\n      nodes {\n        ...BranchName\n      }\n      pageInfo {\n        ...Next\n      }\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}\nfragment BranchName on DriveItem {\n  id\n  name\n  driveId\n  driveItemType\n}";

export type DriveListData = { drive: DriveName & { storage: { used: number; limit: number } | null; membersConnection: { nodes: Array<{ userId: string; name: string }>; totalCount: number | null }; items: { nodes: Array<Row>; pageInfo: Next } } | null };
export type DriveListVariables = { id: string; after?: string | null };
export const DriveList: Document<DriveListData, DriveListVariables> =
  "query DriveList($id: ID!, $after: Cursor) {\n  drive(id: $id) {\n    ...DriveName\n    storage {\n      used\n      limit\n    }\n    membersConnection(first: 4) {\n      nodes {\n        userId\n        name\n      }\n      totalCount\n    }\n    items(first: 200, after: $after) {\n      nodes {\n        ...Row\n      }\n      pageInfo {\n        ...Next\n      }\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}\nfragment DriveName on Drive {\n  id\n  name\n  kind\n  role\n  capabilities\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type DriveMembersData = { drive: DriveName & { members: Array<MemberLine> } | null };
export type DriveMembersVariables = { id: string };
export const DriveMembers: Document<DriveMembersData, DriveMembersVariables> =
  "query DriveMembers($id: ID!) {\n  drive(id: $id) {\n    ...DriveName\n    members {\n      ...MemberLine\n    }\n  }\n}\nfragment DriveName on Drive {\n  id\n  name\n  kind\n  role\n  capabilities\n}\nfragment MemberLine on DriveMember {\n  userId\n  name\n  email\n  role\n}";

export type DrivePeopleData = { driveOrganizationMembers: { nodes: Array<{ userId: string; name: string; email: string }>; pageInfo: Next } | null };
export type DrivePeopleVariables = { id: string; after?: string | null };
export const DrivePeople: Document<DrivePeopleData, DrivePeopleVariables> =
  "query DrivePeople($id: ID!, $after: Cursor) {\n  driveOrganizationMembers(driveId: $id, first: 200, after: $after) {\n    nodes {\n      userId\n      name\n      email\n    }\n    pageInfo {\n      ...Next\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}";

export type DuplicateItemData = { duplicateItem: Row };
export type DuplicateItemVariables = { itemId: string; driveId?: string | null; parentId?: string | null; name: string };
export const DuplicateItem: Document<DuplicateItemData, DuplicateItemVariables> =
  "mutation DuplicateItem($itemId: ID!, $driveId: ID, $parentId: ID, $name: ItemName!) {\n  duplicateItem(\n    itemId: $itemId\n    driveId: $driveId\n    parentId: $parentId\n    name: $name\n  ) {\n    ...Row\n  }\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type ExplainAccessData = { access: { email: string; permission: Permission | null; because: Array<Reason> } | null };
export type ExplainAccessVariables = { itemId: string; email: string };
export const ExplainAccess: Document<ExplainAccessData, ExplainAccessVariables> =
  "query ExplainAccess($itemId: ID!, $email: EmailAddress!) {\n  access(itemId: $itemId, email: $email) {\n    email\n    permission\n    because {\n      ...Reason\n    }\n  }\n}\nfragment Reason on AccessReason {\n  role\n  permission\n  itemId\n  itemName\n  givenAt\n  givenByName\n}";

export type FolderBranchData = { driveItem: { children: { nodes: Array<BranchName>; pageInfo: Next } } | null };
export type FolderBranchVariables = { id: string; types: Array<DriveItemType>; after?: string | null };
export const FolderBranch: Document<FolderBranchData, FolderBranchVariables> =
  "query FolderBranch($id: ID!, $types: [DriveItemType!]!, $after: Cursor) {\n  driveItem(id: $id) {\n    children(types: $types, first: 200, after: $after) {\n      nodes {\n        ...BranchName\n      }\n      pageInfo {\n        ...Next\n      }\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}\nfragment BranchName on DriveItem {\n  id\n  name\n  driveId\n  driveItemType\n}";

export type FolderListData = { driveItem: Row & Place & { children: { nodes: Array<Row>; pageInfo: Next } } | null };
export type FolderListVariables = { id: string; after?: string | null };
export const FolderList: Document<FolderListData, FolderListVariables> =
  "query FolderList($id: ID!, $after: Cursor) {\n  driveItem(id: $id) {\n    ...Row\n    ...Place\n    children(first: 200, after: $after) {\n      nodes {\n        ...Row\n      }\n      pageInfo {\n        ...Next\n      }\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}\nfragment Place on DriveItem {\n  drive {\n    id\n    name\n    kind\n    role\n  }\n  ancestors {\n    id\n    name\n  }\n}";

export type FoundItemsData = { search: { nodes: Array<{ id: string; name: string; driveItemType: DriveItemType; path: Array<{ id: string; name: string }> | null }> } };
export type FoundItemsVariables = { text: string };
export const FoundItems: Document<FoundItemsData, FoundItemsVariables> =
  "query FoundItems($text: String!) {\n  search(text: $text, first: 8) {\n    nodes {\n      id\n      name\n      driveItemType\n      path {\n        id\n        name\n      }\n    }\n  }\n}";

export type ItemAccessData = { driveItem: Row & { url: string; publicUrl: string | null; shares: Array<ShareLine>; ancestors: Array<{ id: string; name: string; shares: Array<ShareLine> }>; drive: DriveName & { members: Array<MemberLine> } } | null };
export type ItemAccessVariables = { id: string };
export const ItemAccess: Document<ItemAccessData, ItemAccessVariables> =
  "query ItemAccess($id: ID!) {\n  driveItem(id: $id) {\n    ...Row\n    url\n    publicUrl\n    shares {\n      ...ShareLine\n    }\n    ancestors {\n      id\n      name\n      shares {\n        ...ShareLine\n      }\n    }\n    drive {\n      ...DriveName\n      members {\n        ...MemberLine\n      }\n    }\n  }\n}\nfragment DriveName on Drive {\n  id\n  name\n  kind\n  role\n  capabilities\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}\nfragment ShareLine on Share {\n  email\n  name\n  userId\n  permission\n}\nfragment MemberLine on DriveMember {\n  userId\n  name\n  email\n  role\n}";

export type ItemPlaceData = { driveItem: Row & Place | null };
export type ItemPlaceVariables = { id: string };
export const ItemPlace: Document<ItemPlaceData, ItemPlaceVariables> =
  "query ItemPlace($id: ID!) {\n  driveItem(id: $id) {\n    ...Row\n    ...Place\n  }\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}\nfragment Place on DriveItem {\n  drive {\n    id\n    name\n    kind\n    role\n  }\n  ancestors {\n    id\n    name\n  }\n}";

export type LastDocumentsData = { search: { nodes: Array<Row & { path: Array<{ id: string; name: string }> | null }> } };
export type LastDocumentsVariables = { userId: string };
export const LastDocuments: Document<LastDocumentsData, LastDocumentsVariables> =
  "query LastDocuments($userId: ID!) {\n  search(\n    text: \"\"\n    by: $userId\n    agent: \"\"\n    types: [docs_workbook, viz_workbook]\n    first: 3\n  ) {\n    nodes {\n      ...Row\n      path {\n        id\n        name\n      }\n    }\n  }\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type MarkdownTreeData = { prosemirrorDocOf: unknown | null };
export type MarkdownTreeVariables = { markdown: string };
export const MarkdownTree: Document<MarkdownTreeData, MarkdownTreeVariables> =
  "query MarkdownTree($markdown: String!) {\n  prosemirrorDocOf(markdown: $markdown)\n}";

export type MoveItemData = { moveItem: Row | null };
export type MoveItemVariables = { itemId: string; driveId: string; parentId?: string | null };
export const MoveItem: Document<MoveItemData, MoveItemVariables> =
  "mutation MoveItem($itemId: ID!, $driveId: ID!, $parentId: ID) {\n  moveItem(itemId: $itemId, driveId: $driveId, parentId: $parentId) {\n    ...Row\n  }\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type MovePreviewData = { movePreview: Preview | null };
export type MovePreviewVariables = { itemId: string; driveId: string; parentId?: string | null };
export const MovePreview: Document<MovePreviewData, MovePreviewVariables> =
  "query MovePreview($itemId: ID!, $driveId: ID!, $parentId: ID) {\n  movePreview(itemId: $itemId, driveId: $driveId, parentId: $parentId) {\n    ...Preview\n  }\n}\nfragment Preview on AccessPreview {\n  gains {\n    ...PersonChange\n  }\n  loses {\n    ...PersonChange\n  }\n  keeps {\n    ...PersonChange\n  }\n  otherGains\n  otherLoses\n  otherKeeps\n}\nfragment PersonChange on AccessChange {\n  email\n  name\n  userId\n  before {\n    ...Level\n  }\n  after {\n    ...Level\n  }\n  because {\n    ...Reason\n  }\n}\nfragment Level on AccessLevel {\n  role\n  permission\n  capabilities\n}\nfragment Reason on AccessReason {\n  role\n  permission\n  itemId\n  itemName\n  givenAt\n  givenByName\n}";

export type NameVersionData = { nameVersion: VersionLine };
export type NameVersionVariables = { documentId: string; number: number; name?: string | null };
export const NameVersion: Document<NameVersionData, NameVersionVariables> =
  "mutation NameVersion($documentId: ID!, $number: Int!, $name: ItemName) {\n  nameVersion(documentId: $documentId, number: $number, name: $name) {\n    ...VersionLine\n  }\n}\nfragment AuthorName on Author {\n  userId\n  name\n  agent\n}\nfragment VersionLine on Version {\n  number\n  name\n  createdAt\n  restoredFrom\n  authors {\n    ...AuthorName\n  }\n}";

export type OwnAgentsData = { viewer: { agents: Array<{ name: string; lastEditedAt: string | null; lastEdited: { id: string; name: string; driveItemType: DriveItemType } | null }>; apiKeys: Array<{ agent: string | null; lastUsedAt: string | null }> } };
export type OwnAgentsVariables = Record<string, never>;
export const OwnAgents: Document<OwnAgentsData, OwnAgentsVariables> =
  "query OwnAgents {\n  viewer {\n    agents {\n      name\n      lastEditedAt\n      lastEdited {\n        id\n        name\n        driveItemType\n      }\n    }\n    apiKeys {\n      agent\n      lastUsedAt\n    }\n  }\n}";

export type RecentListData = { search: { nodes: Array<Row & { path: Array<{ id: string; name: string }> | null }> } };
export type RecentListVariables = { userId: string };
export const RecentList: Document<RecentListData, RecentListVariables> =
  "query RecentList($userId: ID!) {\n  search(text: \"\", by: $userId, agent: \"\", first: 200) {\n    nodes {\n      ...Row\n      path {\n        id\n        name\n      }\n    }\n  }\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type RemoveMemberData = { removeMember: { userId: string } };
export type RemoveMemberVariables = { driveId: string; userId: string };
export const RemoveMember: Document<RemoveMemberData, RemoveMemberVariables> =
  "mutation RemoveMember($driveId: ID!, $userId: ID!) {\n  removeMember(driveId: $driveId, userId: $userId) {\n    userId\n  }\n}";

export type RemoveShareData = { removeShare: { email: string } };
export type RemoveShareVariables = { itemId: string; email: string };
export const RemoveShare: Document<RemoveShareData, RemoveShareVariables> =
  "mutation RemoveShare($itemId: ID!, $email: EmailAddress!) {\n  removeShare(itemId: $itemId, email: $email) {\n    email\n  }\n}";

export type RenameDriveData = { renameDrive: DriveName };
export type RenameDriveVariables = { driveId: string; name: string };
export const RenameDrive: Document<RenameDriveData, RenameDriveVariables> =
  "mutation RenameDrive($driveId: ID!, $name: ItemName!) {\n  renameDrive(driveId: $driveId, name: $name) {\n    ...DriveName\n  }\n}\nfragment DriveName on Drive {\n  id\n  name\n  kind\n  role\n  capabilities\n}";

export type RenameItemData = { renameItem: Row };
export type RenameItemVariables = { itemId: string; name: string };
export const RenameItem: Document<RenameItemData, RenameItemVariables> =
  "mutation RenameItem($itemId: ID!, $name: ItemName!) {\n  renameItem(itemId: $itemId, name: $name) {\n    ...Row\n  }\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type RestoreItemData = { restoreItem: Row };
export type RestoreItemVariables = { itemId: string };
export const RestoreItem: Document<RestoreItemData, RestoreItemVariables> =
  "mutation RestoreItem($itemId: ID!) {\n  restoreItem(itemId: $itemId) {\n    ...Row\n  }\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type RestoreVersionData = { restoreVersion: { item: { revision: number | null } } };
export type RestoreVersionVariables = { documentId: string; number: number };
export const RestoreVersion: Document<RestoreVersionData, RestoreVersionVariables> =
  "mutation RestoreVersion($documentId: ID!, $number: Int!) {\n  restoreVersion(documentId: $documentId, number: $number) {\n    item {\n      revision\n    }\n  }\n}";

export type SearchListData = { search: { edges: Array<{ excerpt: Array<{ text: string; hit: boolean }>; node: Row & { path: Array<{ id: string; name: string }> | null; drive: { name: string; kind: DriveKind; role: Role | null } } }>; pageInfo: Next } };
export type SearchListVariables = { text: string; driveId?: string | null; folderId?: string | null; types?: Array<DriveItemType> | null; by?: string | null; agent?: string | null; changedSince?: string | null; after?: string | null };
export const SearchList: Document<SearchListData, SearchListVariables> =
  "query SearchList($text: String!, $driveId: ID, $folderId: ID, $types: [DriveItemType!], $by: ID, $agent: String, $changedSince: Timestamp, $after: Cursor) {\n  search(\n    text: $text\n    driveId: $driveId\n    folderId: $folderId\n    types: $types\n    by: $by\n    agent: $agent\n    changedSince: $changedSince\n    first: 50\n    after: $after\n  ) {\n    edges {\n      excerpt {\n        text\n        hit\n      }\n      node {\n        ...Row\n        path {\n          id\n          name\n        }\n        drive {\n          name\n          kind\n          role\n        }\n      }\n    }\n    pageInfo {\n      ...Next\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type SetPublicationData = { setPublication: { id: string; publicUrl: string | null } };
export type SetPublicationVariables = { itemId: string; published: boolean };
export const SetPublication: Document<SetPublicationData, SetPublicationVariables> =
  "mutation SetPublication($itemId: ID!, $published: Boolean!) {\n  setPublication(itemId: $itemId, published: $published) {\n    id\n    publicUrl\n  }\n}";

export type ShareItemData = { shareItem: { id: string } };
export type ShareItemVariables = { itemId: string; email: string; permission: Permission; message: string };
export const ShareItem: Document<ShareItemData, ShareItemVariables> =
  "mutation ShareItem($itemId: ID!, $email: EmailAddress!, $permission: Permission!, $message: String! = \"\") {\n  shareItem(\n    itemId: $itemId\n    email: $email\n    permission: $permission\n    message: $message\n  ) {\n    id\n  }\n}";

export type SharePreviewData = { sharePreview: Preview | null };
export type SharePreviewVariables = { itemId: string; email: string; permission: Permission };
export const SharePreview: Document<SharePreviewData, SharePreviewVariables> =
  "query SharePreview($itemId: ID!, $email: EmailAddress!, $permission: Permission!) {\n  sharePreview(itemId: $itemId, email: $email, permission: $permission) {\n    ...Preview\n  }\n}\nfragment Preview on AccessPreview {\n  gains {\n    ...PersonChange\n  }\n  loses {\n    ...PersonChange\n  }\n  keeps {\n    ...PersonChange\n  }\n  otherGains\n  otherLoses\n  otherKeeps\n}\nfragment PersonChange on AccessChange {\n  email\n  name\n  userId\n  before {\n    ...Level\n  }\n  after {\n    ...Level\n  }\n  because {\n    ...Reason\n  }\n}\nfragment Level on AccessLevel {\n  role\n  permission\n  capabilities\n}\nfragment Reason on AccessReason {\n  role\n  permission\n  itemId\n  itemName\n  givenAt\n  givenByName\n}";

export type ShareSuggestionsData = { shareSuggestions: Array<{ userId: string; name: string; email: string }> | null };
export type ShareSuggestionsVariables = { id: string };
export const ShareSuggestions: Document<ShareSuggestionsData, ShareSuggestionsVariables> =
  "query ShareSuggestions($id: ID!) {\n  shareSuggestions(itemId: $id) {\n    userId\n    name\n    email\n  }\n}";

export type SharedListData = { sharedWithMe: { nodes: Array<Row & { path: Array<{ id: string; name: string }> | null; sharedBy: { name: string } | null }>; pageInfo: Next } };
export type SharedListVariables = { after?: string | null };
export const SharedList: Document<SharedListData, SharedListVariables> =
  "query SharedList($after: Cursor) {\n  sharedWithMe(first: 200, after: $after) {\n    nodes {\n      ...Row\n      path {\n        id\n        name\n      }\n      sharedBy {\n        name\n      }\n    }\n    pageInfo {\n      ...Next\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type SidebarData = { viewer: { id: string; name: string; email: string; emailVerified: boolean; activeOrganization: { name: string } | null }; drives: { nodes: Array<DriveName>; pageInfo: Next } };
export type SidebarVariables = { after?: string | null };
export const Sidebar: Document<SidebarData, SidebarVariables> =
  "query Sidebar($after: Cursor) {\n  viewer {\n    id\n    name\n    email\n    emailVerified\n    activeOrganization {\n      name\n    }\n  }\n  drives(first: 200, after: $after) {\n    nodes {\n      ...DriveName\n    }\n    pageInfo {\n      ...Next\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}\nfragment DriveName on Drive {\n  id\n  name\n  kind\n  role\n  capabilities\n}";

export type StarItemData = { starItem: { id: string } };
export type StarItemVariables = { itemId: string };
export const StarItem: Document<StarItemData, StarItemVariables> =
  "mutation StarItem($itemId: ID!) {\n  starItem(itemId: $itemId) {\n    id\n  }\n}";

export type StarredListData = { viewer: { starred: { nodes: Array<Row & { path: Array<{ id: string; name: string }> | null }>; pageInfo: Next } } };
export type StarredListVariables = { after?: string | null };
export const StarredList: Document<StarredListData, StarredListVariables> =
  "query StarredList($after: Cursor) {\n  viewer {\n    starred(first: 200, after: $after) {\n      nodes {\n        ...Row\n        path {\n          id\n          name\n        }\n      }\n      pageInfo {\n        ...Next\n      }\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type TrashItemData = { trashItem: Row };
export type TrashItemVariables = { itemId: string };
export const TrashItem: Document<TrashItemData, TrashItemVariables> =
  "mutation TrashItem($itemId: ID!) {\n  trashItem(itemId: $itemId) {\n    ...Row\n  }\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type TrashListData = { trash: { nodes: Array<Row & { path: Array<{ id: string; name: string }> | null }>; pageInfo: Next } };
export type TrashListVariables = { after?: string | null };
export const TrashList: Document<TrashListData, TrashListVariables> =
  "query TrashList($after: Cursor) {\n  trash(first: 200, after: $after) {\n    nodes {\n      ...Row\n      path {\n        id\n        name\n      }\n    }\n    pageInfo {\n      ...Next\n    }\n  }\n}\nfragment Next on PageInfo {\n  hasNextPage\n  endCursor\n}\nfragment Row on DriveItem {\n  id\n  name\n  driveItemType\n  driveId\n  parentId\n  updatedAt\n  updatedBy {\n    userId\n    name\n    agent\n  }\n  published\n  sharesTotal\n  trashedAt\n  isStarred\n  capabilities\n}";

export type TreeMarkdownData = { markdownOf: string | null };
export type TreeMarkdownVariables = { tree: unknown };
export const TreeMarkdown: Document<TreeMarkdownData, TreeMarkdownVariables> =
  "query TreeMarkdown($tree: JSON!) {\n  markdownOf(prosemirrorDoc: $tree)\n}";

export type UndoChangesData = { undoChanges: { revision: number; changes: Array<ChangeLine>; changesTotal: number; skipped: Array<{ path: Array<number> | null; reason: SkipReason }> } };
export type UndoChangesVariables = { documentId: string; ids?: Array<string> | null; userId?: string | null; agent?: string | null; revision?: number | null; time?: string | null; dryRun: boolean };
export const UndoChanges: Document<UndoChangesData, UndoChangesVariables> =
  "mutation UndoChanges($documentId: ID!, $ids: [ID!], $userId: ID, $agent: String, $revision: Int, $time: Timestamp, $dryRun: Boolean!) {\n  undoChanges(\n    documentId: $documentId\n    ids: $ids\n    userId: $userId\n    agent: $agent\n    sinceRevision: $revision\n    sinceTime: $time\n    dryRun: $dryRun\n  ) {\n    revision\n    changes {\n      ...ChangeLine\n    }\n    changesTotal\n    skipped {\n      path\n      reason\n    }\n  }\n}\nfragment AuthorName on Author {\n  userId\n  name\n  agent\n}\nfragment ChangeLine on Change {\n  id\n  at\n  kind\n  path\n  inserted\n  deleted\n  by {\n    ...AuthorName\n  }\n}";

export type UnstarItemData = { unstarItem: { id: string } };
export type UnstarItemVariables = { itemId: string };
export const UnstarItem: Document<UnstarItemData, UnstarItemVariables> =
  "mutation UnstarItem($itemId: ID!) {\n  unstarItem(itemId: $itemId) {\n    id\n  }\n}";

export type UpdateShareData = { updateShare: { id: string } };
export type UpdateShareVariables = { itemId: string; email: string; permission: Permission };
export const UpdateShare: Document<UpdateShareData, UpdateShareVariables> =
  "mutation UpdateShare($itemId: ID!, $email: EmailAddress!, $permission: Permission!) {\n  updateShare(itemId: $itemId, email: $email, permission: $permission) {\n    id\n  }\n}";

export type UpsertMemberData = { upsertMember: { id: string } };
export type UpsertMemberVariables = { driveId: string; userId: string; role: Role };
export const UpsertMember: Document<UpsertMemberData, UpsertMemberVariables> =
  "mutation UpsertMember($driveId: ID!, $userId: ID!, $role: Role!) {\n  upsertMember(driveId: $driveId, userId: $userId, role: $role) {\n    id\n  }\n}";

export type VersionTextData = { documentVersion: VersionLine & { prosemirrorDoc: unknown } | null };
export type VersionTextVariables = { id: string; number: number };
export const VersionText: Document<VersionTextData, VersionTextVariables> =
  "query VersionText($id: ID!, $number: Int!) {\n  documentVersion(documentId: $id, number: $number) {\n    ...VersionLine\n    prosemirrorDoc\n  }\n}\nfragment AuthorName on Author {\n  userId\n  name\n  agent\n}\nfragment VersionLine on Version {\n  number\n  name\n  createdAt\n  restoredFrom\n  authors {\n    ...AuthorName\n  }\n}";

export type ViewerData = { viewer: { id: string } };
export type ViewerVariables = Record<string, never>;
export const Viewer: Document<ViewerData, ViewerVariables> =
  "query Viewer {\n  viewer {\n    id\n  }\n}";

export type WriteNewDocumentData = { editDocument: { revision: number } };
export type WriteNewDocumentVariables = { documentId: string; markdown: string };
export const WriteNewDocument: Document<WriteNewDocumentData, WriteNewDocumentVariables> =
  "mutation WriteNewDocument($documentId: ID!, $markdown: String!) {\n  editDocument(documentId: $documentId, edit: { replace: $markdown }, base: 0) {\n    revision\n  }\n}";
