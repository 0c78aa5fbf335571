"""Rejections of the domain as GraphQL errors with their code in `extensions`."""

from graphql import GraphQLError

from domain.errors import Code, Rejection


class RejectionError(GraphQLError):
    """A Rejection as an error; `retry_after` is the number of seconds after which the same may be accepted."""

    def __init__(self, rejection: Rejection, retry_after: int | None = None) -> None:
        super().__init__(rejection.message, extensions={**rejection.details, "code": rejection.code.value})
        self.rejection = rejection
        self.retry_after = retry_after


def unwrap[T](decision: T | Rejection) -> T:
    """Return the decision; raises RejectionError where it is a Rejection."""
    if isinstance(decision, Rejection):
        raise RejectionError(decision)
    return decision


def retry_after(error: GraphQLError) -> int | None:
    """Return the seconds after which the same request may be accepted, where the error says so."""
    refused = error if isinstance(error, RejectionError) else error.original_error
    return refused.retry_after if isinstance(refused, RejectionError) else None


def rejection_of(error: GraphQLError) -> Rejection:
    """Return the Rejection that an error carries, or INTERNAL_SERVER_ERROR for an error without a code of ours."""
    if isinstance(error, RejectionError):
        return error.rejection
    code = (error.extensions or {}).get("code")
    if isinstance(code, str) and code in Code.__members__:
        return Rejection(Code(code), error.message)
    return Rejection(Code.INTERNAL_SERVER_ERROR, "something went wrong here: it has been logged")
