"""How the store in memory answers what ends when an account is taken over."""

from collections.abc import Iterable
from typing import Protocol

from domain.drive import DriveKind
from domain.organization import OrganizationRole
from domain.questions import PlantedIn
from domain.take_over import Planted, PlantedApp, PlantedInvitation, PlantedMembership, PlantedPage, PlantedShare
from persistence.memory_state import State


def planted_in(state: State, asked: PlantedIn) -> Planted:
    user_id = asked.user_id
    mine = {organization_id for organization_id, member_id in state.belongings if member_id == user_id}
    others = {organization_id: _others(state, organization_id, user_id) for organization_id in mine}
    alone = {organization_id for organization_id, members in others.items() if not members}
    own = {
        drive.id
        for drive in state.drives.values()
        if drive.organization_id in alone or (drive.kind is DriveKind.personal and (drive.id, user_id) in state.members)
    }
    shares = [
        PlantedShare(item_id, state.items[item_id].drive_id, email)
        for (item_id, email), grant in state.grants.items()
        if grant.given_by == user_id or state.items[item_id].drive_id in own
    ]
    pages = [item for item in state.items.values() if item.slug is not None and item.drive_id in own]
    invitations = [each for each, _ in state.invitations.values() if each.organization_id in alone]
    return Planted(
        tuple(sorted(session.id for session, _ in state.sessions.values() if session.user_id == user_id)),
        tuple(sorted(key.id for key, _ in state.keys.values() if key.user_id == user_id)),
        tuple(sorted(link.id for link, _ in state.links.values() if link.user_id == user_id)),
        tuple(PlantedApp(app.id, app.name) for app in _by_id(state.apps.values()) if app.user_id == user_id),
        tuple(sorted(shares, key=lambda share: (share.item_id, share.email))),
        tuple(PlantedPage(item.id, item.drive_id) for item in _by_id(pages)),
        tuple(
            PlantedMembership(organization_id, _successor(state, organization_id, members))
            for organization_id, members in sorted(others.items())
            if members
        ),
        tuple(PlantedInvitation(each.id, each.organization_id) for each in _by_id(invitations)),
    )


def _others(state: State, organization_id: str, user_id: str) -> list[str]:
    return [member for place, member in state.belongings if place == organization_id and member != user_id]


def _successor(state: State, organization_id: str, members: list[str]) -> str | None:
    known = {member: state.belongings[organization_id, member] for member in members}
    if any(each.role is OrganizationRole.admin for each in known.values()):
        return None
    return min(known, key=lambda member: (known[member].joined_at, member))


class _Named(Protocol):
    @property
    def id(self) -> str: ...


def _by_id[Row: _Named](rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: row.id)
