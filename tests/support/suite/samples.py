"""Samples: tests of which each commit runs a part, so that as many commits as a row has turns run them all.

A test belongs to the first row whose pattern, which begins with its folder, matches its name. `because` says what holds the guarantee at the other
commits. `docs/testing.md` shows the table.
"""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zlib import crc32

import pytest

from tests.support.suite import rounds

ROOT = Path(__file__).parents[3]
LATELY = 30
"""Commits in which a change of its sources makes an installation run."""
INSTALLS = re.compile(r"^```bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""The blocks of a page with the commands of an installation."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Tests of which one of `turns` runs at each commit; all of them where one of the `sources` changed lately."""

    pattern: str
    turns: int
    because: str
    sources: tuple[str, ...] = ()
    """Files and folders that an installation from a registry tests."""


PIECES = "its parts are tested at each commit; it is installed wherever what it installs changed"
SAMPLES = (
    Sample(r"live/test_clients\.py", 6, "a sixth of the clients' tests, and all of test_rooms and test_protocol"),
    Sample(r"live/test_typing_through_kills\.py::test_no_acknowledged", 12, "one of twelve kills"),
    Sample(r"live/test_editors\.py.*nobody_touches", 8, "time-outs are asked with a told clock in test_protocol"),
    Sample(r"live/test_(editors|floods|hostile|live_versions)\.py", 16, "a sixteenth of them, and what a room and a connection do in test_rooms and test_protocol"),
    Sample(r"live/test_edit_presence\.py.*goes_after_ten_seconds", 8, "the same with a told clock beside it"),
    Sample(r"live/test_rooms\.py::test_damaged_updates", 5, "four of twenty seeds"),
    Sample(
        r"live/test_(changes_under_typing|client_ids|drive_events|edit_presence|edits_while_typing|markdown_in_editors|picows_transport|rights|viewer_changes)\.py",
        12,
        "a twelfth of them, and what a room and a connection do in test_rooms and test_protocol",
    ),
    Sample(r"live/test_unseen_text\.py", 4, "what a room loses in test_lost_text, and what is listed in documents/test_unseen"),
    Sample(r"live/test_typing_beside_moves\.py", 10, "ten of a hundred runs, and the same without servers in documents/test_unseen_runs"),
    Sample(r"nodes/test_(fail_over|typing_through_ends)\.py", 12, "two or three of 33 ends of a node"),
    Sample(r"nodes/", 24, "a twenty-fourth of what servers do, and leases and bells without servers in persistence"),
    Sample(r"failures/test_kills\.py.*\[", 8, "a kill of one program, and of the other at another commit"),
    Sample(r"failures/test_history_through_kills\.py", 12, "kills in test_compacted_log and test_kills"),
    Sample(r"failures/", 24, "a twenty-fourth of them, and the kills of test_kills"),
    Sample(r"computing/test_loop_beside_documents\.py", 8, "an eighth of the documents, and what is a job in test_runner"),
    Sample(r"computing/test_runner\.py.*leaves_no_process", 3, "one of three signals"),
    Sample(r"persistence/test_embedded\.py::test_kill_9_at_any_moment", 20, "one of twenty moments"),
    Sample(r"persistence/test_embedded\.py", 20, "a twentieth of them; each run starts and stops one cluster of its own"),
    Sample(r"persistence/test_(listing|migrations|plans|search_cost)\.py", 12, "a twelfth of them, and that the schema is that of the migrations"),
    Sample(r"persistence/test_(audit_feed|event_feed|kept_rows|quarantine|repair)\.py", 8, "an eighth of them"),
    Sample(r"ports/test_model_agrees\.py", 6, "the statements one by one in tests/ports, and the decisions in tests/domain"),
    Sample(r"persistence/test_compacted_log\.py.*kill_at_any_moment", 4, "a kill at every other commit"),
    Sample(r"persistence/test_compacted_log\.py", 8, "an eighth of them; what a compaction makes of a log is tested in documents"),
    Sample(r"persistence/test_access_barrier\.py.*(repeats|sleeps|awake|database_that)", 4, "the other waits of the barrier, and what a node lets go of"),
    Sample(r"persistence/test_sleeping_processes\.py", 4, "that a lease goes with its time in test_node_lease, and a host that is gone in test_connections"),
    Sample(r"persistence/test_races\.py", 8, "an eighth of the races; which locks are taken is tested in domain and ports"),
    Sample(r"documents/test_fuzz\.py", 8, "one or two of ten parts"),
    Sample(r"documents/test_yjs_agrees\.py", 4, "one of four parts, and that Yjs opens what comes of the fuzz"),
    Sample(r"documents/test_(edit|markdown)\.py.*takes_too_much_work", 8, "an eighth of the inputs; the parser's steps are counted in test_markdown"),
    Sample(r"documents/test_edit\.py.*more_changes_than_one_text", 4, "every other word of a long paragraph changes at each commit"),
    Sample(r"documents/test_credit_of_structure\.py.*\[", 8, "12 of a hundred seeds, and each act in test_attribution"),
    Sample(r"documents/test_unseen_runs\.py", 20, "five of a hundred runs, and 20 shorter ones in test_unseen"),
    Sample(r"documents/test_html\.py.*no_depth", 4, "two of seven kinds of nodes"),
    Sample(r"documents/test_building\.py.*four_times_as_many", 6, "the other shapes of an edit"),
    Sample(r"documents/test_trees_of_editors\.py", 4, "what a document reads as in test_tree, and what editors make of it in app"),
    Sample(r"graphql_api/test_hostile_edits\.py.*edit_that_is_asked_wrongly", 6, "a sixth of them; what an input may be is tested in documents"),
    Sample(r"graphql_api/test_undo_of_one_author\.py.*\[", 20, "five of a hundred seeds"),
    Sample(r"app/test_without_a_browser\.py", 1, ""),
    Sample(r"app/test_document_together\.py::test_two_editors_and_an_agent.*\[", 10, "one of ten seeds"),
    Sample(
        r"app/test_build\.py", 8, PIECES, ("hatch_build.py", "app/package.json", "app/package-lock.json", "app/vite.config.ts")
    ),
    Sample(r"app/", 40, "a fortieth of the journeys, and the application's own tests that need no browser"),
    Sample(r"attacks/.*::test_a_reader_that_sends", 4, "a quarter of them, and the same frames by count in live"),
    Sample(r"attacks/.*::test_(a_document_of_a_mebibyte_is_(pasted|imported)|answers_that|unfinished)", 1, ""),
    Sample(r"attacks/.*::test_markdown_that_is_appended", 12, "the steps of its parser are counted in documents/test_markdown"),
    Sample(r"attacks/", 24, "some attacks at each commit, and bounds by count in documents, live and graphql_api"),
    Sample(r"surfaces/test_every_surface_alike\.py.*\[", 40, "each operation's decisions on REST and GraphQL; the others' parsing"),
    Sample(
        r"surfaces/test_(errors|decisions|limits|operations)\.py.*(-|\[)(mcp|mcp_full|python|typescript|command_line)\b",
        12,
        "the same tests on REST and GraphQL",
    ),
    Sample(r"surfaces/test_errors\.py.*lost_database", 4, "the same of each operation of the store in persistence/test_postgres_store"),
    Sample(r"surfaces/test_hidden_equals_unknown\.py", 24, "graphql_api/test_hidden: the same statements for what is hidden and for what is missing"),
    Sample(r"surfaces/test_bad_input\.py", 10, "a tenth of the operations, the parsers of graphql_api, and the stage `contract`"),
    Sample(r"surfaces/test_(limits|repeated_requests)\.py", 16, "a sixteenth of them; the counters with a told clock in edge and accounts"),
    Sample(r"surfaces/test_storage\.py", 12, "a twelfth of them; what is decided in domain, and what is counted in persistence"),
    Sample(r"surfaces/test_races\.py", 4, "the same races between two stores in persistence/test_races"),
    Sample(r"mcp/test_errands\.py", 4, "what each tool answers, in test_tools"),
    Sample(r"mcp/test_conformance\.py", 40, "a part of the conformance suite, and the tools over the protocol in test_tools"),
    Sample(r"mcp/test_(connecting|filing_minutes|official_clients)\.py", 16, "a sixteenth of them, and the same calls without a client"),
    Sample(r"web/test_(in_a_browser|payloads|payloads_in_settings)\.py", 20, "a twentieth of the pages; forms, their tokens and their policy over HTTP"),
    Sample(r"web/test_(heads|item_pages|reading|sessions_elsewhere|shown_once|signing_in)\.py", 20, "a twentieth of the pages, and the same rights in test_access_table"),
    Sample(r"web/test_late_bodies\.py", 3, "one of three credentials that end"),
    Sample(r"web/test_(oauth_journeys|verification|sign_up_closed)\.py", 24, "a twenty-fourth of the journeys; each step alone in test_oauth_tokens and test_signing_in"),
    Sample(r"service/test_canary\.py", 4, "what the access log cuts in test_access_log"),
    Sample(r"service/test_disks\.py", 6, "a sixth of them; what a full disk is called in persistence/test_postgres_store"),
    Sample(r"service/test_suitability\.py.*(says_nothing|told_in_a_line)", 6, "the other refusals of a start beside them"),
    Sample(r"service/test_(operator|backup)\.py", 40, "a fortieth of the commands; what they do is tested in accounts and persistence"),
    Sample(r"service/test_(metrics|proxies|documented_proxies)\.py", 24, "a twenty-fourth of the headers and proxies"),
    Sample(r"clients/test_command_line\.py", 12, "a twelfth of the commands; all have their help compared with the contract"),
    Sample(r"clients/test_packages\.py", 16, PIECES, ("clients/python/pyproject.toml", "clients/typescript/package.json")),
    Sample(r"contract/test_stock_fuzzer\.py", 24, "the stage `contract` asks the same server by the same description"),
    Sample(r"docs/test_installation\.py.*in_production", 24, PIECES, ("docs/production.md",)),
    Sample(r"docs/test_installation\.py.*containerfile", 24, PIECES, ("Containerfile", "hatch_build.py")),
    Sample(r"docs/test_installation\.py.*from_a_checkout", 16, PIECES, ("clients/typescript/package.json",)),
    Sample(r"docs/test_installation\.py.*(installed|start_installs)", 16, PIECES, ("docs/clients.md", "docs/command-line.md")),
    Sample(r"docs/test_documentation\.py.*to_type_prints", 8, "an eighth of the pages; that their commands are those of the program is tested for all"),
    Sample(r"clients/test_faults\.py", 8, "an eighth of the faults; what a client tells of each is in the clients' own tests"),
    Sample(r"web/test_vega\.py", 8, PIECES, ("tools/vega",)),
    Sample(r"third_party/", 24, "the official clients over the same surfaces, and each block of the pages as it is typed"),
    Sample(r"linters/", 8, PIECES, ("tests/linters",)),
    Sample(r"graphql_audit/", 8, PIECES, ("tests/graphql_audit",)),
)  # fmt: skip


@cache
def changed(sources: tuple[str, ...]) -> bool:
    """Whether one of these files and folders changed in the last commits, or was not committed yet; of a page, what a reader types."""
    before = f"HEAD~{LATELY}"
    for source in sources:
        if source.endswith(".md"):
            if typed(rounds.git("show", f"{before}:{source}") or "") != typed((ROOT / source).read_text("utf-8")):
                return True
        elif rounds.git("diff", "--quiet", before, "--", source) is None:
            return True
    return False


def typed(page: str) -> list[str]:
    """Return the commands of an installation on a page."""
    return INSTALLS.findall(page)


def sample_of(item: pytest.Item) -> Sample | None:
    own = item.get_closest_marker("rotate")
    if own:
        return Sample(item.nodeid, *own.args)
    name = item.nodeid.removeprefix("tests/")
    folder = name[: name.find("/") + 1]
    return next((each for each in SAMPLES if each.pattern.startswith(folder) and re.match(each.pattern, name)), None)


def choose(config: pytest.Config, items: list[pytest.Item], also: Collection[str]) -> None:
    """Leave out the tests that have their turn at another commit, except those named in `also`."""
    seen: Counter[str] = Counter()
    left_out = []
    for item in items:
        sample = sample_of(item)
        if sample is None:
            continue
        if sample.sources:
            item.add_marker("installs")
        function = item.nodeid.partition("[")[0]
        turn = crc32(function.encode()) + seen[function]
        seen[function] += 1
        if (turn - rounds.commits()) % sample.turns and item.nodeid not in also and not changed(sample.sources):
            left_out.append(item)
    if left_out and rounds.ROUNDS == 1:
        missing = set(left_out)
        items[:] = [item for item in items if item not in missing]
        config.hook.pytest_deselected(items=left_out)
    # first: a worker's last tests are taken by no other, and these are the longest
    items.sort(key=lambda item: item.get_closest_marker("installs") is None)
