"""Suggests a field for the unknown name of a request, by what other services call the same."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final

# Names of other services, in lower case and without separators, with what is called so here, the likeliest first.
_ALIASES: Final[Mapping[str, tuple[str, ...]]] = {
    "query": ("text",), "q": ("text",), "search": ("text",), "keywords": ("text",),
    "limit": ("first", "characters"), "pagesize": ("first",), "perpage": ("first",), "count": ("first",), "maxresults": ("first",),
    "maxlength": ("characters",), "maxchars": ("characters",), "size": ("characters", "first"), "page": ("cursor",),
    "sort": ("order",), "sortby": ("order",), "orderby": ("order",), "heading": ("section",), "headingid": ("section",),
    "start": ("fromBlock",), "end": ("toBlock",), "text": ("append",), "folderid": ("parentId", "itemId"),
    "targetid": ("parentId",), "destinationid": ("parentId",), "to": ("parentId", "email"), "public": ("published",),
    "publish": ("published",), "emailaddress": ("email",),
    "after": ("cursor",), "pagetoken": ("cursor",), "nextcursor": ("cursor",), "offset": ("cursor",),
    "oldstr": ("old", "passages"), "oldstring": ("old", "passages"), "oldtext": ("old", "passages"),
    "find": ("old", "passages"), "newstr": ("new", "passages"), "newstring": ("new", "passages"),
    "newtext": ("new", "passages"), "replacement": ("new", "passages"), "edits": ("passages",),
    "content": ("content", "replace"), "markdown": ("content", "replace"), "body": ("content", "replace"),
    "id": ("documentId", "itemId", "driveId"), "docid": ("documentId", "itemId"), "fileid": ("documentId", "itemId"),
    "pageid": ("documentId", "itemId"), "nodeid": ("itemId", "documentId"),
    "parent": ("parentId", "folderId"), "folder": ("folderId", "parentId"), "destination": ("parentId",),
    "title": ("name",), "filename": ("name",), "newname": ("name",),
    "type": ("driveItemType", "types"), "kind": ("driveItemType", "types"), "role": ("permission",),
    "access": ("permission",), "user": ("userId", "email"), "author": ("userId",), "since": ("changedSince", "sinceTime"),
    "after_date": ("changedSince", "since"), "version": ("number",), "revision": ("base", "sinceRevision"),
}  # fmt: skip
_ALIKE: Final = 0.75


def suggestion(name: str, known: Iterable[str]) -> str | None:
    """Return the one of the `known` names that a name most likely stands for; None where it is like none."""
    plain = {_plain(each): each for each in known}
    wanted = _plain(name[:64])
    if wanted in plain:
        return plain[wanted]
    for alias in _ALIASES.get(wanted, ()):
        if _plain(alias) in plain:
            return plain[_plain(alias)]
    close = get_close_matches(wanted, plain, n=1, cutoff=_ALIKE)
    return plain[close[0]] if close else None


def advice(name: str, known: Iterable[str]) -> str:
    """Return what to do about a name that is none of the `known` ones."""
    found = suggestion(name, known)
    return "leave it out" if found is None else f"send `{found}` instead"


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter not in "_- .")
