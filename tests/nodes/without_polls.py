"""The server without what would find out by itself, in time, what another node did: the poll of the audit and the rechecks."""

from math import inf

from live import connection_registry
from persistence import audit_feed
from service.command import main

connection_registry.RECHECK_SECONDS = inf
audit_feed.AuditFeed.every = 86_400.0
if __name__ == "__main__":
    main(prog_name="codrive-server")
