// What somebody writes with urql and graphcache: pages that become one list, a mutation that changes what is shown, persisted
// queries that the server does not keep, and a subscription.
import { Client, fetchExchange, gql, subscriptionExchange } from "@urql/core";
import { persistedExchange } from "@urql/exchange-persisted";
import { createClient } from "graphql-ws";
import { cache } from "./cache.mjs";

const { URL: url, KEY: key, DRIVE: drive, FOLDER: folder, DOCUMENT: document } = process.env;
const headers = { "x-api-key": key };
const page = JSON.parse(process.env.OPERATIONS);
const warnings = [];
console.warn = console.error = (...said) => warnings.push(said.join(" "));

class Socket extends WebSocket {
  constructor(address, protocols) {
    super(address, { protocols, headers });
  }
}

const socket = createClient({ url: url.replace("http", "ws"), webSocketImpl: Socket });
const client = new Client({
  url,
  preferGetMethod: false,
  fetchOptions: { headers },
  exchanges: [
    cache,
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: (request) => ({
        subscribe: (sink) => ({ unsubscribe: socket.subscribe({ ...request, query: request.query ?? "" }, sink) }),
      }),
    }),
  ],
});

async function ask(query, variables = {}, by = client) {
  const { data, error } = await by.query(query, variables).toPromise();
  if (error) throw error;
  return data;
}

const ITEMS = gql`query Items($id: ID!, $after: Cursor) {
  drive(id: $id) { id name items(first: 2, after: $after) { nodes { id name updatedBy { userId name } } pageInfo { hasNextPage endCursor } } }
}`;
await ask(gql(page.Home));
await ask(gql(page.Folder), { id: folder });
await ask(gql(page.BeforeMoving), { itemId: folder, driveId: drive, parentId: null });
await ask(gql(page.History), { id: document });
const first = (await ask(ITEMS, { id: drive })).drive.items;
const both = (await ask(ITEMS, { id: drive, after: first.pageInfo.endCursor })).drive.items;

const followed = new Promise((resolve) => {
  const following = client.subscription(gql(page.Changes), {}).subscribe(({ data }) => {
    if (data?.changes?.type === "itemRenamed") {
      following.unsubscribe();
      resolve({ type: data.changes.type, itemId: data.changes.itemId });
    }
  });
});
const ready = new Promise((resolve) => socket.on("message", (message) => message.type === "connection_ack" && resolve()));
await ready;
const RENAME = gql`mutation Rename($id: ID!, $name: ItemName!) { renameItem(itemId: $id, name: $name) { id name } }`;
let times = 0;
const rename = (name) => client.mutation(RENAME, { id: folder, name }).toPromise();
const renaming = setInterval(() => rename(`Renamed ${++times}`), 500); // the subscription begins after its socket
const event = await followed;
clearInterval(renaming);
const made = await rename("Renamed");
const shown = (await ask(ITEMS, { id: drive })).drive.items.nodes.find((each) => each.id === folder);

const persisting = new Client({
  url,
  preferGetMethod: false,
  fetchOptions: { headers },
  exchanges: [persistedExchange({ preferGetForPersistedQueries: true }), fetchExchange],
});
const persisted = await ask(gql`query Me { viewer { name } }`, {}, persisting);
console.log(
  JSON.stringify({
    warnings,
    pages: [first.nodes.length, both.nodes.length],
    renamed: made.data.renameItem.name,
    shown: shown.name,
    persisted: persisted.viewer.name,
    followed: event,
  }),
);
process.exit();
