"""What may happen and what follows from it: pure values, tables and decisions, with no I/O, clock or randomness."""
