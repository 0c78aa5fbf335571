"""Idempotency keys: what a request under a key made, kept for a day."""

from dataclasses import replace
from typing import Any

from domain.idempotency import RecordedRequest
from domain.questions import RecordedRequestFor
from persistence.fragments import USER
from persistence.statements import Reads, canonical, one, storable

_REMEMBERED = f"""
select json_build_object('digest', digest, 'result_id', result_id) from idempotency
where user_id = {USER} and operation = %(operation)s and key = %(key)s"""

REMEMBER = """
insert into idempotency (user_id, operation, key, digest, result_id, at)
values (%(user_id)s::uuid, %(operation)s, %(key)s, %(digest)s, %(result_id)s, %(at)s)
on conflict (user_id, operation, key) do update
    set digest = excluded.digest, result_id = excluded.result_id, at = excluded.at"""


def _remembered(asked: Any) -> dict[str, object]:
    key = asked.key
    return {"user_id": canonical(key.user_id), "operation": storable(key.operation), "key": storable(key.key)}


READS: Reads = {
    RecordedRequestFor: replace(one(RecordedRequestFor, RecordedRequest, _REMEMBERED), arguments=_remembered),
}
