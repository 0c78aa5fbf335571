/** Files of Markdown, of which documents are made. */

import { Refused } from "../graphql/ask";
import { t } from "../messages/messages";
import { MAX_NAME } from "../ui/NameDialog";

const ENDING = /\.(md|markdown|txt)$/i;
/** What a field that chooses such files accepts. */
export const ACCEPTED = ".md,.markdown,.txt,text/markdown,text/plain";
export const MAX_FILES = 100; // at once, within what a person may write in a minute
const MAX_BYTES = 1_000_000;

/** Return the text of a file; throws Refused where it is no Markdown or cannot be read. */
export async function markdownOf(file: File): Promise<string> {
  if (!ENDING.test(file.name)) throw refusal(t.items.onlyMarkdown);
  if (file.size > MAX_BYTES) throw refusal(t.items.tooLarge);
  try {
    return await file.text();
  } catch {
    throw refusal(t.items.unreadable);
  }
}

/** Return what a document is called that is made of a file. */
export function nameOfFile({ name }: File): string {
  const own = name.replace(ENDING, "").trim() || t.lists.untitled;
  return [...own].slice(0, MAX_NAME).join("");
}

function refusal(message: string): Refused {
  return new Refused({ code: "BAD_REQUEST", message });
}
