from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.scalars import MAX_INT, MIN_INT, SCALARS, timestamp_text
from domain.document import ImageFile
from domain.errors import Rejection

zones = st.integers(-23, 23).map(lambda hours: timezone(timedelta(hours=hours))) | st.just(UTC)


@given(st.datetimes(datetime(1000, 1, 2), datetime(9999, 12, 30), timezones=zones))  # noqa: DTZ001
def test_a_moment_is_written_in_utc_with_milliseconds(moment: datetime) -> None:
    utc = moment.astimezone(UTC)
    assert timestamp_text(moment) == f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03}Z"


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError):
        timestamp_text(datetime(2026, 1, 2))  # noqa: DTZ001


@pytest.mark.parametrize(
    ("name", "value", "is_taken"),
    [
        ("Int", MAX_INT, True),
        ("Int", MIN_INT, True),
        ("Int", MAX_INT + 1, False),
        ("Int", MIN_INT - 1, False),
        ("Int", 1e2, True),
        ("Int", 1.5, False),
        ("Int", True, False),
        ("ImageFile", ImageFile(b"", "image/png"), True),
        ("ImageFile", "a.png", False),
        ("ImageFile", b"", False),
        ("ImageFile", None, False),
    ],
)
def test_a_value_is_taken_or_refused(name: str, value: object, is_taken: bool) -> None:
    parsed = SCALARS[name].parse(value, "field")
    assert isinstance(parsed, Rejection) is not is_taken
