"""The revisions, each frozen as it was released."""
