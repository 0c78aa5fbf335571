"""The server, which closes nothing but for a commit: the recheck of every connection, twice a minute, is put out of reach."""

from math import inf

from live import connection_registry
from service.command import main

connection_registry.RECHECK_SECONDS = inf
if __name__ == "__main__":
    main(prog_name="codrive-server")
