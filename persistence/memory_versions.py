"""How the store in memory keeps the versions of documents, and answers what is asked about them."""

from dataclasses import replace

from domain.credit import Author
from domain.document import DocumentLog, DocumentState, LoggedUpdate
from domain.history import IDLE, EditedBy, History, downsampled
from domain.questions import AuthorNamesOf, HistoryOf, LogOf, VersionOf, VersionsOf, VersionStateOf
from domain.version import Version, VersionCut, VersionNamed, VersionRestored
from persistence.memory_state import State


def kept(state: State, event: VersionCut | VersionRestored) -> None:
    restored_from = event.restored_from if isinstance(event, VersionRestored) else None
    version = Version(event.number, None, event.created_at, (), event.byte_size, restored_from, event.sequence)
    state.versions[event.item_id, event.number] = version, event.authors


def named(state: State, event: VersionNamed) -> None:
    version, authors = state.versions[event.item_id, event.number]
    state.versions[event.item_id, event.number] = replace(version, name=event.name), authors


def forget(state: State, item_id: str) -> None:
    state.edits.pop(item_id, None)
    for place in [place for place in state.versions if place[0] == item_id]:
        state.versions.pop(place)


def _of(state: State, item_id: str) -> list[tuple[Version, tuple[EditedBy, ...]]]:
    return [kept for (place, _), kept in sorted(state.versions.items()) if place == item_id]


def _shown(state: State, version: Version, authors: tuple[EditedBy, ...]) -> Version:
    ranked = sorted(authors, key=lambda each: (each.edited_at, each.user_id, each.agent or ""), reverse=True)
    named = (Author(each.user_id, state.accounts[each.user_id].name, each.agent, each.edited_at) for each in ranked)
    return replace(version, authors=tuple(named))


def versions_of(state: State, asked: VersionsOf) -> tuple[Version, ...]:
    before = [
        _shown(state, version, authors)
        for version, authors in reversed(_of(state, asked.item_id))
        if asked.before is None or version.number < asked.before
    ]
    return tuple(before[: asked.first])


def version_of(state: State, asked: VersionOf) -> Version | None:
    kept = state.versions.get((asked.item_id, asked.number))
    return _shown(state, *kept) if kept else None


def version_state_of(state: State, asked: VersionStateOf) -> DocumentState:
    version = version_of(state, VersionOf(asked.item_id, asked.number))
    if version is None:
        return DocumentState(None, (), 0)
    return DocumentState(None, state.updates.get(asked.item_id, ())[: version.sequence], version.number)


def history_of(state: State, asked: HistoryOf) -> History | None:
    item = state.items.get(asked.item_id)
    if item is None:
        return None
    edits, versions = state.edits.get(item.id, ()), _of(state, item.id)
    number, cut = (versions[-1][0].number, versions[-1][0].sequence) if versions else (0, 0)
    left = edits[cut:]
    latest: dict[tuple[str, str], EditedBy] = {}
    for each in sorted((each for _, authors in versions for each in authors), key=lambda each: each.edited_at):
        if left and each.edited_at > left[0].at - IDLE:
            latest[each.user_id, each.agent or ""] = each
    recently_active = tuple(latest[who] for who in sorted(latest))
    return History(item.drive_id, len(edits), number, cut, downsampled(left), recently_active)


def log_of(state: State, asked: LogOf) -> DocumentLog | None:
    if asked.item_id not in state.items:
        return None
    both = zip(state.updates.get(asked.item_id, ()), state.edits.get(asked.item_id, ()), strict=True)
    log = [LoggedUpdate(update, edit.user_id, edit.agent, edit.at) for update, edit in both]
    log = log[: asked.sequence]
    return DocumentLog(None, None, tuple(log[asked.after :]), len(log))


def author_names_of(state: State, asked: AuthorNamesOf) -> dict[str, str]:
    return {edit.user_id: state.accounts[edit.user_id].name for edit in state.edits.get(asked.item_id, ())}
