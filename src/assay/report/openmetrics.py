"""A summary in the text format of OpenMetrics, which GitLab shows as a metrics report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.core import Summary
from assay.report.safe_text import visible

_OF_METRIC = ("mean", "pass_rate", "scored", "missing", "imputed", "errors")
_OF_RUN = ("overall", "pass_rate", "samples", "unread", "errors")


def openmetrics_page(summary: Summary) -> str:
    """The whole file: gauges of the run, of each metric and of each gate."""
    return "".join(f"{line}\n" for line in _lines(summary)) + "# EOF\n"


def _lines(summary: Summary) -> Iterator[str]:
    for name in _OF_RUN:
        yield from _gauge(f"assay_run_{name}", [("", getattr(summary, name))])
    for name in _OF_METRIC:
        rows = [(_label("metric", a.metric), getattr(a, name)) for a in summary.metrics.values()]
        yield from _gauge(f"assay_metric_{name}", rows)
    gates = [(_label("gate", verdict.gate), int(verdict.passes)) for verdict in summary.gates]
    yield from _gauge("assay_gate_passes", gates)


def _gauge(name: str, rows: Sequence[tuple[str, float | None]]) -> Iterator[str]:
    known = [(labels, value) for labels, value in rows if value is not None]
    if known:
        yield f"# TYPE {name} gauge"
    for labels, value in known:
        yield f"{name}{labels} {float(value)!r}"


def _label(name: str, value: str) -> str:
    escaped = visible(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'{{{name}="{escaped}"}}'
