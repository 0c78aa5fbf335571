"""How the questions about documents, images and what happened are answered."""

from dataclasses import replace
from typing import Any

from domain.document import DocumentState, Image
from domain.item import ItemFacts
from domain.questions import DocumentFor, DocumentHead, EventsOf, ImageFor, Recorded, StateOf
from persistence.fragments import AS_MET, FACTS, SEEN
from persistence.reading import Read, Reads, Row, many, of_fields, one

_HEAD = f"""
select json_build_object('facts', {FACTS}, 'sequence', i.sequence, 'authors', (
    select coalesce(json_agg(r), '[]') from (
        select a.id as user_id, a.name, nullif(e.agent, '') as agent, e.edited_at
        from document_author e join account a on a.id = e.user_id
        where e.item_id = p.item_id and {SEEN} order by e.edited_at desc, e.user_id desc, e.agent desc limit 10) r))
from item i {AS_MET} where i.id = %(item_id)s::uuid"""

# The updates that a snapshot stands for are gone: whoever asks for less is given the snapshot.
STATE_ASKED = """
select i.id, greatest(
    least(i.sequence, %(sequence)s::bigint), (select sequence from document_snapshot where item_id = i.id)) as sequence
from item i where i.id = %(item_id)s::uuid"""
_STATE = f"""
with asked as ({STATE_ASKED})
select s.state, (
    select array_agg(n.update order by n.sequence) from document_update n
    where n.item_id = asked.id and n.sequence > greatest(s.sequence, %(after)s::bigint) and n.sequence <= asked.sequence),
    asked.sequence
from asked left join document_snapshot s
    on s.item_id = asked.id and s.sequence > %(after)s::bigint"""

_IMAGE = f"""
select json_build_array((select r from (
    select g.id, g.item_id, g.content_type, g.width, g.height, g.byte_size, g.created_at) r), {FACTS})
from image g join item i on i.id = g.item_id {AS_MET} where g.id = %(image_id)s::uuid"""

_EVENTS = """
select json_agg((select r from (select e.sequence, e.type, e.drive_id, e.item_id, e.user_id, coalesce(a.name, '') as name,
    e.agent, e.at, e.details) r) order by e.sequence desc)
from (
    select * from event where drive_id = %(drive_id)s::uuid
        and sequence < coalesce(%(before)s::bigint, 9223372036854775807) order by sequence desc limit %(first)s::int) e
left join account a on a.id = e.user_id"""

_MOST = 9223372036854775807


def _state(_: Any, row: Row | None) -> DocumentState:
    if row is None:
        return DocumentState(None, (), 0)
    snapshot, updates, sequence = row
    return DocumentState(snapshot, tuple(updates or ()), sequence)


_event_fields = of_fields(EventsOf)


def _event_arguments(asked: Any) -> dict[str, object]:
    """A number that no event has is as good as any other beyond the last."""
    made = _event_fields(asked)
    number = asked.before
    return {**made, "before": number if number is None else max(-_MOST, min(number, _MOST))}


DOCUMENT_READS: Reads = {
    DocumentFor: one(DocumentFor, DocumentHead, _HEAD),
    StateOf: Read(_STATE, _state, of_fields(StateOf)),
    ImageFor: one(ImageFor, tuple[Image, ItemFacts], _IMAGE),
    EventsOf: replace(many(EventsOf, Recorded, _EVENTS), arguments=_event_arguments),
}
