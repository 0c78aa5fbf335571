"""Whether two who act at the same moment can do together what neither may do alone: over two real connections.

Each round lets both requests go at once; `CODRIVE_ROUNDS` says how many tenths of the full 150 rounds are run.
"""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from tests.support.processes.servers import http
from tests.support.suite.rounds import ROUNDS
from tests.support.surfaces.callers import Person

ROUNDS = 15 * ROUNDS


@pytest.fixture(scope="module")
def at_once(server):
    """`at_once(ada, (operation, inputs), …)` lets each request go on a connection of its own and gives their codes."""
    clients = [http(server.origin) for _ in range(2)]
    with ThreadPoolExecutor(len(clients)) as pool:

        def run(*requests):
            barrier = Barrier(len(requests))

            def go(client, request):
                person, surface, operation, inputs = request
                alone = over(client, person)
                alone.rest.ask("driveItems.sharedWithMe")  # so that the connection stands
                barrier.wait()
                return alone.on(surface).ask(operation, **inputs).code

            return [*pool.map(go, clients, requests)]

        yield run
    for client in clients:
        client.close()


def over(client, person):
    """The person, whose requests go over this client's connections."""
    return Person(person.id, person.name, person.email, person.key, client)


def surfaces(number: int) -> tuple[str, str]:
    return ("rest", ("rest", "graphql", "mcp")[number % 3])


def test_two_folders_never_end_up_inside_each_other(ada, at_once):
    drive = ada.drive("Cycles")
    for number in range(ROUNDS):
        first, second = ada.folder(drive), ada.folder(drive)
        one, other = surfaces(number)
        codes = at_once(
            (ada, one, "driveItems.move", {"itemId": first, "driveId": drive, "parentId": second}),
            (ada, other, "driveItems.move", {"itemId": second, "driveId": drive, "parentId": first}),
        )
        assert sorted(codes, key=str) == ["MOVE_CYCLE", None]
        parents = {item: ada.get(item)["item"]["parentId"] for item in (first, second)}
        assert sorted(parents.values(), key=str).count(None) == 1


def test_two_folders_never_end_up_inside_each_other_in_another_drive(ada, at_once):
    here, there = ada.drive("Here"), ada.drive("There")
    for number in range(ROUNDS):
        first, second = ada.folder(here), ada.folder(there)
        one, other = surfaces(number)
        codes = at_once(
            (ada, one, "driveItems.move", {"itemId": first, "driveId": there, "parentId": second}),
            (ada, other, "driveItems.move", {"itemId": second, "driveId": here, "parentId": first}),
        )
        # whoever comes second finds the folder it wanted to move into in another drive by now
        assert sorted(codes, key=str) in (["MOVE_CYCLE", None], [None, "PARENT_NOT_IN_DRIVE"])
        items = [ada.get(item)["item"] for item in (first, second)]
        assert len({item["driveId"] for item in items}) == 1
        assert [item["parentId"] for item in items].count(None) == 1


@pytest.mark.parametrize("operation", ["drives.removeMember", "drives.upsertMember"])
def test_an_owner_always_remains(operation, ada, ben, cleo, at_once):
    role = {"role": "contributor"} if operation == "drives.upsertMember" else {}
    for number in range(ROUNDS):
        drive = ada.drive("Owners", owner=ben, contributor=cleo)
        one, other = surfaces(number)
        codes = at_once(
            (ada, one, operation, {"driveId": drive, "userId": ada.id} | role),
            (ben, other, operation, {"driveId": drive, "userId": ben.id} | role),
        )
        assert sorted(codes, key=str) == ["LAST_OWNER", None]
        listed = next(each for each in cleo.do("drives.list")["drives"] if each["id"] == drive)
        assert [member["role"] for member in listed["members"]].count("owner") == 1


def test_equal_shares_become_one_and_different_ones_a_conflict(ada, at_once):
    drive = ada.drive("Shares")
    for number in range(ROUNDS):
        item = ada.folder(drive)
        one, other = surfaces(number)
        share = {"itemId": item, "email": "same@newcomers.example", "permission": "read_only"}
        assert at_once(
            (ada, one, "driveItems.share", share), (ada, other, "driveItems.share", share)
        ) == [None, None]  # fmt: skip
        assert len(ada.get(item)["shares"]) == 1
        differing = {"itemId": item, "email": "other@newcomers.example"}
        codes = at_once(
            (ada, one, "driveItems.share", differing | {"permission": "read_only"}),
            (ada, other, "driveItems.share", differing | {"permission": "read_write"}),
        )
        assert sorted(codes, key=str) == [None, "SHARE_EXISTS"]
        assert len(ada.get(item)["shares"]) == 2


def test_the_same_request_sent_twice_at_once_takes_effect_once(ada, at_once):
    drive = ada.drive("Once")
    for number in range(ROUNDS):
        folder = ada.folder(drive)
        child = {"itemId": folder, "name": "Once", "driveItemType": "folder"}
        once = child | {"headers": {"Idempotency-Key": f"once-{number}"}}
        codes = at_once(
            (ada, "rest", "driveItems.createChild", once), (ada, "rest", "driveItems.createChild", once)
        )  # fmt: skip
        assert codes == [None, None]
        assert len(ada.get(folder)["children"]) == 1


def test_what_moves_into_a_folder_that_moves_away_goes_with_it_or_stays(ada, at_once):
    drive = ada.drive("Meanwhile")
    for number in range(ROUNDS):
        folder, item = ada.folder(drive), ada.document(drive)
        one, other = surfaces(number)
        codes = at_once(
            (ada, one, "driveItems.move", {"itemId": item, "driveId": drive, "parentId": folder}),
            (ada, other, "driveItems.move", {"itemId": folder, "driveId": ada.personal(), "parentId": None}),
        )
        assert codes in ([None, None], ["PARENT_NOT_IN_DRIVE", None])
        found = ada.get(item)
        assert found["item"]["driveId"] == found["drive"]["id"]
        if codes[0] is None:
            assert found["item"]["driveId"] == ada.get(folder)["item"]["driveId"]


def test_every_move_between_drives_succeeds_while_four_others_make_items_in_a_third_drive(ada, server):
    here, there, third = ada.drive("From"), ada.drive("To"), ada.drive("Third")
    item, folder = ada.document(here), ada.folder(third)
    moved = Event()

    def make(_):
        with http(server.origin) as client:
            alone, codes = over(client, ada), set()
            while not moved.is_set():
                child = {"itemId": folder, "name": "Made", "driveItemType": "folder"}
                codes.add(alone.rest.ask("driveItems.createChild", **child).code)
            return codes

    with ThreadPoolExecutor(4) as pool:
        loops = pool.map(make, range(4))
        try:
            codes = []
            for number in range(2 * ROUNDS):
                target = here if number % 2 else there
                move = {"itemId": item, "driveId": target, "parentId": None}
                codes.append(ada.on(("rest", "graphql")[number % 2]).ask("driveItems.move", **move).code)
        finally:
            moved.set()
        assert set().union(*loops) == {None}
    assert codes == [None] * (2 * ROUNDS)
