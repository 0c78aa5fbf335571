"""Documents: the schema, the tree read from Yjs, Markdown and the scan of updates; no I/O."""
