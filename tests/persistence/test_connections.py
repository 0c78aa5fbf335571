"""Addresses of the database, as they are handed on."""

import pytest
from psycopg.conninfo import conninfo_to_dict

from persistence.postgres.connections import for_command_line


@pytest.mark.parametrize(
    "written",
    ["postgresql://ada:s3cret@db:5433/codrive?sslmode=require", "host=db user=ada password=s3cret dbname=codrive"],
)
def test_a_command_line_never_holds_the_password(written):
    address, environment = for_command_line(written)
    assert "s3cret" not in address
    assert environment == {"PGPASSWORD": "s3cret"}
    assert conninfo_to_dict(address) == {
        name: value for name, value in conninfo_to_dict(written).items() if name != "password"
    }


def test_an_address_without_a_password_sets_none():
    assert for_command_line("postgresql://ada@db/codrive")[1] == {}
