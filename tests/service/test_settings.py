"""What can be set, by flag and by variable, and that the command tells of it."""

from dataclasses import fields
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from edge.origins import Origin
from edge.proxies import Written
from service.command import main
from service.metrics_token import MetricsToken
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


WORDS = {
    Written: ("10.0.0.1, 10.1.0.0/16", "*"),
    Origin: ("https://one.example", "https://other.example"),
    MetricsToken: ("0123456789abcdef", "a-token.of~letters+and/more=="),
}


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
    words = WORDS.get(type(of), ("one", "other"))
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
        ["--metrics-token", "too-short"],
        ["--metrics-token", "a token with spaces in it"],
        ["--allowed-origins", "https://app.example, app.example"],
        ["--allowed-origins", "*"],
    ],
)
def test_a_value_that_means_nothing_is_refused_before_anything_starts(arguments, tmp_path):
    refused = CliRunner().invoke(main, [*arguments, "--data", str(tmp_path / "data")])
    assert refused.exit_code == 2, refused.output
    assert arguments[0] in refused.output
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("written", "origin"),
    [
        ("https://drive.example.com", "https://drive.example.com"),
        ("https://drive.example.com/", "https://drive.example.com"),
        ("https://Drive.Example.COM", "https://drive.example.com"),
        ("HTTPS://drive.example.com", "https://drive.example.com"),
        ("https://drive.example.com:443", "https://drive.example.com"),
        ("http://drive.example.com:80/", "http://drive.example.com"),
        ("http://drive.example.com:443", "http://drive.example.com:443"),
        ("https://drive.example.com:8443", "https://drive.example.com:8443"),
        ("https://dr\u00edve.example", "https://xn--drve-wpa.example"),
        ("https://xn--drve-wpa.example", "https://xn--drve-wpa.example"),
        ("http://LOCALHOST:8000", "http://localhost:8000"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://[0:0:0:0:0:0:0:1]:8000", "http://[::1]:8000"),
        ("https://[2001:DB8::5]", "https://[2001:db8::5]"),
    ],
)
def test_an_origin_is_taken_as_browsers_send_it(written, origin):
    assert given("--origin", written).origin == origin
    assert given(CODRIVE_ORIGIN=written).origin == origin
    assert (
        given("--allowed-origins", f"https://app.example, {written}").allowed_origins == f"https://app.example,{origin}"
    )


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("drive.example.com", "begins with `https://` or `http://`"),
        ("ftp://x", "begins with `https://` or `http://`"),
        ("//drive.example.com", "begins with `https://` or `http://`"),
        ("null", "begins with `https://` or `http://`"),
        ("", "begins with `https://` or `http://`"),
        ("https://drive.example.com/codrive", "no path, query or fragment"),
        ("https://drive.example.com//", "no path, query or fragment"),
        ("https://drive.example.com?", "no path, query or fragment"),
        ("https://drive.example.com#here", "no path, query or fragment"),
        ("https://drive.example.com\\codrive", "no path, query or fragment"),
        ("https://drive example.com", "no path, query or fragment"),
        ("https://user:pw-of-mine@drive.example.com", "no user name and no password"),
        ("https://", "a scheme, a host and perhaps a port"),
        ("https://:8000", "a scheme, a host and perhaps a port"),
        ("https://drive.example.com:", "a scheme, a host and perhaps a port"),
        ("https://drive.example.com:0", "a scheme, a host and perhaps a port"),
        ("https://drive.example.com:65536", "a scheme, a host and perhaps a port"),
        ("https://drive.example.com:port", "a scheme, a host and perhaps a port"),
        ("https://drive..example.com", "a scheme, a host and perhaps a port"),
        ("https://*.example.com", "a scheme, a host and perhaps a port"),
        ("https://drive%2eexample.com", "a scheme, a host and perhaps a port"),
        ("https://127.0.0.300", "a scheme, a host and perhaps a port"),
        ("https://1.2.3", "a scheme, a host and perhaps a port"),
        ("https://[::1", "a scheme, a host and perhaps a port"),
        ("https://[1.2.3.4]", "a scheme, a host and perhaps a port"),
    ],
)
def test_what_is_no_origin_is_refused_with_a_sentence_before_anything_starts(written, said, tmp_path):
    refused = CliRunner().invoke(main, ["--origin", written, "--data", str(tmp_path / "data")], terminal_width=200)
    assert refused.exit_code == 2, refused.output
    assert "--origin" in refused.output
    assert said in refused.output
    assert "pw-of-mine" not in refused.output
    assert not (tmp_path / "data").exists()
