"""One of two nodes does the work that is to be done once for a database, and the other one when it is gone or sleeps."""

import json
import os
import signal
from contextlib import contextmanager
from uuid import uuid4

import psycopg
import pytest


def leases(node):
    """Each node's lease, and whether it leads, by its process."""
    listed = json.loads(node.operator("nodes", "--json").stdout)
    return {each["pid"]: (each["lease"], each["leads"]) for each in listed}


def leader(node):
    (pid,) = [pid for pid, (_, leads) in leases(node).items() if leads]
    return pid


@contextmanager
def database(node):
    with psycopg.connect(node.database, autocommit=True) as connection:
        yield connection


def is_worked_on(node):
    """Whether somebody does what the node that leads does: here, to delete the blobs of which the rows are gone."""
    with database(node) as connection:
        key = str(uuid4())
        connection.execute("insert into blob_removal (key) values (%s)", [key])
        left = "select not exists (select from blob_removal where key = %s)"
        return node.eventually(lambda: connection.execute(left, [key]).fetchone()[0])


def killed(node):
    node.process.kill()
    node.process.wait()


def slept(node):
    os.kill(node.process.pid, signal.SIGSTOP)


@pytest.mark.parametrize("ends", [killed, slept])
def test_where_the_node_that_leads_dies_or_sleeps_the_other_does_its_work(nodes, ends):
    with nodes() as both:
        first, other = sorted(both, key=lambda each: each.process.pid != leader(both[0]))
        assert is_worked_on(other)
        ends(first)
        try:
            assert is_worked_on(other)
            assert leader(other) == other.process.pid
        finally:
            if ends is slept:
                os.kill(first.process.pid, signal.SIGCONT)
        if ends is slept:  # it comes back with another lease, and does not lead
            other.eventually(lambda: len(leases(other)) == 2)
            assert leader(other) == other.process.pid
