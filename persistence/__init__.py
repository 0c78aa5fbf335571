"""Persistence: PostgreSQL tables, hand-written reads, the ledger, migrations and the embedded server."""
