"""The simulation of a billion records adds up where the answer is known."""

from __future__ import annotations

import pytest
from benchmarks.billion import Cluster, read_price, rows_of, simulate

from benchmarks import billion

NEVER = 1e12


@pytest.fixture(autouse=True)
def one_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(billion, "BLOCK_SECONDS", (1.0,))


def test_cores_share_the_blocks() -> None:
    found = simulate(Cluster(2, 5, NEVER, driver_seconds=0.0), 100 * 20_000, seed=1)
    assert found.seconds == pytest.approx(billion.START_SECONDS + 100 / 10)
    assert (found.blocks, found.lost_nodes, found.repeated_blocks) == (100, 0, 0)


def test_the_driver_is_the_limit_of_many_cores() -> None:
    found = simulate(Cluster(100, 10, NEVER, driver_seconds=0.1), 2000 * 20_000, seed=1)
    assert found.seconds == pytest.approx(2000 * 0.1, rel=0.05)
    assert found.driver_busy == pytest.approx(200.0)


def test_blocks_of_lost_nodes_come_again() -> None:
    cluster = Cluster(3, 2, 30 / 3600, driver_seconds=0.001)
    found = simulate(cluster, 500 * 20_000, seed=3)
    assert found.blocks == 500
    assert found.lost_nodes > 0
    assert 0 < found.repeated_blocks <= 2 * found.lost_nodes
    assert simulate(cluster, 500 * 20_000, seed=3) == found
    assert simulate(cluster, 500 * 20_000, seed=4) != found


def test_the_table_names_price_and_clusters() -> None:
    price = read_price("c5.4xlarge")
    assert len(list(rows_of(2_000_000, 7, price))) == 10
