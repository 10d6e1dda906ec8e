"""The command line: one file per command, imported when it is called."""

from __future__ import annotations

import signal
import sys
from codecs import lookup
from importlib import import_module
from io import StringIO, TextIOWrapper
from typing import Any

import click

from assay.cli.invocation import KEY
from assay.version import __version__

GROUPS = {
    "Start": {
        "init": "Set up a project: settings, a sample file, a first test, a CI workflow.",
        "demo": "Score bundled samples: a complete example with a report.",
        "completion": "Print the completion script for a shell.",
    },
    "Score": {
        "run": "Score a file of answers, or a system's answers to a file of questions.",
        "score": "Score one answer, with the verdict and its reasons.",
        "simulate": "Let a simulated user talk to a system, and keep the transcripts.",
        "rescore": "Score the answers of a stored run again.",
        "diff": "Compare JSON outputs with the expected document, field by field.",
    },
    "Look": {
        "metrics": "List or search metrics, or show one metric's page.",
        "runs": "List the stored runs; export, import and delete them.",
        "scores": "Show the worst samples and histograms of scores in Parquet.",
        "show": "Show a stored run, or write its results to files.",
        "report": "Write the report of a stored run.",
        "settings": "Show every setting, its value and its source.",
    },
    "Compare": {
        "compare": "Compare two runs: what is better, worse or undecided.",
        "rank": "Rank systems by a judge that compares their answers in pairs.",
        "drift": "Compare answers and scores with a baseline.",
        "calibrate": "Compare a metric with human labels.",
        "evidence": "Measure how well metrics agree with labelled data.",
        "panel": "Measure several judges: agreement, calibration, effective number.",
        "robustness": "Measure how easily a judge is manipulated.",
    },
    "Govern": {
        "card": "Print governance scorecards.",
        "policies": "List the policy packs, show one, or check your own.",
    },
    "Serve": {
        "serve": "Serve the dashboard and the API.",
        "keys": "Create, list, rotate and revoke the keys of the server.",
        "projects": "Create the server's projects and manage their members.",
        "audit": "Check the audit trail.",
        "mcp": "Serve the metrics as tools for AI assistants (MCP).",
    },
    "Develop": {
        "dataset": "Inspect, validate, compare, convert and create datasets.",
        "new": "Create the two files of a new metric.",
        "verify": "Check metrics against a file of test vectors.",
    },
}
"""The commands with their short help, by what people want to do."""
COMMANDS = dict(sorted(entry for group in GROUPS.values() for entry in group.items()))
RESERVE = 2**20
"""Bytes that are kept to say why a command failed, where no other memory is left."""


class LazyGroup(click.Group):
    """A group that knows its commands' names and imports a command only when it is called."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        typed = tuple(args)  # parsing empties the list
        context = super().make_context(info_name, args, parent, **extra)
        context.meta[KEY] = typed
        return context

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"assay.cli.{name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name in COMMANDS or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches

        nearest = get_close_matches(name, COMMANDS, n=1)
        hint = f" Did you mean {nearest[0]!r}?" if nearest else ""
        raise click.UsageError(f"No such command {name!r}.{hint}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{width}}", help) for name, help in commands.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="assay")
def app() -> None:
    """Measure the quality of AI answers.

    Offline and deterministic; every score comes with the text that caused it.

    \b
    Start here:   assay demo
    Your data:    assay run answers.csv --out report.html
    One answer:   assay score --query "…" --response "…"

    Exit codes: 0 all gates hold, 1 a gate fails, 2 usage or configuration error or nothing to
    score, 3 some samples could not be read or scored, 130 interrupted.
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
    from assay.core.resource_limits import limit_message  # here: later no memory may be left for it
    from assay.core.secrets import redactor

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stop as Ctrl-C does
    _print_any_character()
    reserve = bytearray(RESERVE)
    try:
        code = app.main(standalone_mode=False)
    except click.ClickException as error:
        shown = StringIO()
        error.show(shown)
        click.echo(redactor()(shown.getvalue()), err=True, nl=False)
        code = error.exit_code
    except AssayError as error:
        reserve.clear()
        from assay.report.safe_text import visible

        click.echo(f"Error: {visible(redactor()(str(error)))}", err=True)
        code = 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        code = 130
    except BrokenPipeError:
        sys.stderr.close()
        code = 0
    except Exception as error:
        reserve.clear()
        if message := limit_message(error):
            click.echo(f"Error: {message}", err=True)
        else:  # a mistake, ours or a plugin's: all of it is shown, but no secret
            import traceback

            click.echo(redactor()(traceback.format_exc()).rstrip(), err=True)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)
