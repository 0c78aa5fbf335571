import type { GraphiQL } from "graphiql";
import { type ExecutionResult, getOperationAST } from "graphql";
import { createClient } from "graphql-ws";
import type { ComponentProps } from "react";

type Fetcher = ComponentProps<typeof GraphiQL>["fetcher"];
type Headers = Record<string, string>;

const PATH = "/graphql";

/** Ask the server over HTTP, or for a subscription over a WebSocket, as the session's cookie or the `headers` say. */
export const asked: Fetcher = (parameters, options) => {
  const headers: Headers = options?.headers ?? {};
  const operation = options?.documentAST && getOperationAST(options.documentAST, parameters.operationName);
  return operation?.operation === "subscription" ? followed(parameters, headers) : answered(parameters, headers);
};

async function answered(body: unknown, headers: Headers) {
  const response = await fetch(PATH, {
    method: "POST",
    headers: { accept: "application/graphql-response+json", "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return response.json();
}

function followed(parameters: Parameters<Fetcher>[0], headers: Headers) {
  const url = new URL(PATH, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  const client = createClient({ url: url.href, retryAttempts: 0, connectionParams: () => ticket(headers) });
  return client.iterate(parameters) as AsyncIterable<ExecutionResult>; // its errors are data, which GraphiQL only shows
}

/** A page cannot send headers with a WebSocket: what they say is sent for a ticket, which the socket is opened with. */
async function ticket(headers: Headers) {
  if (Object.keys(headers).length === 0) return {};
  const answer = await answered({ query: "mutation { createSocketTicket { ticket } }" }, headers);
  return answer.data?.createSocketTicket ?? {};
}
