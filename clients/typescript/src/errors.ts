/** What can go wrong: one family of errors, each with the service's own envelope or one of the same form. */

import type { ErrorCode } from "./types.js";

/** What the client itself says in `code`, beside what the service says. */
export type ClientCode = "INVALID_INPUT" | "INVALID_ANSWER" | "CONNECTION_FAILED" | "TIMED_OUT" | "CANCELED";

export interface Details {
  status?: number | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

/**
 * A call that failed. `code` is what to go by; `status` is the HTTP status, undefined where no answer came; `requestId`
 * is what the operator finds in the log.
 */
export class CodriveError extends Error {
  readonly code: ErrorCode | ClientCode | (string & {});
  readonly status: number | undefined;
  readonly requestId: string | undefined;

  constructor(message: string, code: string, details: Details = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.status = details.status;
    this.requestId = details.requestId;
  }
}

/** 400: the request is malformed; the message names the field. */
export class BadRequestError extends CodriveError {}
/** 401: the key is missing, wrong or revoked. */
export class UnauthorizedError extends CodriveError {}
/** 403: you see it, but may not do this. */
export class ForbiddenError extends CodriveError {}
/** 404: there is nothing here that you can see. */
export class NotFoundError extends CodriveError {}
/** 409: what is there does not allow it, or a limit is reached; the code says which. */
export class ConflictError extends CodriveError {}
/** 413: the request is larger than the service accepts. */
export class TooLargeError extends CodriveError {}
/** 429: too many requests; `retryAfter` is in milliseconds where the service said so. */
export class RateLimitError extends CodriveError {
  retryAfter: number | undefined;
}
/** 5xx: the service failed or is away for a moment. */
export class ServerError extends CodriveError {}
/** Nothing was sent, since what was given cannot be made into a request. */
export class InvalidInputError extends CodriveError {
  constructor(message: string, cause?: unknown) {
    super(message, "INVALID_INPUT", { cause });
  }
}
/** What came back is not of this service, or was cut off; never an empty result instead. */
export class InvalidAnswerError extends CodriveError {
  constructor(message: string, details: Details) {
    super(message, "INVALID_ANSWER", details);
  }
}
/** No answer came: the connection was refused, broken or cut, the time was up, or the call was canceled. */
export class ConnectionFailedError extends CodriveError {}

const BY_STATUS: Readonly<Record<number, new (message: string, code: string, details: Details) => CodriveError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  413: TooLargeError,
  429: RateLimitError,
};

/** The error of a failure's status. */
export function ofStatus(status: number, message: string, code: string, requestId: string | undefined): CodriveError {
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : CodriveError);
  return new Kind(message, code, { status, requestId });
}
