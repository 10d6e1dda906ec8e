"""The command line: one file per command, imported when it is called."""

from __future__ import annotations

import signal
import sys
from codecs import lookup
from importlib import import_module
from io import StringIO, TextIOWrapper

import click

from assay.version import __version__

COMMANDS = {
    "calibrate": "Hold a metric against people's labels.",
    "card": "Print governance scorecards.",
    "compare": "Compare two runs: what is better, worse or undecided.",
    "completion": "Print the completion script of a shell.",
    "dataset": "Look at, check, compare, convert and make datasets.",
    "demo": "Score bundled samples: a complete example with a report.",
    "diff": "Compare JSON outputs with their ground truth, field by field.",
    "drift": "Compare answers and scores with a baseline.",
    "evidence": "Measure how far metrics agree with labelled data.",
    "keys": "Create, list, rotate and revoke the keys of the server.",
    "mcp": "Serve the measures as tools for other AI systems (MCP).",
    "metrics": "List the metrics, or show one metric's page.",
    "new": "Make the two files of a new metric.",
    "policies": "List the policy packs, show one, or check your own.",
    "report": "Write the report of a stored run.",
    "rescore": "Score what a stored run holds once more.",
    "run": "Score a file of answers, or a system's answers to a file of questions.",
    "runs": "List the stored runs; export, import and remove them.",
    "serve": "Serve the dashboard and the API.",
    "settings": "Show what is set, and where.",
    "show": "Show a stored run, and write its results again.",
    "verify": "Check worked values against our rules.",
}


class LazyGroup(click.Group):
    """A group that knows its commands' names and imports a command only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"assay.cli.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="assay")
def app() -> None:
    """Measure the quality of AI answers.

    Offline and deterministic; every score comes with the text that caused it.

    \b
    Start here:   assay demo
    Your data:    assay run answers.jsonl --out report.html

    Exit codes: 0 all gates hold, 1 a gate fails, 2 usage or configuration error, 3 some samples
    could not be read or scored, 130 interrupted.
    """


def _print_any_character() -> None:
    """Keep a machine's code page from ending a run that is done but for showing it.

    Files and pipes get UTF-8, as all that we write; a terminal that knows fewer characters shows
    the others as escapes.
    """
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, TextIOWrapper) or lookup(stream.encoding).name == "utf-8":
            continue
        if stream.isatty():
            stream.reconfigure(errors="backslashreplace")
        else:
            stream.reconfigure(encoding="utf-8")


def main() -> None:
    """Run the command line; our own errors become one line and an exit code."""
    from assay.core.errors import AssayError
    from assay.core.secrets import redactor

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stop as Ctrl-C does
    _print_any_character()
    try:
        code = app.main(standalone_mode=False)
    except click.ClickException as error:
        shown = StringIO()
        error.show(shown)
        click.echo(redactor()(shown.getvalue()), err=True, nl=False)
        code = error.exit_code
    except AssayError as error:
        from assay.report.safe_text import visible

        click.echo(f"Error: {visible(redactor()(str(error)))}", err=True)
        code = 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        code = 130
    except BrokenPipeError:
        sys.stderr.close()
        code = 0
    except Exception:  # a mistake, ours or a plugin's: all of it is shown, but no secret
        import traceback

        click.echo(redactor()(traceback.format_exc()).rstrip(), err=True)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)
