"""Whether every surface answers every operation of the contract with the same JSON, and refuses it in the same words.

What is asked follows from the contract: a new row is in here without anyone adding it.
"""

import re
from types import SimpleNamespace

import pytest

from contract.operation_schema import Location
from contract.operations import BY_NAME, Surface
from domain.errors import Code
from graphql_api.system import new_id
from tests.support.processes.servers import eventually
from tests.support.surfaces.callers import BESIDES, CONTRACT, Person
from tests.support.surfaces.clients import CLIENTS

EVERYWHERE = [name for name, row in BY_NAME.items() if not row.rest_only]
BESIDE_REST = ["graphql", "mcp", "mcp_full", *CLIENTS]
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
# the details of events are as they were recorded, with microseconds; models are told the second
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.(\d{3}){1,2})?Z")
ADDRESS = re.compile(r"/p/[A-Za-z0-9_-]+")
COUNTED_ID = re.compile(r"[0-9]+(-[0-9]+)?")
CHANGE = re.compile(r"(\d+-\d+)-\d+-\d+-[0-9a-f]+")  # its block by the Yjs id, and its author
LAST_WORD = "tea"
PLAN = "# Plan\n\nMilk and bread\n\n- one\n- two\n\nEggs\n"
# what an input of this name is given, in whatever operation it stands
VALUES = {
    "documentId": lambda s, _: s.document,
    "itemId": lambda s, name: s.document if "hare" in name or "Publication" in name else s.folder,
    "driveId": lambda s, _: s.drive,
    "userId": lambda s, _: s.ben.id,
    "parentId": lambda *_: None,
    "email": lambda s, name: s.gus.email if name.endswith(("updateShare", "removeShare")) else s.ben.email,
    "name": lambda *_: "Named",
    "driveItemType": lambda *_: "docs_workbook",
    "permission": lambda *_: "read_write",
    "role": lambda *_: "contributor",
    "published": lambda *_: True,
    "text": lambda *_: LAST_WORD,
    "number": lambda *_: 1,
}


def searched(here):
    """The drive, once its document can be found by the word that came last."""
    drive = {"driveId": here.drive}
    eventually(lambda: here.ada.do("driveItems.search", text=LAST_WORD, **drive)["results"] or None)
    return drive


# What an operation is given besides, so that there is something for it to do.
GIVEN = {
    "documents.edit": lambda _: BESIDES["documents.edit"],
    "documents.undoChanges": lambda s: {"userId": s.ada.id, "agent": "research-assistant"},
    "driveItems.search": searched,
}


def required(operation):
    return [each for each in CONTRACT.shapes[operation].inputs.values() if each.required]


def test_every_operation_but_the_upload_is_on_every_surface():
    assert set(BY_NAME) - set(EVERYWHERE) == {"driveItems.uploadImage"}


@pytest.fixture(scope="module")
def place(ada, agent, ben, cleo, gus, versioned, cut_versions):
    """`place()` makes a drive of its own, so that what one surface does is not met by the next.

    Ada wrote the plan in its document, which is revision `base`, and a version ended after another of her edits. Then her
    agent and Ben changed it, and the versions that ended with their edits are cut.
    """

    def make():
        drive = ada.drive("Alike", manager=ben, contributor=cleo)
        folder = ada.folder(drive)
        document = ada.document(folder)
        for item in (folder, document):
            ada.share(item, gus)

        def edit(who, **form):
            return who.do("documents.edit", documentId=document, **form)["revision"]

        base = edit(ada, replace=PLAN, base=0)
        versioned(ada, document)
        edit(agent, passages=[{"old": "bread", "new": "butter"}])
        edit(ben, passages=[{"old": "one", "new": "one of three"}])
        edit(agent, append=LAST_WORD.title())
        cut_versions(document)
        people = {"ada": ada, "ben": ben, "cleo": cleo, "gus": gus}
        return SimpleNamespace(drive=drive, folder=folder, document=document, base=base, **people)

    return make


def inputs_of(operation, here):
    asked = {each.name: VALUES[each.name](here, operation) for each in required(operation)}
    return asked | (GIVEN[operation](here) if operation in GIVEN else {})


def alike(value, names):
    """Return the value with ids by the order in which they came up, and without what no two answers have in common."""
    if isinstance(value, dict):
        if COUNTED_ID.fullmatch(str(value.get("id"))):  # of an event, or of a heading
            value = value | {"id": names.setdefault(value["id"], f"id {len(names)}")}
        if "byteSize" in value:  # of a version: it follows from random Yjs client ids; READS compare it in one document
            value = value | {"byteSize": "BYTES"}
        if "used" in value:  # of a drive's storage: it is counted some seconds later
            value = value | {"used": "BYTES"}
        return {key: alike(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [alike(each, names) for each in value]
    if not isinstance(value, str):
        return value
    plain = ID.sub(lambda found: names.setdefault(found[0], f"id {len(names)}"), value)
    plain = CHANGE.sub(r"\1", plain)
    return ADDRESS.sub("/p/SLUG", MOMENT.sub("MOMENT", plain))


def beside_rest(operation):
    """Return the other surfaces on which an operation is asked; `mcp` asks an extension at the second address."""
    return [each for each in BESIDE_REST if each != "mcp_full" or Surface.MCP in BY_NAME[operation].surfaces]


def asking(person, surface, operation):
    """What asks on a surface, and what its answer is held against: that of REST or, where a model is answered, GraphQL's."""
    is_model = surface == "mcp_full" or (surface == "mcp" and Surface.MCP not in BY_NAME[operation].surfaces)
    return person.on(surface).ask, person.graphql.ask_for_model if is_model else person.rest.ask


@pytest.mark.parametrize(("operation", "other"), [(each, other) for each in EVERYWHERE for other in beside_rest(each)])
def test_an_answer_is_the_same_json_as_over_rest(operation, other, place, newcomer):
    answers = []
    for which in range(2):
        here = place()
        asker = here.ada if required(operation) else newcomer(email=f"asker-{new_id()}@alike.example")
        if asker is not here.ada:  # a list is compared for somebody who has nothing else
            here.ada.share(here.document, asker)
        said = asking(asker, other, operation)[which](operation, **inputs_of(operation, here))
        assert said.status == 200, said
        answers.append(alike(said.data, {}))
    assert answers[0] == answers[1]


def ids(here, **narrowed):
    """The ids of changes in the document."""
    return [each["id"] for each in asked_of(here, "documents.changes", **narrowed)["changes"]]


def asked_of(here, operation, **inputs):
    return here.ada.do(operation, documentId=here.document, **inputs)


# What writes in the document: the operation, its inputs, and what the answer must say for the comparison to say anything
WRITES = {
    "passages": (
        "documents.edit",
        lambda _: {"passages": [{"old": "butter", "new": "oil"}, {"old": "Tea", "new": "Coffee"}]},
        lambda d: [each["path"] for each in d["changes"]] == [[1], [5]] and "and oil" in d["markdown"],
    ),
    "a replacement that leaves what others wrote": (
        "documents.edit",
        lambda s: {"replace": "# Plan B\n\nMilk and bread\n\nEggs\n", "base": s.base},
        lambda d: d["kept"] == [{"path": [2], "notDone": "deleted"}] and "of three" in d["markdown"],
    ),
    "an edit that changes nothing": (
        "documents.edit",
        lambda s: {"replace": PLAN, "base": s.base, "onConflict": "refuse", "dryRun": False},
        lambda d: d["changes"] == [] and "Tea" in d["markdown"],
    ),
    "an undo by ids": (
        "documents.undoChanges",
        lambda s: {"ids": ids(s, agent="research-assistant")},
        lambda d: len(d["changes"]) == 2 and d["skipped"] == [],
    ),
    "an undo of a person alone": (
        "documents.undoChanges",
        lambda s: {"userId": s.ada.id, "agent": "", "sinceRevision": s.base},
        lambda d: [each["inserted"] for each in d["changes"]] == ["Written"],
    ),
    "an undo of what others wrote in": (
        "documents.undoChanges",
        lambda s: {"userId": s.ada.id},
        lambda d: {each["reason"] for each in d["skipped"]} == {"others_inside"},
    ),
}


@pytest.mark.parametrize(
    ("case", "other"), [(case, other) for case in WRITES for other in beside_rest("documents.edit")]
)
def test_what_agents_write_and_take_back_is_answered_alike(case, other, place):
    operation, inputs, is_telling = WRITES[case]
    answers = []
    for which in range(2):
        here = place()
        ask, against = asking(here.ada, other, operation)
        said = (ask, against)[which](operation, documentId=here.document, **inputs(here))
        assert said.status == 200, said
        assert against != here.ada.rest.ask or is_telling(said.data), said.data
        answers.append(alike([said.data, asked_of(here, "documents.read")["markdown"]], {}))
    assert answers[0] == answers[1]


@pytest.fixture(scope="module")
def read_place(place):
    here = place()
    asked_of(here, "documents.undoChanges", ids=ids(here, agent="research-assistant")[-1:])  # with versions around it
    return here


def beyond(operation, **inputs):
    """What goes on after the first of a list."""
    return lambda s: inputs | {"cursor": asked_of(s, operation, **inputs)["nextCursor"]}


# What only reads the document, or tells what it would write
READS = {
    "the first changes": ("documents.changes", lambda _: {"first": 2}, lambda d: len(d["changes"]) == 2 and d["nextCursor"]),
    "the next changes": ("documents.changes", beyond("documents.changes", first=2), lambda d: len(d["changes"]) == 2),
    "the changes of an agent": (
        "documents.changes",
        lambda _: {"agent": "research-assistant"},
        lambda d: [each["inserted"] for each in d["changes"]] == ["butter", "Tea"],
    ),
    "the changes of people alone": (
        "documents.changes",
        lambda _: {"agent": ""},
        lambda d: d["changes"] and {each["by"]["agent"] for each in d["changes"]} == {None},
    ),
    "the changes of one person": (
        "documents.changes",
        lambda s: {"userId": s.ben.id},
        lambda d: [each["inserted"] for each in d["changes"]] == [" of three"],
    ),
    "the changes since a version": (
        "documents.changes",
        lambda _: {"sinceVersion": 1, "sinceRevision": 0, "sinceTime": "2020-01-01T00:00:00Z"},
        lambda d: "butter" in {each["inserted"] for each in d["changes"]},
    ),
    "the changes until a version": (
        "documents.changes",
        lambda _: {"untilVersion": 1},
        lambda d: "Written" in {each["inserted"] for each in d["changes"]} and len(d["changes"]) == 5,
    ),
    "the first attributions": (
        "documents.attributions", lambda _: {"first": 2}, lambda d: len(d["attributions"]) == 2 and d["nextCursor"],
    ),
    "the next attributions": (
        "documents.attributions",
        beyond("documents.attributions", first=2),
        lambda d: "research-assistant" in {each["by"]["agent"] for each in d["attributions"]},
    ),
    "the first version": ("documents.versions", lambda _: {"first": 1}, lambda d: len(d["versions"]) == 1 and d["nextCursor"]),
    "the next versions": ("documents.versions", beyond("documents.versions", first=1), lambda d: len(d["versions"]) == 1),
    "the versions of people alone": ("documents.versions", lambda _: {"agent": ""}, lambda d: len(d["versions"]) > 1),
    "an edit that is only tried": (
        "documents.edit", lambda _: {"append": "never", "dryRun": True}, lambda d: d["markdown"].endswith("never\n"),
    ),
    "a replacement that is only tried": (
        "documents.edit",
        lambda s: {"replace": "Milk\n", "base": s.base, "onConflict": "merge", "dryRun": True},
        lambda d: d["changes"] and d["kept"],
    ),
    "an undo that is only tried": (
        "documents.undoChanges",
        lambda s: {"userId": s.ada.id, "agent": "research-assistant", "dryRun": True},
        lambda d: d["changes"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", READS)
def test_what_tells_of_a_document_is_the_same_json_everywhere_and_writes_nothing(case, read_place, state):
    operation, inputs, is_telling = READS[case]
    asked = {"documentId": read_place.document} | inputs(read_place)
    before = state()
    expected = read_place.ada.rest.ask(operation, **asked)
    assert expected.status == 200, expected
    assert is_telling(expected.data), expected.data
    for surface in beside_rest(operation):
        ask, against = asking(read_place.ada, surface, operation)
        assert (surface, ask(operation, **asked).data) == (surface, against(operation, **asked).data)
    assert state() == before


def unauthorized(here, operation):
    return Person("", "", "", "cdr_nobody", here.ada.client), inputs_of(operation, here)


def not_found(here, operation):
    first = next(each.name for each in required(operation) if each.name.endswith("Id"))
    return here.ada, inputs_of(operation, here) | {first: new_id()}


def forbidden(here, operation):
    """Somebody who sees it, and may do nothing more."""
    asker = here.gus if any(each.name in ("itemId", "documentId") for each in required(operation)) else here.cleo
    mine = {"email": here.ben.email} if operation.endswith("Share") else {}
    return asker, inputs_of(operation, here) | mine


def bad_request(here, operation):
    wrong, *_ = checked(operation)
    return here.ada, inputs_of(operation, here) | {wrong: "\x07"}


def checked(operation):
    """The inputs that an operation needs and that are more than an id or a text."""
    return [
        each.name
        for each in required(operation)
        if each.name == "number" or (each.place is Location.BODY and "Id" not in each.name)
    ]


FAILURES = {
    Code.UNAUTHORIZED: unauthorized,
    Code.NOT_FOUND: not_found,
    Code.FORBIDDEN: forbidden,
    Code.BAD_REQUEST: bad_request,
}
MAY_FAIL = {
    Code.UNAUTHORIZED: lambda _: True,
    Code.NOT_FOUND: lambda operation: any(each.name.endswith("Id") for each in required(operation)),
    Code.FORBIDDEN: lambda operation: operation != "drives.createItem",  # whoever sees a drive may make something in it
    Code.BAD_REQUEST: lambda operation: bool(checked(operation)),
}
CASES = [
    (operation, code)
    for operation in EVERYWHERE
    for code in FAILURES
    if code in {Code.UNAUTHORIZED, Code.BAD_REQUEST, *BY_NAME[operation].rejects} and MAY_FAIL[code](operation)
]


@pytest.mark.parametrize(("operation", "code"), CASES)
def test_a_failure_is_the_same_on_every_surface(operation, code, place, state):
    asker, inputs = FAILURES[code](place(), operation)
    before = state()
    expected = asker.rest.ask(operation, **inputs)
    assert expected.code == code, expected
    for surface in beside_rest(operation):
        said = asker.on(surface).ask(operation, **inputs)
        assert (surface, said.code, said.status) == (surface, code, expected.status)
        worded = (surface, code) not in IN_ITS_OWN_WORDS
        assert not worded or said.message == expected.message
    assert state() == before


# GraphQL knows its own fields, and the command line finds a wrong flag before it asks
IN_ITS_OWN_WORDS = {("graphql", Code.BAD_REQUEST), ("graphql", Code.UNAUTHORIZED), ("command_line", Code.BAD_REQUEST)}
