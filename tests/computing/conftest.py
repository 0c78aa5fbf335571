import pytest

from computing.runner import JobRunner


@pytest.fixture(scope="session")
async def runner():
    made = JobRunner()
    yield made
    await made.aclose()
