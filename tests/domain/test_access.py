import inspect
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from domain.access import (
    CONFERS,
    NOTHING,
    Authority,
    Can,
    DriveCan,
    Permission,
    Reason,
    Role,
    Step,
    authority,
    drive_authority,
    holds_throughout,
    live_authority,
    outranks,
    visible_length,
)

ROLES = st.none() | st.sampled_from(Role)
PERMISSIONS = st.none() | st.sampled_from(Permission)


@st.composite
def paths(draw):
    permissions = draw(st.lists(PERMISSIONS, min_size=1, max_size=6))
    return tuple(Step(f"i{place}", permission=permission) for place, permission in enumerate(permissions))


# The table of PRODUCT section 3, cell by cell: what is not listed here is not given.
TABLE = {
    "read": "owner manager contributor read_write read_only",
    "edit": "owner manager contributor read_write",
    "createChild": "owner manager contributor read_write",
    "move": "owner manager contributor",
    "moveOut": "owner manager",
    "share": "owner manager contributor",
    "publish": "owner manager",
    "trash": "owner manager contributor",
    "versions": "owner manager contributor read_write",
    "deleteForever": "owner",
}
DRIVE_TABLE = {
    "createItem": "owner manager contributor",
    "rename": "owner manager",
    "manageMembers": "owner manager",
    "manageOwners": "owner",
    "delete": "owner",
}


def test_the_policy_is_the_published_table_cell_by_cell():
    assert set(TABLE) == set(Can)
    for capability, holders in TABLE.items():
        assert {str(gives) for gives in CONFERS if Can(capability) in CONFERS[gives]} == set(holders.split())


def test_the_policy_of_drives_is_the_published_table_cell_by_cell():
    assert set(DRIVE_TABLE) == set(DriveCan)
    for capability, holders in DRIVE_TABLE.items():
        assert {str(role) for role in Role if DriveCan(capability) in drive_authority(role)} == set(holders.split())


def test_below_a_granted_folder_a_writer_may_also_move_and_trash():
    read_write = Permission.read_write
    on, below = (Step("folder", permission=read_write),), (Step("memo"), Step("folder", permission=read_write))
    assert authority(None, below).can - authority(None, on).can == {Can.move, Can.trash}


def test_nobody_without_role_or_grant_has_anything():
    assert authority(None, (Step("a"), Step("b"))) is NOTHING
    assert authority(None, ()) is NOTHING
    assert drive_authority(None) == frozenset()


def test_an_authority_says_because_of_what():
    path = (Step("memo"), Step("folder", permission=Permission.read_only))
    assert authority(Role.manager, path).because == (Reason(Role.manager), Reason(Permission.read_only, "folder"))


def test_the_permission_shown_is_whether_one_may_edit():
    assert Authority(frozenset({Can.read}), ()).permission is Permission.read_only
    assert Authority(frozenset({Can.read, Can.edit}), ()).permission is Permission.read_write


def test_a_role_outranks_only_lower_ones():
    ranked = (Role.contributor, Role.manager, Role.owner)
    for place, role in enumerate(ranked):
        assert [outranks(role, other) for other in ranked] == [other_place < place for other_place in range(3)]


@given(ROLES, paths(), st.data())
def test_another_grant_or_role_never_removes_a_capability(role, path, data):
    place = data.draw(st.integers(0, len(path) - 1))
    if path[place].permission is not Permission.read_write:
        more = (*path[:place], replace(path[place], permission=Permission.read_write), *path[place + 1 :])
        assert authority(role, path).can <= authority(role, more).can
    stronger = data.draw(st.sampled_from(Role))
    if role is None or outranks(stronger, role):
        assert authority(role, path).can <= authority(stronger, path).can
        assert drive_authority(role) <= drive_authority(stronger)


@given(ROLES, paths())
def test_rights_only_grow_down_the_path(role, path):
    for place in range(len(path)):
        assert authority(role, path[place:]).can <= authority(role, path).can


@given(ROLES, paths())
def test_every_right_is_the_union_of_what_each_reason_gives(role, path):
    alone = [authority(role, tuple(replace(step, permission=None) for step in path)).can] if role else []
    for place in range(len(path)):
        only = tuple(replace(step, permission=step.permission if at == place else None) for at, step in enumerate(path))
        alone.append(authority(None, only).can)
    assert authority(role, path).can == frozenset().union(*alone)


@given(ROLES, paths())
def test_visible_ancestors_are_a_contiguous_prefix_from_the_item_up(role, path):
    sees = [Can.read in authority(role, path[place:]).can for place in range(len(path))]
    shown = visible_length(role, path)
    assert sees == [True] * shown + [False] * (len(path) - shown)


@given(ROLES, paths(), st.data())
def test_trash_anywhere_on_the_way_up_hides_the_item_and_nothing_else_changes_it(role, path, data):
    assert live_authority(role, path) == authority(role, path)
    place = data.draw(st.integers(0, len(path) - 1))
    assert live_authority(role, (*path[:place], replace(path[place], trashed=True), *path[place + 1 :])) is NOTHING


def test_authority_can_depend_on_nothing_but_role_and_path():
    assert list(inspect.signature(authority).parameters) == ["role", "path"]
    assert list(inspect.signature(live_authority).parameters) == ["role", "path"]
    assert set(Step.__dataclass_fields__) == {"id", "trashed", "permission", "name"}


@given(ROLES, paths(), st.text(max_size=3))
def test_the_names_of_items_change_no_right(role, path, prefix):
    renamed = tuple(replace(step, id=prefix + step.id, name=prefix) for step in path)
    assert authority(role, renamed).can == authority(role, path).can


@given(ROLES, paths())
def test_what_lets_somebody_move_holds_for_the_old_place_too(role, path):
    if Can.move in authority(role, path).can:
        assert holds_throughout(role, path, path[1:])


@given(paths(), paths())
def test_a_grant_reaches_no_other_tree(path, other):
    elsewhere = tuple(replace(step, id=f"other-{step.id}") for step in other)
    assert not holds_throughout(None, path, elsewhere)
    assert holds_throughout(Role.contributor, path, elsewhere)
