"""The errors of the client: one family, each with the service's envelope or one of the same form."""


class CodriveError(Exception):
    """A call that failed.

    Test `code`: it is the service's, or one of the client's own, named with each class below. `status` is the HTTP
    status, None without an answer. `request_id` identifies the request in the operator's log.
    """

    def __init__(self, message: str, *, code: str, status: int | None = None, request_id: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id

    def __str__(self) -> str:
        return f"{self.code}: {self.message}" + (f" (request {self.request_id})" if self.request_id else "")

    def __repr__(self) -> str:
        told = f"{self.message!r}, code={self.code!r}, status={self.status!r}, request_id={self.request_id!r}"
        return f"{type(self).__name__}({told})"

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.message, self.code, self.status, self.request_id)


def _again(
    kind: type[CodriveError], message: str, code: str, status: int | None, request_id: str | None
) -> CodriveError:
    return kind(message, code=code, status=status, request_id=request_id)


class BadRequestError(CodriveError):
    """400: the request is malformed; the message names the field."""


class UnauthorizedError(CodriveError):
    """401: the key is missing, wrong or revoked."""


class ForbiddenError(CodriveError):
    """403: you can see this, but may not do it."""


class NotFoundError(CodriveError):
    """404: there is nothing here that you can see."""


class ConflictError(CodriveError):
    """409: the present state does not allow it, or a limit is reached; the code says which."""


class TooLargeError(CodriveError):
    """413: the request is larger than the service accepts."""


class RateLimitError(CodriveError):
    """429: too many requests; `retry_after` is in seconds, None if the service did not say."""

    retry_after: float | None = None


class ServerError(CodriveError):
    """5xx: the service failed or is temporarily unavailable."""


class InvalidInputError(CodriveError):
    """`INVALID_INPUT`: the arguments make no request; the client sent nothing."""


class InvalidAnswerError(CodriveError):
    """`INVALID_ANSWER`: the answer is not from this service, or incomplete."""


class ConnectionFailedError(CodriveError):
    """`CONNECTION_FAILED`: no answer arrived, since the connection was refused or lost."""


class TimedOutError(ConnectionFailedError):
    """`TIMED_OUT`: no answer arrived in time."""


BY_STATUS: dict[int, type[CodriveError]] = {
    400: BadRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: TooLargeError,
    429: RateLimitError,
}


def kind_of(status: int) -> type[CodriveError]:
    """Return the class of a failure by its status."""
    return BY_STATUS.get(status, ServerError if status >= 500 else CodriveError)
