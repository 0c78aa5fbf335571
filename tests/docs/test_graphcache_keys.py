"""Whether the page for front ends names every type that graphcache has to be told of."""

import re
from pathlib import Path

from graphql import GraphQLObjectType

from graphql_api.schema import build
from graphql_api.strawberry_internals import core_schema

PAGE = Path(__file__).parents[2] / "docs/front-ends.md"
# The ids of the others are unique within one document, and an edit has the id of its document.
BESIDES = {"AppliedEdit", "Change", "OutlineHeading"}


def test_every_type_without_an_id_is_told_to_graphcache():
    schema = core_schema(build())
    roots = {schema.query_type, schema.mutation_type, schema.subscription_type}
    # graphcache knows connections by their names
    without = {
        name
        for name, kind in schema.type_map.items()
        if isinstance(kind, GraphQLObjectType)
        and kind not in roots
        and "id" not in kind.fields
        and not name.startswith("__")
        and not name.endswith(("Connection", "Edge", "PageInfo"))
    }
    (listed,) = re.findall(r"const PARTS = \[(.*?)\];", PAGE.read_text(), re.DOTALL)
    assert set(re.findall(r'"(\w+)"', listed)) == without | BESIDES
