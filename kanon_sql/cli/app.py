"""The Typer application, and the one place where an error becomes a line and an exit code."""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from itertools import pairwise
from typing import Annotated

import typer

import kanon_sql
from kanon_sql.backends.stopping import SIGNALS, stops
from kanon_sql.cli.help import SortedCommands
from kanon_sql.errors import ExitCode, KanonError
from kanon_sql.flows import VERBS

_registered: set[str] = set()
"""The commands already there: a process may be asked for several, one after the other."""

app = typer.Typer(
    name="kanon",
    cls=SortedCommands,
    help="k-anonymization inside the database: point it at a table, publish a verified release.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Exit codes: 0 done, 1 the privacy gate failed, 2 usage, 3 job file, 4 connection, 5 locked, 6 no solution, 7 internal, "
    "130 interrupted. `kanon COMMAND --help` tells of a command's options.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kanon_sql {kanon_sql.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """What stands before a command."""


def load_commands(command: str | None = None) -> typer.Typer:
    """The application with every command (`kanon X` is the function X of cli/X.py), or with one: a plan must start fast."""
    for verb in (command,) if command in VERBS else VERBS:
        if verb not in _registered:
            _registered.add(verb)
            app.command()(getattr(import_module(f"kanon_sql.cli.{verb}"), verb))
    return app


def main() -> None:
    """Run, and turn what goes wrong into one line on standard error and a documented exit code."""
    load_commands(sys.argv[1] if len(sys.argv) > 1 else None)
    try:
        with stops.handled(SIGNALS):
            code = app(standalone_mode=False)
        if code == ExitCode.INTERRUPTED:  # Typer ends an interrupt by itself
            _say_stopped()
        sys.exit(code if isinstance(code, int) else 0)
    except KanonError as error:
        _say(error)
        sys.exit(int(error.exit_code))
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        _say_stopped()
        sys.exit(int(ExitCode.INTERRUPTED))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:  # the last line of defence: a defect of ours must still exit 7 and name itself
        if hasattr(error, "show") and hasattr(error, "exit_code"):
            error.show()
            sys.exit(error.exit_code)
        if "--debug" in sys.argv:
            raise
        _say(KanonError(f"internal error: {type(error).__name__}", "run again with --debug and report the trace"))
        sys.exit(int(ExitCode.INTERNAL))


def _say_stopped() -> None:
    """What was stopped, and what became of what it had made."""
    dropped = [f"{count:,} {what}{'' if count == 1 else 's'}" for what, count in stops.cleared.items()]
    message = f"{stops.stopped or 'interrupted'}; " + (
        f"dropped {' and '.join(dropped)}" if dropped else "nothing is left behind"
    )
    if "--log-format=json" in sys.argv or ("--log-format", "json") in pairwise(sys.argv):
        from kanon_sql.cli.output import log_line

        print(
            log_line("error", type="Interrupted", message=message, exit_code=int(ExitCode.INTERRUPTED)), file=sys.stderr
        )
        return
    print(message, file=sys.stderr)


def _say(error: KanonError) -> None:
    if "--debug" in sys.argv:
        import traceback

        traceback.print_exception(error)
    if "--log-format=json" in sys.argv or ("--log-format", "json") in pairwise(sys.argv):
        from kanon_sql.cli.output import log_line

        print(log_line("error", **error.to_dict()), file=sys.stderr)
        return
    if "--json" in sys.argv:
        print(json.dumps({"error": error.to_dict()}), file=sys.stderr)
        return
    print(f"error: {error.message}", file=sys.stderr)
    if error.hint:
        print(f"hint: {error.hint}", file=sys.stderr)
