"""The composition root: settings, wiring, the ASGI application and the `codrive-server` command."""
