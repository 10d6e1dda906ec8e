from collections.abc import Iterable, Mapping
from typing import Any

from assay.core import DataError, rule
from assay.metrics.chat.agg.timeseries import moment


@rule("chat.agg.history")
def history(
    rows: Iterable[Mapping[str, Any]] | None,
    metric_type: str,
    now: str,
    hours: float = 24.0,
    labels: Mapping[str, Any] | None = None,
) -> list[Mapping[str, Any]]:
    """Snapshots of one kind of metric in the last hours before `now`, oldest first.

    `labels`, where given, must all stand in a snapshot's own. The limit itself is inside.
    """
    end = moment(now)
    if end is None:
        raise DataError(f"'now' is {now!r}; expected a time such as '2025-11-17 13:45:10'")
    kept = [
        (at, row)
        for row in rows or ()
        if row.get("metric_type") == metric_type
        and (at := moment(row.get("timestamp")))
        and (end - at).total_seconds() <= hours * 3600
        and (labels or {}).items() <= (row.get("labels") or {}).items()
    ]
    return [row for _, row in sorted(kept, key=lambda pair: pair[0])]
