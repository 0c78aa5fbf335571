"""The libraries whose private parts are relied on, each at the version whose parts those are, and in which modules."""

import re
from importlib.metadata import version

import pytest
from pycrdt import Doc

from documents.yjs.pycrdt_internals import UNDECODABLE
from documents.yjs.snapshot import Undecodable, apply_updates
from tests.architecture.sources import ROOT, files

# An upgrade of one of these reads the modules beside it again, and then changes the version here.
VERSIONS = {
    "pycrdt": ("0.14.13", "documents/yjs/pycrdt_internals.py"),
    "picows": ("2.3.1", "live/picows_internals.py"),
    "litestar": ("2.25.0", "edge/litestar_app.py"),
    "markdown-it-py": ("4.3.0", "documents/markdown/markdown_it_internals.py and markdown_in.py"),
    "psycopg-pool": ("3.3.3", "persistence/postgres/psycopg_pool_internals.py"),
    "mcp": ("2.3.0", "mcp_adapter/server.py"),
    "uvicorn": ("0.54.0", "service/uvicorn_internals.py, http_server.py, one_port.py, write_deadline.py and server.py"),
}
# What names a private part, and the one module that may.
PRIVATE = {
    r"pycrdt\._pycrdt|\._txn\b|\.integrated\b|Cannot decode update": "documents/yjs/pycrdt_internals.py",
    r"\bws_create_server\b": "live/picows_internals.py",
    r"\b_get_default_plugins\b": "edge/litestar_app.py",
    r"\bskipToken\b": "documents/markdown/markdown_in.py",
    r"\bscanDelims\b|\bmdTrim\b": "documents/markdown/markdown_it_internals.py",
    r"\bmiddleware\.clear\b": "mcp_adapter/server.py",
    r"\b_expire_at\b": "persistence/postgres/psycopg_pool_internals.py",
    r"\buvicorn\.protocols\b|\b_start_asgi_task\b|\b_captured_signals\b": "service/uvicorn_internals.py",
}


@pytest.mark.parametrize("library", VERSIONS)
def test_a_library_has_the_version_whose_private_parts_are_known(library):
    known, modules = VERSIONS[library]
    assert version(library) == known, f"read {modules} again"


@pytest.mark.parametrize("private", PRIVATE)
def test_a_private_part_is_named_in_one_module(private):
    found = {str(path.relative_to(ROOT)) for path in files() if re.search(private, path.read_text())}
    assert found == {PRIVATE[private]}


def test_an_update_that_cannot_be_decoded_is_known_by_the_text_of_the_librarys_error():
    with pytest.raises(ValueError, match=f"^{UNDECODABLE}"):
        Doc().apply_update(b"broken")
    assert isinstance(apply_updates(Doc(), [b"broken"]), Undecodable)
