"""Searches names directly, and the words of documents in the index.

Access is decided before anything is ranked, counted or cut into pages; a test compares it with `domain.access`. The
rank depends on the item alone, so it reveals nothing of other users' items.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Final

import msgspec

from documents.projection.search_text import QueryTerm, excerpt, query_terms
from domain.credit import Author
from domain.item import ItemFacts
from domain.questions import Page, SearchFor, SearchHit, SearchOrder
from persistence.fragments import AS_MET, FACTS, GUARD, SEEN, USER, latest_authors
from persistence.postgres.connections import Connection
from persistence.statements import InvalidCursor, Read, Reads, agent_sought, canonical, only_row, page_of_list

GRAM: Final = 3  # the longest piece of a name in its index, in characters
# A name that is not folded yet is searched as it is, in lower case.
_NAME: Final = 'coalesce(i.folded_name, lower(i.name collate "default"))'
_GRAMS: Final = "name_grams(coalesce(i.folded_name, i.name))"
_WORDS: Final = "name_words(i.folded_name)"
_MET: Final = f"""i.id, i.drive_id, i.created_at, i.updated_at, i.trashed_at, i.kind, i.created_by_user, i.created_by_agent,
        coalesce((select bit_or(bit) from piece where strpos({_NAME}, folded) > 0), 0)"""
# The agent that is asked for, or all: no name is beyond this character. As a range, the index is asked for it.
_AGENTS: Final = """between coalesce(%(agent)s::text, '') and coalesce(%(agent)s::text, U&'\\+10FFFF')"""
_AUTHORS: Final = latest_authors("e.item_id = shown.id and e.edited_at >= %(since)s::timestamptz")
MAX_NEAR: Final = 2_000  # items that are looked at one by one


# Each piece of the query is a bit. Where the user reaches few items, or few items at all have one of the pieces in their name
# or text, the statement looks at these items one by one (`near`), and so it does for a query without words. Only where all
# pieces are common it asks the indexes for all of them: a match has the whole query in its name, or some of it in its text.
# `offset 0` keeps the near items from being joined with whole tables, since the plan must not depend on the sizes of drives,
# and keeps a condition for the index of words from reading the words of many documents, which takes ten times as long.
# Members see the items of their drives. In other drives, where items are shared, only the path up from an item shows whether
# it is visible; the paths are walked from the best match on until the page is full, since a page shows few of many matches.
# For an author who wrote little, the statement looks at the author's items rather than at all that the caller reaches.
# A search that is repeated for misspelled words asks for many words instead of one, of which names have theirs in an index, too.
# Items below a folder are found by walking down from it, if the caller sees the folder. Where they are too many to be looked
# at one by one, they only filter the matches of the indexes.
# INVARIANT: nothing that the caller may not see, and nothing in the trash, passes `seen`.
def _statement(max_near: int) -> str:
    return f"""
with recursive mine as materialized (
    select m.drive_id, d.items from drive_member m join drive d on d.id = m.drive_id
    where m.user_id = {USER} and (%(drive_id)s::uuid is null or m.drive_id = %(drive_id)s::uuid)
), granted as materialized (
    select i.id, i.drive_id from item_grant g join item i on i.id = g.item_id
    where g.user_id = {USER} and i.drive_id not in (select drive_id from mine)
        and (%(drive_id)s::uuid is null or i.drive_id = %(drive_id)s::uuid)
), size as materialized (
    select cardinality(%(names)s::text[]) = 0 as free,
        case when %(folder_id)s::uuid is null then coalesce(sum(items), 0) else 0 end as items
    from mine
), folder as (
    select i.id from item i {AS_MET} where i.id = %(folder_id)s::uuid and {SEEN} and not p.trashed
), top as (
    select c.id from folder
    cross join lateral (select id from item where parent_id = folder.id and trashed_at is null offset 0) c
    union all
    select id from granted where %(folder_id)s::uuid is null
    union all
    select i.id from mine
    cross join lateral (
        select id from item where drive_id = mine.drive_id and parent_id is null and trashed_at is null offset 0) i
    where %(folder_id)s::uuid is null and (select free or items <= {max_near} from size)
), below as (
    select id, 1 as step from top
    union
    select b.id, below.step + 1
    from below cross join lateral (select id from item where parent_id = below.id and trashed_at is null offset 0) b
    where below.step < {GUARD}
), written as materialized (
    select ids from (
        select array(
            select item_id from document_author where user_id = %(author_id)s::uuid and agent {_AGENTS}
            union all
            select id from item
            where created_by_user = %(author_id)s::uuid and coalesce(created_by_agent, '') {_AGENTS}
            limit {max_near} + 1) as ids offset 0) authored
    where %(author_id)s::uuid is not null and cardinality(ids) <= {max_near}
), reach as materialized (
    select case when exists (select from written) then false when free then true when items > {max_near} then false
        else (select count(*) from (select from below limit {max_near} + 1) b) <= {max_near} end as small
    from size
), piece as materialized (
    select 1 << (place::int - 1) as bit, folded, query::tsquery, whole::tsquery, misspelled::tsquery, (
        select array_agg(gram) from unnest(name_grams(folded)) gram where length(gram) = least(length(folded), {GRAM})
        ) as grams
    from unnest(%(names)s::text[], %(queries)s::text[], %(wholes)s::text[], %(misspelled)s::text[]) with ordinality
        w (folded, query, whole, misspelled, place)
    order by length(folded) desc
), rare as materialized (
    select ids from written
    union all
    select ids from piece cross join lateral (
        select array(
            select item_id from document_text where words @@ query
            union all
            select id from item i where {_GRAMS} @> grams
            union all
            select id from item i where {_WORDS} @@ misspelled limit {max_near} + 1) as ids offset 0) answering
    where not (select small from reach) and cardinality(ids) <= {max_near} limit 1
), few as materialized (
    select small or exists (select from rare) as near from reach
), near as materialized (
    select id from below where (select small from reach)
    union
    select unnest(ids) from rare
), matched as materialized (
    select item_id, bit_or(bit * begun::int) as begun, bit_or(bit * exact::int) as whole, bit_or(bit * named::int) as named
    from (
        select t.item_id, w.bit, true as begun, coalesce(t.words @@ w.whole, false) as exact, false as named
        from near cross join lateral (select * from document_text where item_id = near.id offset 0) t
        join piece w on t.words @@ w.query
        union all
        select t.item_id, w.bit, true, w.exact, false
        from (select bit, query, false as exact from piece union all select bit, whole, true from piece) w
        cross join lateral (select item_id from document_text where words @@ w.query offset 0) t
        where not (select near from few)
        union all
        select i.id, w.bit, false, false, true
        from near cross join lateral (select id, folded_name from item where id = near.id offset 0) i
        join piece w on {_WORDS} @@ w.misspelled
        union all
        select i.id, w.bit, false, false, true
        from piece w cross join lateral (select id from item i where {_WORDS} @@ w.misspelled offset 0) i
        where w.misspelled is not null and not (select near from few)) w
    group by item_id
), met as (
    select {_MET} | coalesce(s.named, 0) as named, coalesce(s.begun, 0) as begun, coalesce(s.whole, 0) as whole
    from near cross join lateral (select * from item where id = near.id offset 0) i left join matched s on s.item_id = i.id
    union all
    select {_MET} | s.named, s.begun, s.whole
    from matched s join item i on i.id = s.item_id where not (select near from few)
    union all
    select {_MET}, 0, 0
    from item i
    where not (select near from few) and i.id not in (select item_id from matched)
        and {_GRAMS} @> (select array_agg(distinct gram) from piece, unnest(grams) gram)
), ranked as (
    select id, updated_at, named, begun,
        4 * bit_count(named::bit(32)) + bit_count(begun::bit(32)) + bit_count(whole::bit(32)) as score
    from met
    where trashed_at is null and (named | begun) = (1 << cardinality(%(names)s::text[])) - 1
        and drive_id in (select drive_id from mine union all select drive_id from granted)
        and (%(folder_id)s::uuid is null or id in (select id from below))
        and (%(kinds)s::text[] is null or kind = any(%(kinds)s::text[]))
        and (%(since)s::timestamptz is null or updated_at >= %(since)s::timestamptz)
        and (%(until)s::timestamptz is null or updated_at <= %(until)s::timestamptz)
        and (%(created_since)s::timestamptz is null or created_at >= %(created_since)s::timestamptz)
        and (%(created_until)s::timestamptz is null or created_at <= %(created_until)s::timestamptz)
        and ((%(author_id)s::uuid is null and %(agent)s::text is null) or (
            (%(author_id)s::uuid is null or created_by_user = %(author_id)s::uuid)
            and (%(agent)s::text is null or coalesce(created_by_agent, '') = %(agent)s::text)
        ) or exists (
            select from document_author a where a.item_id = met.id
                and (%(author_id)s::uuid is null or a.user_id = %(author_id)s::uuid)
                and (%(agent)s::text is null or a.agent = %(agent)s::text)))
), found as materialized (
    select * from (select ranked.*, case when %(by_date)s::bool then 0 else score end as rank from ranked) ranked
    where %(at)s::timestamptz is null
        or (rank, updated_at, id) < (%(rank)s::int, %(at)s::timestamptz, %(id)s::uuid)
    order by rank desc, updated_at desc, id desc
), shown as (
    select found.*, seen.facts
    from found cross join lateral (
        select {FACTS} as facts from item i {AS_MET} where i.id = found.id and {SEEN} and not p.trashed offset 0) seen
    order by found.rank desc, found.updated_at desc, found.id desc limit %(first)s::int + 1)
select json_agg(json_build_object('facts', facts, 'rank', rank, 'score', score, 'misspelled', %(is_misspelled)s::bool,
    'inName', named <> 0, 'passage', (
    select passage from document_text t
    cross join lateral (
        select array_agg(pattern) as patterns from unnest(%(patterns)s::text[], %(words)s::text[]) w (pattern, word)
        where t.words @@ word::tsquery) w
    cross join unnest(t.passages, t.folded) with ordinality b (passage, folded, place)
    where t.item_id = shown.id and shown.begun <> 0
    order by (select count(*) from unnest(w.patterns) pattern where strpos(b.folded, pattern) > 0) desc,
        place limit 1), 'authors', {_AUTHORS}) order by rank desc, updated_at desc, id desc)
from shown"""


class _Line(msgspec.Struct, rename="camel"):
    facts: ItemFacts
    rank: int  # 0 in the order of dates
    score: int
    misspelled: bool
    in_name: bool
    passage: str | None
    authors: tuple[Author, ...]


_KNOWN: Final = f"""
select coalesce(array_agg(word), '{{}}') from unnest(%(words)s::text[]) word
where exists (select from document_text where words @@ word::tsquery)
    or exists (select from item i where {_WORDS} @@ word::tsquery)"""
_KEYS = {"rank": Annotated[int, msgspec.Meta(ge=0, le=10_000)], "at": datetime, "id": str, "misspelled": bool}


def _query(piece: QueryTerm, *, begun: bool) -> str | None:
    """The piece as Postgres asks for it; none where it has no word."""
    asked = [" & ".join([*map(_word, words[:-1]), _word(words[-1], begun=begun)]) for words in piece.alternatives]
    return " | ".join([*asked, *filter(None, [_misspelled(piece) if begun else None])]) or None


def _misspelled(piece: QueryTerm) -> str | None:
    return " | ".join(_word(*each) for each in piece.misspelled) or None


def _word(word: str, begun: bool = False) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + ("':*" if begun else "'")


@dataclass(frozen=True, slots=True)
class SearchRead:
    """A read that is repeated for misspelled words where it finds nothing; the pages after the first are of the same search.

    Of the words that differ by one error, only those that some document or name has are asked for: they are few.
    """

    page: Read

    async def run(self, connection: Connection, question: SearchFor) -> Any:
        """Return the answer to the question."""
        try:
            is_misspelled = self.page.arguments(question)["misspelled"]
        except InvalidCursor:
            return self.page.over
        if not is_misspelled:
            found = await self._found(connection, question, query_terms(question.text))
            if found.rows or question.after is not None:
                return found
        terms = await _known(connection, query_terms(question.text, misspelled=True))
        if not any(term.misspelled for term in terms):
            return Page((), None)
        return await self._found(connection, question, terms, is_misspelled=True)

    async def _found(
        self, connection: Connection, asked: SearchFor, terms: Sequence[QueryTerm], *, is_misspelled: bool = False
    ) -> Page[SearchHit]:
        row = await only_row(connection, self.page.sql, self._arguments(asked, terms, is_misspelled=is_misspelled))
        lines = self.page.answer(asked, row)
        found = (
            SearchHit(
                line.facts,
                line.in_name,
                line.score,
                () if line.passage is None else excerpt(line.passage, terms),
                line.authors,
            )
            for line in lines.rows
        )
        return replace(lines, rows=tuple(found))

    def _arguments(self, asked: SearchFor, terms: Sequence[QueryTerm], *, is_misspelled: bool) -> dict[str, object]:
        made = {**self.page.arguments(asked), "is_misspelled": is_misspelled}
        for name in ("text", "wanted", "order"):
            del made[name]
        wanted = asked.wanted
        patterns = [pattern for term in terms for pattern in term.patterns]
        return {
            **made,
            "folder_id": wanted.folder_id if wanted.folder_id is None else canonical(wanted.folder_id),
            "kinds": wanted.kinds if wanted.kinds is None else sorted(kind.value for kind in wanted.kinds),
            "author_id": wanted.author_id if wanted.author_id is None else canonical(wanted.author_id),
            "agent": agent_sought(wanted.agent),
            "since": wanted.since,
            "until": wanted.until,
            "created_since": wanted.created_since,
            "created_until": wanted.created_until,
            "by_date": asked.order is SearchOrder.date,
            "names": [term.name for term in terms],
            "queries": [_query(term, begun=True) for term in terms],
            "wholes": [_query(term, begun=False) for term in terms],
            "misspelled": [_misspelled(term) for term in terms],
            "patterns": [pattern for pattern, _, _ in patterns],
            "words": [_word(word, begun=begun) for _, word, begun in patterns],
        }


async def _known(connection: Connection, terms: Sequence[QueryTerm]) -> list[QueryTerm]:
    """Return the terms with those misspelled words that there are."""
    words = [_word(*each) for term in terms for each in term.misspelled]
    if not words:
        return [*terms]
    async with connection.transaction():
        await connection.execute(
            "set local enable_seqscan = off"
        )  # a plan for a small table would read it for each word
        known = {*(await only_row(connection, _KNOWN, {"words": words}) or [()])[0]}
        await connection.execute("set local enable_seqscan = on")
    return [
        replace(term, misspelled=tuple(each for each in term.misspelled if _word(*each) in known)) for term in terms
    ]


def search_read(max_near: int) -> SearchRead:
    """The read that looks at so many items one by one; where there are more, it asks the indexes."""
    return SearchRead(
        page_of_list(
            SearchFor,
            _Line,
            _KEYS,
            lambda line: (line.rank, line.facts.item.updated_at, line.facts.item.id, line.misspelled),
            _statement(max_near),
        )
    )


READS: Reads = {SearchFor: search_read(MAX_NEAR)}
