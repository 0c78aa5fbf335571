import { t } from "../messages/messages";
import type { Document } from "./generated";

/** What the server's error says of itself; `code` is one of docs/errors.md, or NETWORK where nothing was answered. */
export type Failure = { code: string; message: string };

/** A request that was refused or that nobody answered. */
export class Refused extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

type Answer<Data> = {
  data?: Data | null;
  errors?: readonly { message: string; extensions?: { code?: unknown } }[];
};

/**
 * Ask the server for something, or have it change something, in the name of whoever the session's cookie says; throws Refused,
 * also where a part of the answer was refused. It sends the texts of `generated.ts` exactly, which the server prepares.
 */
export async function ask<Data, Variables>(
  query: Document<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  const response = await fetch("/graphql", {
    method: "POST",
    credentials: "same-origin",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify({ operationName: nameOf(query), query, variables }),
    ...(signal && { signal }),
  }).catch(() => null);
  const answer: Answer<Data> | null = (await response?.json().catch(() => null)) ?? null;
  signal?.throwIfAborted();
  const [first] = answer?.errors ?? [];
  if (first) throw refusal(String(first.extensions?.code ?? "INTERNAL"), first.message);
  if (response?.status === 401) throw new Refused({ code: "UNAUTHORIZED", message: t.states.signedOutNow });
  if (!answer?.data) throw new Refused({ code: "NETWORK", message: t.states.noAnswer });
  return answer.data;
}

/** What the server refused, in the reader's language where the code alone says it. */
function refusal(code: string, message: string): Refused {
  return new Refused({ code, message: t.states.refused[code] ?? message });
}

/** The name of an operation, by which requests are told apart where they are looked at. */
function nameOf(text: string): string | undefined {
  return /^\w+ (\w+)/.exec(text)?.[1];
}

/** Return why something failed; throws what is no refusal. */
export function failure(fault: unknown): Failure {
  if (fault instanceof Refused) return fault.failure;
  throw fault;
}
