/** Uploads an image, which the document then names by its address. */

import { t } from "../messages/messages";
import { sentence } from "../ui/states";

/** Send the image to the server; throws an Error whose message is a sentence. */
export async function sendImage(documentId: string, file: File): Promise<{ url: string }> {
  const body = new FormData();
  body.set("file", file);
  const answer = await fetch(`/images?documentId=${encodeURIComponent(documentId)}`, { method: "POST", body }).catch(
    () => null,
  );
  const found = await answer?.json().catch(() => null);
  if (answer?.ok && found) return found.image;
  throw new Error(t.document.imageNotAdded(sentence(found?.message ?? t.document.cannotReach)));
}
