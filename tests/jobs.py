"""The runner of all tests of a process that want none of their own, so that its zygote is started once."""

from computing.runner import JobRunner

JOBS = JobRunner()
