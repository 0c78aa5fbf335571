"""What Schemathesis cannot know by itself: our images and scalars, the codes of GraphQL's refusals, and a tally."""

import atexit
import json
import os
import re
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

import schemathesis
from graphql import REMOVE, ArgumentNode, DocumentNode, IntValueNode, StringValueNode, Visitor, parse_value, visit
from hypothesis import strategies as st
from schemathesis.graphql import nodes

from domain.cursor import CURSOR_PATTERN, MAX_CURSOR_LENGTH
from domain.errors import Code
from domain.values import NAME_LENGTH, NAME_PATTERN

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
)
FAULTS = {Code.INTERNAL_SERVER_ERROR, Code.SERVICE_UNAVAILABLE, Code.UNAUTHORIZED}
# What a schema cannot say of a valid document: how much may be asked at once, the bounds of an Int, which text is an
# update in base64, which arguments go together, which passages a document has, and that no text is a file.
BEYOND_SCHEMAS = (
    "the document is too ", "`first` ", "`update` ", "`passages",
    "send exactly one of ", "send one of ", "`section` ", "`content` ", "`characters` ", "`fromBlock` ", "`toBlock` ",
    "`base` ", "`driveId` is missing", "`ids` ", "`types` ", "`sinceRevision` ", "`untilRevision` ", "`ImageFile` ", "`items` ", "`prosemirrorDoc` ",
)  # fmt: skip

for kind in ("image/png", "image/jpeg", "image/gif", "image/webp"):
    schemathesis.openapi.media_type(kind, st.just(PIXEL))

names = st.from_regex(NAME_PATTERN, fullmatch=True).filter(lambda name: len(name) <= NAME_LENGTH)
agents = st.from_regex(r"[ -~]{0,40}[!-~]", fullmatch=True)
known = st.sampled_from(json.loads(os.environ["CODRIVE_FUZZ_EMAILS"]))
emails = known | st.from_regex(r"[a-z0-9+/]{1,20}@[a-z]{1,10}\.example", fullmatch=True)
schemathesis.graphql.scalar("ItemName", names.map(nodes.String))
schemathesis.graphql.scalar("AgentName", agents.map(nodes.String))
schemathesis.graphql.scalar("EmailAddress", emails.map(nodes.String))
cursors = st.from_regex(CURSOR_PATTERN, fullmatch=True).filter(lambda cursor: len(cursor) <= MAX_CURSOR_LENGTH)
moments = st.integers(0, 4_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC).isoformat())
schemathesis.graphql.scalar("Timestamp", moments.map(nodes.String))
schemathesis.graphql.scalar("ImageFile", st.just("no file").map(nodes.String))
schemathesis.graphql.scalar("Cursor", cursors.map(nodes.String))
texts = st.from_regex(r"[a-z *_#|<-]{0,20}", fullmatch=True).map(json.dumps)
trees = st.builds(
    '{{type: "doc", content: [{{type: {}, content: [{{type: "text", text: {}}}]}}]}}'.format, texts, texts
)
schemathesis.graphql.scalar("JSON", (trees | st.sampled_from(["{}", "[]", "7"])).map(parse_value))


WELL_FORMED = CURSOR_PATTERN.replace("+$", "{1,64}$")


class _Pages(Visitor):
    """Brings most page sizes into their bounds, and leaves out short cursors: else hardly a list would be answered."""

    def enter_argument(self, node, *_):
        named, value = node.name.value, node.value
        if (
            named == "first"
            and isinstance(value, IntValueNode)
            and value.value[-1] != "8"
            and abs(int(value.value)) < 2**31
        ):
            return ArgumentNode(name=node.name, value=IntValueNode(value=str(1 + int(value.value) % 200)))
        if (
            named in ("after", "cursor")
            and isinstance(value, StringValueNode)
            and re.fullmatch(WELL_FORMED, value.value)
        ):
            return REMOVE
        return None


@schemathesis.hook
def map_body(context, body):  # noqa: ARG001 - hooks are called by these names
    return visit(body, _Pages()) if isinstance(body, DocumentNode) else body


tally: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))


@schemathesis.hook
def after_call(context, case, response):  # noqa: ARG001 - hooks are called by these names
    said = str(response.status_code)
    if case.operation.schema.raw_schema.get("__schema"):
        errors = response.json().get("errors")
        said = "200" if not errors else errors[0].get("extensions", {}).get("code", "no code")
    tally[case.operation.label][said] += 1


@atexit.register
def tell():
    Path(os.environ["CODRIVE_FUZZ_TALLY"]).write_text(json.dumps(tally))


@schemathesis.check
def refuses_with_a_code_of_the_list(ctx, response, case):  # noqa: ARG001 - as above
    """Whether each error of GraphQL has a code that a caller is told of; BAD_REQUEST is none for a valid document."""
    if not case.operation.schema.raw_schema.get("__schema"):
        return
    for error in response.json().get("errors") or ():
        code, message = error["extensions"]["code"], error["message"]
        assert code in Code.__members__, f"`{code}` is no code of the list"
        assert code not in FAULTS, f"a fault: {error}"
        if case.meta.generation.mode.is_positive and code == Code.BAD_REQUEST:
            assert message.startswith(BEYOND_SCHEMAS), f"a valid document was refused: {message}"
