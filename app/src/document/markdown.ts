/** Asks the server for the tree that Markdown says, and for the Markdown that a tree says: it alone reads and writes it. */

import type { Editor, JSONContent } from "@tiptap/core";
import { ask, failure } from "../graphql/ask";
import { DocumentMarkdown, MarkdownTree, TreeMarkdown } from "../graphql/generated";
import { t } from "../messages/messages";
import { sentence } from "../ui/states";

/** Return the tree that Markdown says; throws an Error whose message is a sentence. */
export async function treeOf(markdown: string): Promise<unknown> {
  try {
    return (await ask(MarkdownTree, { markdown })).prosemirrorDocOf;
  } catch (thrown) {
    throw new Error(t.document.markdownNotRead(sentence(failure(thrown).message)));
  }
}

/** Return the Markdown of what is selected, or of the whole document, as it is saved, where nothing is. */
export async function markdownOf(editor: Editor, documentId: string): Promise<string> {
  if (editor.state.selection.empty) return (await ask(DocumentMarkdown, { id: documentId })).document?.markdown ?? "";
  return (await ask(TreeMarkdown, { tree: selectedTree(editor) })).markdownOf ?? "";
}

/** Words within one text are a paragraph, whatever that text is; those of code stay code. */
export function selectedTree({ state: { doc, selection, schema } }: Editor): JSONContent {
  const { $from, $to, from, to } = selection;
  const isWithin = $from.sameParent($to) && $from.parent.inlineContent && !$from.parent.type.spec.code;
  const within = isWithin && schema.nodes.paragraph?.create(null, doc.slice(from, to).content);
  return { type: "doc", content: within ? [within.toJSON()] : selection.content().content.toJSON() };
}
