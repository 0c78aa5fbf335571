"""How an edit of a document is asked for, in one of its three forms."""

from typing import Final

import strawberry

from documents import edit
from domain.values import bad
from graphql_api.refused import Refused

MAX_PASSAGES: Final = 500


@strawberry.input(description="One passage of a document's Markdown, and what becomes of it.")
class PassageInput:
    old: str = strawberry.field(description="The passage as it is now; it must be there exactly once.")
    new: str = strawberry.field(description="What stands there afterwards.")


@strawberry.input(one_of=True, description="What to do to a document's Markdown: exactly one of these.")
class EditInput:
    replace: str | None = strawberry.field(
        default=strawberry.UNSET, description="All of it becomes this. Blocks and words that stay are not touched."
    )
    append: str | None = strawberry.field(
        default=strawberry.UNSET, description="This comes after what there is; a list at the end may go on."
    )
    passages: list[PassageInput] | None = strawberry.field(
        default=strawberry.UNSET, description=f"At most {MAX_PASSAGES} passages become others, all of them or none."
    )


def form(asked: EditInput) -> edit.Edit:
    if asked.replace is not None and asked.replace is not strawberry.UNSET:
        return edit.Whole(asked.replace)
    if asked.append is not None and asked.append is not strawberry.UNSET:
        return edit.Append(asked.append)
    passages = asked.passages or []
    if len(passages) > MAX_PASSAGES:
        raise Refused(bad("passages", f"must be at most {MAX_PASSAGES}"))
    return edit.Passages(tuple(edit.Passage(each.old, each.new) for each in passages))
