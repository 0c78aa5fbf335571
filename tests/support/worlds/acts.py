"""What people do, over any store: load facts, let the domain decide, record what it decided."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from domain import (
    document,
    drive,
    email_link,
    history,
    item,
    key,
    member,
    move,
    organization,
    preview,
    publication,
    session,
    share,
    star,
    trash,
    version,
)
from domain.access import Permission, Role
from domain.account import Account, AccountCreated, AccountDisabled, AccountRenamed, EmailVerified
from domain.credit import Credit
from domain.document import Image
from domain.errors import Rejection
from domain.events import Event
from domain.item import ItemFacts, ItemKind, TreeLimits
from domain.key import compose
from domain.organization import Invitation, OrganizationRole
from domain.questions import (
    AccountOf,
    DriveFor,
    Giver,
    HistoryOf,
    HoldersOf,
    InvitationByDigest,
    InvitationsOf,
    ItemFor,
    KeysOf,
    LinkByDigest,
    MembershipFactsOf,
    OrganizationFor,
    OrganizationRoleOf,
    PlaceFor,
    PlantedIn,
    Question,
    SessionsOf,
    SharesOf,
    StarsFor,
    SubtreeOf,
    VersionOf,
)
from domain.take_over import take_over
from domain.values import Email, ItemName
from graphql_api.ports import LockScope

START = datetime(2026, 11, 20, 12, tzinfo=UTC)
_worlds = count(1)


@dataclass
class World:
    """People and a clock over a store, and over models that hear the same events and must answer the same.

    No two worlds share an id, so a database needs no clearing between them.
    """

    stores: tuple[Any, ...]
    number: int = field(default_factory=lambda: next(_worlds))
    now: datetime = START
    limits: TreeLimits = field(default_factory=TreeLimits)
    people: dict[str, Account] = field(default_factory=dict)
    ids: Iterator[int] = field(default_factory=lambda: count(1))
    secrets: Iterator[int] = field(default_factory=lambda: count(1))

    def new_id(self) -> str:
        return f"{self.number:08x}-0000-7000-8000-{next(self.ids):012x}"

    def wait(self, seconds: float = 1) -> None:
        self.now += timedelta(seconds=seconds)

    def address(self, name: str) -> Email:
        return Email(f"{name}@w{self.number}.example")

    def credit(self, name: str, agent: str | None = None) -> Credit:
        account = self.people[name]
        return Credit(account.id, account.name, agent)

    async def read[Answer](self, question: Question[Answer]) -> Answer:
        store, *models = self.stores
        answer: Answer = await store.read(question)
        for model in models:
            assert not model.knows(question) or await model.read(question) == answer, question
        return answer

    async def record(self, *events: Any, by: str, agent: str | None = None, touches: LockScope | None = None) -> None:
        for store in self.stores:
            await store.transact(
                touches or LockScope(), lambda transaction: transaction.record(events, self.credit(by, agent), self.now)
            )

    async def decided[Decided: Sequence[Event] | Rejection](
        self, by: str, decision: Decided, agent: str | None = None
    ) -> Decided:
        """Record what was decided, if it was not refused, and give it back."""
        if not isinstance(decision, Rejection) and decision:
            await self.record(*decision, by=by, agent=agent)
        return decision

    # people and organizations

    async def account(self, name: str, *, verified: bool = True) -> str:
        account = Account(self.new_id(), name.title(), self.address(name), verified, self.now)
        self.people[name] = account
        personal = self.new_id()
        await self.record(AccountCreated(account, personal), by=name)
        return personal

    async def verify(self, name: str) -> None:
        account = self.people[name]
        await self.record(EmailVerified(account.id, account.email), by=name)

    async def take_over(self, name: str) -> Any:
        account = await self.known(name)
        return await self.decided(name, take_over(account, await self.read(PlantedIn(account.id))))

    async def disable(self, name: str, *, disabled: bool = True) -> None:
        await self.record(AccountDisabled(self.people[name].id, disabled), by=name)

    async def organize(self, by: str, name: str = "Acme") -> str:
        organization_id = self.new_id()
        await self.decided(
            by, organization.create(organization_id, ItemName(name), self.people[by].id, self.now)
        )  # fmt: skip
        return organization_id

    async def _organization(self, by: str, organization_id: str) -> Any:
        return await self.read(OrganizationFor(self.people[by].id, organization_id))

    async def invite(
        self, by: str, organization_id: str, name: str, role: OrganizationRole = OrganizationRole.member
    ) -> Any:
        sent = Invitation(
            self.new_id(), organization_id, self.address(name), role, self.now, self.now + timedelta(days=7)
        )
        facts = await self._organization(by, organization_id)
        standing = await self.read(InvitationsOf(organization_id))
        known, most = await self.known(by), organization.MAX_OPEN_INVITATIONS
        return await self.decided(by, organization.invite(facts, sent, f"digest of {sent.id}", known, standing, most))

    async def accept(self, name: str, invitation_id: str) -> Any:
        found = await self.read(InvitationByDigest(f"digest of {invitation_id}"))
        mine = self.people[name]
        already = await self.read(OrganizationRoleOf(found.organization_id, mine.id)) if found else None
        return await self.decided(name, organization.accept(found, mine.id, mine.email, self.now, already))

    async def join(
        self, by: str, organization_id: str, name: str, role: OrganizationRole = OrganizationRole.member
    ) -> Any:
        (invited,) = await self.invite(by, organization_id, name, role)
        return await self.accept(name, invited.invitation.id)

    async def revoke_invitation(self, by: str, organization_id: str, invitation_id: str) -> Any:
        facts = await self._organization(by, organization_id)
        standing = await self.read(InvitationsOf(organization_id))
        return await self.decided(by, organization.revoke_invitation(facts, invitation_id, standing))

    async def set_organization_role(self, by: str, organization_id: str, name: str, role: OrganizationRole) -> Any:
        facts, user_id = await self._organization(by, organization_id), self.people[name].id
        present = await self.read(OrganizationRoleOf(organization_id, user_id))
        return await self.decided(by, organization.set_role(facts, user_id, role, present))

    async def leave_organization(self, by: str, organization_id: str, name: str) -> Any:
        facts, user_id = await self._organization(by, organization_id), self.people[name].id
        present = await self.read(OrganizationRoleOf(organization_id, user_id))
        return await self.decided(by, organization.remove(facts, user_id, self.people[by].id, present))

    async def make_key(
        self, by: str, agent: str | None = None, organization_id: str | None = None, name: str = "laptop"
    ) -> key.KeyCreated:
        secret = compose(self.number << 100 | next(self.secrets))
        made = key.create(secret, self.new_id(), name, agent, organization_id, self.credit(by), self.now)
        await self.record(made, by=by)
        return made

    async def revoke_key(self, by: str, key_id: str) -> Any:
        user_id = self.people[by].id
        mine = {each.id: each for each in await self.read(KeysOf(user_id))}
        return await self.decided(by, key.revoke(mine.get(key_id), user_id))

    # signing in

    async def sign_in(
        self, by: str, organization_id: str | None = None, device: str = "Firefox on Linux"
    ) -> session.Session:
        made = session.Session(self.new_id(), self.people[by].id, organization_id, device, self.now, self.now)
        await self.record(session.SessionBegun(made, f"digest of {made.id}"), by=by)
        return made

    async def sign_out(self, by: str, session_id: str) -> Any:
        user_id = self.people[by].id
        return await self.decided(by, session.end(session_id, user_id, await self.read(SessionsOf(user_id))))

    async def choose(self, by: str, session_id: str, organization_id: str) -> Any:
        user_id = self.people[by].id
        belongs = await self.read(OrganizationRoleOf(organization_id, user_id)) is not None
        mine = {each.id for each in await self.read(SessionsOf(user_id))}
        return await self.decided(
            by, session.choose(session_id if session_id in mine else None, user_id, organization_id, belongs)
        )

    async def set_password(self, by: str, password_hash: str = "hash") -> None:
        await self.record(session.PasswordSet(self.people[by].id, password_hash), by=by)

    async def rename_account(self, by: str, name: str) -> None:
        await self.record(AccountRenamed(self.people[by].id, name), by=by)
        await self.known(by)

    async def make_link(self, by: str, purpose: email_link.Purpose, *, known: bool = True) -> email_link.EmailLink:
        user_id, link_id = self.people[by].id if known else None, self.new_id()
        made = email_link.make(
            link_id, purpose, self.people[by].email, user_id, self.now, f"digest of {link_id}", mailed=True
        )
        await self.record(made, by=by)
        return made.link

    async def use_link(self, by: str, link_id: str, purpose: email_link.Purpose) -> Any:
        used = email_link.use(await self.read(LinkByDigest(f"digest of {link_id}")), purpose, self.now)
        return await self.decided(by, used if isinstance(used, Rejection) else (used,))

    # drives and members

    async def _drive(self, by: str, drive_id: str) -> Any:
        return await self.read(DriveFor(self.people[by].id, drive_id))

    async def make_drive(self, by: str, organization_id: str, name: str = "Plans") -> str:
        drive_id = self.new_id()
        await self.decided(by, drive.create(drive_id, ItemName(name), organization_id, self.people[by].id, self.now))
        return drive_id

    async def rename_drive(self, by: str, drive_id: str, name: str) -> Any:
        return await self.decided(by, drive.rename(await self._drive(by, drive_id), ItemName(name)))

    async def delete_drive(self, by: str, drive_id: str) -> Any:
        return await self.decided(by, drive.delete(await self._drive(by, drive_id)))

    async def set_member(self, by: str, drive_id: str, name: str, role: Role = Role.contributor) -> Any:
        user_id = self.people[name].id
        standing = await self.read(MembershipFactsOf(drive_id, user_id))
        facts = await self._drive(by, drive_id)
        return await self.decided(by, member.upsert(facts, user_id, role, standing, member.MAX_MEMBERS))

    async def remove_member(self, by: str, drive_id: str, name: str) -> Any:
        user_id = self.people[name].id
        standing = await self.read(MembershipFactsOf(drive_id, user_id))
        facts = await self._drive(by, drive_id)
        return await self.decided(by, member.remove(facts, user_id, self.people[by].id, standing))

    # items

    async def item(self, by: str, item_id: str) -> ItemFacts | None:
        return await self.read(ItemFor(self.people[by].id, item_id))

    async def create(
        self,
        by: str,
        drive_id: str | None = None,
        parent_id: str | None = None,
        name: str = "Plan",
        kind: ItemKind = ItemKind.folder,
        agent: str | None = None,
    ) -> Any:
        place = await self.read(PlaceFor(self.people[by].id, drive_id, parent_id))
        made = item.create(
            place, self.new_id(), ItemName(name), kind, self.credit(by, agent), self.now, self.limits
        )  # fmt: skip
        return await self.decided(by, made, agent)

    async def make(
        self,
        by: str,
        *,
        drive_id: str | None = None,
        parent_id: str | None = None,
        name: str = "Plan",
        kind: ItemKind = ItemKind.folder,
        agent: str | None = None,
    ) -> str:
        """Create an item that may be created, and give its id back."""
        (made,) = await self.create(by, drive_id, parent_id, name, kind, agent)
        return made.item.id

    async def rename(self, by: str, item_id: str, name: str) -> Any:
        return await self.decided(by, item.rename(await self.item(by, item_id), ItemName(name)))

    async def move(self, by: str, item_id: str, drive_id: str, parent_id: str | None = None) -> Any:
        place = await self.read(PlaceFor(self.people[by].id, drive_id, parent_id))
        facts = await self.item(by, item_id)
        walk = facts is not None and move.needs_walk(facts, place, self.limits)
        below = await self.read(SubtreeOf(item_id)) if walk else None
        return await self.decided(by, move.move(facts, place, below, self.limits))

    async def foresee_move(self, by: str, item_id: str, drive_id: str, parent_id: str | None = None) -> Any:
        place = await self.read(PlaceFor(self.people[by].id, drive_id, parent_id))
        facts = await self.item(by, item_id)
        walk = facts is not None and move.needs_walk(facts, place, self.limits)
        refused = move.move(facts, place, await self.read(SubtreeOf(item_id)) if walk else None, self.limits)
        if isinstance(refused, Rejection):
            return refused
        assert facts
        here, there = await self.read(HoldersOf(None, item_id)), await self.read(HoldersOf(drive_id, parent_id))
        return preview.of_move(facts, place, here, there, self.people[by].email)

    async def trash(self, by: str, item_id: str) -> Any:
        return await self.decided(by, trash.trash(await self.item(by, item_id)))

    async def restore(self, by: str, item_id: str) -> Any:
        back = trash.restore_target(await self.item(by, item_id))
        if not isinstance(back, trash.ItemRestored):
            return back
        home = await self.read(PlaceFor(self.people[by].id, back.drive_id, back.parent_id))
        return await self.decided(by, trash.restore(back, home, await self.read(SubtreeOf(item_id)), self.limits))

    async def delete_forever(self, by: str, item_id: str) -> Any:
        return await self.decided(by, trash.delete_forever(await self.item(by, item_id)))

    async def publish(self, by: str, item_id: str, *, published: bool = True) -> Any:
        slug = f"slug-{self.new_id()}"
        facts, known = await self.item(by, item_id), await self.known(by)
        decided = publication.set_publication(facts, published=published, new_slug=slug, by=known)
        return await self.decided(by, decided)

    async def edit(self, by: str, item_id: str, update: bytes = b"update", agent: str | None = None) -> Any:
        return await self.decided(by, document.edit(await self.item(by, item_id), update), agent)

    async def cut(self, by: str, item_id: str, *, end: bool = True) -> Any:
        past = await self.read(HistoryOf(item_id))
        if past is None:
            return ()
        ended = history.due_cuts(past, self.now, end=end)
        return await self.decided(by, version.cut(item_id, past, ended, [each.sequence for each in ended]))

    async def name_version(self, by: str, item_id: str, number: int, name: ItemName | None) -> Any:
        found = await self.read(VersionOf(item_id, number))
        return await self.decided(by, version.name_version(await self.item(by, item_id), found, name))

    async def restore_version(
        self, by: str, item_id: str, number: int, update: bytes = b"restored", agent: str | None = None
    ) -> Any:
        found = version.restorable(await self.item(by, item_id), await self.read(VersionOf(item_id, number)))
        if isinstance(found, Rejection):
            return found
        past = await self.read(HistoryOf(item_id))
        assert past
        ended = history.due_cuts(past, self.now, end=True)
        made = document.Computed(
            update, past.sequence, len(update), sizes={each.sequence: each.sequence for each in ended}
        )
        restored = version.restore(item_id, found, past, ended, made, 0, self.credit(by, agent), self.now)
        return await self.decided(by, restored, agent)

    async def upload(self, by: str, item_id: str) -> Any:
        image_id = self.new_id()
        image = Image(image_id, item_id, "image/png", 3, 4, 50, self.now, image_id)
        return await self.decided(by, document.upload(await self.item(by, item_id), image))

    async def share(self, by: str, item_id: str, email: Email, permission: Permission = Permission.read_only) -> Any:
        shares = await self.read(SharesOf(item_id, email))
        facts, known = await self.item(by, item_id), await self.known(by)
        return await self.decided(by, share.share(facts, email, permission, known, shares, share.MAX_GRANTS))

    async def star(self, by: str, item_id: str) -> Any:
        return await self._marked(by, item_id, star.star)

    async def unstar(self, by: str, item_id: str) -> Any:
        return await self._marked(by, item_id, star.unstar)

    async def _marked(self, by: str, item_id: str, rule: Callable[..., Any]) -> Any:
        user_id = self.people[by].id
        stars = await self.read(StarsFor(user_id, item_id))
        return await self.decided(by, rule(await self.item(by, item_id), user_id, stars))

    async def foresee_share(self, by: str, item_id: str, email: Email, permission: Permission) -> Any:
        shares = await self.read(SharesOf(item_id, email))
        facts, known = await self.item(by, item_id), await self.known(by)
        refused = share.share(facts, email, permission, known, shares, share.MAX_GRANTS)
        if isinstance(refused, Rejection):
            return refused
        holders = await self.read(HoldersOf(None, item_id, email))
        assert facts
        return preview.of_share(facts, holders, email, permission, Giver(known.id, known.name), known.email)

    async def update_share(self, by: str, item_id: str, email: Email, permission: Permission) -> Any:
        shares = await self.read(SharesOf(item_id, email))
        facts, known = await self.item(by, item_id), await self.known(by)
        return await self.decided(by, share.update(facts, email, permission, known, shares))

    async def remove_share(self, by: str, item_id: str, email: Email) -> Any:
        shares = await self.read(SharesOf(item_id, email))
        return await self.decided(by, share.remove(await self.item(by, item_id), email, self.people[by].email, shares))

    async def known(self, name: str) -> Account:
        """Look the account up again, since its address may be verified by now."""
        account = await self.read(AccountOf(self.people[name].id))
        assert account
        self.people[name] = account
        return self.people[name]
