"""Where threads and processes are begun: work on documents in `computing` alone, all else in the modules named here."""

import ast

from tests.architecture.sources import PACKAGES, files, name, tree

COMPUTING = "computing/"
SHIPPED = [package for package in PACKAGES if package != "codegen"]
ASYNCIO = "to_thread", "set_default_executor"
POOLS = (
    "ThreadPoolExecutor",
    "ProcessPoolExecutor",
    "InterpreterPoolExecutor",
    "Thread",
    "run_in_executor",
    "multiprocessing",
)
PROCESSES = (
    *(
        "subprocess",
        "Popen",
        "create_subprocess_exec",
        "create_subprocess_shell",
        "subprocess_exec",
        "subprocess_shell",
    ),
    *("fork", "forkpty", "posix_spawn", "posix_spawnp", "os.system", "os.popen"),
    *(f"{verb}{form}" for verb in ("exec", "spawn") for form in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")),
)
# None of these is given anything of a document.
BEGIN_OTHERS = {
    "accounts/password_hasher.py": {"ThreadPoolExecutor", "run_in_executor"},
    "edge/compression.py": {"ThreadPoolExecutor", "run_in_executor"},
    "mcp_adapter/app.py": {"to_thread"},  # imports the SDK, once
    "persistence/postgres/cluster.py": {"subprocess", "Popen"},
    "persistence/postgres/embedded.py": {"subprocess", "Popen", "to_thread"},
    "persistence/postgres/installation.py": {"subprocess"},
    "persistence/postgres/migrations/__init__.py": {"subprocess"},
    "persistence/postgres/postmaster_watcher.py": {"subprocess", "Popen"},
    "service/backup.py": {"subprocess"},
    "service/database.py": {"ThreadPoolExecutor"},
}


def begun(module):
    """The names in a module by which threads or processes are begun."""
    found = set()
    for node in ast.walk(module):
        match node:
            case ast.Attribute(ast.Name("os"), attr=known):
                found |= {known, f"os.{known}"}
            case ast.Attribute(attr=known) | ast.Name(id=known):
                found.add(known)
            case ast.Import(names=names):
                found |= {part for each in names for part in each.name.split(".")}
            case ast.ImportFrom(module=source, names=names):
                found |= {*(source or "").split("."), *(each.name for each in names)}
                found |= {f"{source}.{each.name}" for each in names}
    return found & {*ASYNCIO, *POOLS, *PROCESSES}


def test_work_on_documents_begins_no_thread_and_no_process_outside_of_computing():
    found = {name(path): begun(tree(path)) for path in files(*SHIPPED)}
    assert {at: names for at, names in found.items() if names and not at.startswith(COMPUTING)} == BEGIN_OTHERS


def test_one_module_each_of_computing_has_threads_and_starts_and_forks_processes():
    found = {name(path): begun(tree(path)) for path in files() if name(path).startswith(COMPUTING)}
    assert {at: names for at, names in found.items() if names} == {
        "computing/processes.py": {"subprocess", "Popen"},
        "computing/threads.py": {"ThreadPoolExecutor", "run_in_executor"},
        "computing/zygote.py": {"fork"},
    }


def test_every_way_to_threads_and_processes_is_known():
    ways = [
        "asyncio.to_thread(f)",
        "from asyncio import to_thread as other",
        "loop.run_in_executor(None, f)",
        "loop.set_default_executor(pool)",
        "from concurrent.futures import ThreadPoolExecutor as Pool",
        "import concurrent.futures\nconcurrent.futures.ProcessPoolExecutor()",
        "threading.Thread(target=f)",
        "import subprocess as s",
        "from subprocess import run",
        "import multiprocessing.pool",
        "os.fork()",
        "os.system(command)",
        "from os import popen",
        "from os import posix_spawn",
        "os.execv(path, words)",
        "asyncio.create_subprocess_exec(program)",
    ]
    assert [way for way in ways if not begun(ast.parse(way))] == []
    assert begun(ast.parse("await runner.run(JOB, user_id, document_id)")) == set()
