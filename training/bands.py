"""Chooses where rules and encoder together are unsure (`unsure` in `data/models/combined.json`).

    python -m training.bands --encoder DIR [NAME ...]

The English cases of the exam and `training/fresh_cases.jsonl` are asked: short texts that the
encoder never learnt from, unlike the labelled sets, on which its verdicts are too good. By Chow's
rule a verdict is better left open where it is wrong more often than a verdict left open costs, in
wrong ones (`COST`). Rules and thresholds were made with the cases of the exam in view, so that on
others more verdicts are wrong.

Printed, and kept in the manifest, are the shares of all cases that are right, unsure and wrong
without a band and with one that was chosen on other groups of cases. Where the latter costs as much
as none, there is none.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.exam import DETECTORS, RENAMED, all_cases, read_cases

from assay import registry
from assay.backends import Backends
from assay.core import Result
from assay.core.metric import judge
from assay.engine import make_plan
from assay.engine.run import feature_columns
from assay.evidence.folds import fold_of
from assay.linear.combined import FILE
from assay.samples import to_sample
from training.combine_rows import LANGUAGE, QUESTIONS
from training.fit import FOLDER, write_table, written_to

COST = 1 / 3
"""What a verdict that is left open costs, where a wrong one costs 1."""
STEP = 0.1
"""Ends are multiples of it: the cases are too few for finer ones."""
FRESH = Path(__file__).parent / "fresh_cases.jsonl"
"""Cases that the rules were not made with; those that the exam has too count twice."""
FOLDS = 2
BATCH = 32

Band = tuple[float, float] | None


class CaseVerdict(NamedTuple):
    """What the product says of a case without a band, and where a band would look."""

    group: str
    value: float
    """Of rules and encoder together."""
    is_right: bool
    is_open: bool
    """Whether a band counts: not where the rules decide alone, or both say the same."""


class Shares(NamedTuple):
    """How many of all cases are right, unsure and wrong, from 0 to 1."""

    right: float
    unsure: float
    wrong: float


def chosen(verdicts: Sequence[CaseVerdict], threshold: float) -> Band:
    """The ends around a threshold that cost least; None where leaving nothing open does.

    Of bands that cost the same the widest is taken: on other cases more is wrong nearby.
    """
    steps = [round(number * STEP, 2) for number in range(round(1 / STEP) + 1)]
    ends = [(low, high) for low in steps if low < threshold for high in steps if high > threshold]
    best = min(ends, key=lambda band: (round(cost(_with(verdicts, band)), 6), band[0] - band[1]))
    return best if cost(_with(verdicts, best)) < cost(_with(verdicts, None)) else None


def cost(own: Shares) -> float:
    """What wrong verdicts and those that are left open cost together, a case in the mean."""
    return own.wrong + COST * own.unsure


def _with(verdicts: Sequence[CaseVerdict], band: Band) -> Shares:
    return shares([(one, band) for one in verdicts])


def shares(judged: Sequence[tuple[CaseVerdict, Band]]) -> Shares:
    """How cases come out, each with a band or without one."""
    count = max(1, len(judged))
    unsure = sum(_is_unsure(one, band) for one, band in judged)
    right = sum(one.is_right and not _is_unsure(one, band) for one, band in judged)
    return Shares(right / count, unsure / count, (len(judged) - unsure - right) / count)


def held_out(verdicts: Sequence[CaseVerdict], threshold: float) -> list[tuple[CaseVerdict, Band]]:
    """The cases, each with a band that was chosen on other groups."""
    judged: list[tuple[CaseVerdict, Band]] = []
    for number in range(FOLDS):
        is_own = [fold_of(one.group, FOLDS) == number for one in verdicts]
        others = [one for one, own in zip(verdicts, is_own, strict=True) if not own]
        band = chosen(others, threshold)
        judged += [(one, band) for one, own in zip(verdicts, is_own, strict=True) if own]
    return judged


def _is_unsure(one: CaseVerdict, band: Band) -> bool:
    return band is not None and one.is_open and band[0] < one.value < band[1]


def read(name: str, entry: Mapping[str, Any], encoder: Path) -> list[CaseVerdict]:
    """What the product says of the cases of a question, with no band and with the widest one."""
    question = QUESTIONS[name]
    known = [*all_cases(), *read_cases(FRESH)]
    cases = [c for c in known if c["job"] == question.job and c["language"] == LANGUAGE]
    decided = _results(name, cases, {**entry, "unsure": None}, encoder)
    opened = _results(name, cases, {**entry, "unsure": [0.0, 1.0]}, encoder)
    return [
        CaseVerdict(case["group"], wide.value, _is_right(case, result), wide.unsure is not None)
        for case, result, wide in zip(cases, decided, opened, strict=True)
        if result.value is not None and wide.value is not None
    ]


def _results(
    name: str, cases: Sequence[Mapping[str, Any]], entry: Mapping[str, Any], encoder: Path
) -> list[Result]:
    """The results of a question's metric on cases, with another entry for its combiner."""
    table = json.loads((FOLDER / FILE).read_text("utf-8"))
    combiners = {**table["combiners"], name: {LANGUAGE: entry}}
    with TemporaryDirectory() as place, written_to(Path(place)):
        write_table(FILE, {**table, "combiners": combiners})
        return [*_asked(QUESTIONS[name].metric, cases, encoder)]


def _asked(id: str, cases: Sequence[Mapping[str, Any]], encoder: Path) -> Iterator[Result]:
    (metric,) = registry.select([id])
    plan = make_plan([metric], backends=Backends(encoder=f"onnx:{encoder}"))
    for start in range(0, len(cases), BATCH):
        batch = cases[start : start + BATCH]
        columns = feature_columns(plan, [_sample(case) for case in batch])
        for place in range(len(batch)):
            result = metric.function(*[columns[one][place] for one in metric.parameters])
            threshold = metric.threshold if result.threshold is None else result.threshold
            yield result._replace(threshold=threshold)


def _sample(case: Mapping[str, Any]) -> Any:
    fields = {RENAMED.get(name, name): value for name, value in case["sample"].items()}
    return to_sample({**fields, "id": case["id"]}, case["id"])


def _is_right(case: Mapping[str, Any], result: Result) -> bool:
    is_detector = case["job"] in DETECTORS
    assert result.value is not None
    verdict = judge(result.value, result.threshold, "lower" if is_detector else "higher")
    says_yes = (verdict == "fail") if is_detector else (verdict == "pass")
    return says_yes == (case["verdict"] in ("good", "yes"))


def _rounded(own: Shares) -> dict[str, float]:
    return {name: round(share, 3) for name, share in own._asdict().items()}


def main() -> None:
    """Choose the bands of the named questions, or of all that the exam asks, and write them."""
    names = [name for name, question in QUESTIONS.items() if question.job]
    parser = argparse.ArgumentParser(prog="python -m training.bands", description=__doc__)
    parser.add_argument("--encoder", type=Path, required=True, help="folder of the encoder")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}")
    given = parser.parse_args()
    if unknown := {*given.names} - {*names}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; expected of {', '.join(names)}")
    table = json.loads((FOLDER / FILE).read_text("utf-8"))
    bands = table["manifest"].setdefault("bands", {})
    for name in given.names or names:
        entry = table["combiners"][name][LANGUAGE]
        verdicts = read(name, entry, given.encoder)
        without = _with(verdicts, None)
        others = shares(held_out(verdicts, entry["threshold"]))
        is_used = cost(others) < cost(without)
        band = chosen(verdicts, entry["threshold"]) if is_used else None
        entry["unsure"] = band and [*band]
        bands[name] = {
            "cases": len(verdicts),
            "without": _rounded(without),
            "with": _rounded(others),
        }
        print(name, band, bands[name])
    write_table(FILE, table)


if __name__ == "__main__":
    main()
