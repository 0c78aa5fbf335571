"""MCP adapter: serves the rows of the contract as tools."""
