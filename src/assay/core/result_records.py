"""The records of a file of results, in which nothing is said twice.

A record is `{"id": …, "metrics": {…}, "scores": {metric: {…}}}`; one of several answers to a
question names that under `repeat_of`. The first record that has a score
of a metric declares the metric under `metrics`: signature, threshold, unit, range, polarity, and
whether it gates; other records have no `metrics`. That first score has all fields, as an example
of the rest; others leave out what is null or empty, and what their metric's declaration says
already. Their evidence is grouped, as `span_groups` does it.

Where reasons are left out (`failing`, `values`), a record has two columns instead of scores:
`values`, a value or null for each metric in the order of their declarations, and `verdicts`, one
letter for each. A score that these do not tell whole stands under `scores`, without what follows
from the rest: the quality from the value, `passed` from the verdict, and the state, which is `ok`
with a value and `missing` without one.

`DeclaredMetrics` reads this form and the older ones: form 2, in which spans are objects, and the
first one, which repeats all fields in every score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple, get_args

from assay.core.jsontext import dumps
from assay.core.metric import Polarity, Range, quality_of
from assay.core.result import PASSED, Result, Scores, Span, State, Verdict, span_groups, spans_json
from assay.core.sample import REPEAT_OF, Sample, question_in

Detail = Literal["full", "failing", "values"]
"""Which scores have their reasons: all, those that did not pass, or none."""
DETAILS: tuple[Detail, ...] = get_args(Detail)
FORM = 3
"""The form of the records, which the first one states."""
_LEAN_FORMS = (2, FORM)
"""The forms in which scores leave out what is said elsewhere."""
LETTERS: Mapping[Verdict | None, str] = {"pass": "p", "fail": "f", "unsure": "u", None: "-"}
_VERDICTS = {letter: verdict for verdict, letter in LETTERS.items()}
ELSEWHERE = "."
"""The letter of a metric whose score stands under `scores`, or that has none."""
_POLARITIES: Mapping[str, Polarity] = {name: name for name in get_args(Polarity)}


class Declaration(NamedTuple):
    """What holds for all scores of a metric, unless one says otherwise."""

    signature: str
    threshold: float | None
    gates: bool
    range: Range | None
    """None where the metric is not known here."""
    polarity: Polarity | None

    def quality(self, value: float | None) -> float | None:
        """The quality that follows from a value."""
        if value is None or self.range is None or self.polarity is None:
            return None
        return quality_of(value, self.range, self.polarity)


class MetricFacts(NamedTuple):
    """What is known of a metric besides its scores."""

    unit: str = ""
    range: Range | None = None
    polarity: Polarity | None = None


class ResultRecords:
    """Makes the records of one file, in order.

    `declared` are declarations that are known before; those of other metrics are taken from their
    first score.
    """

    def __init__(
        self,
        facts_of: Callable[[str], MetricFacts],
        detail: Detail = "full",
        declared: Mapping[str, Declaration] | None = None,
    ) -> None:
        self._facts_of = facts_of
        self._detail = detail
        self._known = dict(declared or {})
        self._order: dict[str, int] = {}
        """The metrics that were declared, with their places."""

    def declare(self, ids: Iterable[str]) -> None:
        """Take metrics as declared: by a record that is written elsewhere."""
        for id in ids:
            self._order.setdefault(id, len(self._order))

    def text(self, sample: Sample, scores: Scores) -> str:
        """The record of one sample as compact JSON."""
        return dumps(self.record(sample, scores), is_compact=True)

    def record(self, sample: Sample, scores: Scores) -> dict[str, Any]:
        """The record of one sample."""
        results, order = scores.results, self._order
        new = [id for id in results if id not in order]
        record: dict[str, Any] = {"id": scores.id}
        if (question := question_in(sample.metadata)) is not None:
            record[REPEAT_OF] = question
        if new:
            record |= {} if order else {"form": FORM}
            record["metrics"] = {id: self._declaration(id, results[id]) for id in new}
            self.declare(new)
        if self._detail == "full":
            known = self._known
            record["scores"] = {
                id: result.to_json() if id in new else _score(result, known[id], is_lean=False)
                for id, result in results.items()
            }
            return record
        return record | self._columns(results)

    def _declaration(self, id: str, result: Result) -> dict[str, Any]:
        facts = self._facts_of(id)
        own = self._known.setdefault(
            id,
            Declaration(
                result.signature, result.threshold, result.gates, facts.range, facts.polarity
            ),
        )
        declaration = {
            "signature": own.signature,
            "threshold": own.threshold,
            "unit": facts.unit,
            "gates": own.gates,
            "range": None if own.range is None else [*own.range],
            "polarity": own.polarity,
        }
        return {name: value for name, value in declaration.items() if value not in (None, "")}

    def _columns(self, results: Mapping[str, Result]) -> dict[str, Any]:
        """Values and verdicts by the place of their metrics, and the scores that say more."""
        values: list[float | None] = [None] * len(self._order)
        letters = [ELSEWHERE] * len(self._order)
        scores: dict[str, dict[str, Any]] = {}
        for id, result in results.items():
            declared = self._known[id]
            if self._detail == "failing" and needs_reason(result):
                scores[id] = _score(result, declared, is_lean=True)
            elif _is_told_by_columns(result, declared):
                place = self._order[id]
                values[place], letters[place] = result.value, LETTERS[result.verdict]
            else:
                scores[id] = _brief(_score(result, declared, is_lean=True))
        columns = {"values": values, "verdicts": "".join(letters)}
        return {**columns, "scores": scores} if scores else columns


def _score(result: Result, declared: Declaration, *, is_lean: bool) -> dict[str, Any]:
    """A score as a file states it after its metric was declared.

    A lean one leaves out quality, `passed` and state where they follow from the rest.
    """
    value, explanation, evidence, details, state, passed, _, quality = result[:8]
    threshold, signature, verdict, gates = result[8:12]
    score: dict[str, Any] = {}
    if value is not None:
        score["value"] = value
    if quality != declared.quality(value) or (not is_lean and quality is not None):
        score["quality"] = quality
    if passed != PASSED.get(verdict) or (not is_lean and passed is not None):
        score["passed"] = passed
    if verdict is not None:
        score["verdict"] = verdict
    if threshold != declared.threshold:
        score["threshold"] = threshold
    if gates != declared.gates:
        score["gates"] = gates
    if state != _usual_state(value) or not is_lean:
        score["state"] = state
    if explanation:
        score["explanation"] = explanation
    if evidence:
        score["evidence"] = span_groups(evidence)
    if details:
        score["details"] = details
    if signature != declared.signature:
        score["signature"] = signature
    return score


def _brief(score: dict[str, Any]) -> dict[str, Any]:
    """A score without its reasons."""
    reasons = {"explanation", "evidence", "details"}
    return {name: value for name, value in score.items() if name not in reasons}


def _usual_state(value: float | None) -> State:
    """The state that a score has unless it says otherwise."""
    return "missing" if value is None else "ok"


def _is_told_by_columns(result: Result, declared: Declaration) -> bool:
    """Whether a value and a verdict are all that there is to say of a score."""
    value = result.value
    if result.state != _usual_state(value) or result.passed != PASSED.get(result.verdict):
        return False
    own = (result.signature, result.threshold, result.gates)
    return own == declared[:3] and result.quality == declared.quality(value)


def needs_reason(result: Result) -> bool:
    """Whether a score did not pass, or could not be computed."""
    return result.state == "error" or result.verdict in ("fail", "unsure")


class DeclaredMetrics:
    """What the records of a file declared of its metrics so far."""

    def __init__(self) -> None:
        self._declared: dict[str, Mapping[str, Any]] = {}
        self._is_lean = False
        """Whether scores leave out what is said elsewhere."""

    def results(self, record: Any) -> Mapping[str, Mapping[str, Any]] | None:
        """The results of a record by metric, with what was declared of them; None without any."""
        if not isinstance(record, Mapping):
            return None
        self._is_lean = self._is_lean or record.get("form") in _LEAN_FORMS
        scores = record.get("scores", {} if self._is_lean and "values" in record else None)
        if not isinstance(scores, Mapping):
            return None
        if not all(isinstance(score, Mapping) for score in scores.values()):
            return None
        declared = record.get("metrics")
        if isinstance(declared, Mapping):
            known = {id: own for id, own in declared.items() if isinstance(own, Mapping)}
            self._declared |= known
        if self._is_lean:
            scores = {**self._from_columns(record), **scores}
        return {id: self._whole(id, score) for id, score in scores.items()}

    def _from_columns(self, record: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """The scores that two columns tell; those that cannot be read so are left out."""
        values, letters = record.get("values"), record.get("verdicts")
        if not isinstance(values, list) or not isinstance(letters, str):
            return {}
        scores: dict[str, dict[str, Any]] = {}
        for id, value, letter in zip(self._declared, values, letters, strict=False):
            if letter not in _VERDICTS:
                continue
            score = {"value": value, "verdict": _VERDICTS[letter]}
            scores[id] = {name: part for name, part in score.items() if part is not None}
        return scores

    def _whole(self, id: str, score: Mapping[str, Any]) -> dict[str, Any]:
        """A score with what its metric's declaration says, and what follows from its value."""
        declared = self._declared.get(id, {})
        result = {**declared, **score}
        if not self._is_lean:
            return result
        value, verdict, evidence = map(result.get, ("value", "verdict", "evidence"))
        if "quality" not in result and isinstance(value, int | float):
            result["quality"] = _declared_quality(value, declared)
        if verdict is None and isinstance(result.get("passed"), bool):
            result["verdict"] = "pass" if result["passed"] else "fail"
        elif "passed" not in result and verdict in ("pass", "fail"):
            result["passed"] = verdict == "pass"
        if isinstance(evidence, list):
            result["evidence"] = [span for entry in evidence for span in _spans(entry)]
        result.setdefault("state", _usual_state(value))
        return result


def _spans(entry: Any) -> Iterable[Any]:
    """The spans of an entry of evidence, as objects: a group of them, or one by itself."""
    if not isinstance(entry, list) or len(entry) < 2:
        return [entry]
    field, label, *places = entry
    ends = iter(places)
    return spans_json(
        Span(field, start, end, label) for start, end in zip(ends, ends, strict=False)
    )


def _declared_quality(value: float, declared: Mapping[str, Any]) -> float | None:
    """The quality that follows from a value and the declared range and polarity."""
    ends, polarity = declared.get("range"), _POLARITIES.get(str(declared.get("polarity")))
    if not isinstance(ends, list) or len(ends) != 2 or polarity is None:
        return None
    if not all(end is None or isinstance(end, int | float) for end in ends) or ends[0] == ends[1]:
        return None
    return quality_of(value, (ends[0], ends[1]), polarity)
