import { Client, type CombinedError, fetchExchange } from "@urql/core";

/** The GraphQL client; the session's cookie says who asks. It sends the texts of `generated.ts` exactly, which the server prepares. */
export const client = new Client({
  url: "/graphql",
  preferGetMethod: false,
  exchanges: [fetchExchange],
  fetchOptions: { credentials: "same-origin", headers: { accept: "application/json" } },
});

/** What the server's error says of itself; `code` is one of docs/errors.md, or NETWORK where nothing was answered. */
export type Failure = { code: string; message: string };

export function failureOf(error: CombinedError): Failure {
  const [first] = error.graphQLErrors;
  if (first) return { code: String(first.extensions.code ?? "INTERNAL"), message: first.message };
  const status: number | undefined = error.response?.status;
  if (status === 401) return { code: "UNAUTHORIZED", message: "You are signed out." };
  return { code: "NETWORK", message: "The server does not answer." };
}
