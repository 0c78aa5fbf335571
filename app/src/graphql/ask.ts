import { type AnyVariables, CombinedError, type TypedDocumentNode } from "@urql/core";
import { client, type Failure, failureOf } from "./client";

/** A request that was refused or that nobody answered. */
export class Refused extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Ask the server; throws Refused, also where a part of the answer was refused. */
export async function ask<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, error } = await client.query(document, variables).toPromise();
  return given(data, error);
}

/** Have the server change something; throws Refused. */
export async function change<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, error } = await client.mutation(document, variables).toPromise();
  return given(data, error);
}

function given<Data>(data: Data | undefined, error: CombinedError | undefined): Data {
  if (error) throw new Refused(failureOf(error));
  if (data === undefined || data === null)
    throw new Refused({ code: "NETWORK", message: "The server does not answer." });
  return data;
}

export function failure(fault: unknown): Failure {
  if (fault instanceof Refused) return fault.failure;
  if (fault instanceof CombinedError) return failureOf(fault);
  throw fault;
}
