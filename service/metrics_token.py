"""The form of the token of the metrics, which a setting holds."""

import re
from typing import Any, Final

import click

MIN_TOKEN: Final = 16
_TOKEN: Final = re.compile(rf"[A-Za-z0-9._~+/=-]{{{MIN_TOKEN},}}")


class MetricsToken(click.ParamType[str]):
    """The click type of a token that travels in the header `Authorization`."""

    name = "token"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if _TOKEN.fullmatch(value) is None:
            self.fail(f"a token has {MIN_TOKEN} or more letters, digits and signs of `._~+/=-`", param, ctx)
        return str(value)
