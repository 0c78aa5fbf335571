"""How the lists of items across drives are answered: shared with somebody, in the trash.

Every list is filtered here, before it is cut into pages, by the same rules as `domain.access`; a test holds the two
against each other.
"""

from datetime import datetime

from domain.item import ItemFacts
from domain.questions import SharedItem, SharedItemsFor, SharedWith, TrashFor
from persistence.fragments import AS_MET, FACTS, USER
from persistence.reading import NOBODY, Reads, many, page

_SHARED = f"""
select json_agg({FACTS} order by mine.created_at desc, i.id desc)
from item_grant mine join item i on i.id = mine.item_id {AS_MET}
where mine.user_id = {USER} and not p.trashed"""

# The index gives the grants in this order, so only those of the page are walked up from, and those in the trash before.
_SHARED_ITEMS = f"""
select json_agg(shared) from (
    select json_build_object('facts', {FACTS}, 'shared_at', mine.created_at) as shared
    from item_grant mine join item i on i.id = mine.item_id {AS_MET}
    where mine.user_id = {USER} and not p.trashed and (mine.created_at, mine.item_id)
        < (coalesce(%(at)s::timestamptz, 'infinity'), coalesce(%(id)s::uuid, '{NOBODY}'))
    order by mine.created_at desc, mine.item_id desc limit %(first)s::int + 1) r"""

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

_AT = {"at": datetime, "id": str}


LIST_READS: Reads = {
    SharedWith: many(SharedWith, ItemFacts, _SHARED),
    SharedItemsFor: page(
        SharedItemsFor, SharedItem, _AT, lambda shared: (shared.shared_at, shared.facts.item.id), _SHARED_ITEMS
    ),
    TrashFor: page(TrashFor, ItemFacts, _AT, lambda f: (f.item.trashed_at, f.item.id), _TRASH),
}
