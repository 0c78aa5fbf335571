"""Makes accounts by link or invitation, and hands unverified ones to the person who reads the mail of their address."""

from accounts.email_links import use_link
from accounts.ports import AccountPorts
from accounts.sessions import Browser, NewSession, SignIn, begin_session
from accounts.take_over import locks
from domain.credit import Credit
from domain.email_link import EmailLink, Purpose
from domain.errors import NOT_FOUND, Rejection
from domain.key import digest
from domain.organization import Invitation, Organization
from domain.questions import AccountByEmail, InvitationByDigest, OrganizationFor, PlantedIn
from domain.take_over import AccountClaim, Planted, claim_account
from domain.values import Email
from graphql_api.ports import StateReader, Transaction


async def sign_up(
    ports: AccountPorts, secret: str, link: EmailLink, name: str, password: str, browser: Browser
) -> NewSession | Rejection:
    """Make the account of a sign-up link's address, or take it over, and sign in."""
    claim = AccountClaim(name, link.email, await ports.passwords.hash(password), link.mailed)

    async def decide(reader: StateReader) -> SignIn:
        used = await use_link(reader, ports, secret, Purpose.sign_up)
        if isinstance(used, Rejection):
            return used
        claimed = await _claim(reader, ports, claim)
        return claimed if isinstance(claimed, Rejection) else (claimed[0], (*claimed[1], used[1]))

    known = await ports.store.read(AccountByEmail(link.email))
    return await begin_session(ports, browser, decide, await locks(ports.store, known))


async def read_invitation(
    ports: AccountPorts, token: str, reader: StateReader | None = None
) -> tuple[Invitation, Organization] | Rejection:
    """Return a pending invitation with its organization."""
    ask = reader or ports.store
    found = await ask.read(InvitationByDigest(digest(token)))
    if found is None or found.expires_at <= ports.clock():
        return NOT_FOUND
    facts = await ask.read(OrganizationFor("", found.organization_id))
    assert facts is not None
    return found, facts.organization


async def sign_up_by_invitation(
    ports: AccountPorts, token: str, invitation: Invitation, name: str, password: str
) -> Rejection | None:
    """Make an account for the invited address, or take it over; do nothing, alike, where it is somebody's.

    Its address is verified where the invitation was mailed there. Nobody is signed in and nothing is accepted yet.
    """
    email = Email(invitation.email)
    claim = AccountClaim(name, email, await ports.passwords.hash(password), invitation.mailed)

    async def work(transaction: Transaction) -> Rejection | None:
        pending = await read_invitation(ports, token, transaction)
        if isinstance(pending, Rejection):
            return pending
        claimed = await _claim(transaction, ports, claim)
        if not isinstance(claimed, Rejection):
            account, events = claimed
            await transaction.record(events, Credit(account.id, account.name), ports.clock())
        return None

    known = await ports.store.read(AccountByEmail(email))
    return await ports.store.transact(await locks(ports.store, known), work)


async def _claim(reader: StateReader, ports: AccountPorts, claim: AccountClaim) -> SignIn:
    account = await reader.read(AccountByEmail(claim.email))
    planted = await reader.read(PlantedIn(account.id)) if account and claim.takes_over(account) else Planted()
    return claim_account(claim, account, planted, ports.ids(), ports.ids(), ports.clock())
