import inspect
import pkgutil
from importlib import import_module
from typing import get_type_hints

import pytest

import domain
from domain.account import Account
from domain.document import Image
from domain.drive import DriveFacts
from domain.duplicate import Destination
from domain.errors import NOT_FOUND
from domain.item import ItemFacts, ItemKind, create
from domain.key import ApiKey
from domain.member import MembershipFacts
from domain.move import move
from domain.organization import Invitation, Organization, OrganizationFacts, OrganizationRole
from domain.share import Shares
from domain.star import Stars
from domain.values import Email
from domain.version import Version
from tests.domain.given import ADA, LATER, LIMITS, NOW, OWNER, PERSONAL, READ_ONLY, below, drive, facts, folder, place

ORGANIZATION = Organization("acme", "Acme", NOW)
SAMPLES = {
    "asking_id": "ada",
    "below": below(),
    "by": Account("ada", "Ada", Email("ada@acme.example"), email_verified=True, created_at=NOW),
    "copied": None,
    "digest": "digest",
    "email": "gus@globex.example",
    "ids": {"memo": "copy"},
    "image": Image("image", "memo", "image/png", 1, 1, 1, NOW, "image"),
    "invitation": Invitation("invitation", "acme", "gus@globex.example", OrganizationRole.member, NOW, LATER),
    "invitation_id": "invitation",
    "items": (facts("memo").item,),
    "left": 0,
    "limits": LIMITS,
    "message": "Have a look",
    "most": 10,
    "name": "New",
    "new_slug": "fresh",
    "now": NOW,
    "own": "ada@acme.example",
    "pending": (),
    "permission": READ_ONLY,
    "place": place(folder("plans", role=OWNER), drive=drive()),
    "present": OrganizationRole.member,
    "published": True,
    "role": OWNER,
    "shares": Shares(READ_ONLY, 1, inside=False),
    "membership": MembershipFacts(in_organization=True, role=OWNER, owners=2, members=2),
    "stars": Stars(1, has=True),
    "update": b"update",
    "user_id": "ada",
    "version": Version(1, None, NOW, (), 10, None, 3),
    "what": "do this",
    "where": Destination(None, None, beside=True),
    "capability": None,
}
HIDDEN = {
    ItemFacts | None: [
        facts("memo"),
        folder("memo", "plans", "top"),
        facts("memo!"),
        facts("memo", "plans!"),
        facts("memo", drive=PERSONAL, slug="public"),
    ],
    DriveFacts | None: [drive(None), drive(None, PERSONAL), drive(None, live_items=0)],
    OrganizationFacts | None: [OrganizationFacts(ORGANIZATION, None, 1), OrganizationFacts(ORGANIZATION, None, 2)],
    ApiKey | None: [ApiKey("key", "ben", "laptop", None, None, "cdr_1234", "wxyz", NOW)],
}


def decisions():
    """Every public function of the domain that is given facts which may be missing, as its first argument."""
    for module in pkgutil.iter_modules(domain.__path__, "domain."):
        for name, function in inspect.getmembers(import_module(module.name), inspect.isfunction):
            hints = get_type_hints(function)
            first = next(iter(inspect.signature(function).parameters), None)
            kind = hints.get(first)
            if function.__module__ == module.name and not name.startswith("_") and kind in HIDDEN:
                yield pytest.param(function, kind, id=f"{module.name}.{name}")


def ask(function, seen):
    _, *others = inspect.signature(function).parameters.values()
    keywords = {each.name: SAMPLES[each.name] for each in others if each.kind is each.KEYWORD_ONLY}
    return function(seen, *(SAMPLES[each.name] for each in others if each.kind is not each.KEYWORD_ONLY), **keywords)


DECISIONS = [*decisions()]


def test_there_are_decisions_to_ask():
    assert len(DECISIONS) > 20


@pytest.mark.parametrize(("decide", "kind"), DECISIONS)
def test_hidden_and_missing_are_one_and_the_same_answer(decide, kind):
    assert ask(decide, None) is NOT_FOUND
    for hidden in HIDDEN[kind]:
        assert ask(decide, hidden) is NOT_FOUND


def test_a_place_that_is_hidden_and_one_that_is_missing_are_one_answer():
    memo = facts("memo", role=OWNER)
    for where in (
        place(drive=None, seen=False),
        place(drive=drive(None), seen=False),
        place(drive=None, seen=False, parent_id="gone"),
        place(folder("hidden"), drive=drive(None), seen=False),
    ):
        assert move(memo, where, below(), LIMITS) is NOT_FOUND
        assert create(where, "new", "New", ItemKind.folder, ADA, NOW, LIMITS) is NOT_FOUND
