"""Scores as OpenTelemetry's events `gen_ai.evaluation.result`, in OTLP's JSON for logs.

Each event belongs to the span that the sample was read from, where its metadata name one. It has
the time of that span's end; without a span it has none, and whoever receives it sets one.
"""

from __future__ import annotations

import re
from typing import Any

from assay.core import Result, Sample, Scores, Summary, otel
from assay.core.jsontext import dumps
from assay.report.figures import verdict
from assay.version import __version__

_START = (
    '{"resourceLogs": [{"resource": {"attributes": ['
    f'{{"key": "{otel.SERVICE_NAME}", "value": {{"stringValue": "assay"}}}}]}}, '
    f'"scopeLogs": [{{"scope": {{"name": "assay", "version": "{__version__}"}}, "logRecords": ['
)
_END = "]}]}]}\n"
_IDENTIFIER = re.compile(r"[0-9A-Za-z+/=]{1,64}")
_NANOSECONDS = re.compile(r"[0-9]{1,19}")
_SHORT_TEXT = re.compile(r".{1,1000}", re.DOTALL)


class EvaluationEvents:
    """A JSON document with an event for each score, and for each that failed to compute."""

    def __init__(self) -> None:
        self._before = _START

    def sample(self, sample: Sample, scores: Scores) -> str:
        """The events of one sample; what is missing or imputed is no evaluation."""
        events = [
            dumps(_event(sample, metric, result))
            for metric, result in scores.results.items()
            if result.state in ("ok", "error")
        ]
        if not events:
            return ""
        text = f"{self._before}\n" + ",\n".join(events)
        self._before = ","
        return text

    def end(self, _: Summary) -> str:
        """The document's end."""
        start = _START if self._before == _START else "\n"
        return f"{start}{_END}"


def _event(sample: Sample, metric: str, result: Result) -> dict[str, Any]:
    attributes: dict[str, Any] = {
        otel.EVALUATION_NAME: metric,
        otel.EVALUATION_VALUE: result.value,
        otel.EVALUATION_LABEL: verdict(result) if result.state == "ok" else None,
        otel.EVALUATION_EXPLANATION: result.explanation,
        otel.RESPONSE_ID: _matching(sample, "response_id", _SHORT_TEXT),
        otel.ERROR_TYPE: _error_type(result),
    }
    event = {
        "timeUnixNano": _matching(sample, "span_end", _NANOSECONDS),
        "eventName": otel.EVALUATION_EVENT,
        "traceId": _matching(sample, "trace_id", _IDENTIFIER),
        "spanId": _matching(sample, "span_id", _IDENTIFIER),
        "attributes": [
            {"key": n, "value": _value(v)} for n, v in attributes.items() if v not in (None, "")
        ],
    }
    return {name: value for name, value in event.items() if value}


def _error_type(result: Result) -> str | None:
    """The type of the exception that explains an error; `_OTHER` is the conventions' word."""
    if result.state != "error":
        return None
    prefix = result.explanation.partition(":")[0]
    return prefix if prefix.isidentifier() else "_OTHER"


def _matching(sample: Sample, name: str, form: re.Pattern[str]) -> str | None:
    """Text of the metadata, provided that it has the right form."""
    value = sample.metadata.get(name)
    return value if isinstance(value, str) and form.fullmatch(value) else None


def _value(given: str | float) -> dict[str, str | float]:
    return {"stringValue": given} if isinstance(given, str) else {"doubleValue": given}
