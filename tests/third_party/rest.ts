// What somebody writes with the types of openapi-typescript and with openapi-fetch.
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

declare const process: { env: Record<string, string> };
const { BASE: baseUrl, KEY: key, DRIVE: driveId, EMAIL: email } = process.env as Record<string, string>;
const client = createClient<paths>({ baseUrl: baseUrl!, headers: { "x-api-key": key! } });

function had<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("nothing was answered");
  return value;
}

const made = await client.POST("/drives/{driveId}/items", {
  params: { path: { driveId: driveId! } },
  body: { name: "Plan", driveItemType: "docs_workbook" },
});
const item = had(made.data).item;
const params = { path: { documentId: item.id } };
await client.PATCH("/documents/{documentId}", { params, body: { replace: "# Plan\n\n- one\n", base: 0 } });
// @ts-expect-error there is no such field
await client.PATCH("/documents/{documentId}", { params, body: { text: "x" } });
const read = had((await client.GET("/documents/{documentId}", { params })).data);
await client.POST("/drive-items/{itemId}/access", {
  params: { path: { itemId: item.id } },
  body: { email: email!, permission: "read_write" },
});
const got = had((await client.GET("/drive-items/{itemId}", { params: { path: { itemId: item.id } } })).data);
const failed = await client.GET("/drive-items/{itemId}", { params: { path: { itemId: "nothing" } } });
console.log(
  JSON.stringify({
    made: item.name,
    markdown: read.markdown,
    revision: read.item.revision,
    shared: got.shares[0]?.permission,
    code: failed.error?.code,
  }),
);
