"""Alembic's environment: runs the revisions on the connection of `migrate`, in one transaction."""

from alembic import context
from sqlmodel import SQLModel

from persistence.postgres import tables

__all__ = ["tables"]

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=SQLModel.metadata)
with context.begin_transaction():
    context.run_migrations()
