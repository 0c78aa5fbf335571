"""How a Rejection of the domain travels through GraphQL: an error that carries its code."""

from graphql import GraphQLError

from domain.errors import Code, Rejection


class Refused(GraphQLError):  # noqa: N818 - a refusal is an answer, not a fault
    """A refusal that the caller is meant to read."""

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(rejection.message, extensions={"code": rejection.code.value})
        self.rejection = rejection


def accepted[T](decision: T | Rejection) -> T:
    """Return what was decided, or raise the refusal."""
    if isinstance(decision, Rejection):
        raise Refused(decision)
    return decision


def rejection_of(error: GraphQLError) -> Rejection:
    """Return what an error says to the caller; anything unforeseen says nothing."""
    code = (error.extensions or {}).get("code")
    if isinstance(code, str) and code in Code.__members__:
        return Rejection(Code(code), error.message)
    return Rejection(Code.INTERNAL_SERVER_ERROR, "something went wrong here: it has been logged")
