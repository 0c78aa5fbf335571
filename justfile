# The commands of the project. `uv run just` lists them and needs nothing else installed.

set shell := ["bash", "-euo", "pipefail", "-c"]

# the client library of this checkout, where its tests run outside of pytest
export PYTHONPATH := justfile_directory() / "clients/python/src"

# tests start some hundred processes; where the environment keeps Python from caching bytecode, each would compile every module
export PYTHONDONTWRITEBYTECODE := ""

[private]
default:
    @uv run just --list --unsorted

# start the service with the demo world, all in one process
serve *flags:
    uv run codrive-server --demo {{ flags }}

# serve the web application as it is being written, at port 5173, beside `just serve`
app:
    uv run python -m tools.application develop

# run everything that CI runs and tell what each stage took; or run files with all that they need: `just test tests/app/test_share.py`
test *files:
    {{ if files == "" { "uv run python -m tools.gate" } else { "uv run pytest -n 0 --all " + files } }}

# check lint, format, types, layers and generated files, of the server and of the web application
[parallel]
check: _lint _types _generated _application

_lint:
    uv run ruff check .
    uv run ruff format --check .
    uv run lint-imports

_types:
    uv run mypy

_generated:
    uv run python -m codegen.generate --check

_application:
    uv run python -m tools.application check

# run all but the slow tests, or what is selected of them: `just fast tests/domain`
fast *selection:
    uv run pytest -n 2 -m "not slow" {{ selection }}

# run Schemathesis against a live server, over REST and GraphQL
contract examples="50":
    uv run python -m tests.contract.fuzz --examples {{ examples }}

# run the kill, race and fuzz rounds in full, or a part of them (`just soak --list` names the parts)
soak *parts:
    uv run python -m tools.soak {{ parts }}

# put the faults of tests/faults.toml into a copy of the tree, one at a time, and tell which test finds each
mutants *names:
    uv run python -m tools.mutants {{ names }}

# measure speed and memory, as ratios to references in the same run (docs/performance.md)
bench *names:
    uv run python -m benchmarks {{ names }}

# write contract.json, openapi.json, schema.graphql and the pages made from them
generate:
    uv run python -m codegen.generate

# format the code
format:
    uv run ruff check --fix .
    uv run ruff format .
    uv run python -m tools.application format

# resolve the dependencies again and write every version into pyproject.toml
lock:
    uv run python -m tools.lock
