/** What is kept of who has access to what. */

import { ask } from "../graphql/ask";
import { isNotice, ofTypes } from "../graphql/events";
import {
  DriveMembers,
  DrivePeople,
  type DrivePeopleData,
  ExplainAccess,
  ItemAccess,
  ShareSuggestions,
} from "../graphql/generated";
import { answer } from "../graphql/queries";
import type { AccessItem } from "./people";

const isOfMembers = ofTypes("memberSet", "memberRemoved");
const isOfDrive = ofTypes("memberSet", "memberRemoved", "driveRenamed");
const isOfItem = ofTypes(
  "shareChanged",
  "shareRemoved",
  "itemShared",
  "itemMoved",
  "itemRenamed",
  "documentPublished",
  "documentUnpublished",
);

/** Who has access to an item, and because of what; null where the reader sees no such item. */
export function itemAccess(itemId: string) {
  return answer<AccessItem | null>(
    ["access", itemId],
    async (signal) => (await ask(ItemAccess, { id: itemId }, signal)).driveItem,
    (event, item) =>
      isNotice(event) ||
      (isOfMembers(event) && event.driveId === item?.drive.id) ||
      (isOfItem(event) && (event.itemId === itemId || !!item?.ancestors.some(({ id }) => id === event.itemId))),
  );
}

/** A drive with its members; null where the reader sees no such drive. */
export function driveMembers(driveId: string) {
  return answer(
    ["members", driveId],
    async (signal) => (await ask(DriveMembers, { id: driveId }, signal)).drive,
    (event) => isNotice(event) || (isOfDrive(event) && event.driveId === driveId),
  );
}

/** What an address may do to an item, and why, as it is while the item is as it is here. */
export function explanation(item: AccessItem, email: string) {
  return answer(
    ["explanation", item, email],
    async (signal) => (await ask(ExplainAccess, { itemId: item.id, email }, signal)).access,
  );
}

/** The people of whom the reader may know, to share an item with. */
export function shareSuggestions(itemId: string) {
  return answer(
    ["share suggestions", itemId],
    async (signal) => (await ask(ShareSuggestions, { id: itemId }, signal)).shareSuggestions ?? [],
  );
}

export type OrganizationPerson = NonNullable<DrivePeopleData["driveOrganizationMembers"]>["nodes"][number];

/** Everybody in the organization of a drive. */
export function organizationPeople(driveId: string) {
  return answer(["organization people", driveId], async (signal) => {
    const found: OrganizationPerson[] = [];
    let after: string | null = null;
    do {
      const { driveOrganizationMembers: page }: DrivePeopleData = await ask(
        DrivePeople,
        { id: driveId, after },
        signal,
      );
      found.push(...(page?.nodes ?? []));
      after = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    return found;
  });
}
