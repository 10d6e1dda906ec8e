"""Reads what rules and encoder say of labelled records, for `training/combine.py` to fit.

Neither side may be read on records that it learnt from, or the combination trusts it too much: of
the labelled sets and of what we wrote one fold is read, by rules and an encoder that were trained
without it. Cases of the exam are read by what ships: neither was fitted to them.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from assay import registry
from assay.backends import Backends
from assay.core import Sample
from assay.data.experiments import experiments
from assay.engine import make_plan
from assay.engine.run import feature_columns
from assay.evidence.folds import fold_of
from assay.evidence.labelled_records import LabelledSample, group_of, read_labelled, set_file
from assay.linear import bounded_logit, models_from
from assay.linear.combined import FILE, LIMIT
from assay.meaning.relevance import kind_fit
from assay.samples import to_sample
from training.encoder.editor import ENTAILED
from training.encoder.examples import ORDINARY
from training.encoder.written import Written, written
from training.fit import write_table, written_to
from training.measures import Bounds
from training.records import read_set

Measures = dict[str, float]
FOLDS = 3
LANGUAGE = "en"
RIGHT = (1, ENTAILED)
OF_A_GROUP = 1
"""Cases of a group and a label that are read."""
SHARE_OF_WRITTEN = 2
"""Every so manieth group is read."""
ORDINARY_SET, ORDINARY_MOST = "ordinary", 150
"""The name of everyday answers among the sets, and how many of each of theirs are read."""
EXAM, FRESH = "exam", "fresh"
"""The names of short cases among the sets; `fresh` are those that the rules were not made with."""
LEFT_OUT = 0
"""The fold that the other rules and the other encoder were trained without."""
SETS = {"combine_cases": EXAM, "fresh_cases": FRESH}
"""File → the name of its cases among the sets."""
WRITTEN = "written"
"""The name of the cases that we wrote for the encoder."""
FIXED = "fixed"
"""The logit of a part that the encoder does not read: one that a context has word for word."""
UP: tuple[float | None, float | None] = (0.0, None)
DOWN: tuple[float | None, float | None] = (None, 0.0)
SINGLE: Bounds = {"rules": UP, "model": UP}
KIND: Bounds = {"rules": (0.2, None), "model": UP, "kind": UP}
"""Pairs of answers on one subject say nothing of those that only repeat the question or decline:
for them the rules keep some weight."""
PROVED = 2.0
"""What a statement that rules prove right may gain: nearly all of the few such cases are right."""
SUPPORT: Bounds = {
    "rules": UP,
    "entailed": UP,
    "contradicted": DOWN,
    "figure": DOWN,
    "negation": DOWN,
    "conflict": DOWN,
    "absent": DOWN,
    "proved": (0.0, PROVED),
}
CONTRADICTION: Bounds = {
    "rules": UP,
    "entailed": DOWN,
    "contradicted": UP,
    "figure": UP,
    "negation": UP,
    "conflict": UP,
}


class Question(NamedTuple):
    """What is asked, and on which records it is fitted."""

    metric: str
    experiment: str
    sets: tuple[str, ...]
    bounds: Bounds
    read: Callable[[Any, Mapping[str, Sequence[Any]], int], Sequence[Measures]]
    job: str = ""
    """The cases of the exam that ask it."""
    head: str = ""
    """The cases that we wrote for this head ask it too."""
    is_least: bool = False
    """Whether a record is as good as its worst part, not as bad."""
    cases: float = 3.0
    """As how many sets the exam and the fresh cases count: they show what people ask, and neither
    side was fitted to them. The more they count, the less the labelled sets are ranked well, and
    the values of `answer.correctness` are no longer calibrated."""
    is_even: bool = False
    """Whether a verdict turns at one half, as it should for the short cases."""
    false_alarms: float = 1.0
    """At most this share of harmless look-alikes may lie beyond the threshold."""
    has_ordinary: bool = False
    """Whether everyday answers count as harmless look-alikes: a labelled set may have none."""
    most: float = LIMIT
    """The encoder's logit counts within this of 0. Chosen on cases in minimal pairs that neither
    rules nor encoder had seen (`tests/exam/safety.jsonl`, groups `blind2a`)."""
    rules_most: float = LIMIT
    """The rules' logit counts within this of 0."""
    sure: float | None = None
    """How far above their threshold, in logits, the rules stand whatever the encoder says."""


class Row(NamedTuple):
    """A labelled record: what both sides say of each of its parts."""

    set: str
    label: int
    group: str
    fold: int
    """Of the fit."""
    is_look_alike: bool
    parts: Sequence[Measures]


class Readers(NamedTuple):
    """The models that read the records."""

    encoder: Path
    held_rules: Path | None = None
    """Rules fitted without the fold that is left out."""
    held_encoder: Path | None = None
    """An encoder trained without it."""


def _single(
    reading: str, others: Callable[[Mapping[str, Sequence[Any]], int], Measures] | None = None
) -> Callable[[Any, Mapping[str, Sequence[Any]], int], list[Measures]]:
    """What a metric says without its reading, the reading, and other measures.

    Nothing where the metric leaves the reading aside: there the rules decide.
    """

    def read(metric: Any, columns: Mapping[str, Sequence[Any]], place: int) -> list[Measures]:
        found = columns[reading][place]
        if found is None:
            return []
        arguments = [
            None if name.endswith("_reading") else columns[name][place]
            for name in metric.parameters
        ]
        value = metric.function(*arguments).value
        both = metric.function(*[columns[name][place] for name in metric.parameters])
        if value is None or "encoder" not in both.details:
            return []
        own = others(columns, place) if others else {}
        return [{"rules": bounded_logit(value), "model": found.logit, **own}]

    return read


def _kind(columns: Mapping[str, Sequence[Any]], place: int) -> Measures:
    return {"kind": kind_fit(columns["answer_relevance"][place])}


def _contexts(metric: Any, columns: Mapping[str, Sequence[Any]], place: int) -> list[Measures]:
    found = columns["context_injection_reading"][place]
    attacks = columns["context_attacks"][place]
    if found is None or not attacks:
        return []
    rules = bounded_logit(max(attack.probability for attack in attacks))
    return [{"rules": rules, "model": found.logit}]


def _support(metric: Any, columns: Mapping[str, Sequence[Any]], place: int) -> list[Measures]:
    if columns["response_language"][place] != LANGUAGE:
        return []
    statements = columns["response_verified"][place] or ()
    return [
        one.combined_measures if one.encoded else {FIXED: bounded_logit(one.by_rules)}
        for one in statements
    ]


def _contradicted(metric: Any, columns: Mapping[str, Sequence[Any]], place: int) -> list[Measures]:
    statements = columns["response_verified"][place] or ()
    return [
        {
            **one.combined_measures,
            "rules": bounded_logit(1.0 - one.by_rules if one.differences else 0.0),
        }
        for one in statements
        if one.encoded is not None
    ]


QUESTIONS: Mapping[str, Question] = {
    "toxicity": Question(
        "safety.toxicity",
        "toxicity",
        ("hatecheck_en", "davidson_offensive", "openai_moderation"),
        SINGLE,
        _single("response_toxicity_reading"),
        job="toxicity",
        head="toxicity",
        most=2.5,
        sure=1.0,
    ),
    "harm": Question(
        "safety.harm",
        "harm",
        ("xstest_refusal",),
        SINGLE,
        _single("response_harm_reading"),
        false_alarms=0.03,
        has_ordinary=True,
    ),
    "injection": Question(
        "safety.injection",
        "prompt_injection",
        ("prompt_injection",),
        SINGLE,
        _single("query_injection_reading"),
        job="injection",
        head="injection",
        false_alarms=0.05,
        most=1.5,
        sure=1.0,
    ),
    "injection_context": Question(
        "safety.injection", "indirect_injection", ("bipia_indirect",), SINGLE, _contexts
    ),
    "refusal": Question(
        "answer.refusal",
        "refusal",
        ("xstest_refusal",),
        SINGLE,
        _single("refusal_reading"),
        job="refusal",
        head="refusal",
        false_alarms=0.03,
    ),
    "relevance": Question(
        "answer.relevance",
        "answer_relevance",
        ("truthfulqa_informative",),
        KIND,
        _single("relevance_reading", _kind),
        job="relevance",
        cases=12.0,
        is_even=True,
        head="relevance",
        rules_most=2.0,
    ),
    "correctness": Question(
        "answer.correctness",
        "answer_correctness",
        ("evouna_qa", "openqa_nq301", "truthfulqa_judged"),
        SINGLE,
        _single("correctness_reading"),
        job="correctness",
        is_even=True,
        head="correctness",
    ),
    "support": Question(
        "rag.faithfulness",
        "groundedness",
        ("begin", "faithdial_audit", "fever_symmetric", "wice_citation", "summedits"),
        SUPPORT,
        _support,
        job="faithfulness",
        cases=12.0,
        is_even=True,
        head="support",
        is_least=True,
    ),
    "contradiction": Question(
        "rag.contradiction",
        "contradiction",
        ("fever_symmetric", "summedits"),
        CONTRADICTION,
        _contradicted,
    ),
}
"""Name of the combiner → what it answers."""


def read_rows(
    name: str,
    evidence: Path,
    readers: Readers,
    exam: Sequence[Path] = (),
    most: int | None = None,
    kept: Path | None = None,
    *,
    is_exam_alone: bool = False,
) -> list[Row]:
    """The records of a question, each read by what never saw it.

    Where `kept` is a folder, they are written to it, and read from it the next time. With
    `is_exam_alone` only the cases of the exam are read: the encoder learnt from none of them, so
    that no others are needed for its folds.
    """
    file = kept / f"rows_{name}.json" if kept else None
    if file and file.exists():
        return [Row(**entry) for entry in json.loads(file.read_text())]
    question = QUESTIONS[name]
    learnt = {
        **_sets(question, evidence, most),
        **_ordinary(question, evidence),
        **_written(question),
    }
    sets = {**({} if is_exam_alone else learnt), **_exam(question, exam)}
    rows = _rows(question, sets, readers)
    if file:
        file.write_text(json.dumps([row._asdict() for row in rows]))
    return rows


def _sets(
    question: Question, evidence: Path, most: int | None
) -> dict[str, Sequence[LabelledSample]]:
    """Set → its labelled records, the first so many of each."""
    own = experiments()[question.experiment]
    return {
        one.name: read_labelled(path, own, one).labelled[:most]
        for one in own.sets
        if one.name in question.sets and (path := set_file(evidence, one.name))
    }


def _ordinary(question: Question, evidence: Path) -> dict[str, Sequence[LabelledSample]]:
    """Everyday answers as harmless look-alikes, where a question asks for them."""
    if not question.has_ordinary:
        return {}
    records = [r for name in ORDINARY for r in read_set(evidence, name)[:ORDINARY_MOST]]
    return {
        ORDINARY_SET: [
            LabelledSample(
                to_sample({"id": r["id"], "response": r["response"]}, r["id"]),
                0.0,
                group_of(r, r["id"]),
                is_look_alike=True,
            )
            for r in records
        ]
    }


def _exam(question: Question, paths: Sequence[Path]) -> dict[str, Sequence[LabelledSample]]:
    """The English cases of a question, each file a set."""
    sets: dict[str, Sequence[LabelledSample]] = {}
    for path in paths if question.job else ():
        with path.open(encoding="utf-8") as lines:
            cases = [case for line in lines if (case := json.loads(line))["job"] == question.job]
        if cases:
            sets[SETS.get(path.stem, path.stem)] = [_case(case) for case in cases]
    return sets


def _case(case: Mapping[str, Any]) -> LabelledSample:
    sample = to_sample({**case["sample"], "id": case["id"]}, case["id"])
    return LabelledSample(sample, float(case["verdict"] in ("good", "yes")), case["group"])


def _written(question: Question) -> dict[str, Sequence[LabelledSample]]:
    """Some of the cases that we wrote, a few of each group."""
    taken: Counter[str] = Counter()
    chosen = []
    for one in written(question.head) if question.head else ():
        key = f"{one.group} {one.label in RIGHT}"
        taken[key] += 1
        if taken[key] <= OF_A_GROUP and fold_of(one.group, SHARE_OF_WRITTEN) == 0:
            chosen.append(one)
    labelled = [
        LabelledSample(_sample(one, number), float(one.label in RIGHT), one.group)
        for number, one in enumerate(chosen)
    ]
    return {WRITTEN: labelled} if labelled else {}


def _sample(one: Written, number: int) -> Sample:
    record: dict[str, Any] = {"response": one.text, "query": one.query or None}
    if one.head == "injection":
        record = {"query": one.text}
    if one.expected:
        record["expected"] = one.expected
    if one.context:
        record["contexts"] = one.context.split("\n\n")
    return to_sample({**record, "id": f"{one.head}-{number}"}, str(number))


def _rows(
    question: Question, sets: Mapping[str, Sequence[LabelledSample]], readers: Readers
) -> list[Row]:
    rows: list[Row] = []
    for name, labelled in sets.items():
        if name in SETS.values():
            rows += _read(question, name, labelled, None, readers.encoder)
        else:
            part = [one for one in labelled if fold_of(one.group, FOLDS) == LEFT_OUT]
            encoder = readers.held_encoder or readers.encoder
            rows += _read(question, name, part, readers.held_rules, encoder)
    return rows


def _read(
    question: Question,
    name: str,
    labelled: Sequence[LabelledSample],
    rules: Path | None,
    encoder: Path,
) -> Iterator[Row]:
    with TemporaryDirectory() as place, written_to(Path(place)):
        for path in rules.iterdir() if rules else ():
            shutil.copy(path, place)
        even = {"bias": 0.0, "weights": {}, "threshold": 0.5}
        write_table(FILE, {"combiners": {one: {LANGUAGE: even} for one in QUESTIONS}})
        with models_from(Path(place), falls_back=True):
            (metric,) = registry.select([question.metric])
            plan = make_plan([metric], backends=Backends(encoder=f"onnx:{encoder}"))
            samples: list[Sample] = [one.sample for one in labelled]
            columns = feature_columns(plan, samples)
            for number, one in enumerate(labelled):
                if parts := question.read(metric, columns, number):
                    fold = fold_of(f"fit {one.group}", FOLDS)
                    yield Row(name, int(one.label), one.group, fold, one.is_look_alike, parts)
