"""Which threads work is done in: asyncio's own are for what is short and nobody's."""

import ast

from sources import files, name, tree

MAY_USE_ASYNCIOS = {
    "mcp_adapter/app.py",  # imports the SDK, once
    "persistence/postgres/embedded.py",  # waits for the database to start again
}


def uses_asyncios_threads(node):
    match node:
        case ast.Attribute(attr="to_thread") | ast.Name(id="to_thread") | ast.alias(name="to_thread"):
            return True
        case ast.Attribute(attr="set_default_executor"):
            return True
        case ast.Call(func=ast.Attribute(attr="run_in_executor"), args=[ast.Constant(value=None), *_]):
            return True
    return False


def test_nothing_of_a_document_runs_in_asyncios_own_threads():
    found = {name(path) for path in files() if any(map(uses_asyncios_threads, ast.walk(tree(path))))}
    assert found == MAY_USE_ASYNCIOS


def test_every_way_to_asyncios_own_threads_is_known():
    ways = [
        "asyncio.to_thread(f)",
        "from asyncio import to_thread",
        "loop.run_in_executor(None, f)",
        "loop.set_default_executor(pool)",
    ]
    assert all(any(map(uses_asyncios_threads, ast.walk(ast.parse(way)))) for way in ways)
    assert not any(map(uses_asyncios_threads, ast.walk(ast.parse("loop.run_in_executor(self._threads, f)"))))
