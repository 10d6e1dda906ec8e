"""Fills the tables of the model card from what is stored with the model.

    python -m training.model_card [--exam tests/exam/exam.jsonl] [PAGE]

Training, files and hashes come from the package's manifest, the figures from
`data/models/combined.json` and `data/measured.toml`, the licences from the package's
`ATTRIBUTION.md`. With `--exam` the product is asked all cases with the installed encoder, and the
tables of what it gets right and wrong are made anew; otherwise they stay.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.exam import DETECTORS, METRICS, RENAMED, read_cases

from assay.data.measured_agreement import measured

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reference" / "model-card.md"
PACKAGE = ROOT / "packages" / "assay-models"
COMBINED = ROOT / "src" / "assay" / "data" / "models" / "combined.json"
WATTS = 700
"""The power limit of one H200; the card was not metered."""
QUESTIONS = {
    "support": "rag.faithfulness",
    "contradiction": "rag.contradiction",
    "correctness": "answer.correctness",
    "relevance": "answer.relevance",
    "refusal": "answer.refusal",
    "injection": "safety.injection (query)",
    "injection_context": "safety.injection (contexts)",
    "toxicity": "safety.toxicity",
    "harm": "safety.harm",
}
"""Combiner → the metric that asks it."""
JOBS = ("correctness", "faithfulness", "relevance", "refusal", "injection", "toxicity")
"""Jobs of the exam whose metrics ask the encoder."""
FAILURES = (
    "own-correctness-024-a",
    "blind1-correctness-030-b",
    "blind8-correctness-en-45-a",
    "own-faith-035-a",
    "blind1-faithfulness-032-b",
    "blind4-faithfulness-040-b",
    "blind6-faithfulness-021-b",
    "everyday2-faithfulness-007-b",
    "relevance-015-a",
    "everyday3-relevance-009-a",
    "review-injection-004-a",
    "own-safety-toxicity-004-b",
    "review-toxicity-005-a",
    "review-refusal-005-b",
)
"""Cases of the exam that stand for kinds of mistakes; those that are right by now are left out."""


class CaseOutcome(NamedTuple):
    """What the product says of a case of the exam."""

    case: Mapping[str, Any]
    value: float | None
    is_right: bool | None
    """None where it is unsure."""


def stored_tables() -> dict[str, str]:
    """The tables that are made from files alone."""
    manifest = json.loads((PACKAGE / "src" / "assay_models" / "manifest.json").read_text("utf-8"))
    figures = json.loads(COMBINED.read_text("utf-8"))
    return {
        "files": files_table(manifest),
        "training": training_table(manifest),
        "sets": sets_table(figures["manifest"]["figures"]),
        "bands": bands_table(figures),
        "open": open_table(figures),
        "arabic": arabic_table(),
        "data": data_table((PACKAGE / "ATTRIBUTION.md").read_text("utf-8")),
    }


def files_table(manifest: Mapping[str, Any]) -> str:
    """The files with their hashes, and the heads in each."""
    rows = []
    for name, digest in manifest["sha256"].items():
        heads = [head for head, entry in manifest["heads"].items() if entry["file"] == name]
        size = (PACKAGE / "src" / "assay_models" / name).stat().st_size
        rows.append((f"`{name}`", f"{size / 1e6:.1f} MB", ", ".join(heads), f"`{digest[:16]}…`"))
    return table(("file", "size", "heads", "sha256"), rows)


def training_table(manifest: Mapping[str, Any]) -> str:
    """How each part was trained, how long that took and how much energy at most."""
    trainings = [
        (name, one)
        for name, entries in manifest["learnt"].items()
        for entry in entries
        for one in (*entry["from"], entry)
    ]
    rows = [
        (
            name,
            entry["device"],
            _epochs(entry),
            f"{entry['steps']:,}",
            f"{entry['rate']:g}",
            f"{entry['seed']}",
            f"{entry['seconds']:.0f} s",
            _energy([entry]),
        )
        for name, entry in trainings
    ]
    total = sum(entry["seconds"] for _, entry in trainings)
    energy = _energy([entry for _, entry in trainings])
    rows.append(("all", "", "", "", "", "", f"{total:.0f} s", energy))
    header = ("part", "device", "epochs", "steps", "rate", "seed", "time", "energy, at most")
    return table(header, rows, right=6)


def _epochs(entry: Mapping[str, Any]) -> str:
    """Those over all examples, and those over the labelled sets and what we wrote."""
    return f"{entry['epochs']} + {entry['own epochs']}"


def _energy(trainings: Iterable[Mapping[str, Any]]) -> str:
    """What the card can have taken; of a processor nothing is known."""
    seconds = sum(one["seconds"] for one in trainings if one["device"] != "CPU")
    return f"{seconds * WATTS / 3.6e6:.3f} kWh" if seconds else "not known"


def sets_table(figures: Mapping[str, Any]) -> str:
    """AUROC of rules, encoder and both on each set."""
    rows = [
        (f"`{metric}`", name, f"{row['records']:,}", *(_area(row[key]) for key in _SIDES))
        for question, metric in QUESTIONS.items()
        for name, row in figures[question].items()
        if isinstance(row, dict)
    ]
    return table(("metric", "set", "records", *_SIDES), rows, right=4)


_SIDES = ("rules", "encoder", "both")


def _area(value: float) -> str:
    return f"{value:.3f}"


def bands_table(combined: Mapping[str, Any]) -> str:
    """Where each metric is unsure, how often it is wrong, and how true its values are."""
    rows = []
    for question, metric in QUESTIONS.items():
        figures = combined["manifest"]["figures"][question]
        entry = combined["combiners"][question]["en"]
        is_needed = figures["wrong of all without a band"] > combined["manifest"]["wrong"]
        low, high = figures["band"]
        rows.append(
            (
                f"`{metric}`",
                _percent(figures["wrong of all without a band"]),
                f"{low:.2f} to {high:.2f}" if is_needed else "not needed",
                _percent(figures["decided"]),
                f"{figures['calibration error']:.3f}",
                f"{figures['largest gap in a set']:.3f}",
                "yes" if entry["calibrated"] else "no",
            )
        )
    header = ("metric", "wrong at one threshold", "10 % wrong outside of", "decided there")
    return table((*header, "calibration error", "largest gap", "calibrated"), rows)


def open_table(combined: Mapping[str, Any]) -> str:
    """Where verdicts are left open, and what that changes on cases of the exam."""
    rows = []
    for question, own in combined["manifest"]["bands"].items():
        band = combined["combiners"][question]["en"]["unsure"]
        before, after = own["without"], own["with"]
        rows.append(
            (
                f"`{QUESTIONS[question]}`",
                f"{own['cases']}",
                f"{band[0]:.2f} to {band[1]:.2f}" if band else "nowhere",
                _percent(before["right"]),
                _percent(before["wrong"]),
                *(_percent(after[name]) for name in ("right", "unsure", "wrong")),
            )
        )
    header = ("metric", "cases", "unsure between", "right without", "wrong without")
    return table((*header, "right", "unsure", "wrong"), rows)


def arabic_table() -> str:
    """What the rules alone are worth in Arabic, where labelled sets say so."""
    metrics = sorted({metric.partition(" ")[0] for metric in QUESTIONS.values()})
    rows = [
        (
            f"`{metric}`",
            one.set,
            f"{one.decisions['ar'].decided:,}",
            f"{one.value:.3f}",
            _percent(1.0 - balanced),
        )
        for metric in metrics
        for one in measured(metric)
        if "ar" in one.decisions and (balanced := one.decisions["ar"].balanced_accuracy) is not None
    ]
    return table(("metric", "set", "Arabic records", "AUROC", "wrong, labels alike"), rows, right=3)


def data_table(attribution: str) -> str:
    """The training sets with their licences, as the package's attribution lists them."""
    listed = attribution.partition("## Training records")[2].partition("### ")[0]
    lines = [line for line in listed.splitlines() if line.startswith("- ")]
    rows = []
    for line in lines:
        text, _, address = line.removeprefix("- ").partition(" Repository: ")
        rows.append((text.rstrip("."), f"<{address.strip()}>"))
    return table(("set, authors and licence", "from"), rows)


def exam_outcomes(path: Path) -> list[CaseOutcome]:
    """The cases whose metrics ask the encoder, with what the product says of them."""
    import assay

    outcomes = []
    for job in JOBS:
        id = METRICS[job]
        cases = [case for case in read_cases(path) if case["job"] == job]
        samples = [
            {**{RENAMED.get(name, name): v for name, v in case["sample"].items()}, "id": case["id"]}
            for case in cases
        ]
        report = assay.evaluate(samples, metrics=[id], encoder="auto", settings=None)
        for case, scores in zip(cases, report.scores, strict=True):
            passed = scores[id].passed
            said = None if passed is None else passed != (job in DETECTORS)
            is_right = None if said is None else said == (case["verdict"] in ("good", "yes"))
            outcomes.append(CaseOutcome(case, scores[id].value, is_right))
    return outcomes


def exam_tables(outcomes: Iterable[CaseOutcome]) -> dict[str, str]:
    """What the product gets right by job, language and phenomenon, and what it gets wrong."""
    known = list(outcomes)
    return {
        "exam": shares_table(known, ("job", "language"), lambda one: True),
        "phenomena": shares_table(
            known, ("job", "phenomenon"), lambda rows: rows["right"] < rows["cases"]
        ),
        "failures": failures_table(known),
    }


def shares_table(
    outcomes: Iterable[CaseOutcome],
    keys: tuple[str, str],
    is_shown: Callable[[Mapping[str, int]], bool],
) -> str:
    """Cases that are right, unsure and wrong by two of their properties."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    words = {True: "right", False: "wrong", None: "unsure"}
    for one in outcomes:
        key = str(one.case[keys[0]]), str(one.case[keys[1]])
        counts.setdefault(key, Counter())[words[one.is_right]] += 1
        counts[key]["cases"] += 1
    rows = [
        (*key, *(str(own[name]) for name in _COUNTS), _percent(own["right"] / own["cases"]))
        for key, own in sorted(counts.items())
        if is_shown(own)
    ]
    return table((*keys, *_COUNTS, "right of all"), rows, right=5)


_COUNTS = ("cases", "right", "unsure", "wrong")


def failures_table(outcomes: Iterable[CaseOutcome]) -> str:
    """Real mistakes: what was asked, and what was said."""
    by_id = {one.case["id"]: one for one in outcomes}
    rows = []
    for id in FAILURES:
        case, value, is_right = by_id[id]
        if is_right or value is None:
            continue
        texts = [
            f"{name}: {_cell(text)}"
            for name, given in case["sample"].items()
            for text in (given if isinstance(given, list) else [given])
        ]
        said = "unsure" if is_right is None else "wrong"
        rows.append((case["job"], "<br>".join(texts), _cell(case["why"]), f"{value:.2f}", said))
    return table(("job", "case", "what people say", "value", "verdict"), rows)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def table(header: Iterable[str], rows: Iterable[Iterable[str]], right: int = 0) -> str:
    """A table in Markdown whose last `right` columns hold numbers."""
    header = list(header)
    rule = ["---"] * (len(header) - right) + ["---:"] * right
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (header, rule, *rows))


def put(page: str, tables: Mapping[str, str]) -> str:
    """The page with the tables in their places."""
    for name, text in tables.items():
        start, end = f"<!-- table: {name} -->\n", "<!-- end -->"
        before, rest = page.split(start, 1)
        page = f"{before}{start}\n{text}\n{end}{rest.split(end, 1)[1]}"
    return page


def main() -> None:
    """Write the tables into the page."""
    parser = argparse.ArgumentParser(prog="python -m training.model_card", description=__doc__)
    parser.add_argument("--exam", type=Path, help="ask the cases of this file")
    parser.add_argument("page", nargs="?", type=Path, default=PAGE)
    given = parser.parse_args()
    tables = stored_tables()
    if given.exam:
        tables |= exam_tables(exam_outcomes(given.exam))
    given.page.write_text(put(given.page.read_text("utf-8"), tables), "utf-8")


if __name__ == "__main__":
    main()
