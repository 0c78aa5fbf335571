"""The demo world that `--demo` plants in an empty service: people, drives and documents with real text."""
