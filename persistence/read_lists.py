"""How the lists of items across drives are answered: shared with somebody, in the trash, found by name.

Every list is filtered here, before it is cut into pages, by the same rules as `domain.access`; a test holds the two
against each other.
"""

from dataclasses import replace
from datetime import datetime
from typing import Any

from domain.item import ItemFacts
from domain.questions import SearchFor, SharedWith, TrashFor
from persistence.fragments import AS_MET, CREDITED, FACTS, GUARD, MEMBERSHIP, USER, WAY_UP
from persistence.reading import Read, Reads, many, page

_SHARED = f"""
select json_agg({FACTS} order by mine.created_at desc, i.id desc)
from item_grant mine join item i on i.id = mine.item_id {AS_MET}
where mine.user_id = {USER} and not p.trashed"""

_TRASH = f"""
with reached as (
    select drive_id from drive_member where user_id = {USER}
    union
    select i.drive_id from item_grant g join item i on i.id = g.item_id where g.user_id = {USER})
select json_agg(facts) from (
    select {FACTS} as facts
    from item i {AS_MET}
    where i.drive_id in (select drive_id from reached) and i.trashed_at is not null
        and (%(drive_id)s::uuid is null or i.drive_id = %(drive_id)s::uuid)
        and (%(at)s::timestamptz is null or (i.trashed_at, i.id) < (%(at)s::timestamptz, %(id)s::uuid))
        and (m.role is not null or p.granted)
    order by i.trashed_at desc, i.id desc limit %(first)s::int + 1) r"""

# Members see what is in their drives; others what lies in or below what was granted to them. Names are looked at
# first, and only what matches is walked up from, to leave out what is in the trash.
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
), found as materialized (
    select i.* from reached join item i on i.id = reached.id
    where i.trashed_at is null
        and (%(drive_id)s::uuid is null or i.drive_id = %(drive_id)s::uuid)
        and not exists (select from unnest(%(words)s::text[]) w (word)
            where strpos(lower(i.name collate "default"), lower(w.word collate "default")) = 0)
        and (%(at)s::timestamptz is null or (i.updated_at, i.id) < (%(at)s::timestamptz, %(id)s::uuid))
    order by i.updated_at desc, i.id desc)
select json_agg(facts) from (
    select {FACTS} as facts
    from found i {CREDITED} join drive d on d.id = i.drive_id {MEMBERSHIP} {WAY_UP}
    where not p.trashed
    order by i.updated_at desc, i.id desc limit %(first)s::int + 1) r"""

_AT = {"at": datetime, "id": str}


def _search() -> Read:
    paged = page(SearchFor, ItemFacts, _AT, lambda f: (f.item.updated_at, f.item.id), _SEARCH)

    def arguments(asked: Any) -> dict[str, object]:
        made = dict(paged.arguments(asked))
        text = made.pop("text")
        return {**made, "words": str(text).split() if text == asked.text else ["\n"]}  # no name holds a line's end

    return replace(paged, arguments=arguments)


LIST_READS: Reads = {
    SharedWith: many(SharedWith, ItemFacts, _SHARED),
    TrashFor: page(TrashFor, ItemFacts, _AT, lambda f: (f.item.trashed_at, f.item.id), _TRASH),
    SearchFor: _search(),
}
