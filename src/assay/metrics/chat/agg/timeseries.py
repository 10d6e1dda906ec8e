from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from assay.core import rule
from assay.stats.aggregates import Verdicts, mean, percent


def moment(timestamp: str | None) -> datetime | None:
    """The time that a text states, in UTC where it names a zone; None when it states none."""
    try:
        parsed = datetime.fromisoformat(timestamp or "")
        return parsed.astimezone(UTC).replace(tzinfo=None) if parsed.tzinfo else parsed
    except (ValueError, OverflowError):
        return None


@rule("chat.agg.time_bucket")
def time_bucket(timestamp: str | None) -> str | None:
    """The hour that a time lies in, as `YYYY-MM-DD HH:00:00`; None when it is no time."""
    parsed = moment(timestamp)
    return parsed.replace(minute=0, second=0, microsecond=0).isoformat(" ") if parsed else None


@rule("chat.agg.timeseries")
def timeseries(rows: Iterable[Mapping[str, Any]] | None) -> list[dict[str, Any]]:
    """Tests by hour, oldest first: how many, how many passed and failed, and their mean duration.

    A row without a readable time belongs to no hour.
    """
    buckets: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows or ():
        if bucket := time_bucket(row.get("timestamp")):
            buckets.setdefault(bucket, []).append(row)
    return [_summed(bucket, buckets[bucket]) for bucket in sorted(buckets)]


def _summed(bucket: str, rows: list[Mapping[str, Any]]) -> dict[str, Any]:
    statuses = [row.get("status") for row in rows]
    return {
        "time_bucket": bucket,
        "total": len(rows),
        "passed": statuses.count("passed"),
        "failed": statuses.count("failed"),
        "pass_rate": percent(Verdicts.of(statuses).pass_rate),
        "avg_duration": mean(row.get("duration") for row in rows),
    }
