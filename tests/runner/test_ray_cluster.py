"""A cluster of three Ray nodes, each a process of its own on loopback, that loses one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.runner.block_data import rows, run, write_data

from assay.engine import Tally
from assay.runner.block_engines import ENVIRONMENT
from assay.runner.execute import Observer

pytest.importorskip("pyarrow")
ray = pytest.importorskip("ray", reason='ray is not installed: pip install "assay-eval[ray]"')

pytestmark = pytest.mark.filterwarnings("default")  # Ray's own


@contextmanager
def three_nodes() -> Iterator[tuple[Any, list[Any]]]:
    """A head without cores, and three nodes with one each."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        nodes = [cluster.add_node(num_cpus=1) for _ in range(3)]
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        yield cluster, nodes
    finally:
        ray.shutdown()
        cluster.shutdown()


class NodeLoss(Observer):
    """Kills a node when the first block is finished."""

    def __init__(self, cluster: Any, node: Any) -> None:
        self._cluster, self._node = cluster, node
        self.is_done = False

    def scored(self, tally: Tally) -> None:
        """Kill it once."""
        if not self.is_done:
            self.is_done = True
            self._cluster.remove_node(self._node, allow_graceful=False)


def test_a_node_that_is_lost_takes_nothing_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    data = write_data(tmp_path / "data", 240, 4)
    plain = run(data, f"{tmp_path}/plain/")
    with three_nodes() as (cluster, nodes):
        loss = NodeLoss(cluster, nodes[1])
        lost = run(data, f"{tmp_path}/lost/", engine="ray", observer=loss)
        assert [node.any_processes_alive() for node in nodes] == [True, False, True]
    assert loss.is_done
    assert lost.summary == plain.summary
    assert rows(tmp_path / "lost/samples") == rows(tmp_path / "plain/samples")
