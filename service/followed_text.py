"""Records letters that follow what was moved, as edits of their writers."""

from domain.credit import Credit
from domain.document import Computed
from graphql_api.ports import Clock, LockScope, Store, Transaction
from live.unseen import FollowOutcome, RecordFollowed, record_followed


def recorder(store: Store, clock: Clock) -> RecordFollowed:
    async def record(document_id: str, made: Computed, by: Credit) -> FollowOutcome:
        async def work(transaction: Transaction) -> FollowOutcome:
            decided = await record_followed(transaction, document_id, made, by)
            if isinstance(decided, FollowOutcome):
                return decided
            await transaction.record(decided, by, clock())
            return FollowOutcome.RECORDED

        return await store.transact(LockScope(items=(document_id,), documents=(document_id,)), work)

    return record
