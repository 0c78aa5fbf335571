"""How a search is answered: by names as they are, and by the words of documents as they were indexed last.

What may be seen is settled before anything is ranked, counted or cut into pages; a test holds it against
`domain.access`. The rank looks at nothing but the item itself, so it tells nothing of what others hold.
"""

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

import msgspec

from documents.searched import Piece, excerpt, pieces
from domain.item import ItemFacts
from domain.questions import Found, SearchFor
from persistence.fragments import CREDITED, FACTS, GUARD, MEMBERSHIP, USER, WAY_UP
from persistence.reading import Reads, Row, page

# Members see what is in their drives; others what lies in or below what was granted to them. Names and words are looked
# at first, and only what answers is walked up from, to leave out what is in the trash. Each piece of the query is a bit.
# What has it whole is asked of the index, too, and `offset 0` keeps it to the index: reading the words of each document
# that has a common word would take ten times as long.
_SEARCH = f"""
with recursive mine as (
    select drive_id from drive_member where user_id = {USER}
), granted as (
    select i.id, i.drive_id, 1 as step from item_grant g join item i on i.id = g.item_id
    where g.user_id = {USER} and i.drive_id not in (select drive_id from mine)
    union
    select b.id, b.drive_id, granted.step + 1
    from granted join item b on b.parent_id = granted.id where granted.step < {GUARD}
), reached as (
    select i.id from mine join item i on i.drive_id = mine.drive_id
    union
    select granted.id from granted
), piece as materialized (
    select 1 << (place::int - 1) as bit, raw, query, whole
    from unnest(%(raws)s::text[], %(queries)s::text[], %(wholes)s::text[]) with ordinality w (raw, query, whole, place)
), said as materialized (
    select t.item_id, bit_or(w.bit) as begun, bit_or(case when w.exact then w.bit else 0 end) as whole
    from (
        select bit, query, false as exact from piece union all
        select bit, whole, true from piece) w
    cross join lateral (select item_id from document_text where words @@ w.query::tsquery offset 0) t
    group by t.item_id
), met as (
    select i.*, coalesce(s.begun, 0) as begun, coalesce(s.whole, 0) as whole, coalesce((
        select bit_or(w.bit) from piece w
        where strpos(lower(i.name collate "default"), lower(w.raw collate "default")) > 0), 0) as named
    from reached join item i on i.id = reached.id left join said s on s.item_id = i.id
    where i.trashed_at is null and (%(drive_id)s::uuid is null or i.drive_id = %(drive_id)s::uuid)
), ranked as (
    select *, 4 * bit_count(named::bit(32)) + bit_count(begun::bit(32)) + bit_count(whole::bit(32)) as rank
    from met where (named | begun) = (1 << cardinality(%(raws)s::text[])) - 1
), found as materialized (
    select * from ranked
    where %(at)s::timestamptz is null
        or (rank, updated_at, id) < (%(rank)s::int, %(at)s::timestamptz, %(id)s::uuid)
    order by rank desc, updated_at desc, id desc
), shown as (
    select i.id, i.rank, i.updated_at, i.named, i.begun, {FACTS} as facts
    from found i {CREDITED} join drive d on d.id = i.drive_id {MEMBERSHIP} {WAY_UP}
    where not p.trashed
    order by i.rank desc, i.updated_at desc, i.id desc limit %(first)s::int + 1)
select json_agg(json_build_object('facts', facts, 'rank', rank, 'inName', named <> 0, 'passage', (
    select passage from document_text t, unnest(t.passages, t.folded) with ordinality b (passage, folded, place)
    where t.item_id = shown.id and shown.begun <> 0
    order by (select count(*) from unnest(%(patterns)s::text[]) w (pattern) where strpos(b.folded, w.pattern) > 0) desc,
        place limit 1)) order by rank desc, updated_at desc, id desc)
from shown"""


class _Line(msgspec.Struct, rename="camel"):
    facts: ItemFacts
    rank: int
    in_name: bool
    passage: str | None


_KEYS = {"rank": Annotated[int, msgspec.Meta(ge=0, le=10_000)], "at": datetime, "id": str}
_paged = page(
    SearchFor, _Line, _KEYS, lambda line: (line.rank, line.facts.item.updated_at, line.facts.item.id), _SEARCH
)


def _query(piece: Piece, *, begun: bool) -> str | None:
    """The piece as Postgres asks for it; none where it has no word."""
    quoted = ["'" + word.replace("\\", "\\\\").replace("'", "''") + "'" for word in piece.words]
    return " & ".join(quoted) + (":*" if begun else "") if quoted else None


def _arguments(asked: Any) -> dict[str, object]:
    made = dict(_paged.arguments(asked))
    del made["text"]
    sought = pieces(asked.text)
    return {
        **made,
        "raws": [piece.raw for piece in sought],
        "queries": [_query(piece, begun=True) for piece in sought],
        "wholes": [_query(piece, begun=False) for piece in sought],
        "patterns": [pattern for piece in sought for pattern in piece.patterns],
    }


def _answer(asked: Any, row: Row | None) -> Any:
    lines, sought = _paged.answer(asked, row), pieces(asked.text)
    found = (
        Found(line.facts, line.in_name, line.rank, () if line.passage is None else excerpt(line.passage, sought))
        for line in lines.rows
    )
    return replace(lines, rows=tuple(found))


SEARCH_READS: Reads = {SearchFor: replace(_paged, answer=_answer, arguments=_arguments)}
