"""Worlds that grow step by step in two stores at once: each step is an event that the domain could have decided on."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from documents.build import from_tree
from documents.markdown_in import parse
from domain.access import Permission, Role
from domain.account import Account, AccountCreated, AccountDisabled, AccountRenamed, EmailVerified
from domain.credit import Credit
from domain.document import DocumentEdited, Image, ImageUploaded
from domain.drive import Drive, DriveCreated, DriveDeleted, DriveKind, DriveRenamed
from domain.email_link import EmailLink, LinkMade, LinkUsed, Purpose
from domain.history import EditedBy
from domain.item import Item, ItemCreated, ItemKind, ItemRenamed
from domain.key import ApiKey, KeyCreated, KeyRevoked
from domain.member import MemberRemoved, MemberSet
from domain.move import ItemMoved
from domain.organization import (
    Invitation,
    InvitationAccepted,
    InvitationRevoked,
    MemberInvited,
    Organization,
    OrganizationCreated,
    OrganizationMemberRemoved,
    OrganizationRole,
    OrganizationRoleSet,
)
from domain.publication import DocumentPublished, DocumentUnpublished
from domain.session import OrganizationChosen, PasswordSet, Session, SessionBegun, SessionEnded
from domain.share import ItemShared, ShareChanged, ShareRemoved
from domain.trash import ItemDeleted, ItemRestored, ItemTrashed
from domain.version import VersionCut, VersionNamed

START = datetime(2026, 11, 20, 12, tzinfo=UTC)
NAMES = ["Plan", "plan b", "Äpfel", "Z", "a_b%", "Plan Ünïts", "数", "x'y", "plan 10", "Plan 9"]
EMAILS = [f"user{number}@example.com" for number in range(6)]
AGENTS = [None, "claude", "Research Bot"]


@dataclass(frozen=True, slots=True)
class Touches:
    items: tuple[str, ...] = ()
    drives: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


def new_id(number):
    return f"0190{number:04x}-{number:04x}-7000-8000-{number:012x}"


@dataclass
class World:
    """`state` is what the memory holds now, from which steps choose what they are about."""

    state: object
    made: int = 0
    keys: int = field(default=0)

    def fresh(self):
        self.made += 1
        return new_id(self.made)

    @property
    def now(self):
        return START + timedelta(seconds=self.made)

    def by(self, n):
        account = pick(sorted(self.state.accounts.values(), key=lambda each: each.id), n)
        return Credit(account.id, account.name, pick(AGENTS, n // 7))

    def credit(self, event, n):
        if isinstance(event, ItemCreated):
            return event.item.created_by
        return self.by(n) if self.state.accounts else Credit(event.account.id, event.account.name)

    def account(self, a, b):
        free = [email for email in EMAILS if self.state.account_by_email(email) is None]
        if not free:
            return None
        made = Account(self.fresh(), pick(NAMES, b), pick(free, a), bool(b % 2), self.now)
        return AccountCreated(made, self.fresh())

    def verify(self, a, _):
        account = pick(list(self.state.accounts.values()), a)
        return EmailVerified(account.id, account.email)

    def disable(self, a, b):
        return AccountDisabled(pick(list(self.state.accounts), a), b % 2 == 0)

    def organization(self, a, b):
        return OrganizationCreated(
            Organization(self.fresh(), pick(NAMES, b), self.now), pick(list(self.state.accounts), a)
        )

    def invite(self, a, b):
        if not self.state.organizations:
            return None
        organization = pick(list(self.state.organizations), a)
        made = self.fresh()
        role = pick(list(OrganizationRole), b)
        return MemberInvited(
            Invitation(made, organization, pick(EMAILS, b), role, self.now, self.now + timedelta(days=7), b % 2 == 0),
            f"digest {made}",
        )

    def accept(self, a, _):
        fitting = [
            (invitation, account)
            for invitation, _ in self.state.invitations.values()
            if (account := self.state.account_by_email(invitation.email))
        ]
        if not fitting:
            return None
        invitation, account = pick(fitting, a)
        known = self.state.belongings.get((invitation.organization_id, account.id))
        role = known.role if known else invitation.role
        return InvitationAccepted(invitation.id, invitation.organization_id, account.id, role)

    def set_organization_role(self, a, b):
        if not self.state.belongings:
            return None
        return OrganizationRoleSet(*pick(list(self.state.belongings), a), pick(list(OrganizationRole), b))

    def leave_organization(self, a, b):
        removable = [
            (organization, user)
            for (organization, user) in self.state.belongings
            if any(o == organization and u != user and k.role == "admin" for (o, u), k in self.state.belongings.items())
        ]
        if not removable:
            return None
        organization, user = pick(removable, a)
        admins = [
            u for (o, u), k in self.state.belongings.items() if o == organization and k.role == "admin" and u != user
        ]
        return OrganizationMemberRemoved(organization, user, pick([None, *admins], b), grants_stay=b % 3 == 0)

    def drive(self, a, b):
        if not self.state.belongings:
            return None
        organization, user = pick(list(self.state.belongings), a)
        drive = Drive(self.fresh(), pick(NAMES, b), DriveKind.shared, organization, self.now, self.now)
        return DriveCreated(drive, user)

    def rename_drive(self, a, b):
        return DriveRenamed(pick(list(self.state.drives), a), pick(NAMES, b))

    def delete_drive(self, a, b):
        empty = [d for d in self.state.drives.values() if d.kind == "shared" and not self.state.live(d.id)]
        return DriveDeleted(pick(empty, a).id, "gone") if empty and b % 5 == 0 else None

    def set_member(self, a, b):
        places = [
            (drive.id, user)
            for drive in self.state.drives.values()
            for (organization, user) in self.state.belongings
            if organization == drive.organization_id
        ]
        if not places:
            return None
        drive, user = pick(places, a)
        role, before = pick(list(Role), b), self.state.role(user, drive)
        owners = [who for (which, who), m in self.state.members.items() if which == drive and m.role == "owner"]
        return None if owners == [user] and role != "owner" else MemberSet(drive, user, role, before)

    def remove_member(self, a, _):
        places = [place for place, m in self.state.members.items() if m.role != "owner"]
        return MemberRemoved(*pick(places, a), Role.contributor) if places else None

    def create(self, a, b):
        folders = [item for item in self.state.items.values() if item.kind == "folder"]
        if folders and a % 3:
            parent = pick(folders, a)
            drive, parent_id = parent.drive_id, parent.id
        else:
            drive, parent_id = pick(list(self.state.drives), a), None
        by = self.by(b)
        kind = pick([ItemKind.folder, ItemKind.folder, ItemKind.docs_workbook, ItemKind.viz_workbook], b // 3)
        return ItemCreated(Item(self.fresh(), drive, parent_id, kind, pick(NAMES, b), self.now, self.now, by, by))

    def item(self, n, *, documents=False, trashed=None):
        fitting = [
            item
            for item in self.state.items.values()
            if (not documents or item.kind != "folder") and trashed in {None, item.trashed_at is not None}
        ]
        return pick(fitting, n) if fitting else None

    def rename(self, a, b):
        item = self.item(a)
        return item and ItemRenamed(item.id, item.drive_id, pick(NAMES, b))

    def move(self, a, b):
        item = self.item(a)
        if item is None:
            return None
        below = {each.id for each, _ in self.state.subtree(item.id)}
        places = [(drive, None) for drive in self.state.drives] + [
            (each.drive_id, each.id)
            for each in self.state.items.values()
            if each.kind == "folder" and each.id not in below
        ]
        drive, parent = pick(places, b)
        above = len(list(self.state.upwards(parent)))
        deepest = above + max(level for _, level in self.state.subtree(item.id))
        return ItemMoved(item.id, item.drive_id, drive, item.parent_id, parent, deepest)

    def trash(self, a, _):
        item = self.item(a, trashed=False)
        return item and ItemTrashed(item.id, item.drive_id)

    def restore(self, a, _):
        item = self.item(a, trashed=True)
        if item is None:
            return None
        way = list(self.state.upwards(item.id))
        highest = max(place for place, each in enumerate(way) if each.trashed_at)
        home = way[highest + 1].id if highest + 1 < len(way) else None
        return ItemRestored(item.id, item.drive_id, home)

    def delete(self, a, _):
        item = self.item(a, trashed=True)
        return item and ItemDeleted(item.id, item.drive_id, item.name)

    def publish(self, a, _):
        item = self.item(a, documents=True)
        return item and DocumentPublished(item.id, item.drive_id, self.fresh())

    def unpublish(self, a, _):
        item = self.item(a, documents=True)
        return item and DocumentUnpublished(item.id, item.drive_id)

    def edit(self, a, b):
        item = self.item(a, documents=True)
        return item and DocumentEdited(item.id, item.drive_id, self.update(b))

    def update(self, n):
        """Nonsense now and then, which no document can be read from afterwards; mostly a paragraph."""
        if n % 11 == 0:
            return bytes([n % 256, 0])
        self.made += 1
        return from_tree(parse(f"{pick(NAMES, n)} and {pick(NAMES, n // 3)}"), self.made)

    def cut(self, a, b):
        edited = [item for item, edits in self.state.edits.items() if edits]
        if not edited:
            return None
        item = pick(edited, a)
        edits = self.state.edits[item]
        numbers = [number for place, number in self.state.versions if place == item]
        done = max((self.state.versions[item, number][0].sequence for number in numbers), default=0)
        if done == len(edits):
            return None
        upto = done + 1 + b % (len(edits) - done)
        latest = {(edit.user_id, edit.agent): edit.at for edit in edits[done:upto]}
        authors = tuple(EditedBy(*who, at) for who, at in latest.items())
        drive = self.state.items[item].drive_id
        return VersionCut(item, drive, len(numbers) + 1, upto, edits[upto - 1].at, b, authors)

    def name_version(self, a, b):
        if not self.state.versions:
            return None
        item, number = pick(list(self.state.versions), a)
        return VersionNamed(item, self.state.items[item].drive_id, number, pick([None, *NAMES], b))

    def image(self, a, b):
        item = self.item(a, documents=True)
        return item and ImageUploaded(Image(self.fresh(), item.id, "image/png", 1, 2, b, self.now), item.drive_id)

    def share(self, a, b):
        item = self.item(a)
        free = [email for email in EMAILS if item and (item.id, email) not in self.state.grants]
        return ItemShared(item.id, item.drive_id, pick(free, b), pick(list(Permission), b // 2)) if free else None

    def change_share(self, a, b):
        if not self.state.grants:
            return None
        item, email = pick(list(self.state.grants), a)
        return ShareChanged(item, self.state.items[item].drive_id, email, pick(list(Permission), b))

    def unshare(self, a, _):
        if not self.state.grants:
            return None
        item, email = pick(list(self.state.grants), a)
        return ShareRemoved(item, self.state.items[item].drive_id, email)

    def key(self, a, b):
        user, made = pick(list(self.state.accounts), a), self.fresh()
        organizations = [None, *self.state.organizations]
        shown = ApiKey(
            made, user, pick(NAMES, b), pick(AGENTS, b), pick(organizations, b), "cdr_abcd", "wxyz", self.now
        )
        return KeyCreated(shown, f"digest {made}")

    def revoke(self, a, _):
        if not self.state.keys:
            return None
        shown, _ = pick(list(self.state.keys.values()), a)
        return KeyRevoked(shown.id, shown.user_id)

    def rename_account(self, a, b):
        return AccountRenamed(pick(list(self.state.accounts), a), pick(NAMES, b))

    def sign_in(self, a, b):
        user, made = pick(list(self.state.accounts), a), self.fresh()
        organization = pick([None, *self.state.organizations], b)
        return SessionBegun(Session(made, user, organization, pick(NAMES, b), self.now, self.now), f"digest {made}")

    def sign_out(self, a, _):
        if not self.state.sessions:
            return None
        session, _ = pick(list(self.state.sessions.values()), a)
        return SessionEnded(session.id, session.user_id)

    def choose(self, a, b):
        if not self.state.sessions or not self.state.organizations:
            return None
        session, _ = pick(list(self.state.sessions.values()), a)
        return OrganizationChosen(session.id, session.user_id, pick(list(self.state.organizations), b))

    def password(self, a, b):
        return PasswordSet(pick(list(self.state.accounts), a), f"hash {b}")

    def link(self, a, b):
        made, account = self.fresh(), pick(list(self.state.accounts.values()), a)
        user = account.id if b % 3 else None
        link = EmailLink(made, pick(list(Purpose), b), account.email, user, self.now + timedelta(days=1), b % 2 == 0)
        return LinkMade(link, f"digest {made}")

    def use_link(self, a, _):
        return LinkUsed(pick(list(self.state.links), a)) if self.state.links else None

    def revoke_invitation(self, a, _):
        if not self.state.invitations:
            return None
        invitation, _ = pick(list(self.state.invitations.values()), a)
        return InvitationRevoked(invitation.id, invitation.organization_id)


COMMON = ["create"] * 6 + ["share"] * 4 + ["move", "trash", "rename", "edit", "account"] * 2
STEPS = [
    *COMMON,
    *("verify", "disable", "organization", "invite", "accept", "set_organization_role", "leave_organization"),
    *("drive", "rename_drive", "delete_drive", "set_member", "remove_member", "restore", "delete", "publish"),
    *("unpublish", "image", "change_share", "unshare", "key", "revoke", "rename_account", "sign_in", "sign_in"),
    *("cut", "cut", "name_version", "sign_out", "choose", "password", "link", "link", "use_link", "revoke_invitation"),
]
# What nearly every world begins with, so that the steps have something to be about.
BEGINNING = [
    *(
        ("account", 0, 1),
        ("account", 0, 2),
        ("account", 0, 3),
        ("organization", 0, 0),
        ("invite", 0, 1),
        ("invite", 0, 2),
    ),
    *(("accept", 0, 0), ("accept", 0, 0), ("drive", 0, 0), ("create", 0, 0), ("create", 0, 3), ("create", 3, 6)),
]


def pick(values, n):
    return values[n % len(values)]
