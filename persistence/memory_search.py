"""How the store in memory answers a search: as Postgres would once everything is indexed."""

from collections.abc import Sequence
from functools import lru_cache

from documents.scan import Refused
from documents.search_text import QueryTerm, SearchText, best, excerpt, load_search_text, query_terms
from domain.access import Can, authority
from domain.item import ItemFacts
from domain.questions import Found, Page, SearchFor
from persistence.memory_paging import Key, moment, page
from persistence.memory_state import State

_NONE = SearchText()


@lru_cache(maxsize=256)
def _text(updates: tuple[bytes, ...]) -> SearchText:
    text = load_search_text(None, updates)
    return _NONE if isinstance(text, Refused) else text


def search_for(state: State, asked: SearchFor) -> Page[Found]:
    sought = query_terms(asked.text)
    found = [
        answer
        for item in state.items.values()
        if asked.drive_id in {None, item.drive_id} and state.is_live(item)
        if (facts := state.facts(asked.user_id, item.id)) and Can.read in authority(facts.role, facts.path).can
        if (answer := _found(facts, _text(state.updates.get(item.id, ())), sought))
    ]
    return page(found, _place, (int, int, str), asked.first, asked.after, descending=True)


def _place(found: Found) -> Key:
    return found.rank, moment(found.facts.item.updated_at), found.facts.item.id


def _found(facts: ItemFacts, text: SearchText, sought: Sequence[QueryTerm]) -> Found | None:
    name = facts.item.name.lower()
    named = [piece.raw.lower() in name for piece in sought]
    said = [piece.found(text.words) for piece in sought]
    if not all(in_name or begun for in_name, (begun, _) in zip(named, said, strict=True)):
        return None
    rank = 4 * sum(named) + sum(begun + whole for begun, whole in said)
    content = any(begun for begun, _ in said)
    return Found(facts, any(named), rank, excerpt(best(text, sought), sought) if content else ())
