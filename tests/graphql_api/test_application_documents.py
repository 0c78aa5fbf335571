"""Do the documents of the web application fit the schema, its limits and the compiled plans?"""

import pytest
from graphql import parse

from graphql_api.compiled_execution import prepare
from graphql_api.prepared_documents import PreparedDocuments
from graphql_api.query_limits import limit_errors
from graphql_api.schema import build
from graphql_api.strawberry_internals import core_schema
from web.application import application_documents

SCHEMA, TEXTS = build(), application_documents()

ANSWERED_ONCE = [name for name, text in TEXTS.items() if not text.startswith("subscription ")]


@pytest.mark.parametrize("name", ANSWERED_ONCE)
def test_a_document_of_the_application_is_prepared_and_within_the_limits(name):
    text = TEXTS[name]
    assert prepare(SCHEMA, text).root_fields is not None, "a directive would leave it to stock execution"
    assert PreparedDocuments(SCHEMA, [text]).find(text, name, "POST") is not None
    assert limit_errors(core_schema(SCHEMA), parse(text), {}, SCHEMA.limits) == []
