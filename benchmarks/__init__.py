"""Benchmarks: each module is one, run by its name, and exits with 1 if a limit is missed."""
