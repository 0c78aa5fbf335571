// What somebody writes with Apollo Client: pages that become one list, persisted queries that the server does not keep, an error
// and a subscription.
import { createHash } from "node:crypto";
import { ApolloClient, ApolloLink, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { relayStylePagination } from "@apollo/client/utilities";
import { createClient } from "graphql-ws";

const { URL: url, KEY: key, DRIVE: drive, FOLDER: folder } = process.env;
const headers = { "x-api-key": key };

class Socket extends WebSocket {
  constructor(address, protocols) {
    super(address, { protocols, headers });
  }
}

const socket = createClient({ url: url.replace("http", "ws"), webSocketImpl: Socket });
const persisted = new PersistedQueryLink({ sha256: (text) => createHash("sha256").update(text).digest("hex") });
const client = new ApolloClient({
  cache: new InMemoryCache({ typePolicies: { Drive: { fields: { items: relayStylePagination() } } } }),
  link: ApolloLink.split(
    ({ operationType }) => operationType === "subscription",
    new GraphQLWsLink(socket),
    persisted.concat(new HttpLink({ uri: url, headers })),
  ),
});

const { data } = await client.query({ query: gql`query Me { viewer { name } }` });
const query = gql`query Items($id: ID!, $after: Cursor) {
  drive(id: $id) { id items(first: 2, after: $after) { edges { cursor node { id name } } pageInfo { hasNextPage endCursor } } }
}`;
const listed = client.watchQuery({ query, variables: { id: drive } });
const first = await new Promise((resolve) => listed.subscribe((result) => result.loading || resolve(result)));
await listed.fetchMore({ variables: { after: first.data.drive.items.pageInfo.endCursor } });
const both = client.readQuery({ query, variables: { id: drive } });

const code = await client
  .query({ query: gql`query Nothing { driveItem(id: "nothing") { id } }` })
  .catch((error) => (CombinedGraphQLErrors.is(error) ? error.errors[0].extensions.code : String(error)));

const CHANGES = gql`subscription Changes { changes { type itemId } }`;
const following = new Promise((resolve) => {
  client.subscribe({ query: CHANGES }).subscribe(({ data: seen }) => {
    if (seen?.changes.type === "itemRenamed") resolve({ type: seen.changes.type, itemId: seen.changes.itemId });
  });
});
await new Promise((resolve) => socket.on("connected", resolve));
const RENAME = gql`mutation Rename($id: ID!, $name: ItemName!) { renameItem(itemId: $id, name: $name) { id name } }`;
let times = 0;
const renaming = setInterval(() => client.mutate({ mutation: RENAME, variables: { id: folder, name: `${++times}` } }), 500);
const followed = await following;
clearInterval(renaming);
const pages = [first.data.drive.items.edges.length, both.drive.items.edges.length];
console.log(JSON.stringify({ pages, name: data.viewer.name, code, followed }));
process.exit();
