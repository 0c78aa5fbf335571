"""What the server has one of: a store, a table of statuses, an alignment and a likeness."""

import ast

from tests.architecture.sources import PACKAGES, files, name, tree

SERVER = tuple(set(PACKAGES) - {"codegen"})


def nodes(word):
    """The nodes of the server's files in which the word stands."""
    holding = (path for path in files(*SERVER) if word in path.read_text())
    return ((name(path), node) for path in holding for node in ast.walk(tree(path)))


def test_nothing_but_persistence_implements_the_store():
    implemented = {
        (path, node.name)
        for path, node in nodes("transact")
        if isinstance(node, ast.ClassDef)
        for each in node.body
        if isinstance(each, ast.AsyncFunctionDef) and each.name == "transact"
    }
    assert implemented == {("persistence/store.py", "PostgresStore"), ("graphql_api/ports.py", "Store")}


def test_codes_have_their_statuses_in_one_table():
    tables = {
        path
        for path, node in nodes("Code.")
        if isinstance(node, ast.Dict)
        and all(isinstance(each, ast.Constant) and isinstance(each.value, int) for each in node.values)
        and sum(ast.unparse(each).startswith("Code.") for each in node.keys if each) > 3
    }
    assert len(tables) == 1, tables


def test_documents_are_aligned_and_compared_by_one_module_each():
    taken = {
        (path, library)
        for library in ("difflib", "rapidfuzz", "Levenshtein", "diff_match_patch")
        for path, node in nodes(library)
        if isinstance(node, ast.Import | ast.ImportFrom) and library in ast.unparse(node)
    }
    assert taken <= {("contract/field_suggestions.py", "difflib")}
    defined = {
        (path, node.name)
        for word in ("aligned", "likeness", "equal_pairs", "common")
        for path, node in nodes(f"def {word}(")
        if isinstance(node, ast.FunctionDef) and node.name == word
    }
    alignment = {("documents/editing/sequence_alignment.py", word) for word in ("aligned", "equal_pairs", "common")}
    assert defined == alignment | {("documents/editing/text_diff.py", "likeness")}


def test_words_by_which_nodes_are_alike_are_counted_in_one_module():
    measure = "documents/editing/text_diff.py"
    counted = {
        path
        for path, node in nodes("Counter(")
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "Counter"
        and any(word in ast.unparse(node) for word in ("words_in(", "words_of_text("))
    }
    assert counted == {measure}
    shared = {
        path
        for path, node in nodes(".total()")
        if isinstance(node, ast.Attribute) and node.attr == "total" and isinstance(node.value, ast.BinOp)
    }
    # whether a text was moved is not how alike two are: it is whether the one is in the other, or may be
    assert shared - {measure} == {"documents/editing/three_way.py", "documents/history/move_candidates.py"}
    limits = {
        path
        for path, node in nodes("MAX_LIKENED")
        if isinstance(node, ast.Assign | ast.AnnAssign) and "MAX_LIKENED" in ast.unparse(node).split("=")[0]
    }
    assert limits == {measure}
