"""The documents of the web application, found by their text and compiled when one is asked first.

A request that sends exactly the text of one of them runs its compiled plan; any other runs through stock execution. Limits,
answers and errors are the same both ways, so the application has no shape that other front ends lack.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from time import perf_counter
from typing import Any

from graphql import ExecutionResult, OperationType

from domain.errors import Code
from graphql_api.compiled_execution import PreparedDocument, execute_static, prepare
from graphql_api.not_found_timing import next_step
from graphql_api.query_limits import limit_errors, may_exceed
from graphql_api.request_limits import LimitedSchema, mask_error


class PreparedDocuments:
    """Finds and runs prepared documents, each prepared when it is asked first: all of them would be half a second of each start."""

    def __init__(self, schema: LimitedSchema, texts: Iterable[str] = ()) -> None:
        self._limits = schema.limits
        self._texts = frozenset(texts)
        self._prepared: Callable[[str], PreparedDocument] = cache(lambda text: prepare(schema, text))
        # what never exceeds the limits need not be measured for each request
        self._may_exceed: Callable[[PreparedDocument], bool] = cache(
            lambda each: may_exceed(each.schema, each.document, schema.limits)
        )

    def find(self, text: str, operation_name: str | None, method: str) -> PreparedDocument | None:
        """Return the document of a text, unless stock execution has something to say of the request.

        Raises ValueError for a text that does not fit the schema.
        """
        if text not in self._texts or method not in ("GET", "POST"):
            return None
        found = self._prepared(text)
        if found.root_fields is None:
            return None
        name = found.operation.name
        if operation_name is not None and (name is None or operation_name != name.value):
            return None
        return found if method == "POST" or found.operation.operation is OperationType.QUERY else None

    async def run(
        self, document: PreparedDocument, variables: Mapping[str, Any] | None, context: object
    ) -> ExecutionResult:
        """Run a document within the limits of every client's; its errors are masked, and NOT_FOUND is delayed."""
        begun, given = perf_counter(), variables or {}
        if self._may_exceed(document):
            exceeded = limit_errors(document.schema, document.document, given, self._limits)
            if exceeded:
                return ExecutionResult(None, exceeded)
        result = await execute_static(document, given, context)
        errors = [mask_error(error) for error in result.errors or ()]
        if any((error.extensions or {}).get("code") == Code.NOT_FOUND.value for error in errors):
            await next_step(begun)
        return ExecutionResult(result.data, errors or None)
