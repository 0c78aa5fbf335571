"""Backlinks: reads of the documents whose indexed text links to an item."""

from typing import Final

from domain.item import ItemFacts
from domain.questions import BacklinksFor
from persistence.fragments import AS_MET, FACTS, SEEN, THIS
from persistence.statements import Reads, page_of_list

_BEFORE: Final = "< coalesce(%(id)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')"

# The index gives the links in this order, so only the documents of the page are walked up from, and hidden ones before. Of both sides
# of the join it is said where the page begins: Postgres infers equalities alone.
_BACKLINKS = f"""
with target as materialized (select i.id from item i {AS_MET} {THIS} and {SEEN})
select json_agg(facts) from (
    select {FACTS} as facts
    from target join document_link l on l.linked_id = target.id join item i on i.id = l.item_id {AS_MET}
    where {SEEN} and not p.trashed and l.item_id <> target.id and l.item_id {_BEFORE} and i.id {_BEFORE}
    order by l.item_id desc limit %(first)s::int + 1) r"""

READS: Reads = {
    BacklinksFor: page_of_list(BacklinksFor, ItemFacts, {"id": str}, lambda facts: (facts.item.id,), _BACKLINKS),
}
