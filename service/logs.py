"""Configures logging, and removes secrets from log lines."""

import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog

from domain.key import LOOKS_LIKE_A_KEY

SECRET_FIELDS = frozenset({"x-api-key", "authorization", "cookie", "set-cookie", "password", "secret", "token"})
CUT = "[cut]"


def without_keys(value: object) -> object:
    """Return `value` without anything that looks like a key."""
    if isinstance(value, str):
        return LOOKS_LIKE_A_KEY.sub(CUT, value)
    if isinstance(value, Mapping):
        return {
            name: CUT if str(name).lower() in SECRET_FIELDS else without_keys(inner) for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [without_keys(inner) for inner in value]
    return value


def _cut_secrets(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name in list(event):
        event[name] = CUT if name.lower() in SECRET_FIELDS else without_keys(event[name])
    return event


def is_text(form: str) -> bool:
    return form == "text" or (form == "auto" and sys.stderr.isatty())


def configure(form: str, level: str) -> None:
    """Send every log line, ours and the libraries', through one pipeline to standard error."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        _cut_secrets,
    ]
    renderer = structlog.dev.ConsoleRenderer() if is_text(form) else structlog.processors.JSONRenderer()
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    for noisy in ("uvicorn.access", "psycopg.pool"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
