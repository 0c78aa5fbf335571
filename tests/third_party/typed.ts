// What somebody writes with graphql-codegen's client preset: each operation has the types of its variables and its answer.
import { graphql } from "./generated/index.js";
import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { print } from "graphql";

const HOME = graphql(`/* Home */`);
const FOLDER = graphql(`/* Folder */`);
const BEFORE_MOVING = graphql(`/* BeforeMoving */`);
const HISTORY = graphql(`/* History */`);
const CHANGES = graphql(`/* Changes */`);

declare const process: { env: Record<string, string> };
const { URL: url, KEY: key, FOLDER: folder, DRIVE: drive, DOCUMENT: document } = process.env as Record<string, string>;

async function ask<Data, Variables>(query: TypedDocumentNode<Data, Variables>, variables: Variables): Promise<Data> {
  const headers = { "content-type": "application/json", "x-api-key": key! };
  const response = await fetch(url!, { method: "POST", headers, body: JSON.stringify({ query: print(query), variables }) });
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

const home = await ask(HOME, {});
const name: string = home.viewer.name;
// @ts-expect-error there is no such field
home.viewer.surname;
// @ts-expect-error the variable is required
await ask(FOLDER, {}).catch(() => null);
const inside = await ask(FOLDER, { id: folder! });
const preview = await ask(BEFORE_MOVING, { itemId: folder!, driveId: drive!, parentId: null });
const made = graphql(`mutation Write($id: ID!) { editDocument(documentId: $id, edit: { append: "Words" }) { revision } }`);
const revision: number = (await ask(made, { id: document! })).editDocument.revision;
const history = await ask(HISTORY, { id: document!, since: null });
void CHANGES;
void revision;
console.log(
  JSON.stringify({
    name,
    folder: inside.driveItem?.children.nodes.map((each) => each.name),
    gains: preview.movePreview?.gains,
    kinds: history.document?.changes.nodes.map((each) => each.kind),
  }),
);
