"""Plants the demo world in an empty service, and writes the file with its credentials."""

import json
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from accounts.provisioning import Person, add_to_organization, make_account, make_key, make_organization, record
from demo.data import AGENT, DRIVES, ORGANIZATIONS, PEOPLE, DemoDrive, DemoItem, written
from domain import key
from domain.document import DocumentEdited
from domain.drive import Drive, DriveCreated, DriveKind
from domain.events import Event
from domain.item import Item, ItemCreated
from domain.member import MemberSet
from domain.organization import OrganizationRole
from domain.publication import DocumentPublished
from domain.questions import DriveNames
from domain.share import ItemShared
from domain.values import Email
from graphql_api.ports import LiveDocuments, LockScope, Store
from graphql_api.system import new_id, now, random_bits

type SetPassword = Callable[[str, str], Awaitable[None]]


async def populate(store: Store, documents: LiveDocuments, set_password: SetPassword) -> dict[str, Any]:
    """Make the demo world and return its credentials, without the addresses of the server."""
    people = {
        short: await make_account(store, name, Email(f"{short}@{_home(short).lower()}.example"), verified=True)
        for short, name in PEOPLE.items()
    }
    organizations: dict[str, str] = {}
    for name, members in ORGANIZATIONS.items():
        admin = people[members[0]]
        organizations[name] = (await make_organization(store, name, admin)).id
        for member in members[1:]:
            await add_to_organization(store, organizations[name], people[member], OrganizationRole.member, admin.credit)
    for space in DRIVES:
        await _fill(store, documents, people, organizations, space)
    users = {}
    for short, person in people.items():
        password = key.base62(random_bits(), 20)
        await set_password(person.id, password)
        secret = await make_key(store, person, "Demo", organizations[_home(short)])
        users[short] = {"userId": person.id, "email": person.email, "password": password, "apiKey": secret}
    owner, agent = AGENT
    secret = await make_key(store, people[owner], agent, organizations[_home(owner)], agent)
    return {"users": users, "agentKey": {"user": owner, "agent": agent, "apiKey": secret}}


def _home(short: str) -> str:
    return next(name for name, members in ORGANIZATIONS.items() if short in members)


async def _fill(
    store: Store, documents: LiveDocuments, people: dict[str, Person], organizations: dict[str, str], space: DemoDrive
) -> None:
    owner = people[space.owner]
    if space.organization is None:
        page = await store.read(DriveNames(owner.id, 1, None))
        drive_id = page.rows[0].drive.id
    else:
        drive_id = new_id()
        drive = Drive(drive_id, space.name, DriveKind.shared, organizations[space.organization], now(), now())
        members = [MemberSet(drive_id, people[short].id, role, None) for short, role in space.members]
        await record(store, owner.credit, [DriveCreated(drive, owner.id), *members])
    for made in space.items:
        await _make(store, documents, people, (owner, drive_id, None), made)


async def _make(
    store: Store,
    documents: LiveDocuments,
    people: dict[str, Person],
    place: tuple[Person, str, str | None],
    made: DemoItem,
) -> None:
    owner, drive_id, parent_id = place
    by = people[made.by].credit if made.by else owner.credit
    if made.by_agent:
        by = replace(by, agent=AGENT[1])
    item = Item(new_id(), drive_id, parent_id, made.kind, made.name, now(), now(), by, by)
    first = written(made.text) if made.text else documents.first_update(made.kind)
    events: list[Event] = [ItemCreated(item)]
    if first:
        events.append(DocumentEdited(item.id, drive_id, first))
    events += [ItemShared(item.id, drive_id, people[short].email, granted) for short, granted in made.shared]
    if made.published:
        events.append(DocumentPublished(item.id, drive_id, key.base62(random_bits(), 22)))
    await record(store, by, events, LockScope(drives=(drive_id,)))
    for child in made.children:
        await _make(store, documents, people, (owner, drive_id, item.id), child)


def write_credentials(target: Path, credentials: dict[str, Any]) -> None:
    """Write the file in one step, readable by its owner alone."""
    partial = target.with_name(target.name + ".partial")
    partial.unlink(missing_ok=True)
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        json.dump(credentials, file, indent=2)
        file.write("\n")
    partial.replace(target)
