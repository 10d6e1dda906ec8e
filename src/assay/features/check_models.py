"""What models say for the checks of a record, asked only where a check needs it.

Similarity, refusal and rubrics are those of `answer.similarity`, `answer.refusal` and `judge.*`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from assay.backends import Embedder, Encoder, Judge
from assay.backends.choice import is_configured
from assay.backends.judge_questions import JudgeQuestion, Ruling
from assay.checks.reading import CheckError, RecordCheck, named_rubric, read_checks
from assay.core import DataError, feature
from assay.data.bundled_files import fingerprint, read_bundled_toml
from assay.data.rubrics import Rubric, RubricChoice, Scale
from assay.features.answers import answer_similarity, refusal_probability, similarity_measures
from assay.features.declining import LEXICON, Delivery, response_delivery
from assay.features.encoded import COMBINED, EncoderReading, refusal_reading
from assay.features.readings import read_text, response_refusal
from assay.features.rubric_verdicts import Judged, question_of, quoted_verdicts
from assay.meaning.reading import read
from assay.meaning.refusals import Refusal
from assay.textproc.language import language_of
from assay.textproc.normal import Normal, normalise

MEANING = ("meaning.toml", "wordnet.toml", "quantities.toml")
PROMPT = "prompts/check_rubric.toml"
SHOWN = ("query", "response", "contexts", "conversation", "expected", "tool_calls")
"""Fields that a judge may be shown for a check; each rubric names its own."""
RUBRICS = (
    "rubrics/completeness.toml",
    "rubrics/goal_reached.toml",
    "rubrics/groundedness.toml",
    "rubrics/helpfulness.toml",
    "rubrics/refusal.toml",
    "rubrics/tone.toml",
)
"""What a check may name."""
PASS, FAIL = "pass", "fail"
JUDGED = ("factuality", "g-eval", "llm-rubric")
"""Kinds of checks that the judge decides."""
Place = tuple[int, str]
"""A sample of the batch, and a text of its checks."""


class RefusalParts(NamedTuple):
    """What tells whether a response is a refusal."""

    response: Normal
    refusal: Refusal
    delivery: Delivery
    probability: float
    reading: EncoderReading | None


@feature(data=("checks.toml",))
def record_checks(checks: tuple[Any, ...]) -> tuple[RecordCheck, ...]:
    """The checks of the record, understood."""
    try:
        return read_checks(checks)
    except CheckError as error:
        raise DataError(str(error)) from None


def with_parts(checks: Sequence[RecordCheck]) -> Iterator[RecordCheck]:
    """The checks and all that lie inside them."""
    for check in checks:
        yield check
        yield from with_parts(check.parts)


@feature(
    is_batch=True, data=(*MEANING, "models/similarity.json", "models/similarity_semantic.json")
)
def check_similarities(
    record_checks: list[tuple[RecordCheck, ...]], response: list[str], embedder: Embedder
) -> list[Mapping[str, float | None]]:
    """Text of a check → how similar the response is to it; None where one has no words."""
    wanted = _wanted(record_checks, "similar")
    pairs = [(read_text(response[place]), read_text(text)) for place, text in wanted]
    found: list[dict[str, float | None]] = [{} for _ in response]
    measured = similarity_measures(*map(list, zip(*pairs, strict=True)), embedder) if pairs else ()
    for (place, text), (one, other), measures in zip(wanted, pairs, measured, strict=True):
        is_same = one.text == other.text
        found[place][text] = 1.0 if is_same else answer_similarity(measures)
    return [*found]


@feature(
    is_batch=True,
    data=(
        *MEANING,
        f"patterns/{LEXICON}.toml",
        "models/refusal.json",
        "models/refusal.npz",
        COMBINED,
    ),
)
def check_refusal(
    record_checks: list[tuple[RecordCheck, ...]],
    response: list[str],
    encoder: Encoder,
    query: list[str | None] | None = None,
) -> list[RefusalParts | None]:
    """What tells of refusals, where a check asks for it."""
    queries = query or [None] * len(response)
    asked = [
        place
        for place, checks in enumerate(record_checks)
        if any(check.kind == "is-refusal" for check in with_parts(checks))
    ]
    if not asked:
        return [None] * len(response)
    texts = [response[place] for place in asked]
    codes = list(map(language_of, texts))
    readings = refusal_reading(texts, codes, encoder, [queries[place] for place in asked])
    found: list[RefusalParts | None] = [None] * len(response)
    for place, reading in zip(asked, readings, strict=True):
        found[place] = _refusal(response[place], queries[place], reading)
    return found


def _refusal(response: str, query: str | None, reading: EncoderReading | None) -> RefusalParts:
    normal = normalise(response)
    said = read(normal.text, normal.lower)
    asked = None if query is None else read_text(query)
    refusal = response_refusal(said, asked)
    delivery = response_delivery(normal, said, refusal, asked)
    return RefusalParts(normal, refusal, delivery, refusal_probability(refusal, delivery), reading)


@feature(is_batch=True, data=("degenerate.toml", PROMPT, *RUBRICS), fields=SHOWN)
def check_rulings(
    record_checks: list[tuple[RecordCheck, ...]], judge: Judge, *columns: list[Any] | None
) -> list[Mapping[RecordCheck, Judged]]:
    """Check by a rubric → what the judge says; nothing without a judge."""
    found: list[dict[RecordCheck, Judged]] = [{} for _ in record_checks]
    if not is_configured(judge):
        return [*found]
    given = dict(zip(SHOWN, columns, strict=True))
    questions: list[tuple[int, RecordCheck, JudgeQuestion]] = []
    samples = [
        {name: own[place] for name, own in given.items() if own} for place in range(len(found))
    ]
    for place, checks in enumerate(record_checks):
        for check in with_parts(checks):
            if check.kind in JUDGED and check not in found[place]:
                question = question_of(rubric_of(check), samples[place])
                found[place][check] = None if isinstance(question, JudgeQuestion) else question
                if isinstance(question, JudgeQuestion):
                    questions.append((place, check, question))
    answers = judge.judge([question for *_, question in questions]) if questions else ()
    for (place, check, _), answer in zip(questions, answers, strict=True):
        heard = quoted_verdicts(answer, samples[place]) if isinstance(answer, Ruling) else answer
        found[place][check] = heard
    return [*found]


def rubric_of(check: RecordCheck) -> Rubric:
    """What the judge is asked: a bundled rubric, or pass or fail, or a figure with a threshold."""
    named = named_rubric(check.value) if check.kind == "llm-rubric" else None
    if named is not None:
        return named if check.threshold is None else replace(named, threshold=check.threshold)
    prompt = read_bundled_toml(PROMPT)
    asked = prompt["factuality" if check.kind == "factuality" else "question"].strip()
    question = f"{asked}\n\n{check.value}"
    choices = (RubricChoice(PASS, 1.0, prompt["pass"]), RubricChoice(FAIL, 0.0, prompt["fail"]))
    anchors = ((0.0, prompt["fail"]), (1.0, prompt["pass"]))
    scale = Scale(0.0, 1.0, is_whole=False, anchors=anchors)
    return Rubric(
        name="check",
        title="Whether the response does what the check asks for.",
        question=question,
        inputs=("response",),
        optional=("query", "contexts", "conversation"),
        answers=choices if check.threshold is None else scale,
        polarity="higher",
        threshold=check.threshold,
        degenerate="ask",
        version=1,
        examples=(),
        blind_spots="",
        fingerprint=fingerprint(question),
    )


def _wanted(record_checks: Sequence[tuple[RecordCheck, ...]], kind: str) -> list[Place]:
    """The texts of checks of a kind, each once a sample."""
    return list(
        dict.fromkeys(
            (place, text)
            for place, checks in enumerate(record_checks)
            for check in with_parts(checks)
            if check.kind == kind
            for text in check.value
        )
    )
