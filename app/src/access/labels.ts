import type { DriveName, Level, Permission, PersonChange, Reason, Role } from "../graphql/generated";
import { t } from "../messages/messages";
import { driveName } from "../ui/drive_name";

/** A person's name, or their address where no name is known; `reader` is the address of whoever reads. */
export function personName({ email, name }: { email: string; name: string | null }, reader: string): string {
  return email === reader ? t.ui.you : (name ?? email);
}

/** A role in a drive, such as “contributor of Engineering”. */
export function roleLabel(role: Role, drive: DriveName): string {
  return t.access.roleOf(t.access.roles[role], driveName(drive));
}

export function permissionLabel(permission: Permission | null): string {
  return permission ? t.access.permissions[permission] : t.access.noAccess;
}

/** Where access comes from, such as “member of the drive (contributor)” or “Projects is shared with them”. */
export function reasonLabel(reason: Reason, isYou = false): string {
  if (reason.role) return t.access.roleOfDrive(t.access.roles[reason.role]);
  const item = reason.itemName === null ? t.access.folderAbove : t.items.named(reason.itemName);
  return t.access.isShared(item, isYou, reason.givenByName);
}

/** What somebody may do before and after an act; where both allow editing, or both reading, what else is different. */
export function changeLabel({ before, after }: PersonChange): string {
  if (before.permission !== after.permission)
    return t.access.changed(permissionLabel(after.permission), permissionLabel(before.permission));
  const more = beyond(after, before);
  const less = beyond(before, after);
  return [more && t.access.canAlso(more), less && t.access.canNoLonger(less)].filter(Boolean).join("; ");
}

function beyond(some: Level, others: Level): string {
  const only = some.capabilities.filter((each) => !others.capabilities.includes(each));
  return only.map((each) => t.access.capabilities[each]).join(", ");
}
