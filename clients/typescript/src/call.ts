/** Builds the request of a call, reads its answer as a value or an error, and decides on retries. It sends nothing. */

import { ConnectionFailedError, InvalidAnswerError, InvalidInputError, RateLimitError, ofStatus } from "./errors.js";
import type { CodriveError } from "./errors.js";

/** One operation of the contract, as data; `fields` are the top-level fields of its answer. */
export interface Operation {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query: readonly string[];
  /** The fields of the path that are numbers. */
  readonly numbers: readonly string[];
  readonly fields: readonly string[];
  readonly readOnly: boolean;
  /** Whether it takes an idempotency key, so that sending it twice is safe. */
  readonly idempotencyKey: boolean;
}

/** Options of a single call that override the client's. */
export interface CallOptions {
  /** Ends the call: it fails with the code `CANCELED`. */
  signal?: AbortSignal;
  /** Milliseconds for each attempt, from sending to the last byte of the answer. */
  timeout?: number;
  /** The number of retries after transient failures. */
  maxRetries?: number;
  /** The idempotency key of a POST: within 24 hours the same key acts once. The client generates one if none is given. */
  idempotencyKey?: string;
}

/** The options of a client. */
export interface CodriveOptions {
  /** An API key, made in the settings, under API keys. The client sends it to this server alone. */
  apiKey: string;
  /** The software that acts for the key's user, to credit it beside them. */
  agent?: string | undefined;
  /** The server's base URL; the local server's by default. */
  baseUrl?: string | undefined;
  /** Milliseconds for each attempt; 30,000 by default. */
  timeout?: number | undefined;
  /** The number of retries after transient failures, which never repeat an effect; 2 by default. */
  maxRetries?: number | undefined;
  /** A `fetch` to use instead of the global one. */
  fetch?: typeof globalThis.fetch | undefined;
}

export type Run = (operation: Operation, input: object, options: CallOptions) => Promise<unknown>;

export interface Settings {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout: number;
  readonly maxRetries: number;
}

/** A request to send; `repeatable` means that sending it twice has the effect of sending it once. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly repeatable: boolean;
  readonly timeout: number;
  readonly retries: number;
}

/** An HTTP answer, valid or not. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export const VERSION = "0.1.0";
const DEFAULT_URL = "http://127.0.0.1:8000/api/v1";
const LONGEST_WAIT = 60_000;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;
const TRANSIENT = new Set([408, 500, 502, 503, 504]);
const WITH_BODY = new Set(["POST", "PUT", "PATCH"]);
const HEADER_TEXT = /^[\x20-\x7e]+$/;
const NAMED: Readonly<Record<number, string>> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
};

/** Check the options of a client. */
export function settings(given: CodriveOptions): Settings {
  const { apiKey, agent, baseUrl = DEFAULT_URL, timeout = 30_000, maxRetries = 2 } = given;
  if (typeof apiKey !== "string" || !HEADER_TEXT.test(apiKey)) {
    throw new InvalidInputError("apiKey is required: make one in the settings, under API keys");
  }
  if (agent !== undefined && !HEADER_TEXT.test(agent)) {
    throw new InvalidInputError("agent must be 1 to 64 characters of printable ASCII");
  }
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw new InvalidInputError("baseUrl must be an http or https address, such as http://127.0.0.1:8000/api/v1");
  }
  if (!(timeout > 0) || !(maxRetries >= 0)) {
    throw new InvalidInputError("timeout must be more than 0, and maxRetries not less");
  }
  const headers: Record<string, string> = {
    "x-api-key": apiKey,
    accept: "application/json",
    "user-agent": `codrive-typescript/${VERSION}`,
  };
  if (agent !== undefined) headers["x-service-agent"] = agent;
  return { baseUrl: baseUrl.replace(/\/+$/, ""), headers, timeout, maxRetries };
}

/** Put the input's fields into path, query and body. */
export function prepare(settings: Settings, operation: Operation, input: object, options: CallOptions): Sent {
  const values: Record<string, unknown> = { ...input };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = take(values, name);
    return segment(name, operation.numbers.includes(name) && typeof value === "number" ? String(value) : value);
  });
  const query = new URLSearchParams();
  for (const name of operation.query) {
    const value = take(values, name);
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) query.append(name, String(each));
    }
  }
  const headers: Record<string, string> = { ...settings.headers };
  let body: string | undefined;
  if (WITH_BODY.has(operation.method)) {
    body = json(values);
    headers["content-type"] = "application/json";
  } else {
    const [extra] = Object.keys(values);
    if (extra !== undefined) throw new InvalidInputError(`${extra} is no field of ${operation.name}: leave it out`);
  }
  if (operation.idempotencyKey) headers["idempotency-key"] = idempotencyKey(options.idempotencyKey);
  else if (options.idempotencyKey !== undefined) {
    throw new InvalidInputError(`${operation.name} takes no idempotency key: only what makes something does`);
  }
  return {
    method: operation.method,
    url: `${settings.baseUrl}${path}${query.size ? `?${query}` : ""}`,
    headers,
    body,
    repeatable: operation.readOnly || operation.idempotencyKey,
    timeout: options.timeout ?? settings.timeout,
    retries: options.maxRetries ?? settings.maxRetries,
  };
}

function take(values: Record<string, unknown>, name: string): unknown {
  const value = values[name];
  delete values[name];
  return value;
}

function segment(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "") {
    throw new InvalidInputError(`${name} must be a string that is not empty`);
  }
  if (value === "." || value === "..") throw new InvalidInputError(`${name} is no id`);
  try {
    return encodeURIComponent(value);
  } catch (fault) {
    throw new InvalidInputError(`${name} holds what is no text`, fault);
  }
}

function idempotencyKey(given: string | undefined): string {
  if (given !== undefined && !HEADER_TEXT.test(given)) {
    throw new InvalidInputError("idempotencyKey must be printable ASCII");
  }
  return given ?? crypto.randomUUID();
}

function json(values: object): string {
  try {
    return JSON.stringify(values);
  } catch (fault) {
    throw new InvalidInputError("the input is no JSON", fault);
  }
}

/** The operation's answer, undefined if it has none; throws for a failure. */
export function read(operation: Operation, answer: Answer): unknown {
  if (answer.status >= 400) throw failure(answer);
  if (answer.status !== 200) throw unknown(answer, `the server answered ${answer.status || "a redirect"}: is baseUrl right?`);
  if (operation.fields.length === 0 && answer.body === "") return undefined;
  const value = parsed(answer.body);
  if (value === undefined) throw unknown(answer, "the answer is no JSON: is baseUrl right?");
  if (!isObject(value) || operation.fields.length === 0 || operation.fields.some((name) => !(name in value))) {
    throw unknown(answer, `the answer is none of ${operation.name}: is baseUrl right?`);
  }
  return value;
}

/** The error of a failed answer; one without an envelope gets one. */
export function failure(answer: Answer): CodriveError {
  const envelope = parsed(answer.body);
  const told = isObject(envelope) && typeof envelope["code"] === "string" && typeof envelope["message"] === "string";
  const code = told
    ? (envelope["code"] as string)
    : (NAMED[answer.status] ?? (answer.status >= 500 ? "SERVICE_UNAVAILABLE" : "BAD_REQUEST"));
  const message = told ? (envelope["message"] as string) : `the server answered ${answer.status} without saying why`;
  const error = ofStatus(answer.status, message, code, requestId(answer));
  if (error instanceof RateLimitError) error.retryAfter = retryAfter(answer);
  return error;
}

function unknown(answer: Answer, message: string): CodriveError {
  return new InvalidAnswerError(message, { status: answer.status || undefined, requestId: requestId(answer) });
}

function requestId(answer: Answer): string | undefined {
  return answer.headers.get("x-request-id") ?? undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * The milliseconds to wait before a retry, undefined if a retry is useless or unsafe. `attempt` counts from 0; `came` is
 * an error if no answer arrived.
 */
export function pause(sent: Sent, attempt: number, came: Answer | ConnectionFailedError): number | undefined {
  if (attempt >= sent.retries) return undefined;
  if (came instanceof ConnectionFailedError) {
    if (came.code === "CANCELED" || !(sent.repeatable || neverSent(came))) return undefined;
    return spread(attempt);
  }
  const refused = came.status === 429;
  if (!refused && !(sent.repeatable && TRANSIENT.has(came.status))) return undefined;
  const asked = retryAfter(came);
  if (asked === undefined) return spread(attempt);
  return asked <= LONGEST_WAIT ? asked : undefined;
}

function spread(attempt: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt) * (0.75 + Math.random() / 4);
}

const UNREACHED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

function neverSent(error: ConnectionFailedError): boolean {
  const cause = error.cause instanceof Error ? (error.cause.cause ?? error.cause) : undefined;
  return isObject(cause) && UNREACHED.has(String(cause["code"]));
}

function retryAfter(answer: Answer): number | undefined {
  const told = answer.headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(told)) return Number(told) * 1000;
  const until = Date.parse(told);
  return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now());
}
