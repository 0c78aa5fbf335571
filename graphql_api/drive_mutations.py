"""Mutations of drives and of who belongs to them."""

from typing import Annotated

import strawberry

from contract.errors import unwrap
from domain import drive, member
from domain.access import Role
from domain.events import Decision
from domain.questions import DriveFor, MembershipFactsOf
from graphql_api import views
from graphql_api.arguments import DriveId, Name, UserId
from graphql_api.context import Context, Info, context_of, decide_with
from graphql_api.object_types import DriveType
from graphql_api.ports import LockScope, StateReader
from graphql_api.types import DeletedType, DriveFields, RemovedMember


async def _drive(context: Context, drive_id: str) -> DriveFields:
    facts = unwrap(drive.member_of(await context.read(DriveFor(context.user_id, drive_id))))
    return views.drive(facts.drive, facts.role)


@strawberry.type
class DriveMutations:
    @strawberry.mutation(graphql_type=DriveType, description="Make a shared drive in your active organization.")
    async def create_drive(self, info: Info, name: Name) -> DriveFields:
        context = context_of(info)
        new_id, active = context.ports.ids(), context.caller.organization_id

        async def decide(_: StateReader) -> Decision:
            return drive.create(new_id, name, active, context.user_id, context.ports.clock())

        touches = LockScope(organizations=(active,) if active else ())
        return await _drive(context, await context.change(touches, decide, new_id) or new_id)

    @strawberry.mutation(graphql_type=DriveType, description="Give a drive another name.")
    async def rename_drive(self, info: Info, drive_id: DriveId, name: Name) -> DriveFields:
        context = context_of(info)
        decide = decide_with(DriveFor(context.user_id, drive_id), lambda facts: drive.rename(facts, name))
        await context.change(LockScope(drives=(drive_id,)), decide)
        return await _drive(context, drive_id)

    @strawberry.mutation(description="Delete a shared drive in which nothing is left, in its trash neither.")
    async def delete_drive(self, info: Info, drive_id: DriveId) -> DeletedType:
        context = context_of(info)
        await context.change(
            LockScope(drives=(drive_id,), may_end_access=True),
            decide_with(DriveFor(context.user_id, drive_id), drive.delete),
        )
        return DeletedType(id=drive_id)

    @strawberry.mutation(
        graphql_type=DriveType, description="Add somebody of the organization to a drive, or change a role."
    )
    async def upsert_member(
        self,
        info: Info,
        drive_id: DriveId,
        user_id: UserId,
        role: Annotated[Role, strawberry.argument(description="The role to give.")],
    ) -> DriveFields:
        context = context_of(info)
        most = context.ports.limit.members
        decide = decide_with(
            DriveFor(context.user_id, drive_id),
            MembershipFactsOf(drive_id, user_id),
            lambda facts, membership: member.upsert(facts, user_id, role, membership, most),
        )
        await context.change(LockScope(drives=(drive_id,), may_end_access=True), decide)
        return await _drive(context, drive_id)

    @strawberry.mutation(description="Remove a member from a drive, or leave it yourself.")
    async def remove_member(self, info: Info, drive_id: DriveId, user_id: UserId) -> RemovedMember:
        context = context_of(info)
        decide = decide_with(
            DriveFor(context.user_id, drive_id),
            MembershipFactsOf(drive_id, user_id),
            lambda facts, membership: member.remove(facts, user_id, context.user_id, membership),
        )
        await context.change(LockScope(drives=(drive_id,), may_end_access=True), decide)
        return RemovedMember(drive_id=drive_id, user_id=user_id)
