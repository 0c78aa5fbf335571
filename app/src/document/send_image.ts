/** Uploads an image, which the document then names by its address. */

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
  throw new Error(`The image was not added. ${sentence(found?.message ?? "The server cannot be reached")}`);
}
