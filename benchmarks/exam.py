"""The common-sense exam: `python -m benchmarks.exam [FILE]`.

Short cases in minimal pairs on which any careful person agrees at once. Each is asked of the metric
that users get for its job, at its default threshold; an `unsure` verdict and no verdict count as
wrong. Printed are the accuracy by job, language and phenomenon, and how often all cases of a pair
are right. A coin gets 50 %.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
}
"""Job → the metric that is asked; `json_field` is asked of `assay.compare_json`."""
DETECTORS = ("refusal", "injection", "toxicity", "pii")
"""Jobs whose metric finds something: "yes" is a value on the far side of the threshold."""
RENAMED = {"calls": "tool_calls", "expected_calls": "expected_tool_calls"}


@dataclass(frozen=True, slots=True)
class Answer:
    """A case and whether the product is right about it."""

    case: Mapping[str, Any]
    is_right: bool
    said: str
    """The explanation of the score."""


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
    return Answer(case, _verdict(case["job"], result) is expected, result.explanation)


def _verdict(job: str, result: Result) -> bool | None:
    """What the metric says of the case; None where it does not decide."""
    if result.passed is None:
        return None
    return not result.passed if job in DETECTORS else result.passed


def accuracy(
    answers: Iterable[Answer], key: Callable[[Mapping[str, Any]], str]
) -> dict[str, float]:
    """The share of right answers by a property of their cases."""
    groups: dict[str, list[bool]] = defaultdict(list)
    for answer in answers:
        groups[key(answer.case)].append(answer.is_right)
    return {name: sum(own) / len(own) for name, own in sorted(groups.items())}


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
        for name, share in accuracy(answers, key).items():
            print(f"  {name:45} {share:6.1%}")
    right = sum(answer.is_right for answer in answers)
    print(f"pairs right: {pairs_right(answers):.1%}")
    print(f"right: {right} of {len(answers)}, {right / len(answers):.1%}")
    for answer in answers:
        if options.wrong and not answer.is_right:
            case = answer.case
            sample = json.dumps(case["sample"], ensure_ascii=False)
            print(
                f"wrong: {case['id']} ({case['verdict']}: {case['why']}) {sample}\n  {answer.said}"
            )


if __name__ == "__main__":
    main()
