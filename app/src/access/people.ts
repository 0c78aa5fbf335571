import type { ItemAccessData, Permission, Role, ShareLine } from "../graphql/generated";

export type AccessItem = NonNullable<ItemAccessData["driveItem"]>;

/** Somebody who has access to an item, and because of what; `given` is what was given on the item itself. */
export type Person = {
  email: string;
  name: string | null;
  userId: string | null;
  canEdit: boolean;
  given: Permission | null;
  inherited: { id: string; name: string; permission: Permission }[];
  role: Role | null;
};

/** Everybody with access to an item: by a share of it first, then by one of a folder above it, then by a role in the drive. */
export function peopleOf(item: AccessItem): Person[] {
  const found = new Map<string, Person>();

  function known({ email, name, userId }: Pick<Person, "email" | "name" | "userId">): Person {
    const before = found.get(email);
    const person = before ?? { email, name, userId, canEdit: false, given: null, inherited: [], role: null };
    person.name ??= name;
    person.userId ??= userId;
    found.set(email, person);
    return person;
  }
  function given(share: ShareLine): Person {
    const person = known(share);
    if (share.permission === "read_write") person.canEdit = true;
    return person;
  }

  for (const share of item.shares) given(share).given = share.permission;
  for (const { id, name, shares } of [...item.ancestors].reverse()) {
    for (const share of shares) given(share).inherited.push({ id, name, permission: share.permission });
  }
  for (const member of item.drive.members) {
    const person = known(member);
    person.role = member.role;
    person.canEdit = true;
  }
  return [...found.values()];
}
