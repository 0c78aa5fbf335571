"""The database itself: the embedded server, connections, locks, tables and migrations."""
