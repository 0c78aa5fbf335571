"""GraphQL documents that several files of tests ask, and what they have workers do."""

from computing.runner import JobRunner
from live.version_reader import VersionReader
from persistence.compaction import CompactionLog
from service.compactor import Compactor
from service.version_scheduler import cut_ended
from tests.support.documents.jobs import JOBS

EDIT = "mutation($id: ID!, $e: EditInput!) { editDocument(documentId: $id, edit: $e) { id } }"
NODES = "number name createdAt byteSize restoredFrom authors { name agent }"
VERSIONS = f"""query($id: ID!, $first: Int! = 50, $after: Cursor) {{
  document(id: $id) {{ versions(first: $first, after: $after) {{
    nodes {{ {NODES} }} pageInfo {{ endCursor hasNextPage }} }} }} }}"""
CONTENT = """query($id: ID!, $n: Int!) {
  document(id: $id) { markdown version(number: $n) { number markdown prosemirrorDoc } } }"""
RESTORE = """mutation($id: ID!, $n: Int!) {
  restoreVersion(documentId: $id, number: $n) {
    item { id updatedBy { name agent } } markdown versions(first: 2) { nodes { number restoredFrom authors { agent } } } } }"""
SHARE = """mutation($id: ID!, $email: EmailAddress!) {
  shareItem(itemId: $id, email: $email, permission: read_only) { id } }"""
CHANGE = "id at by { userId name agent } kind path inserted deleted"
CHANGES = f"""query($id: ID!, $r: Int, $v: Int, $t: Timestamp, $u: ID, $a: String, $first: Int! = 50, $after: Cursor,
  $ur: Int, $uv: Int, $ut: Timestamp, $newest: Boolean! = false) {{
  documentChanges(documentId: $id, sinceRevision: $r, sinceVersion: $v, sinceTime: $t, userId: $u, agent: $a,
    untilRevision: $ur, untilVersion: $uv, untilTime: $ut, newestFirst: $newest, first: $first, after: $after) {{ nodes {{ {CHANGE} }} nextCursor totalCount }} }}"""
UNDO = f"""mutation($id: ID!, $ids: [ID!], $u: ID, $a: String, $r: Int, $t: Timestamp, $last: Boolean! = false,
  $dry: Boolean! = false) {{
  undoChanges(documentId: $id, ids: $ids, userId: $u, agent: $a, sinceRevision: $r, sinceTime: $t, last: $last, dryRun: $dry) {{
    revision item {{ id revision }} changesTotal changes {{ {CHANGE} }} skipped {{ reason path }} }} }}"""
ATTRIBUTIONS = """query($id: ID!, $first: Int! = 50, $after: Cursor) {
  documentAttributions(documentId: $id, first: $first, after: $after) {
    revision nextCursor attributions { path start end by { name agent } } } }"""
RENAME = (
    "mutation($id: ID!, $name: ItemName!) { renameItem(itemId: $id, name: $name) { id name updatedBy { name agent } } }"
)
TRASH = "mutation($id: ID!) { trashItem(itemId: $id) { id trashedAt capabilities } }"
READ = "query($id: ID!) { document(id: $id) { markdown authors { name agent } } }"
APPLY = """mutation(
    $id: ID!, $replace: String, $append: String, $passages: [PassageInput!], $base: Int, $on: OnConflict! = merge,
    $dry: Boolean! = false
) {
    editDocument(
        documentId: $id, edit: {replace: $replace, append: $append, passages: $passages}, base: $base, onConflict: $on,
        dryRun: $dry
    ) {
        revision markdown changes { kind path inserted deleted } kept { path notDone }
        conflicts { path class theirs yours } lost { path what name }
        item { revision updatedBy { agent } }
    }
}"""


async def cut(world, document):
    """Do as the worker does now and then."""
    await cut_ended(world.ports.store, VersionReader(world.ports.store, runner=JOBS), world.ports.clock, document)


async def compact(world, pad):
    """Let two days pass, and compact all that there is."""
    for _ in range(48):
        world.later()
    await cut(world, pad)
    log = CompactionLog(world.ports.store, rows=1, from_bytes=1)
    assert await Compactor(log, JobRunner(), world.ports.clock).compact(pad)
