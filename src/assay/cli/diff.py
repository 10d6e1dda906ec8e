"""`assay diff`: compare JSON outputs with their ground truth, field by field."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.backends import Backends
from assay.cli.console import console
from assay.cli.options import (
    config_option,
    embedder_option,
    environment_option,
    json_option,
    profile_option,
    read_settings,
    repair_option,
    strategies_option,
)
from assay.core import SampleError, UsageError
from assay.core.json_result import JsonBatch, JsonComparison
from assay.core.jsontext import dumps
from assay.data.json_options import JsonOptions
from assay.samples.json_pairs import (
    LINES,
    JsonPair,
    folder_pairs,
    match_folders,
    read_outputs,
    read_text,
    record_pairs,
)

if TYPE_CHECKING:
    from assay.engine import Gate


@click.command("diff")
@click.argument("gt", metavar="[EXPECTED]", required=False)
@click.argument("aio", metavar="[ACTUAL]...", nargs=-1)
@click.option(
    "--pairs",
    default=None,
    metavar="FILE",
    help="Compare the pairs of a .jsonl file: each record has expected_json (gt) and response_json "
    "(aio, response); - is standard input.",
)
@strategies_option
@profile_option
@click.option("--nested", is_flag=True, help="Compare nested values too, by path.")
@click.option(
    "--list-alignment",
    default=None,
    type=click.Choice(("order", "best", "key")),
    help="With --nested, how list items are matched: those at the same position, "
    "those that are most similar, or those with the same --list-key. Default: order.",
)
@click.option(
    "--list-key",
    default=None,
    metavar="FIELD",
    help="The field that identifies list items; implies --list-alignment key.",
)
@repair_option
@embedder_option
@click.option(
    "--judge",
    default=None,
    metavar="[openai:]URL#MODEL",
    help="The language model that compares FUZZY and SEMANTIC fields; its key is "
    "$ASSAY_JUDGE_KEY. Default: none.",
)
@click.option(
    "--fail-under",
    multiple=True,
    metavar="GATE",
    help="Exit with 1 unless it holds, and with 0 if all hold even if fields differ: 'rqs>=0.8', "
    "'accuracy>=0.9', 'hallucination<=0.1'; for several outputs the mean. Repeatable.",
)
@click.option("--all", "show_all", is_flag=True, help="Also show the fields that match.")
@config_option
@environment_option
@json_option
def command(
    gt: str | None,
    aio: tuple[str, ...],
    pairs: str | None,
    strategies: str | None,
    profile: str | None,
    nested: bool,
    list_alignment: str | None,
    list_key: str | None,
    repair: bool,
    embedder: str | None,
    judge: str | None,
    fail_under: tuple[str, ...],
    show_all: bool,
    config: str | None,
    environment: str | None,
    as_json: bool,
) -> int:
    """Compare the JSON document ACTUAL with the document EXPECTED, field by field.

    Both are .json files, of which one may be - for standard input, or two folders whose files are
    matched by name. Several ACTUAL files, or a .jsonl file with one output per line, are ranked.

    \b
    assay diff expected.json answer.json
    assay diff expected.json answer.json --nested --list-key id --all
    assay diff expected.json try1.json try2.json try3.json
    assay diff expected.json answer.json --judge http://127.0.0.1:8000/v1#my-model
    assay diff expected/ answers/ --strategies fields.json --fail-under 'rqs>=0.8'
    ask-model | assay diff expected.json - --repair --json

    Exit codes: 0 the documents agree, or all gates hold; 1 a field differs, or a gate fails;
    2 usage or configuration error; 3 something could not be read or scored.
    """
    from assay.runner.job import make_job

    gates = _gates(fail_under)
    settings = read_settings(
        config, environment, profile=profile, embedder=embedder, judge=_judge(judge)
    )
    chosen = make_job(settings, strategies=strategies).profile
    options = _options(chosen.json_options, nested, list_alignment, list_key)
    compare = _Comparer(options, settings.backends(), repair)
    outcome = _compare(compare, gt, aio, pairs)
    if as_json:
        click.echo(dumps(outcome.to_json(), indent=2))
    else:
        outcome.print(show_all=show_all)
    for problem in outcome.problems:
        _warn(f"Not compared: {problem}")
    return _verdict(outcome, gates)


@dataclass(frozen=True)
class _Comparer:
    """How documents are compared in this call."""

    options: JsonOptions
    backends: Backends
    repair: bool

    def one(self, ground_truth: Any, output: Any) -> JsonComparison:
        from assay.runner.json_calls import compare_json

        return compare_json(ground_truth, output, **vars(self))

    def several(self, ground_truth: Any, outputs: list[str]) -> JsonBatch:
        from assay.runner.json_calls import compare_json_batch

        return compare_json_batch(ground_truth, outputs, **vars(self))


@dataclass
class _Outcome:
    """All that was compared, and what could not be."""

    compared: list[tuple[str, JsonComparison]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    unmatched: dict[str, list[str]] = field(default_factory=dict)
    batch: JsonBatch | None = None
    is_single: bool = False

    def mean(self, score: str) -> float | None:
        """The mean of a score; a batch has one consistency of its own."""
        if self.batch and score == "consistency":
            return self.batch.consistency
        numbers = [getattr(comparison, score) for _, comparison in self.compared]
        values = [value for value in numbers if value is not None]
        return sum(values) / len(values) if values else None

    def to_json(self) -> dict[str, Any]:
        """What `--json` prints: one comparison, a batch, or many pairs with their means."""
        if self.is_single:
            comparisons = [comparison.to_json() for _, comparison in self.compared]
            return comparisons[0] if comparisons else {"error": "; ".join(self.problems)}
        names = [name for name, _ in self.compared]
        if self.batch:
            return {"outputs": names, **self.batch.to_json(), "problems": self.problems}
        return {
            "pairs": [
                {"name": name, **comparisons.to_json()} for name, comparisons in self.compared
            ],
            "means": self._means(),
            "unmatched": self.unmatched,
            "problems": self.problems,
        }

    def print(self, *, show_all: bool) -> None:
        """Show it on the terminal."""
        from assay.report import json_table

        output = console()
        if self.batch:
            names = [name for name, _ in self.compared]
            json_table.print_batch(self.batch, names, output, show_all=show_all)
        elif self.is_single:
            for _, comparison in self.compared:
                json_table.print_comparison(comparison, output, show_all=show_all)
        else:
            json_table.print_list(self.compared, output, show_all=show_all)
            json_table.print_means(self._means(), output)

    def _means(self) -> dict[str, float | None]:
        from assay.report.json_table import SCORES

        return {score: self.mean(score) for score in SCORES if score != "consistency"}


def _options(
    options: JsonOptions, nested: bool, list_alignment: str | None, list_key: str | None
) -> JsonOptions:
    """The profile's options with what the command line says."""
    overrides: dict[str, Any] = {}
    if nested:
        overrides["depth"] = "nested"
    if list_key:
        overrides |= {"list_key": list_key, "list_alignment": "key"}
    if list_alignment:
        overrides["list_alignment"] = list_alignment
    return replace(options, **overrides)


def _compare(
    compare: _Comparer, gt: str | None, aio: tuple[str, ...], pairs: str | None
) -> _Outcome:
    """Read what the arguments name, and compare it."""
    if pairs is not None:
        if gt is not None:
            raise click.UsageError("--pairs stands alone; leave out GT and AIO.")
        return _many(compare, record_pairs(pairs))
    if gt is None or not aio:
        raise click.UsageError("expected GT and AIO, or --pairs FILE; --help shows examples.")
    if (gt, *aio).count("-") > 1:
        raise click.UsageError("standard input (-) can be read once only.")
    are_folders = [Path(path).is_dir() for path in (gt, *aio)]
    if not any(are_folders):
        is_single = len(aio) == 1 and not aio[0].lower().endswith(LINES)
        return (_single if is_single else _several)(compare, gt, aio)
    if not all(are_folders) or len(aio) != 1:
        raise click.UsageError("expected files, or two folders; found both.")
    folders = match_folders(gt, aio[0])
    outcome = _many(compare, folder_pairs(folders))
    outcome.unmatched = {gt: list(folders.only_ground_truths), aio[0]: list(folders.only_outputs)}
    for folder, names in outcome.unmatched.items():
        for name in names:
            _warn(f"Only in {folder}: {name}")
    return outcome


def _single(compare: _Comparer, gt: str, aio: tuple[str, ...]) -> _Outcome:

    outcome = _Outcome(is_single=True)
    try:
        comparison = compare.one(read_text(gt), read_text(aio[0]))
    except SampleError as error:
        outcome.problems.append(str(error))
    else:
        outcome.compared.append((aio[0], comparison))
    return outcome


def _several(compare: _Comparer, gt: str, aio: tuple[str, ...]) -> _Outcome:

    outcome = _Outcome()
    try:
        ground_truth, outputs = read_text(gt), read_outputs(aio)
        outcome.batch = compare.several(ground_truth, [output.text for output in outputs])
    except SampleError as error:
        outcome.problems.append(str(error))
    else:
        names = (output.name for output in outputs)
        outcome.compared = list(zip(names, outcome.batch.results, strict=True))
    return outcome


def _many(compare: _Comparer, pairs: Iterable[JsonPair | SampleError]) -> _Outcome:

    outcome = _Outcome()
    for pair in pairs:
        if isinstance(pair, SampleError):
            outcome.problems.append(str(pair))
            continue
        try:
            comparison = compare.one(pair.ground_truth, pair.output)
        except SampleError as error:
            outcome.problems.append(f"{pair.name}: {error}")
        else:
            outcome.compared.append((pair.name, comparison))
    return outcome


def _judge(given: str | None) -> str | None:
    """The judge as settings name it; an address alone is that of a chat endpoint."""
    is_address = given is not None and given.startswith(("http://", "https://"))
    return f"openai:{given}" if is_address else given


def _gates(texts: tuple[str, ...]) -> list[Gate]:
    """The conditions, each on a score of the comparison."""
    from assay.engine import parse_gate
    from assay.report.json_table import SCORES

    gates = [parse_gate(text) for text in texts]
    for gate in gates:
        if gate.quantity != "mean" or gate.metric.removeprefix("json.") not in SCORES:
            raise UsageError(f"gate {gate.text!r}: expected one of {', '.join(SCORES)}")
    return gates


def _verdict(outcome: _Outcome, gates: list[Gate]) -> int:
    """The exit code, with a line for every gate that does not hold."""
    from assay.report.json_table import differences

    failed = 0
    for gate in gates:
        value = outcome.mean(gate.metric.removeprefix("json."))
        if not gate.accepts(value):
            problem = "there is no value" if value is None else f"it is {value:.4f}"
            _warn(f"Gate failed: {gate.text}; {problem}")
            failed += 1
    if failed:
        return 1
    lone = any(outcome.unmatched.values())
    unscored = any(
        c.error or (c.accuracy is None and not c.is_vacuous) for _, c in outcome.compared
    )
    if outcome.problems or unscored or (gates and lone):
        return 3
    return int(not gates and (lone or any(differences(c) for _, c in outcome.compared)))


def _warn(line: str) -> None:
    from assay.report.safe_text import one_line

    click.echo(one_line(line, 1000), err=True)
