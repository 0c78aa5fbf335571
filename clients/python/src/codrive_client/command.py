"""The command line `codrive`: one subcommand for each operation, whose flags are the operation's fields."""

import errno
import json
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click.shell_completion import get_completion_class

from codrive_client._operations import OPERATIONS
from codrive_client._row import Input, Operation
from codrive_client._version import __version__

KEY, AGENT, URL = "SERVICE_API_KEY", "SERVICE_AGENT", "SERVICE_BASE_URL"
PROGRAM = "codrive"


@click.group(name=PROGRAM, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name=PROGRAM, message="%(prog)s %(version)s")
def main() -> None:
    """Work with the drives and documents of a Codrive server.

    \b
    SERVICE_API_KEY   the key to act with (required): made in the settings, under API keys
    SERVICE_AGENT     the software that acts for you, to credit it beside you
    SERVICE_BASE_URL  the server (default: http://127.0.0.1:8000/api/v1)

    Answers go to standard output, as tables on a terminal and as JSON elsewhere. Failures go to standard error as JSON
    with a code and a message, and exit with 1; wrong usage exits with 2.
    """  # noqa: D301 - the backspace is click's mark of lines to keep


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    Example:
      codrive completion bash >> ~/.bashrc
    """  # noqa: D301 - as above
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(main, {}, PROGRAM, "_CODRIVE_COMPLETE").source())


def _run(operation: Operation, given: dict[str, Any]) -> None:
    pick, as_json = given.pop("pick"), given.pop("json")
    if pick is not None and pick not in operation.fields:
        known = ", ".join(operation.fields) or "none: it answers nothing"
        raise click.UsageError(f"there is no field {pick!r} in the answer; its fields: {known}")
    answer = _ask(operation, given)
    if answer is None:
        return
    try:
        _answer(answer, pick, as_json=as_json)
    except OSError as fault:
        if fault.errno == errno.EPIPE:  # whoever reads has enough, which is no failure worth a word
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is still to be flushed at the end
        raise click.ClickException(f"the answer could not be written: {fault.strerror}") from fault


def _answer(answer: Any, pick: str | None, *, as_json: bool) -> None:
    if pick is not None:
        picked = answer[pick]
        _print(picked if isinstance(picked, str) else json.dumps(picked, ensure_ascii=False), end="")
    elif as_json or not sys.stdout.isatty():
        _print(json.dumps(answer, ensure_ascii=False, indent=2))
    else:
        from codrive_client._tables import show  # noqa: PLC0415 - only a terminal needs it

        show(answer)


def _ask(operation: Operation, given: Mapping[str, Any]) -> Any:
    from codrive_client._call import DEFAULT_URL  # noqa: PLC0415 - help and completion start without the HTTP library
    from codrive_client.client import Codrive  # noqa: PLC0415
    from codrive_client.errors import CodriveError, InvalidInputError  # noqa: PLC0415

    if not os.environ.get(KEY):
        raise click.UsageError(f"{KEY} is not set: put an API key into it, made in the settings, under API keys")
    absent = {each.name for each in operation.inputs if each.many and not given[each.name]}
    values = {name: value for name, value in given.items() if value is not _ABSENT and name not in absent}
    try:
        with Codrive(
            os.environ[KEY], agent=os.environ.get(AGENT) or None, base_url=os.environ.get(URL) or DEFAULT_URL
        ) as client:
            return client._run(operation, values, {})  # noqa: SLF001 - the same calls, by their rows
    except InvalidInputError as fault:
        raise click.UsageError(fault.message) from fault
    except CodriveError as fault:
        click.echo(json.dumps({"code": fault.code, "message": fault.message}, ensure_ascii=False), err=True)
        sys.exit(1)


def _print(text: str, end: str = "\n") -> None:
    click.echo((text + end).encode("utf-8", "replace"), nl=False)


_ABSENT: Any = object()


_KINDS: dict[str, Any] = {"boolean": bool, "integer": int, "number": int | float, "json": dict}


class _Value(click.ParamType[Any]):
    """The value of a flag: of its field's kind, one of its choices, or `null` if the field is nullable."""

    def __init__(self, each: Input) -> None:
        self.each = each
        named = ("true", "false") if each.kind == "boolean" else each.choices
        self.choices = (*named, *(("null",) * each.nullable)) if named else ()
        self.name = "text"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002 - click's own form
        if self.choices:
            return f"[{'|'.join(self.choices)}]"
        if self.each.kind == "markdown":
            return "TEXT|-"
        told = "TEXT" if self.each.kind == "string" else self.each.kind.upper()
        return f"{told}|null" if self.each.nullable else told

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        if self.each.kind == "markdown":
            return _read("-") if value == "-" else value
        if self.each.nullable and value == "null":
            return None
        if self.choices and value not in self.choices:
            self.fail(f"{value!r} is not one of {', '.join(self.choices)}", param, ctx)
        if self.each.kind == "string":
            return value
        try:
            found = json.loads(value)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, _KINDS[self.each.kind]) or isinstance(found, bool) is not (
            self.each.kind == "boolean"
        ):
            self.fail(f"{value!r} is no {'JSON object' if self.each.kind == 'json' else self.each.kind}", param, ctx)
        return found

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG002
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - only while completing

        return [CompletionItem(choice) for choice in self.choices if choice.startswith(incomplete)]


def _read(path: str) -> str:
    """Read a text of UTF-8 as it is from a file, or from standard input where the path is `-`."""
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return content.decode("utf-8")
    except OSError as fault:
        raise click.UsageError(f"{path!r} cannot be read: {fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise click.UsageError(f"{'standard input' if path == '-' else repr(path)} is not UTF-8") from fault


def _options(each: Input) -> list[click.Option]:
    """Return the option of an input and, of a text that may be long, that of the file that holds it."""
    if each.kind != "markdown":
        return [click.Option([each.flag, each.name], type=_Value(each), help=each.description, **_presence(each))]
    said = f"{each.description} `-` reads it from standard input."
    about = f"As `{each.flag}`, from a file; `-` is standard input."
    return [
        click.Option([each.flag, each.name], type=_Value(each), help=said, **_presence(each)),
        click.Option([f"{each.flag}-file", _file_name(each)], metavar="FILE", help=about),
    ]


def _file_name(each: Input) -> str:
    return f"{each.name}_file"


def _example(operation: Operation) -> str:
    words = [PROGRAM, *operation.words]
    for each in operation.inputs:
        if each.shown:
            for value in each.example if each.many else [each.example]:
                words += [each.flag, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)]
    return shlex.join(words)


def _presence(each: Input) -> dict[str, Any]:
    """Return click's options for a flag; a default of None would count as given.

    A list is a flag that may be repeated. An optional boolean is true where its flag stands alone.
    """
    if each.many:
        return {"required": each.required, "multiple": True}
    if each.required:
        return {"required": True}
    alone = {"is_flag": False, "flag_value": "true"} if each.kind == "boolean" else {}
    return {"default": _ABSENT, **alone}


def command_of(operation: Operation) -> click.Command:
    options = [option for each in operation.inputs for option in _options(each)]
    texts = [each for each in operation.inputs if each.kind == "markdown"]
    fields = ", ".join(operation.fields)
    options += [
        click.Option(
            ["--pick"],
            metavar="FIELD",
            help=f"Print one field of the answer raw, without a line break: {fields or 'it has none'}.",
        ),
        click.Option(["--json"], is_flag=True, help="Print JSON on a terminal, too."),
    ]

    def run(**given: Any) -> None:
        for each in texts:
            path = given.pop(_file_name(each))
            if path is not None and given[each.name] is not _ABSENT:
                raise click.UsageError(f"give `{each.flag}` or `{each.flag}-file`, not both")
            if path is not None:
                given[each.name] = _read(path)
        _run(operation, given)

    return click.Command(
        operation.words[1],
        params=list(options),
        callback=run,
        help=f"{operation.summary}\n\n\b\nExample:\n  {_example(operation)}",
        short_help=operation.summary,
    )


def _build() -> None:
    for operation in OPERATIONS:
        name, _ = operation.words
        group = main.commands.get(name)
        if not isinstance(group, click.Group):
            group = click.Group(name, help=f"Operations on {name.replace('-', ' ')}.")
            main.add_command(group)
        group.add_command(command_of(operation))


_build()
