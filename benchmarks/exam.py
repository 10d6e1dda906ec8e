"""The common-sense exam: `python -m benchmarks.exam [FILE]`.

Short cases in minimal pairs on which any careful person agrees at once. Each is asked of the metric
that users get for its job, at its default threshold. Printed are the shares of right, unsure and
wrong cases by job, language and phenomenon, and how often all cases of a pair are right. No verdict
counts as unsure. A coin gets 50 %.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import assay
from assay.core import Result

FOLDER = Path(__file__).parent.parent / "tests" / "exam"
FILE = FOLDER / "exam.jsonl"
METRICS = {
    "correctness": "answer.correctness",
    "faithfulness": "rag.faithfulness",
    "relevance": "answer.relevance",
    "refusal": "answer.refusal",
    "injection": "safety.injection",
    "toxicity": "safety.toxicity",
    "pii": "safety.pii",
    "tool_calls": "agent.tool_calls",
    "language": "answer.language",
    "secrets": "safety.secrets",
    "harm": "safety.harm",
    "bias": "safety.bias",
}
"""Job → the metric that is asked; `json_field` is asked of `assay.compare_json`."""
DETECTORS = ("refusal", "injection", "toxicity", "pii", "secrets", "harm", "bias")
"""Jobs whose metric finds something: "yes" is a value on the far side of the threshold."""
RENAMED = {"calls": "tool_calls", "expected_calls": "expected_tool_calls"}


@dataclass(frozen=True, slots=True)
class Answer:
    """A case and whether the product is right about it."""

    case: Mapping[str, Any]
    is_right: bool
    said: str
    """The explanation of the score."""
    is_unsure: bool = False
    """Whether it does not decide."""


def read_cases(path: Path = FILE) -> list[dict[str, Any]]:
    """The cases of a file, one JSON object a line."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def all_cases() -> list[dict[str, Any]]:
    """The cases of all files of the exam."""
    return [case for path in sorted(FOLDER.glob("*.jsonl")) for case in read_cases(path)]


def ask(case: Mapping[str, Any]) -> Answer:
    """Ask the product about one case."""
    expected = case["verdict"] in ("good", "yes")
    if case["job"] == "json_field":
        name, sample = case["sample"]["field"], case["sample"]
        found = assay.compare_json({name: sample["expected"]}, {name: sample["actual"]})
        said = "; ".join(score.explanation for score in found.field_scores)
        return Answer(case, (found.accuracy == 1.0) == expected, said)
    id = METRICS[case["job"]]
    fields = {RENAMED.get(name, name): value for name, value in case["sample"].items()}
    result = assay.score(metrics=[id], **fields)[id]
    verdict = _verdict(case["job"], result)
    return Answer(case, verdict is expected, result.explanation, verdict is None)


def _verdict(job: str, result: Result) -> bool | None:
    """What the metric says of the case; None where it does not decide."""
    if result.passed is None:
        return None
    return not result.passed if job in DETECTORS else result.passed


def accuracy(
    answers: Iterable[Answer], key: Callable[[Mapping[str, Any]], str]
) -> dict[str, float]:
    """The share of right answers by a property of their cases."""
    return {name: own.right for name, own in outcomes(answers, key).items()}


class Outcome(NamedTuple):
    """The shares of cases, from 0 to 1."""

    right: float
    unsure: float
    wrong: float


def outcomes(
    answers: Iterable[Answer], key: Callable[[Mapping[str, Any]], str]
) -> dict[str, Outcome]:
    """How cases come out, by a property of theirs."""
    groups: dict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        groups[key(answer.case)].append(answer)
    return {name: _outcome(own) for name, own in sorted(groups.items())}


def _outcome(answers: Sequence[Answer]) -> Outcome:
    count = len(answers)
    right = sum(answer.is_right for answer in answers)
    unsure = sum(answer.is_unsure for answer in answers)
    return Outcome(right / count, unsure / count, (count - right - unsure) / count)


def pairs_right(answers: Iterable[Answer]) -> float:
    """The share of groups of cases that are right as a whole."""
    groups: dict[str, list[bool]] = defaultdict(list)
    for answer in answers:
        groups[answer.case["group"]].append(answer.is_right)
    return sum(map(all, groups.values())) / len(groups)


def main() -> None:
    """Ask all cases of a file and print how many are right."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.exam", description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="default: all of the exam")
    parser.add_argument("--wrong", action="store_true", help="print the cases that are wrong")
    options = parser.parse_args()
    cases = read_cases(options.file) if options.file else all_cases()
    answers = [ask(case) for case in cases]
    for title, key in (
        ("job", lambda case: case["job"]),
        ("language", lambda case: case["language"]),
        ("phenomenon", lambda case: f"{case['job']}: {case['phenomenon']}"),
    ):
        print(f"by {title}")
        for name, own in outcomes(answers, key).items():
            print(f"  {name:45} {own.right:6.1%} unsure {own.unsure:6.1%} wrong {own.wrong:6.1%}")
    right = sum(answer.is_right for answer in answers)
    print(f"pairs right: {pairs_right(answers):.1%}")
    print(f"right: {right} of {len(answers)}, {right / len(answers):.1%}")
    for answer in answers:
        if options.wrong and not answer.is_right:
            case, word = answer.case, "unsure" if answer.is_unsure else "wrong"
            sample = json.dumps(case["sample"], ensure_ascii=False)
            why = f"{case['verdict']}: {case.get('why', '')}"
            print(f"{word}: {case['id']} ({why}) {sample}\n  {answer.said}")


if __name__ == "__main__":
    main()
