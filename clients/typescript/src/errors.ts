/** The errors of the client: one family, each with the service's envelope or one of the same form. */

import type { ErrorCode } from "./types.js";

/** The codes of the client itself, beside the service's. */
export type ClientCode = "INVALID_INPUT" | "INVALID_ANSWER" | "CONNECTION_FAILED" | "TIMED_OUT" | "CANCELED";

export interface Details {
  status?: number | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

/**
 * A call that failed. Test `code`; `status` is the HTTP status, undefined without an answer; `requestId` identifies the
 * request in the operator's log.
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
/** 403: you can see this, but may not do it. */
export class ForbiddenError extends CodriveError {}
/** 404: there is nothing here that you can see. */
export class NotFoundError extends CodriveError {}
/** 409: the present state does not allow it, or a limit is reached; the code says which. */
export class ConflictError extends CodriveError {}
/** 413: the request is larger than the service accepts. */
export class TooLargeError extends CodriveError {}
/** 429: too many requests; `retryAfter` is in milliseconds, undefined if the service did not say. */
export class RateLimitError extends CodriveError {
  retryAfter: number | undefined;
}
/** 5xx: the service failed or is temporarily unavailable. */
export class ServerError extends CodriveError {}
/** The arguments make no request; the client sent nothing. */
export class InvalidInputError extends CodriveError {
  constructor(message: string, cause?: unknown) {
    super(message, "INVALID_INPUT", { cause });
  }
}
/** The answer is not from this service, or incomplete. */
export class InvalidAnswerError extends CodriveError {
  constructor(message: string, details: Details) {
    super(message, "INVALID_ANSWER", details);
  }
}
/** No answer arrived: the connection was refused or lost, the time was up, or the call was canceled. */
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

/** The class of a failure, by its status. */
export function ofStatus(status: number, message: string, code: string, requestId: string | undefined): CodriveError {
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : CodriveError);
  return new Kind(message, code, { status, requestId });
}
