import type { ItemCapability, Level, Permission, PersonChange, Reason, Role } from "../graphql/generated";

export const PERMISSIONS: Readonly<Record<Permission, string>> = {
  read_only: "can read",
  read_write: "can edit",
};

export const ROLES: Readonly<Record<Role, string>> = { owner: "Owner", manager: "Manager", contributor: "Contributor" };

const CAPABILITIES: Readonly<Record<ItemCapability, string>> = {
  read: "read it",
  edit: "edit it",
  createChild: "make items in it",
  move: "move it",
  moveOut: "move it to other drives",
  share: "share it",
  publish: "publish it",
  trash: "put it into the trash",
  versions: "see its history",
  deleteForever: "delete it for ever",
};

/** A person's name, or their address where no name is known; `reader` is the address of whoever reads. */
export function personName({ email, name }: { email: string; name: string | null }, reader: string): string {
  return email === reader ? "You" : (name ?? email);
}

/** A role in a drive, such as “contributor of Engineering”. */
export function roleLabel(role: Role, drive: string): string {
  return `${ROLES[role].toLowerCase()} of ${drive}`;
}

export function permissionLabel(permission: Permission | null): string {
  return permission ? PERMISSIONS[permission] : "no access";
}

/** Where access comes from, such as “member of the drive (contributor)” or “Projects is shared with them”. */
export function reasonLabel(reason: Reason, isYou = false): string {
  if (reason.role) return `${ROLES[reason.role].toLowerCase()} of the drive`;
  const item = reason.itemName === null ? "a folder above it" : `“${reason.itemName}”`;
  const giver = reason.givenByName === null ? "" : ` by ${reason.givenByName}`;
  return `${item} is shared with ${isYou ? "you" : "them"}${giver}`;
}

/** What somebody may do before and after an act; where both allow editing, or both reading, what else is different. */
export function changeLabel({ before, after }: PersonChange): string {
  if (before.permission !== after.permission)
    return `${permissionLabel(after.permission)}, now ${permissionLabel(before.permission)}`;
  const more = beyond(after, before);
  const less = beyond(before, after);
  return [more && `can also ${more}`, less && `can no longer ${less}`].filter(Boolean).join("; ");
}

function beyond(some: Level, others: Level): string {
  const only = some.capabilities.filter((each) => !others.capabilities.includes(each));
  return only.map((each) => CAPABILITIES[each]).join(", ");
}
