"""The gates of a run on the command line: options, verdicts, annotations, exit code."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from assay.cli.bundles import bundle
from assay.core import ProfileError, Summary, UsageError
from assay.core.wording import counted
from assay.data.bundled_files import read_toml
from assay.data.setting_table import setting_table
from assay.settings import Settings

if TYPE_CHECKING:
    from assay.engine import Gate, GatePolicy
    from assay.engine.gate_watch import Flaky
    from assay.runner.gating import GateRequest

_FLAKY = ("warn", "pass", "fail")
_OPTIONS = (
    click.option(
        "--fail-under",
        multiple=True,
        metavar="GATE",
        help="Exit with 1 unless it holds: 'text.safety>=0.9', 'pass_rate(text.safety)>=95%', "
        "'overall[language=ar]>=0.8 n>=30', 'errors<=1%'. Repeatable.",
    ),
    click.option(
        "--gates",
        default=None,
        metavar="FILE",
        help="A .toml file with more gates: gates = […], optionally min_samples, min_coverage and "
        "flaky.",
    ),
    click.option(
        "--min-samples",
        default=None,
        type=click.IntRange(0),
        help="A gate on fewer samples is undecided, which fails. Default: 0.",
    ),
    click.option(
        "--min-coverage",
        default=None,
        type=click.FloatRange(0, 1),
        help="A gate fails when fewer than this share of the samples that have its metric's inputs "
        "could be scored. Default: 0.9.",
    ),
    click.option(
        "--flaky",
        default=None,
        type=click.Choice(_FLAKY),
        help="What happens to a gate whose 95 % interval contains the limit: its "
        "value decides and a line warns, it passes, it fails. Default: warn.",
    ),
    click.option("--allow-undecided", is_flag=True, help="Let undecided gates pass."),
    click.option(
        "--baseline",
        default=None,
        metavar="RUN|FILE",
        help="Exit with 1 when a metric is clearly worse than in this stored run or .jsonl "
        "file of results.",
    ),
    click.option(
        "--fail-if-worse",
        multiple=True,
        metavar="METRIC[:TOLERANCE]",
        help="Which metrics are compared with the baseline. Default: all. Repeatable.",
    ),
    click.option(
        "--allow-lost",
        default=0,
        show_default=True,
        type=click.IntRange(0),
        help="How many samples may lose the pass that they had in the baseline.",
    ),
    click.option(
        "--ci",
        default="auto",
        type=click.Choice(["auto", "github", "none"]),
        help="Annotate the build and write the step's summary as GitHub reads them. Default: auto, "
        "where $GITHUB_ACTIONS is set.",
    ),
)


@dataclass(frozen=True)
class GateArguments:
    """The options of gates on the command line."""

    fail_under: tuple[str, ...]
    gates: str | None
    min_samples: int | None
    min_coverage: float | None
    flaky: str | None
    allow_undecided: bool
    baseline: str | None
    fail_if_worse: tuple[str, ...]
    allow_lost: int
    ci: str

    def request(self, settings: Settings) -> GateRequest:
        """The gates of a run; a mistake in one is refused before anything is scored."""
        from assay.runner.gating import GateRequest

        file = _read_file(self.gates) if self.gates else {}
        gates = _parse((*settings.gates, *file.get("gates", ()), *self.fail_under))
        if self.fail_if_worse and not self.baseline:
            raise UsageError("--fail-if-worse needs a run to compare with; add --baseline RUN")
        policy = self._policy(settings, file)
        return GateRequest(tuple(gates), policy, self.baseline, self.fail_if_worse, self.allow_lost)

    def _policy(self, settings: Settings, file: Mapping[str, Any]) -> GatePolicy:
        """The command line goes before the file, and the file before the settings."""
        from assay.engine import GatePolicy

        flaky = self.flaky or file.get("flaky", settings.flaky)
        least = file.get("min_samples", settings.min_samples)
        if flaky not in _FLAKY:
            raise ProfileError(f"'flaky' is {flaky!r}; expected one of {', '.join(_FLAKY)}")
        return GatePolicy(
            flaky=cast("Flaky", flaky),
            min_samples=least if self.min_samples is None else self.min_samples,
            allow_undecided=self.allow_undecided,
            min_coverage=(
                file.get("min_coverage", settings.min_coverage)
                if self.min_coverage is None
                else self.min_coverage
            ),
        )


gate_options = bundle("gating", GateArguments, _OPTIONS)
"""Gives a command the options of gates, as one argument `gating`."""


def conclude_gates(
    request: GateRequest, summary: Summary, source: str, *, ci: str, quiet: bool
) -> int:
    """The exit code, with a line for every gate that does not hold for sure."""
    from assay.report.gate_lines import counts, line, noteworthy

    for verdict in noteworthy(summary.gates):
        click.echo(line(verdict), err=True)
    if summary.gates and not quiet:
        click.echo(f"{counts(summary.gates)}.", err=True)
    if summary.errors:
        click.echo(f"{counted(summary.errors, 'score')} failed; the results say how.", err=True)
    _annotate(summary, source, ci)
    if not all(verdict.passes for verdict in summary.gates):
        return 1
    if not summary.gates and is_unscored(summary):
        click.echo("Nothing was scored: no metric found its inputs in the data.", err=True)
        return 2
    return 3 if is_incomplete(request, summary) else 0


def is_unscored(summary: Summary) -> bool:
    """Whether there are samples and no metric has a value or an error for any of them."""
    counts = [a.scored + a.imputed + a.errors for a in summary.metrics.values()]
    return bool(summary.samples and counts) and not any(counts)


def is_incomplete(request: GateRequest, summary: Summary) -> bool:
    """Whether something was not scored that no gate has allowed."""
    allowed = {gate.quantity for gate in request.gates if not gate.metric and not gate.group}
    return bool(
        (summary.errors and "errors" not in allowed) or (summary.unread and "unread" not in allowed)
    )


def _annotate(summary: Summary, source: str, ci: str) -> None:
    """Tell the build server, where there is one."""
    is_github = ci == "github" or (ci == "auto" and os.environ.get("GITHUB_ACTIONS") == "true")
    if not is_github:
        return
    from assay.report.github import build_notes, step_summary

    for note in build_notes(summary, _relative(source)):
        click.echo(note, err=True)
    if path := os.environ.get("GITHUB_STEP_SUMMARY"):
        _append(path, step_summary(summary))


def _parse(texts: tuple[str, ...]) -> list[Gate]:
    from assay.engine import parse_gate

    return list({gate.text: gate for gate in map(parse_gate, texts)}.values())


def _read_file(path: str) -> Mapping[str, Any]:
    """The gates of a file; a key or a value that is none is refused."""
    try:
        table = read_toml(Path(path).read_text(encoding="utf-8"), path)
    except OSError as error:
        raise ProfileError(f"gates {path!r} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ProfileError(f"gates {path!r} are not UTF-8 text") from None
    known = ("gates", "min_samples", "min_coverage", "flaky")
    for name, value in table.items():
        if name not in known:
            raise ProfileError(f"{path}: unknown key {name!r}; expected {', '.join(known)}")
        setting = setting_table()[name]
        if not setting.fits(value):
            raise ProfileError(f"{path}: {name!r} is {value!r}; expected {setting.expected}")
    if not table.get("gates"):
        raise ProfileError(f"{path}: there is no gate in it; expected gates = ['…']")
    return cast("Mapping[str, Any]", table)


def _relative(source: str) -> str:
    """The data's path, where the build server can show it."""
    path = Path(source)
    return source if source != "-" and not path.is_absolute() and path.is_file() else ""


def _append(path: str, text: str) -> None:
    """Add to the step's summary; the verdict of the gates stands even where that fails."""
    try:
        with Path(path).open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text + "\n")
    except OSError as error:
        click.echo(f"The step's summary cannot be written: {error.strerror}.", err=True)
