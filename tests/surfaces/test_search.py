"""Whether what people write is found, over a server that indexes beside: by those who see it, and by nobody else."""

from random import choices
from types import SimpleNamespace
from uuid import uuid4

import pytest

from persistence.postgres import processes
from tests.support.processes.servers import PATIENCE

FIND = """query ($text: String!, $first: Int, $after: Cursor) { search(text: $text, first: $first, after: $after) {
  edges { cursor rank foundIn excerpt { text hit } node { id name } } nodes { id } pageInfo { hasNextPage endCursor } } }"""
EDIT = "mutation ($id: ID!, $text: String!) { editDocument(documentId: $id, edit: {replace: $text}) { id } }"
ODD = [
    "",
    " ",
    "'",
    '"',
    "\\",
    "a:*",
    "a & | !",
    "<b>",
    "%",
    "-",
    "\u2028",
    "\u0e01",
    "x" * 2_000,
    "a " * 2_000,
    "\ud83d\ude00",
]


def found(person, text, **page):
    return person.gql(FIND, text=text, **page)


def soon(person, text):
    """What is found once anything is."""
    return processes.wait_for(lambda: found(person, text)["edges"] or None, PATIENCE)


@pytest.fixture(scope="module")
def word():
    """A word that nobody else wrote."""
    return f"w{uuid4().hex[:12]}"


@pytest.fixture(scope="module")
def memo(ada, word):
    made = ada.document(ada.personal(), "Memo")
    ada.gql(EDIT, id=made, text=f"# First\n\nThe **{word}** is \\<b>bold\\</b>, and dull.")
    assert soon(ada, word)
    return made


def test_what_was_just_written_is_found_with_the_passage_around_it_as_plain_text(ada, memo, word):
    (edge,) = found(ada, f"{word[:9].upper()} bol")["edges"]
    assert (edge["node"], edge["rank"], edge["foundIn"]) == ({"id": memo, "name": "Memo"}, 2, ["content"])
    assert edge["excerpt"] == [
        {"text": "The ", "hit": False},
        {"text": word, "hit": True},
        {"text": " is <b>", "hit": False},
        {"text": "bold", "hit": True},
        {"text": "</b>, and dull.", "hit": False},
    ]


def test_the_words_of_the_name_count_more(ada, memo, word):
    named = ada.document(ada.personal(), f"About {word}")
    assert [edge["node"]["id"] for edge in found(ada, word)["edges"]] == [named, memo]
    first = found(ada, word, first=1)
    assert [node["id"] for node in first["nodes"]] == [named]
    assert first["pageInfo"]["hasNextPage"]
    rest = found(ada, word, after=first["pageInfo"]["endCursor"])
    assert ([node["id"] for node in rest["nodes"]], rest["pageInfo"]["hasNextPage"]) == ([memo], False)


def test_what_is_hidden_answers_as_what_does_not_exist(ada, ben, memo, word):
    assert found(ben, word) == found(ben, f"{word}nothing")
    ada.share(memo, ben)
    assert [node["id"] for node in found(ben, word)["nodes"]] == [memo]
    ada.do("driveItems.removeShare", itemId=memo, email=ben.email)
    assert found(ben, word) == found(ben, f"{word}nothing")


def test_what_is_in_the_trash_or_deleted_is_not_found(ada, word):
    own = f"{word}trash"
    made = ada.document(ada.personal(), "Thrown away")
    ada.gql(EDIT, id=made, text=own)
    assert soon(ada, own)
    ada.trash(made)
    assert found(ada, own)["edges"] == []
    ada.restore(made)
    assert [node["id"] for node in found(ada, own)["nodes"]] == [made]
    ada.trash(made)
    ada.gql("mutation ($id: ID!) { deleteItemForever(itemId: $id) { id } }", id=made)
    assert found(ada, own)["edges"] == []


@pytest.fixture(scope="module")
def minutes(ada, agent, ben, word):
    """Two folders, one in the other, with a document of Ada's and one of her agent's that Ben wrote in; all named alike."""
    name, drive = f"minutes{word}", ada.drive(f"Minutes of {word}", contributor=ben)
    outer = ada.folder(drive, name)
    inner = agent.folder(outer, name)
    plain, written = ada.document(outer, name), agent.document(inner, name)
    ben.gql(EDIT, id=written, text="By Ben.")
    return SimpleNamespace(name=name, drive=drive, outer=outer, inner=inner, plain=plain, written=written)


def test_every_surface_filters_what_it_finds_alike(ada, ben, minutes, surface):
    changed = ada.do("driveItems.get", itemId=minutes.written)["item"]["updatedAt"]
    for filters, expected in (
        ({"folderId": minutes.outer}, {"inner", "plain", "written"}),
        ({"folderId": minutes.inner}, {"written"}),
        ({"folderId": minutes.plain}, set()),
        ({"folderId": minutes.outer, "driveId": ada.personal()}, set()),
        ({"driveId": minutes.drive, "types": ["folder"]}, {"outer", "inner"}),
        ({"driveId": minutes.drive, "types": ["docs_workbook", "viz_workbook"]}, {"plain", "written"}),
        ({"driveId": minutes.drive, "userId": ada.id}, {"outer", "inner", "plain", "written"}),
        ({"driveId": minutes.drive, "userId": ada.id, "agent": ""}, {"outer", "plain"}),
        ({"driveId": minutes.drive, "agent": "research-assistant"}, {"inner", "written"}),
        ({"driveId": minutes.drive, "userId": ben.id}, {"written"}),
        ({"driveId": minutes.drive, "changedSince": changed}, {"written"}),
        (
            {"folderId": minutes.outer, "types": ["docs_workbook"], "userId": ben.id, "changedSince": changed},
            {"written"},
        ),
    ):
        results = ada.on(surface).ask("driveItems.search", text=minutes.name, **filters).data["results"]
        ids = {getattr(minutes, each): each for each in ("outer", "inner", "plain", "written")}
        assert {ids[each["item"]["id"]] for each in results} == expected, filters


@pytest.mark.parametrize("surface", ["rest", "graphql", "python", "typescript"])  # models are told a path as a text
def test_every_surface_tells_the_folders_above_what_is_found_and_orders_and_bounds_it_by_moments(
    ada, ben, minutes, surface
):
    def results(**wanted):
        asked = {"text": minutes.name, "driveId": minutes.drive, **wanted}
        return ada.on(surface).ask("driveItems.search", **asked).data["results"]

    found = results()
    hits = {each["item"]["id"]: each["item"] for each in found}
    folders = {each["item"]["id"]: each["folders"] for each in found}
    names = {minutes.outer: [], minutes.inner: [minutes.outer], minutes.written: [minutes.outer, minutes.inner]}
    for item_id, above in names.items():
        assert folders[item_id] == [{"id": each, "name": minutes.name} for each in above]
        assert hits[item_id]["url"].endswith(f"/{item_id}")
    assert hits[minutes.written]["createdBy"]["agent"] == "research-assistant"
    assert hits[minutes.written]["updatedBy"]["userId"] == ben.id
    by_date = [each["item"]["updatedAt"] for each in results(order="date")]
    assert by_date == sorted(by_date, reverse=True)
    assert len(by_date) == 4
    written, outer = hits[minutes.written], hits[minutes.outer]
    assert [each["item"]["id"] for each in results(createdSince=written["createdAt"])] == [minutes.written]
    assert [each["item"]["id"] for each in results(createdUntil=outer["createdAt"])] == [minutes.outer]
    before = results(changedUntil=hits[minutes.plain]["updatedAt"])
    assert {each["item"]["id"] for each in before} == {minutes.outer, minutes.inner, minutes.plain}


def test_a_typing_error_is_corrected_by_words_that_the_caller_may_read_alone(ada, ben, surface):
    own = "".join(choices("bcdfghjklmnpqrstvwxz", k=14))
    made = ada.document(ada.personal(), own.capitalize())
    mistyped = own[:6] + own[7:]
    assert [each["item"]["id"] for each in ada.on(surface).ask("driveItems.search", text=mistyped).data["results"]] == [
        made
    ]
    assert ben.on(surface).ask("driveItems.search", text=mistyped).data == {"results": [], "nextCursor": None}


def test_a_folder_that_is_hidden_answers_as_one_that_does_not_exist(ada, cleo, minutes, surface):
    ada.share(minutes.written, cleo)
    asked = {"text": minutes.name, "folderId": minutes.inner}
    hidden = cleo.on(surface).ask("driveItems.search", **asked)
    assert hidden.data == {"results": [], "nextCursor": None}
    for unknown in (str(uuid4()), "nothing"):
        assert cleo.on(surface).ask("driveItems.search", **asked | {"folderId": unknown}).data == hidden.data
    assert cleo.on(surface).ask("driveItems.search", text=minutes.name).data["results"]


@pytest.mark.parametrize("text", ODD, ids=lambda text: repr(text[:8]))
def test_any_text_may_be_asked_for(ada, text):
    assert {"edges", "nodes", "pageInfo"} == set(found(ada, text))
