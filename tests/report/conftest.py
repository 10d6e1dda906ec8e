"""A small run made by hand, with any text in every place that data can reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assay.core import Aggregate, Document, Interval, Result, Sample, Scores, Span, Summary
from assay.report import open_writer

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "image": '<img src=x onerror="alert(1)">',
    "attribute": "\" onmouseover='alert(1)' x=\"",
    "comment": "--><!-- x -->",
    "cdata": "]]> <![CDATA[ x ]]>",
    "closing": "</mark></div></td></table></details></style></body>",
    "entity": "&lt;b&gt; &#60;b&#62; &amp;",
    "nul": "a\x00b",
    "surrogate": "a\ud800b\udc00c",
    "ansi": "\x1b[31mred\x1b[0m \x1b]8;;http://example.com\x1b\\link\x1b]8;;\x1b\\ \x9b2J",
    "bidi": "a\u202etxt.exe\u202c \u2066b\u2069",
    "nonchar": "\ufffe\uffff",
    "formula": '=HYPERLINK("http://example.com","x")',
    "plus": "+1+1",
    "minus": "-2+3",
    "at": "@SUM(A1)",
    "tab": "\t=1",
    "return": "\r=1\nnext",
    "pipes": "a | b \\| c ` d `` e *f* _g_ [h](http://example.com) ![i](j) # k ~~l~~",
    "mention": "@everyone see #1 and www.example.com and https://example.com",
    "rich": "[bold red]x[/] [link=http://example.com]y[/link] [/]",
    "arabic": "مرحبا بالعالم",
    "empty": "",
}
"""Name → text that has broken some report of somebody."""


@dataclass(frozen=True)
class Run:
    """Scored samples and their summary."""

    scored: list[tuple[Sample, Scores]]
    summary: Summary

    def write(self, path: Path) -> bytes:
        """What the writer of that ending makes of the run."""
        writer = open_writer(str(path))
        for sample, scores in self.scored:
            writer.write(sample, scores)
        writer.close(self.summary)
        return path.read_bytes()


@pytest.fixture(params=HOSTILE.values(), ids=HOSTILE.keys())
def hostile(request: pytest.FixtureRequest) -> str:
    text: str = request.param
    return text


@pytest.fixture
def make_run() -> Callable[..., Run]:
    return _make_run


@pytest.fixture
def run() -> Run:
    return _make_run("The answer is 42, or so I hope.")


def _make_run(text: str, **changes: Any) -> Run:
    """Two samples under five metrics: one fails, one passes, the others have no verdict."""
    sample = Sample(
        id=text,
        query=text,
        response=f"{text} tail",
        expected=text,
        contexts=(Document(text, id=text, source=text, page=3), Document("plain")),
        expected_json={"key": text},
    )
    spans = (Span("response", 0, 5, text), Span("contexts[0]", 0, 3), Span("metadata", 0, 1, text))
    low = {
        "text.safety": _result(0.25, text, spans, threshold=0.9, passed=False),
        "text.coherence": _result(0.95, "Well said.", spans[:1], threshold=0.7, passed=True),
        "text.relevance": Result.missing(f"The sample has no {text!r}.")._replace(threshold=0.6, gates=True),
        "text.factuality": Result.imputed(1.0, "Nothing to check.")._replace(threshold=0.8, gates=True),
        "custom.charm": Result.error(f"ValueError: {text}")._replace(gates=True),
    }
    high = {
        **low,
        "text.safety": _result(1.0, "Nothing found.", threshold=0.9, passed=True),
        "custom.charm": _result(0.5, "Some charm."),
    }
    scored = [
        (sample, Scores(sample.id, low, 0.6, False)),
        (Sample(id="fine", response="A fine answer."), Scores("fine", high, 0.975, True)),
    ]
    fields: dict[str, Any] = {
        "samples": 2,
        "unread": 1,
        "overall": 0.7875,
        "overall_interval": Interval(0.6, 0.975),
        "pass_rate": 0.5,
        "pass_rate_interval": Interval(0.0945, 0.9055),
        "passed": 1,
        "judged": 2,
        "failed": 1,
        "metrics": {
            "text.safety": _aggregate("text.safety", 0.625, 1, 2, 0.9, reasons={}),
            "text.coherence": _aggregate("text.coherence", 0.95, 2, 2, 0.7),
            "text.relevance": _aggregate("text.relevance", None, 0, 0, 0.6, reasons={text: 2}),
            "custom.charm": _aggregate(
                "custom.charm", 0.5, 0, 0, None, reasons={text: 1}, errors=1
            ),
        },
        "worst": scored,
        "problems": (f"answers.jsonl, line 3: {text}",),
    }
    return Run(scored, Summary(**{**fields, **changes}))


def _result(value: float, explanation: str, evidence: Any = (), **fields: Any) -> Result:
    passed = fields.get("passed")
    verdict = None if passed is None else "pass" if passed else "fail"
    return Result(
        value, explanation, evidence, quality=value, signature="m|v:1", verdict=verdict, gates=True
    )._replace(**fields)


def _aggregate(
    metric: str,
    mean: float | None,
    passed: int,
    judged: int,
    threshold: float | None,
    reasons: dict[str, int] | None = None,
    errors: int = 0,
) -> Aggregate:
    scored = 0 if mean is None else 2 - errors
    ends = None if mean is None else Interval(mean - 0.05, mean + 0.05)
    return Aggregate(
        metric=metric,
        samples=2,
        scored=scored,
        missing=2 - scored - errors,
        imputed=0,
        errors=errors,
        mean=mean,
        mean_interval=ends,
        weighted_mean=mean,
        weighted_mean_interval=ends,
        minimum=mean,
        maximum=mean,
        passed=passed,
        judged=judged,
        pass_rate=passed / judged if judged else None,
        pass_rate_interval=Interval(0.1, 0.9) if judged else None,
        threshold=threshold,
        signature=f"{metric}|v:1",
        distribution=(1, 0, 0, scored) if scored else (),
        reasons=reasons or {},
    )
