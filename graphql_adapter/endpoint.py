"""Names the parts of the GraphQL endpoint: what its requests and its sockets share."""

from collections.abc import Awaitable, Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Final

from litestar import Response

from domain.caller import Caller
from edge.app import EdgeParts
from edge.in_flight import InFlight
from edge.rate_limit import Rate, Rates
from graphql_adapter.socket import MAX_SUBSCRIPTIONS
from graphql_api.prepared_documents import PreparedDocuments
from graphql_api.read_limits import MAX_REQUESTS, Slots
from graphql_api.request_limits import LimitedSchema, ParsedDocument

type Close = Callable[[int, str], Awaitable[None]]
type Watch = Callable[[Caller, Close], AbstractContextManager[None]]
type ContextFor = Callable[[Caller], Any]

MEGABYTE: Final = 1024 * 1024
MAX_GREETING: Final = 20  # sockets of one address of which nobody knows yet whose they are
MAX_SOCKETS: Final = 20  # of one user
MAX_LONG_BODIES: Final = 2  # of one user at once


@dataclass(frozen=True, slots=True)
class Sizes:
    body: int = MEGABYTE
    long_body: int = 24 * MEGABYTE  # of a request for `importYjsUpdate`


@dataclass(frozen=True, slots=True)
class SocketTickets:
    """`take` returns whose ticket it is, once; `is_valid` whether the credential that it was got with still is."""

    take: Callable[[str], Awaitable[Caller | None]]
    is_valid: Callable[[Caller], Awaitable[bool]]


def unwatched(_caller: Caller, _close: Close) -> AbstractContextManager[None]:
    return nullcontext()


@dataclass(frozen=True, slots=True)
class GraphQLEndpoint:
    """The parts of the endpoint.

    `edge` has what it shares with the other surfaces. `context_for` makes the `info.context` of one operation, and `page`
    the answer to a browser that asks for a page. `prepared` holds the documents that run by a compiled plan. `requests` has
    the turns of the operations that run, `long_bodies` counts the requests of each user over `sizes.body`.

    Pages of the sites `origins` may open a socket. `watch` is given each socket for as long as it is open, and closes it
    when its caller is signed in no more. `sockets` counts those that each user has open, `subscriptions` what they follow
    on all of these. `tickets` admit the sockets of pages that send no session, of which `greeting` counts those of an
    address that have not sent theirs.
    """

    schema: LimitedSchema
    edge: EdgeParts
    context_for: ContextFor
    page: Callable[[], Response[str]] | None = None
    origins: Collection[str] = ()
    sizes: Sizes = Sizes()
    watch: Watch = unwatched
    sockets: InFlight = field(default_factory=lambda: InFlight(MAX_SOCKETS))
    subscriptions: InFlight = field(default_factory=lambda: InFlight(MAX_SUBSCRIPTIONS))
    requests: Slots = field(default_factory=lambda: Slots(MAX_REQUESTS))
    long_bodies: InFlight = field(default_factory=lambda: InFlight(MAX_LONG_BODIES))
    prepared: PreparedDocuments | None = None
    tickets: SocketTickets | None = None
    greeting: InFlight = field(default_factory=lambda: InFlight(MAX_GREETING))


def rate_of(read: ParsedDocument, rates: Rates) -> Rate:
    return rates.writes if read.may_write else rates.reads
