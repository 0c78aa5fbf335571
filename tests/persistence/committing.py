"""A server in small: starts Postgres on a data directory, then prints every number once it is committed.

committing.py DATA_DIRECTORY [UID]    (with UID it first stops being root, as an ordinary user's server would)
"""

import os
import sys
from itertools import count
from pathlib import Path

import psycopg

from persistence.postgres.embedded import start

if len(sys.argv) > 2:
    uid = int(sys.argv[2])
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def say(number):
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


running = start(Path(sys.argv[1]))
say(running.pid)
with psycopg.connect(running.url, autocommit=True) as connection:
    connection.execute("create table if not exists number (n bigint primary key)")
    (last,) = connection.execute("select coalesce(max(n), 0) from number").fetchone()
    for n in count(last + 1):
        connection.execute("insert into number values (%s)", (n,))
        say(n)
