"""What the events about items, documents and grants write.

The arguments are the event's fields, those of what it carries under its name (`item_id` for an `item`'s id), and
`by_user`, `by_agent`, `at`, and for an event that gives a name, `sort_key`.
"""

from persistence.fragments import GUARD

_TOUCHED = "updated_at = %(at)s, updated_by_user = %(by_user)s::uuid, updated_by_agent = %(by_agent)s"
_BELOW = f"""
with recursive below as (
    select %(item_id)s::uuid as id, 1 as step
    union all
    select b.id, below.step + 1 from below join item b on b.parent_id = below.id where below.step < {GUARD})"""

ITEM_CREATED = (
    """
insert into item (id, drive_id, parent_id, kind, name, sort_key, created_at, updated_at,
    created_by_user, created_by_agent, updated_by_user, updated_by_agent)
values (%(item_id)s::uuid, %(item_drive_id)s::uuid, %(item_parent_id)s::uuid, %(item_kind)s, %(item_name)s, %(sort_key)s,
    %(item_created_at)s, %(item_updated_at)s, %(by_user)s::uuid, %(by_agent)s, %(by_user)s::uuid, %(by_agent)s)""",
    f"""
with recursive up as (
    select %(item_parent_id)s::uuid as id, 1 as depth
    union all
    select a.parent_id, up.depth + 1 from up join item a on a.id = up.id where up.depth < {GUARD}),
counted as (update item set children = children + 1 where id = %(item_parent_id)s::uuid)
update drive set items = drive.items + 1, depth = greatest(drive.depth, deep.depth)
from (select max(depth) as depth from up) deep where drive.id = %(item_drive_id)s::uuid""",
)
ITEM_RENAMED = (f"update item set name = %(name)s, sort_key = %(sort_key)s, {_TOUCHED} where id = %(item_id)s::uuid",)
# What is in the trash itself is counted nowhere.
ITEM_MOVED = (
    f"""
with counted as (
    update item p set children = p.children
        + (p.id is not distinct from %(parent_id)s::uuid)::int - (p.id is not distinct from i.parent_id)::int
    from item i
    where i.id = %(item_id)s::uuid and i.trashed_at is null and p.id = any(array[i.parent_id, %(parent_id)s::uuid]))
update item set drive_id = %(drive_id)s::uuid, parent_id = %(parent_id)s::uuid, {_TOUCHED}
where id = %(item_id)s::uuid""",
    "update drive set depth = %(deepest)s where id = %(drive_id)s::uuid and depth < %(deepest)s",
)
# Only for a move to another drive.
TO_ANOTHER_DRIVE = f"""{_BELOW}, moved as (
    update item set drive_id = %(drive_id)s::uuid from below
    where item.id = below.id and item.drive_id <> %(drive_id)s::uuid)
update drive set items = drive.items + case when drive.id = %(drive_id)s::uuid then 1 else -1 end * counted.number
from (select count(*) as number from below) counted
where drive.id in (%(drive_id)s::uuid, %(from_drive_id)s::uuid)"""
ITEM_TRASHED = (
    """
with trashed as (update item set trashed_at = %(at)s where id = %(item_id)s::uuid returning parent_id)
update item p set children = p.children - 1 from trashed where p.id = trashed.parent_id""",
)
ITEM_RESTORED = (
    """
with restored as (
    update item set trashed_at = null, parent_id = %(parent_id)s::uuid where id = %(item_id)s::uuid returning parent_id)
update item p set children = p.children + 1 from restored where p.id = restored.parent_id""",
    f"{_BELOW} update item set slug = null from below where item.id = below.id and item.slug is not null",
)
# Documents, images and grants go with their items; the blobs of images are deleted afterwards. The folder that it was in
# has not counted it since it was trashed.
ITEM_DELETED = (
    f"""{_BELOW}, removed as (
    insert into blob_removal (key) select image.id::text from below join image on image.item_id = below.id),
deleted as (delete from item using below where item.id = below.id)
update drive set items = drive.items - counted.number from (select count(*) as number from below) counted
where drive.id = %(drive_id)s::uuid""",
)

DOCUMENT_PUBLISHED = ("update item set slug = %(slug)s where id = %(item_id)s::uuid",)
DOCUMENT_UNPUBLISHED = ("update item set slug = null where id = %(item_id)s::uuid",)
DOCUMENT_EDITED = (
    f"""
with numbered as (
    update item set sequence = sequence + 1, {_TOUCHED} where id = %(item_id)s::uuid returning id, sequence)
insert into document_update (item_id, sequence, user_id, agent, at, update)
select id, sequence, %(by_user)s::uuid, %(by_agent)s, %(at)s, %(update)s from numbered""",
    """
insert into document_author (item_id, user_id, agent, edited_at)
values (%(item_id)s::uuid, %(by_user)s::uuid, coalesce(%(by_agent)s::text, ''), %(at)s)
on conflict (item_id, user_id, agent) do update set edited_at = greatest(document_author.edited_at, excluded.edited_at)""",
)
IMAGE_UPLOADED = (
    """
insert into image (id, item_id, content_type, width, height, byte_size, created_at)
values (%(image_id)s::uuid, %(image_item_id)s::uuid, %(image_content_type)s, %(image_width)s, %(image_height)s,
    %(image_byte_size)s, %(image_created_at)s)""",
)

# Effective at once where an account has proved the address; else it waits.
ITEM_SHARED = (
    """
insert into item_grant (item_id, email, user_id, permission, given_by, created_at)
values (%(item_id)s::uuid, %(email)s, (
        select a.id from account a where a.email = %(email)s and a.email_proved_at is not null),
    %(permission)s, %(by_user)s::uuid, %(at)s)""",
)
SHARE_CHANGED = (
    "update item_grant set permission = %(permission)s where item_id = %(item_id)s::uuid and email = %(email)s",
)
SHARE_REMOVED = ("delete from item_grant where item_id = %(item_id)s::uuid and email = %(email)s",)
