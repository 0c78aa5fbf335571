"""The domain: pure values, tables and decisions, with no I/O, clock or randomness."""
