"""Writes `schema.sql`, with which a new database gets all tables at once, from the table classes."""

from sqlalchemy import Table
from sqlalchemy.dialects.postgresql import dialect
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement
from sqlmodel import SQLModel

from persistence.postgres.tables import NAME_GRAMS, NAME_WORDS


def schema() -> str:
    """Return the statements that make every function, table and index, each ended by a semicolon."""
    made: list[ExecutableDDLElement] = [NAME_GRAMS, NAME_WORDS]
    for table in SQLModel.metadata.sorted_tables:
        made += [CreateTable(table), *_indexes(table)]
    return "\n\n".join(f"{_sql(each)};" for each in made) + "\n"


def _indexes(table: Table) -> list[CreateIndex]:
    return [CreateIndex(index) for index in sorted(table.indexes, key=lambda index: str(index.name))]


def _sql(made: ExecutableDDLElement) -> str:
    lines = str(made.compile(dialect=dialect())).expandtabs(4).strip().splitlines()  # type: ignore[no-untyped-call]
    return "\n".join(line.rstrip() for line in lines)
