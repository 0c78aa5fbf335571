"""Documents, their images and public pages: reads, and what their events write."""

from typing import Any

from domain.document import DocumentCopied, DocumentEdited, DocumentState, Image, ImageUploaded
from domain.item import ItemFacts
from domain.publication import DocumentPublished, DocumentUnpublished
from domain.questions import DocumentFor, DocumentHead, ImageFor, ImagesOf, Published, PublishedAs, RevisionOf, StateOf
from persistence.fragments import AS_MET, CREDITED, FACTS, GUARD, ITEM, SEEN, TOUCHED, latest_authors
from persistence.statements import Read, Reads, ResultRow, Writes, many, of_fields, one

_HEAD = f"""
select json_build_object('facts', {FACTS}, 'authors', {latest_authors(f"e.item_id = p.item_id and {SEEN}")})
from item i {AS_MET} where i.id = %(item_id)s::uuid"""

# The end of the returned log: a reader who asks for less than a snapshot gets the snapshot.
STATE_ASKED = """
select i.id, greatest(
    least(i.sequence, %(sequence)s::bigint), (select sequence from document_snapshot where item_id = i.id)) as sequence
from item i where i.id = %(item_id)s::uuid"""

# The rows from `rows_from` on are there, also where the snapshot stands for them. What was before the snapshot is made of
# them and the last version that ended before, or of nothing, at the beginning of a log.
_STATE = """
with head as (
    select i.id, least(i.sequence, %(sequence)s::bigint) as wanted, coalesce(s.sequence, 0) as snapshot,
        coalesce(s.rows_from, s.sequence + 1, 1) as rows_from
    from item i left join document_snapshot s on s.item_id = i.id where i.id = %(item_id)s::uuid),
known as (
    select h.*, v.number, v.sequence as version,
        %(after)s::bigint > 0 and %(after)s::bigint >= h.rows_from - 1 as goes_on,
        h.wanted < h.snapshot and (h.rows_from = 1 or v.number is not null) as is_before
    from head h left join lateral (
        select v.number, v.sequence from document_version v
        where h.wanted < h.snapshot and v.item_id = h.id and v.state is not null
            and v.sequence >= h.rows_from - 1 and v.sequence <= h.wanted
        order by v.sequence desc limit 1) v on true),
asked as (
    select k.id, k.number, goes_on, is_before,
        case when goes_on then %(after)s::bigint when is_before then coalesce(k.version, 0) else k.snapshot end as begun,
        case when goes_on or is_before then k.wanted else greatest(k.wanted, k.snapshot) end as sequence
    from known k)
select case
    when a.goes_on then null
    when a.is_before then (
        select array_agg(v.state order by v.number) from document_version v
        where v.item_id = a.id and v.number <= a.number and v.number >= (
            select max(w.number) from document_version w where w.item_id = a.id and w.number <= a.number and w.whole))
    else (select array[s.state] from document_snapshot s where s.item_id = a.id) end,
    (select array_agg(n.update order by n.sequence) from document_update n
        where n.item_id = a.id and n.sequence > a.begun and n.sequence <= a.sequence),
    a.sequence
from asked a"""

_IMAGE = f"""
select json_build_array((select r from (
    select g.id, g.item_id, g.content_type, g.width, g.height, g.byte_size, g.created_at, g.blob) r), {FACTS})
from image g join item i on i.id = g.item_id {AS_MET} where g.id = %(image_id)s::uuid"""

_IMAGES = """
select json_agg(r order by r.created_at, r.id) from (
    select g.id, g.item_id, g.content_type, g.width, g.height, g.byte_size, g.created_at, g.blob
    from image g where g.item_id = {item_id}) r"""

_PUBLISHED = f"""
select json_build_object('item', {ITEM}, 'images', (
    select coalesce(({_IMAGES.format(item_id="i.id")}), '[]')))
from item i {CREDITED} where i.slug = %(slug)s and not (
    with recursive path as (
        select i.parent_id, i.trashed_at is not null as trashed, 1 as step
        union all
        select a.parent_id, a.trashed_at is not null, path.step + 1
        from path join item a on a.id = path.parent_id where path.step < {GUARD})
    select bool_or(trashed) from path)"""

_DOCUMENT_EDITED = (
    f"""
with numbered as (
    update item set sequence = sequence + 1, {TOUCHED} where id = %(item_id)s::uuid returning id, sequence),
credited as (
    insert into document_author (item_id, user_id, agent, edited_at)
    select id, %(by_user)s::uuid, coalesce(%(by_agent)s::text, ''), %(at)s from numbered
    on conflict (item_id, user_id, agent)
        do update set edited_at = greatest(document_author.edited_at, excluded.edited_at))
insert into document_update (item_id, sequence, user_id, agent, at, update, copied)
select id, sequence, %(by_user)s::uuid, %(by_agent)s, %(at)s, %(update)s, %(copied)s from numbered""",
)

# As a document is stored after a compaction whose rows are still there, which are the edit that copied it.
_DOCUMENT_COPIED = (
    f"""
with numbered as (
    update item set sequence = 1, {TOUCHED} where id = %(item_id)s::uuid and sequence = 0 returning id, sequence),
begun as (
    insert into document_snapshot (item_id, sequence, state, credits, rows_from)
    select id, sequence, %(update)s, %(credits)s, sequence from numbered)
insert into document_update (item_id, sequence, user_id, agent, at, update)
select id, sequence, %(by_user)s::uuid, %(by_agent)s, %(at)s, %(update)s from numbered""",
    """
insert into document_author (item_id, user_id, agent, edited_at)
select %(item_id)s::uuid, (a ->> 0)::uuid, a ->> 1, max(edited_at) from (
    select a, (a ->> 2)::timestamptz as edited_at from jsonb_array_elements(%(authors)s::jsonb) a
    union all
    select jsonb_build_array(%(by_user)s::text, coalesce(%(by_agent)s::text, '')), %(at)s::timestamptz) a
group by a ->> 0, a ->> 1""",
)

_DOCUMENT_PUBLISHED = ("update item set slug = %(slug)s where id = %(item_id)s::uuid",)

_DOCUMENT_UNPUBLISHED = ("update item set slug = null where id = %(item_id)s::uuid",)

# Nobody deletes the bytes of another image while a copy of it is recorded, which the lock on that image holds.
_IMAGE_UPLOADED = (
    """
insert into image (id, item_id, content_type, width, height, byte_size, created_at, blob)
values (%(image_id)s::uuid, %(image_item_id)s::uuid, %(image_content_type)s, %(image_width)s, %(image_height)s,
    %(image_byte_size)s, %(image_created_at)s,
    coalesce((select g.blob from image g where g.blob = %(image_blob)s::uuid limit 1 for share), %(image_blob)s::uuid))
on conflict (id) do nothing""",
)


def _state(_: Any, row: ResultRow | None) -> DocumentState:
    if row is None:
        return DocumentState(None, (), 0)
    states, updates, sequence = row
    snapshot, *more = states or (None,)
    return DocumentState(snapshot, (*more, *(updates or ())), sequence)


def _revision(asked: RevisionOf, row: ResultRow | None) -> DocumentState | None:
    state = _state(asked, row)
    return state if row and asked.sequence >= 0 and state.sequence == asked.sequence else None


_revision_fields = of_fields(RevisionOf)


def _revision_arguments(asked: Any) -> dict[str, object]:
    return {**_revision_fields(asked), "after": 0}


READS: Reads = {
    DocumentFor: one(DocumentFor, DocumentHead, _HEAD),
    StateOf: Read(_STATE, _state, of_fields(StateOf)),
    RevisionOf: Read(_STATE, _revision, _revision_arguments),
    ImageFor: one(ImageFor, tuple[Image, ItemFacts], _IMAGE),
    ImagesOf: many(ImagesOf, Image, _IMAGES.format(item_id="%(item_id)s::uuid")),
    PublishedAs: one(PublishedAs, Published, _PUBLISHED),
}

WRITES: Writes = {
    DocumentCopied: _DOCUMENT_COPIED,
    DocumentEdited: _DOCUMENT_EDITED,
    DocumentPublished: _DOCUMENT_PUBLISHED,
    DocumentUnpublished: _DOCUMENT_UNPUBLISHED,
    ImageUploaded: _IMAGE_UPLOADED,
}
