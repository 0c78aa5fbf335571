"""How the store in memory keeps sessions, links and passwords: what is asked about them, and what events change."""

from dataclasses import replace

from domain.account import AccountRenamed
from domain.caller import by_session
from domain.credit import Credit
from domain.email_link import EmailLink, LinkMade, LinkUsed, Purpose
from domain.questions import LinkByDigest, PasswordAt, PasswordOf, SessionsOf, SignedIn, StillSignedIn, WhoIsSignedIn
from domain.session import OrganizationChosen, PasswordSet, Session, SessionBegun, SessionEnded
from persistence.memory_state import State


def who_is_signed_in(state: State, asked: WhoIsSignedIn) -> SignedIn | None:
    found = next((one for one, digest in state.sessions.values() if digest == asked.digest), None)
    if found is None or state.disabled.get(found.user_id):
        return None
    if found.last_seen_at <= asked.seen_after or found.created_at <= asked.begun_after:
        return None
    account = state.accounts[found.user_id]
    acts_in = found.organization_id if (found.organization_id, account.id) in state.belongings else None
    return SignedIn(by_session(account.id, account.name, account.email, acts_in, found.id), found)


def still_signed_in(state: State, asked: StillSignedIn) -> bool:
    found = state.sessions.get(asked.session_id)
    return found is not None and not state.disabled.get(found[0].user_id)


def sessions_of(state: State, asked: SessionsOf) -> tuple[Session, ...]:
    mine = [one for one, _ in state.sessions.values() if one.user_id == asked.user_id]
    return tuple(sorted(mine, key=lambda one: (one.created_at, one.id), reverse=True))


def link_by_digest(state: State, asked: LinkByDigest) -> EmailLink | None:
    return next((link for link, digest in state.links.values() if digest == asked.digest), None)


def password_of(state: State, asked: PasswordOf) -> PasswordAt | None:
    account = state.account_by_email(asked.email)
    if account is None or state.disabled.get(account.id):
        return None
    return PasswordAt(account.id, state.passwords.get(account.id))


def begun(state: State, event: SessionBegun) -> None:
    state.sessions[event.session.id] = event.session, event.digest


def ended(state: State, event: SessionEnded) -> None:
    state.sessions.pop(event.session_id, None)


def chosen(state: State, event: OrganizationChosen) -> None:
    session, digest = state.sessions[event.session_id]
    state.sessions[event.session_id] = replace(session, organization_id=event.organization_id), digest


def password_set(state: State, event: PasswordSet) -> None:
    state.passwords[event.user_id] = event.password_hash
    for link, _ in list(state.links.values()):
        if link.user_id == event.user_id and link.purpose is Purpose.reset_password:
            state.links.pop(link.id)


def renamed(state: State, event: AccountRenamed) -> None:
    """Everything that names the account names it anew, as it is looked up there."""
    user_id, name = event.user_id, event.name
    state.accounts[user_id] = replace(state.accounts[user_id], name=name)

    def of(credit: Credit) -> Credit:
        return replace(credit, name=name) if credit.user_id == user_id else credit

    for item in list(state.items.values()):
        state.items[item.id] = replace(item, created_by=of(item.created_by), updated_by=of(item.updated_by))
    for place, author in list(state.authors.items()):
        if author.user_id == user_id:
            state.authors[place] = replace(author, name=name)
    for number, line in list(state.lines.items()):
        if line.user_id == user_id:
            state.lines[number] = replace(line, name=name)


def link_made(state: State, event: LinkMade) -> None:
    state.links[event.link.id] = event.link, event.digest


def link_used(state: State, event: LinkUsed) -> None:
    state.links.pop(event.link_id, None)
