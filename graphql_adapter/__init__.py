"""GraphQL over HTTP and over a WebSocket at one path."""
