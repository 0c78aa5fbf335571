"""How the question for a public page is answered.

What lies in the trash keeps its slug until it comes back, so the whole way up is looked at.
"""

from domain.questions import Published, PublishedAs
from persistence.fragments import CREDITED, GUARD, ITEM
from persistence.read_documents import IMAGES
from persistence.reading import Reads, one

_PUBLISHED = f"""
select json_build_object('item', {ITEM}, 'images', (
    select coalesce(({IMAGES.format(item_id="i.id")}), '[]')))
from item i {CREDITED} where i.slug = %(slug)s and not (
    with recursive path as (
        select i.parent_id, i.trashed_at is not null as trashed, 1 as step
        union all
        select a.parent_id, a.trashed_at is not null, path.step + 1
        from path join item a on a.id = path.parent_id where path.step < {GUARD})
    select bool_or(trashed) from path)"""

PUBLISHED_READS: Reads = {PublishedAs: one(PublishedAs, Published, _PUBLISHED)}
