"""What can be set, by flag and by variable, and that the command tells of it."""

from dataclasses import fields
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from edge.proxies import Written
from service.command import main
from service.settings import FILE, Settings, flags, variable

NAMES = [setting.name for setting in fields(Settings)]


def given(*arguments, **environment):
    """The settings that a command line and an environment lead to."""
    found = []

    @click.command
    @flags
    def command(**values):
        found.append(Settings(**values))

    CliRunner().invoke(command, arguments, env=environment, catch_exceptions=False, standalone_mode=False)
    return found[0]


def test_nothing_given_is_the_defaults():
    assert given() == Settings()


@pytest.mark.parametrize("setting", fields(Settings), ids=lambda setting: setting.name)
def test_each_setting_is_a_flag_and_a_variable_and_the_flag_wins(setting):
    flag, name = f"--{setting.name.replace('_', '-')}", variable(setting.name, dict(setting.metadata))
    if setting.metadata["flag"]:
        assert getattr(given(flag), setting.name) is True
        assert getattr(given(**{name: "1"}), setting.name) is True
        return
    of = setting.metadata["kind"]
    number = isinstance(setting.default, int)
    kind = Path if of is FILE else int if number else str
    words = ("10.0.0.1, 10.1.0.0/16", "*") if isinstance(of, Written) else ("one", "other")
    one, other = of.choices[:2] if isinstance(of, click.Choice) else ("7", "8") if number else words
    assert getattr(given(**{name: one}), setting.name) == kind(one)
    assert getattr(given(flag, other, **{name: one}), setting.name) == kind(other)


def test_variables_are_named_alike_but_for_the_one_that_everybody_knows():
    names = {variable(setting.name, dict(setting.metadata)) for setting in fields(Settings)}
    assert {name for name in names if not name.startswith("CODRIVE_")} == {"DATABASE_URL"}
    assert len(names) == len(NAMES)


def test_help_lists_every_setting_with_its_variable_and_every_command():
    shown = CliRunner().invoke(main, ["--help"], terminal_width=200).output
    for setting in fields(Settings):
        assert f"--{setting.name.replace('_', '-')}" in shown
        assert variable(setting.name, dict(setting.metadata)) in shown
        assert setting.metadata["description"].split()[0] in shown
    for command in ("account", "organization", "backup", "restore"):
        assert f"\n  {command} " in shown


@pytest.mark.parametrize("arguments", [["--port", "many"], ["--nonsense"], ["frobnicate"]])
def test_what_cannot_be_set_is_refused_with_a_word(arguments):
    refused = CliRunner().invoke(main, arguments)
    assert refused.exit_code == 2
    assert arguments[-1] in refused.output


@pytest.mark.parametrize(
    "arguments",
    [
        ["--log-level", "loud"],
        ["--log-format", "xml"],
        ["--port", "70000"],
        ["--connections", "0"],
        ["--trusted-proxies", "nginx"],
        ["--trusted-proxies", "10.0.0.1/8"],
        ["--trusted-proxies", "*, 10.0.0.1"],
    ],
)
def test_a_value_that_means_nothing_is_refused_before_anything_starts(arguments, tmp_path):
    refused = CliRunner().invoke(main, [*arguments, "--data", str(tmp_path / "data")])
    assert refused.exit_code == 2, refused.output
    assert arguments[0] in refused.output
    assert not (tmp_path / "data").exists()
