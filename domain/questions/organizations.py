"""What is asked about organizations, their members and invitations."""

from dataclasses import dataclass

from domain.organization import Invitation, OrganizationFacts, OrganizationMember, OrganizationRole
from domain.questions.question import Question


@dataclass(frozen=True, slots=True)
class OrganizationFor(Question[OrganizationFacts | None]):
    user_id: str
    organization_id: str


@dataclass(frozen=True, slots=True)
class OrganizationMembersOf(Question[tuple[OrganizationMember, ...]]):
    organization_id: str


@dataclass(frozen=True, slots=True)
class OrganizationRoleOf(Question[OrganizationRole | None]):
    organization_id: str
    member_id: str


@dataclass(frozen=True, slots=True)
class InvitationByDigest(Question[Invitation | None]):
    digest: str


@dataclass(frozen=True, slots=True)
class InvitationsOf(Question[tuple[Invitation, ...]]):
    organization_id: str
