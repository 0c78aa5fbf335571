"""How a Rejection of the domain travels through GraphQL: an error that carries its code."""

from graphql import GraphQLError

from domain.errors import Code, Rejection


class Refused(GraphQLError):  # noqa: N818 - a refusal is an answer, not a fault
    """A refusal that the caller is meant to read; `retry_after` is in how many seconds the same may be accepted."""

    def __init__(self, rejection: Rejection, retry_after: int | None = None) -> None:
        super().__init__(rejection.message, extensions={"code": rejection.code.value})
        self.rejection = rejection
        self.retry_after = retry_after


def accepted[T](decision: T | Rejection) -> T:
    """Return what was decided, or raise the refusal."""
    if isinstance(decision, Rejection):
        raise Refused(decision)
    return decision


def retry_after(error: GraphQLError) -> int | None:
    """Return in how many seconds the same request may be accepted, where the refusal tells that."""
    refused = error if isinstance(error, Refused) else error.original_error
    return refused.retry_after if isinstance(refused, Refused) else None


def rejection_of(error: GraphQLError) -> Rejection:
    """Return what an error says to the caller; anything unforeseen says nothing."""
    code = (error.extensions or {}).get("code")
    if isinstance(code, str) and code in Code.__members__:
        return Rejection(Code(code), error.message)
    return Rejection(Code.INTERNAL_SERVER_ERROR, "something went wrong here: it has been logged")
