"""Asks until a rate refuses: on a slow host a rate gives back meanwhile, so nobody can say which request is the first refused."""

from collections.abc import Callable

import httpx


def until_refused[Answer](ask: Callable[[], Answer], quota: int, is_refused: Callable[[Answer], bool]) -> list[Answer]:
    """Ask until the answer is refused, within three times the quota, and return every answer; what came before was let in."""
    answers = [ask()]
    while not is_refused(answers[-1]):
        assert len(answers) < 3 * quota, f"nothing is refused: {answers}"
        answers.append(ask())
    return answers


def told_so(answer: httpx.Response) -> bool:
    """Whether an answer over HTTP says that it is one too many."""
    return answer.status_code == 429
