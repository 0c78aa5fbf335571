"""Runners of jobs for tests that want none of the server."""

from computing.budgets import Budget, Budgets
from computing.runner import JobRunner
from domain.credit import Payer

JOBS = JobRunner()  # of all tests of a process, so that its zygote is started once


def with_budget_spent(by: Payer) -> JobRunner:
    """Return a runner of which this payer has nothing left, for as long as a test takes."""
    budgets = Budgets(Budget(seconds=1.0, refill=0.001))
    budgets.reserve(by, 0)(10.0)
    return JobRunner(budgets=budgets)
