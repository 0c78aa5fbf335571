/** Files of Markdown, of which documents are made. */

import { Refused } from "../graphql/ask";
import { MAX_NAME } from "../ui/NameDialog";

const ENDING = /\.(md|markdown|txt)$/i;
/** What a field that chooses such files accepts. */
export const ACCEPTED = ".md,.markdown,.txt,text/markdown,text/plain";
export const MAX_FILES = 100; // at once, within what a person may write in a minute
const MAX_BYTES = 1_000_000;

/** Return the text of a file; throws Refused where it is no Markdown or cannot be read. */
export async function markdownOf(file: File): Promise<string> {
  if (!ENDING.test(file.name)) throw refusal("only files of Markdown and text can be imported");
  if (file.size > MAX_BYTES) throw refusal("a file that is imported has at most 1 MB");
  try {
    return await file.text();
  } catch {
    throw refusal("the file cannot be read");
  }
}

/** Return what a document is called that is made of a file. */
export function nameOfFile({ name }: File): string {
  const own = name.replace(ENDING, "").trim() || "Untitled";
  return [...own].slice(0, MAX_NAME).join("");
}

function refusal(message: string): Refused {
  return new Refused({ code: "BAD_REQUEST", message });
}
