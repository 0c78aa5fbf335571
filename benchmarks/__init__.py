"""What it costs to be served: each module is a benchmark, run by its name, that fails where a limit does not hold."""
