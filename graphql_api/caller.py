"""Who asks: a user and, where software acts for them, an agent; whatever credential they came in with."""

from dataclasses import dataclass

from domain.account import Identity
from domain.credit import Credit
from domain.values import Email


@dataclass(frozen=True, slots=True)
class Caller:
    """The subject of every decision is `user_id` alone; `agent` is for the credit and reaches nothing else."""

    user_id: str
    name: str
    email: Email
    agent: str | None = None
    organization_id: str | None = None
    key_id: str | None = None
    session_id: str | None = None

    @property
    def credit(self) -> Credit:
        return Credit(self.user_id, self.name, self.agent)

    @property
    def identity(self) -> Identity:
        return Identity(
            self.user_id, self.name, self.email, self.agent, self.organization_id, self.key_id, self.session_id
        )
