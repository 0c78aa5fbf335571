"""The contract's rows as MCP tools (arrives with its own issue)."""
