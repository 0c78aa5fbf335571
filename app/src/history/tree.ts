/** A document's ProseMirror tree, and the text of its blocks. */

/** A node of a document's ProseMirror tree. */
export type TreeNode = {
  type: string;
  attrs?: Record<string, unknown>;
  content?: TreeNode[];
  text?: string;
  marks?: { type: string; attrs?: Record<string, unknown> }[];
};

const SHOWN = 160; // characters of a passage

/** Returns the text of the block to which the indexes lead, shortened; "" where there is none. */
export function textAt(root: TreeNode, path: readonly number[]): string {
  let node: TreeNode | undefined = root;
  for (const index of path) node = node?.content?.[index];
  const text = node ? textOf(node) : "";
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function textOf({ text, content = [] }: TreeNode): string {
  return text ?? content.map(textOf).join(" ");
}
