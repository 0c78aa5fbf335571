"""Whether a live server keeps to what it publishes: Schemathesis over REST and GraphQL, on the demo world.

Run as `python -m tests.contract.fuzz --examples 50`; anything that fails makes it exit with 1. It is the same run each
time at one commit: the seed follows the commit and the demo world is made anew.
"""

import argparse
import base64
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx

from demo.data import written
from domain.questions import KeysOf
from tests.support.processes.running import ROOT, Server, running
from tests.support.processes.servers import LONG_PATIENCE, eventually, http
from tests.support.suite import rounds
from tests.support.surfaces.callers import Person

HERE = Path(__file__).parent
RUN = (str(Path(sys.executable).with_name("schemathesis")), "--config-file")
PHASES = "examples,coverage,fuzzing,stateful"
# Schemathesis takes every error that GraphQL answers with for a fault of the server or of the request, and cannot be
# told which codes are refusals: `refuses_with_a_code_of_the_list` in hooks.py judges more strictly in their place.
GRAPHQL = ("--exclude-checks", "not_a_server_error,positive_data_acceptance")


def settled(server: Server, client: httpx.Client) -> Person:
    """Return Ada, acting in an organization of which she is the admin and to which Ben and Cleo belong."""
    ada, ben, cleo = (Person.of(server, name, client) for name in ("ada", "ben", "cleo"))
    organization_id = ada.organize("Fuzz")
    ada.admit(organization_id, ben)
    ada.admit(organization_id, cleo)
    return ada.acting_in(organization_id)


def ids(server: Server, client: httpx.Client, ada: Person) -> dict[str, list]:
    """Return what exists, by what it is good for: what Ada sees, and some that she does not."""
    gus, ben = Person.of(server, "gus", client), Person.of(server, "ben", client)
    cleo = Person.of(server, "cleo", client)
    drive, empty = ada.drive("For fuzzing", contributor=ben, contributor_2=cleo), ada.drive("Empty")
    folder = ada.folder(drive)
    shared = [ada.document(folder), *(ada.document(drive) for _ in range(5))]
    others = [user for name, user in server.credentials["users"].items() if name != "ada"]  # she stays where she is
    for item in shared:
        for user in others:
            ada.share(item, user["email"])
    kept = versioned(ada, ben, drive)
    drives = ada.do("drives.list")["drives"]
    items = [item for drive in drives for item in drive["items"]]
    hidden = [item["id"] for drive in gus.do("drives.list")["drives"] for item in drive["items"]]
    return {
        "items": [item["id"] for item in items] + hidden,
        "folders": [item["id"] for item in items if item["driveItemType"] == "folder"] + hidden[:1],
        "documents": [item["id"] for item in items if item["driveItemType"] != "folder"] + hidden[:1] + [kept] * 9,
        "numbers": [1],
        "organizations": [each["id"] for each in ada.gql("{ viewer { organizations { id } } }")["organizations"]],
        "drives": [drive["id"] for drive in drives] + [gus.personal()],
        "spares": [drive, empty],
        "shared": shared,
        "homes": [folder],
        "trash": [ada.folder(drive) for _ in range(5)],
        "members": [ben.id, cleo.id],
        "users": [user["userId"] for user in others],
        "sharers": [user["email"] for user in others],
        "emails": [user["email"] for user in others] + ["a/b+c@newcomers.example"],
        "keys": [key.id for key in ada.operator(lambda store: store.read(KeysOf(ada.id)))],
        "tokens": [ben.invite(ben.organize("Another"), ada)],
        "updates": [base64.b64encode(written("welcome.md")).decode()],
    }


def versioned(ada: Person, ben: Person, drive: str) -> str:
    """Return a document with a version, which ends where the next author begins."""
    document = ada.document(drive)
    for person in (ada, ben):
        person.gql('mutation($d: ID!) { editDocument(documentId: $d, edit: {append: "More"}) { id } }', d=document)
    eventually(lambda: ada.do("documents.versions", documentId=document)["versions"])
    return document


def configuration(found: dict[str, list], directory: Path) -> Path:
    """Write the configuration with the dictionaries that it speaks of."""
    dictionaries = "".join(f"\n[dictionaries.{name}]\nvalues = {json.dumps(of)}\n" for name, of in found.items())
    written = directory / "schemathesis.toml"
    written.write_text((HERE / "schemathesis.toml").read_text() + dictionaries)
    return written


def run(title: str, arguments: list[str], environment: dict[str, str], directory: Path) -> tuple[bool, int]:
    """Run Schemathesis; return whether nothing failed, and how many requests it sent.

    Over REST each operation must have succeeded, so that it was tried at all.
    """
    began, tally = time.monotonic(), directory / f"{title}.json"
    done = subprocess.run(
        [*RUN, *arguments],
        cwd=directory,
        env=os.environ | environment | {"CODRIVE_FUZZ_TALLY": str(tally)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=LONG_PATIENCE,
    )
    counts = json.loads(tally.read_text()) if tally.exists() else {}
    cases = sum(sum(each.values()) for each in counts.values())
    in_vain = [label for label, each in counts.items() if not any(said.startswith("2") for said in each)]
    clean = done.returncode == 0 and counts and (title != "REST" or not in_vain)
    sys.stdout.write("" if clean else done.stdout)
    for label, each in counts.items():
        sys.stdout.write(f"  {label}: {', '.join(f'{number} x {said}' for said, number in sorted(each.items()))}\n")
    sys.stdout.writelines(f"{label} never succeeded: nothing was learned of it\n" for label in in_vain)
    outcome = "no failure" if clean else "FAILED"
    sys.stdout.write(f"{title}: {outcome}, {cases} requests in {time.monotonic() - began:.0f} s\n")
    return bool(clean), cases


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=50, help="how many cases of each operation")
    parser.add_argument("--outcomes", type=Path, help="write how many requests were sent to this file")
    given = parser.parse_args()
    drawn = ("--max-examples", str(given.examples), "--seed", str(rounds.seed()))
    with (
        running("--no-rate-limits") as server,
        http(server.origin) as client,
        tempfile.TemporaryDirectory(prefix="codrive-fuzz-") as made,
    ):
        directory = Path(made)
        ada = settled(server, client)
        found = ids(server, client, ada)
        config = str(configuration(found, directory))
        environment = {
            "CODRIVE_FUZZ_KEY": ada.key,
            "CODRIVE_FUZZ_EMAILS": json.dumps(found["emails"]),
            "CODRIVE_FUZZ_HOOKS": str(HERE / "hooks.py"),
            "PYTHONPATH": str(ROOT),
        }
        rest = [config, "run", f"{server.base_url}/openapi.json", "--phases", PHASES, *drawn]
        graphql = [config, "run", f"{server.origin}/graphql", *GRAPHQL, *drawn]
        runs = [run(title, words, environment, directory) for title, words in (("REST", rest), ("GraphQL", graphql))]
        assert ada.rest.ask("drives.list").status == 200, "the key that was used does not work any more"
        faults = server.faults()
        sys.stdout.writelines(f"the server logged a fault: {fault}\n" for fault in faults)
    if given.outcomes:
        given.outcomes.write_text(json.dumps({"counts": {"requests": sum(cases for _, cases in runs)}}))
    return 0 if all(clean for clean, _ in runs) and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
