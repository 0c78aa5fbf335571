/** The people that can be mentioned in a document: those of whom the reader may know that they see it, and its authors. */

import { ask } from "../graphql/ask";
import { DocumentPeople } from "../graphql/generated";
import { formats } from "../messages/messages";

export type Person = { userId: string; name: string };

export async function peopleOf(documentId: string): Promise<Person[]> {
  const { driveItem, document } = await ask(DocumentPeople, { id: documentId });
  const shares = [...(driveItem?.shares ?? []), ...(driveItem?.ancestors ?? []).flatMap(({ shares }) => shares)];
  const found = new Map<string, Person>();
  for (const { userId, name } of [...(document?.authors ?? []), ...(driveItem?.drive.members ?? []), ...shares])
    if (userId && name) found.set(userId, { userId, name });
  return [...found.values()].sort((one, other) => formats.compare(one.name, other.name));
}
