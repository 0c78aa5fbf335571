// Written by `python -m codegen.generate` from web/application.graphql and the schema.
import type { TypedDocumentNode } from "@urql/core";

function text<Data, Variables>(document: string): TypedDocumentNode<Data, Variables> {
  return document as unknown as TypedDocumentNode<Data, Variables>;
}

export type DriveCapability = "createItem" | "rename" | "manageMembers" | "manageOwners" | "delete";
export type DriveItemType = "folder" | "docs_workbook" | "viz_workbook";
export type DriveKind = "personal" | "shared";
export type ItemCapability = "read" | "edit" | "createChild" | "move" | "moveOut" | "share" | "publish" | "trash" | "versions" | "deleteForever";
export type Role = "owner" | "manager" | "contributor";

export type DriveName = { id: string; name: string; kind: DriveKind; role: Role | null; capabilities: Array<DriveCapability> };
export type Next = { hasNextPage: boolean; endCursor: string | null };
export type Place = { drive: { id: string; name: string; role: Role | null }; ancestors: Array<{ id: string; name: string }> };
export type Row = { id: string; name: string; driveItemType: DriveItemType; updatedAt: string; updatedBy: { userId: string; name: string; agent: string | null }; published: boolean; trashedAt: string | null; capabilities: Array<ItemCapability> };

export type ChangesData = { changes: { id: string; type: string; itemId: string | null; driveId: string | null; by: { userId: string; name: string; agent: string | null } | null; details: unknown } };
export type ChangesVariables = { after?: string | null };
export const Changes = text<ChangesData, ChangesVariables>(
  "subscription Changes($after: Cursor) { changes(after: $after) { id type itemId driveId by { userId name agent } details } }",
);

export type CreateChildData = { createChild: Row };
export type CreateChildVariables = { itemId: string; name: string; type: DriveItemType };
export const CreateChild = text<CreateChildData, CreateChildVariables>(
  "mutation CreateChild($itemId: ID! $name: ItemName! $type: DriveItemType!) { createChild(itemId: $itemId name: $name driveItemType: $type) { ...Row } } fragment Row on DriveItem { id name driveItemType updatedAt updatedBy { userId name agent } published trashedAt capabilities }",
);

export type CreateItemData = { createItem: Row };
export type CreateItemVariables = { driveId: string; name: string; type: DriveItemType };
export const CreateItem = text<CreateItemData, CreateItemVariables>(
  "mutation CreateItem($driveId: ID! $name: ItemName! $type: DriveItemType!) { createItem(driveId: $driveId name: $name driveItemType: $type) { ...Row } } fragment Row on DriveItem { id name driveItemType updatedAt updatedBy { userId name agent } published trashedAt capabilities }",
);

export type DriveListData = { drive: DriveName & { items: { nodes: Array<Row>; pageInfo: Next } } | null };
export type DriveListVariables = { id: string; after?: string | null };
export const DriveList = text<DriveListData, DriveListVariables>(
  "query DriveList($id: ID! $after: Cursor) { drive(id: $id) { ...DriveName items(first: 200 after: $after) { nodes { ...Row } pageInfo { ...Next } } } } fragment Next on PageInfo { hasNextPage endCursor } fragment DriveName on Drive { id name kind role capabilities } fragment Row on DriveItem { id name driveItemType updatedAt updatedBy { userId name agent } published trashedAt capabilities }",
);

export type FolderListData = { driveItem: Row & Place & { children: { nodes: Array<Row>; pageInfo: Next } } | null };
export type FolderListVariables = { id: string; after?: string | null };
export const FolderList = text<FolderListData, FolderListVariables>(
  "query FolderList($id: ID! $after: Cursor) { driveItem(id: $id) { ...Row ...Place children(first: 200 after: $after) { nodes { ...Row } pageInfo { ...Next } } } } fragment Next on PageInfo { hasNextPage endCursor } fragment Row on DriveItem { id name driveItemType updatedAt updatedBy { userId name agent } published trashedAt capabilities } fragment Place on DriveItem { drive { id name role } ancestors { id name } }",
);

export type ItemPlaceData = { driveItem: Row & Place | null };
export type ItemPlaceVariables = { id: string };
export const ItemPlace = text<ItemPlaceData, ItemPlaceVariables>(
  "query ItemPlace($id: ID!) { driveItem(id: $id) { ...Row ...Place } } fragment Row on DriveItem { id name driveItemType updatedAt updatedBy { userId name agent } published trashedAt capabilities } fragment Place on DriveItem { drive { id name role } ancestors { id name } }",
);

export type RenameItemData = { renameItem: Row };
export type RenameItemVariables = { itemId: string; name: string };
export const RenameItem = text<RenameItemData, RenameItemVariables>(
  "mutation RenameItem($itemId: ID! $name: ItemName!) { renameItem(itemId: $itemId name: $name) { ...Row } } fragment Row on DriveItem { id name driveItemType updatedAt updatedBy { userId name agent } published trashedAt capabilities }",
);

export type RestoreItemData = { restoreItem: Row };
export type RestoreItemVariables = { itemId: string };
export const RestoreItem = text<RestoreItemData, RestoreItemVariables>(
  "mutation RestoreItem($itemId: ID!) { restoreItem(itemId: $itemId) { ...Row } } fragment Row on DriveItem { id name driveItemType updatedAt updatedBy { userId name agent } published trashedAt capabilities }",
);

export type SearchListData = { search: { edges: Array<{ excerpt: Array<{ text: string; hit: boolean }>; node: Row & { path: Array<{ id: string; name: string }> | null } }>; pageInfo: Next } };
export type SearchListVariables = { text: string; after?: string | null };
export const SearchList = text<SearchListData, SearchListVariables>(
  "query SearchList($text: String! $after: Cursor) { search(text: $text first: 50 after: $after) { edges { excerpt { text hit } node { ...Row path { id name } } } pageInfo { ...Next } } } fragment Next on PageInfo { hasNextPage endCursor } fragment Row on DriveItem { id name driveItemType updatedAt updatedBy { userId name agent } published trashedAt capabilities }",
);

export type SharedListData = { sharedWithMe: { nodes: Array<Row & { path: Array<{ id: string; name: string }> | null }>; pageInfo: Next } };
export type SharedListVariables = { after?: string | null };
export const SharedList = text<SharedListData, SharedListVariables>(
  "query SharedList($after: Cursor) { sharedWithMe(first: 200 after: $after) { nodes { ...Row path { id name } } pageInfo { ...Next } } } fragment Next on PageInfo { hasNextPage endCursor } fragment Row on DriveItem { id name driveItemType updatedAt updatedBy { userId name agent } published trashedAt capabilities }",
);

export type SidebarData = { viewer: { id: string; name: string; email: string; emailVerified: boolean }; drives: { nodes: Array<DriveName>; pageInfo: Next } };
export type SidebarVariables = Record<string, never>;
export const Sidebar = text<SidebarData, SidebarVariables>(
  "query Sidebar { viewer { id name email emailVerified } drives(first: 200) { nodes { ...DriveName } pageInfo { ...Next } } } fragment Next on PageInfo { hasNextPage endCursor } fragment DriveName on Drive { id name kind role capabilities }",
);

export type TrashItemData = { trashItem: Row };
export type TrashItemVariables = { itemId: string };
export const TrashItem = text<TrashItemData, TrashItemVariables>(
  "mutation TrashItem($itemId: ID!) { trashItem(itemId: $itemId) { ...Row } } fragment Row on DriveItem { id name driveItemType updatedAt updatedBy { userId name agent } published trashedAt capabilities }",
);

export type TrashListData = { trash: { nodes: Array<Row & { path: Array<{ id: string; name: string }> | null }>; pageInfo: Next } };
export type TrashListVariables = { after?: string | null };
export const TrashList = text<TrashListData, TrashListVariables>(
  "query TrashList($after: Cursor) { trash(first: 200 after: $after) { nodes { ...Row path { id name } } pageInfo { ...Next } } } fragment Next on PageInfo { hasNextPage endCursor } fragment Row on DriveItem { id name driveItemType updatedAt updatedBy { userId name agent } published trashedAt capabilities }",
);
