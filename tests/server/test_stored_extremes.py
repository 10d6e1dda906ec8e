"""No stored row can make a page fail, whatever an earlier version let in."""

import pytest
from sqlalchemy import update
from tests.store.scored import make_samples, stored_run

from assay.store import schema
from assay.store.packed_blocks import BLOCK, pack_texts

PAGES = (
    *("/v1/overview", "/v1/statistics", "/v1/trends", "/v1/critical", "/v1/categories"),
    *("/v1/current", "/v1/series/text.safety", "/v1/runs", "/v1/runs/first"),
    *(
        "/v1/tests/0000000100000000",
        "/v1/runs/first/metrics",
        "/v1/tests",
        "/v1/metrics/summary",
        "/v1/runs/first/export?format=run",
    ),
)


def spoil(client):
    """Make rows as an earlier version wrote them for durations and weights of 1e200."""
    with client.store.engine.begin() as connection:
        for figures in (
            {"sum": 1e200, "squared_deviation": float("inf")},
            {"weight_sum": 1e308, "weighted_sum": float("inf")},
        ):
            rows = update(schema.metric_rollups).where(schema.metric_rollups.c.tag == "")
            connection.execute(rows.values(**figures))
        connection.execute(update(schema.test_rollups).values(duration_sum=float("inf")))
        connection.execute(update(schema.runs).values(created=1e18, updated=-1e18))
        connection.execute(update(schema.test_results).values(duration=1e308))
        large = update(schema.test_scores).values(metric_values="[1e308, 1e308, 1e308]")
        connection.execute(large)
        unreadable = pack_texts(['{"metadata": {"n": NaN}}'] * BLOCK)
        connection.execute(update(schema.test_blocks).values(samples=unreadable))


@pytest.mark.parametrize("path", PAGES)
def test_pages_leave_out_what_cannot_be_summed(any_client, path):
    stored_run(any_client.store, make_samples(12), at=any_client.now)
    spoil(any_client)
    found = any_client.get(path)
    assert found.status_code == 200, found.text


def test_rows_that_are_left_out_are_counted(any_client):
    stored_run(any_client.store, make_samples(12), at=any_client.now)
    before = any_client.get("/v1/statistics").json()
    spoil(any_client)
    after = any_client.get("/v1/statistics").json()
    safety = after["validation_metrics"]["text.safety"]
    assert (safety["count"], safety["mean"], safety["errors"]) == (0, None, 12)
    assert before["validation_metrics"]["text.safety"]["count"] == 12
    assert after["total_tests"] == 12
    assert (after["counts"]["with_duration"], after["avg_duration"]) == (0, None)
