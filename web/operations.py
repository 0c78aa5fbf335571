"""Runs the GraphQL documents of the pages (`web/pages.graphql`) as any caller's are run, and the application's first one."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from contract.contract import documents
from domain.caller import Caller
from graphql_api.compiled_execution import execute_static, prepare
from graphql_api.context import Context, Ports
from graphql_api.contract_execution import data_of
from graphql_api.request_limits import LimitedSchema
from web.application import application_documents

DOCUMENTS: Final = Path(__file__).with_name("pages.graphql")
CHANGES_CURSOR: Final = "ChangesCursor"
SIDEBAR: Final = "Sidebar"
ITEM_PLACE: Final = "ItemPlace"
"""The documents of the application whose answers its page begins with; the last one where it is the page of an item."""


class PageOperations:
    """The documents of `web/pages.graphql`, checked against the schema at start-up."""

    def __init__(self, schema: LimitedSchema, ports: Ports) -> None:
        self._ports = ports
        texts = documents(DOCUMENTS) | {
            name: application_documents()[name] for name in (CHANGES_CURSOR, SIDEBAR, ITEM_PLACE)
        }
        self._prepared = {name: prepare(schema, text) for name, text in texts.items()}

    async def __call__(self, caller: Caller, name: str, variables: Mapping[str, object]) -> Mapping[str, Any]:
        """Return the data of a document; raises RejectionError."""
        return await data_of(execute_static, self._prepared[name], variables, Context(self._ports, caller))
