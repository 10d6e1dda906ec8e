"""What a billion records take on a cluster: a discrete-event simulation of a run by blocks.

    python -m benchmarks.billion [--records N] [--seed N]

Blocks take the measured seconds, nodes fail at a stated rate and take their blocks with them, and
the driver takes in finished blocks one after the other before it hands out the next, as the engine
does. Everything is drawn from one seed.
"""

from __future__ import annotations

import argparse
import heapq
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

BLOCK_ROWS = 20_000
BLOCK_SECONDS = (1.87, 1.93, 1.81)
"""CPU seconds of a block of so many records of a sentence or two (`many_records`), two metrics,
known to a store, as measured one after the other on a busy machine."""
HEAVIER = 2.1
"""How much longer records of 40 words and three metrics take: 4.0 s a block, as measured."""
DRIVER_SECONDS = 0.012
"""CPU seconds of the driver for each block, as measured: manifest, merge, store."""
START_SECONDS = 5.0
"""From the loss of a process to the first block of another: assumed."""
NODE_SECONDS = 180.0
"""Until a lost node is replaced: assumed."""


@dataclass(frozen=True)
class Cluster:
    """Machines of one kind, and the blocks that they get."""

    nodes: int
    cores: int
    hours_to_failure: float
    """The mean time of one node until it is lost."""
    rows: int = BLOCK_ROWS
    """Rows of a block; its seconds grow with them, those of the driver do not."""
    driver_seconds: float = DRIVER_SECONDS
    weight: float = 1.0
    """How much longer than measured a block takes."""


@dataclass
class Outcome:
    """How a simulated run went."""

    seconds: float = 0.0
    blocks: int = 0
    lost_nodes: int = 0
    repeated_blocks: int = 0
    driver_busy: float = 0.0
    """Seconds in which the driver worked."""


@dataclass
class Simulation:
    """One run: events in the order of their time."""

    cluster: Cluster
    records: int
    random: Random
    outcome: Outcome = field(default_factory=Outcome)
    events: list[tuple[float, int, str, Any]] = field(default_factory=list)
    lives: list[int] = field(default_factory=list)
    """For each node how often it was replaced: an event of an earlier life counts no more."""
    waiting: int = 0
    driver_free: float = 0.0
    order: Iterator[int] = field(default_factory=lambda: iter(range(1 << 62)))

    def run(self) -> Outcome:
        """Let it run until the last block is taken in."""
        cluster, outcome = self.cluster, self.outcome
        self.waiting = left = -(-self.records // cluster.rows)
        self.lives = [0] * cluster.nodes
        for node in range(cluster.nodes):
            self._begin_life(node, 0.0)
        while left:
            now, _, kind, (node, life) = heapq.heappop(self.events)
            if life != self.lives[node]:
                if kind == "scored":  # it was lost with its node
                    self.waiting += 1
                    outcome.repeated_blocks += 1
                continue
            if kind == "scored":
                left -= 1
                outcome.blocks += 1
                outcome.seconds = self._taken_in(now)
                self._hand_out(node, outcome.seconds)
            elif kind == "lost":
                outcome.lost_nodes += 1
                self.lives[node] += 1
                self._begin_life(node, now + NODE_SECONDS)
            else:
                self._hand_out(node, now)
        return outcome

    def _begin_life(self, node: int, now: float) -> None:
        life = self.random.expovariate(1 / (self.cluster.hours_to_failure * 3600))
        self._add(now + life, "lost", node)
        for _ in range(self.cluster.cores):
            self._add(now + START_SECONDS, "idle", node)

    def _taken_in(self, now: float) -> float:
        """When the driver has taken in a block that is finished now."""
        cost = self.cluster.driver_seconds
        self.driver_free = max(now, self.driver_free) + cost
        self.outcome.driver_busy += cost
        return self.driver_free

    def _hand_out(self, node: int, now: float) -> None:
        if self.waiting:
            self.waiting -= 1
            size = self.cluster.weight * self.cluster.rows / BLOCK_ROWS
            seconds = size * self.random.choice(BLOCK_SECONDS)
            self._add(now + seconds, "scored", node)
        else:
            self._add(now + NODE_SECONDS, "idle", node)  # a block may come back

    def _add(self, moment: float, kind: str, node: int) -> None:
        heapq.heappush(self.events, (moment, next(self.order), kind, (node, self.lives[node])))


def simulate(cluster: Cluster, records: int, seed: int) -> Outcome:
    """A run of so many records."""
    return Simulation(cluster, records, Random(seed)).run()


HEAD = (
    *("records", "nodes", "cores", "rows a block", "node lost every", "hours", "USD"),
    *("nodes lost", "blocks again", "driver busy"),
)


@dataclass(frozen=True)
class Price:
    """What an hour of a machine costs, by a list of that day."""

    machine: str
    cores: int
    usd: float
    day: date


def read_price(machine: str) -> Price:
    """The price of a machine in the dated table."""
    table = tomllib.loads(Path(__file__).with_name("machine_prices.toml").read_text("utf-8"))
    entry = table["machines"][machine]
    return Price(machine, entry["cores"], entry["usd_per_hour"], table["date"])


def rows_of(records: int, seed: int, price: Price) -> Iterator[str]:
    """A table of clusters, as Markdown."""
    yield f"| {' | '.join(HEAD)} |"
    yield f"|{'---|' * len(HEAD)}"
    base = Cluster(4, price.cores, 1000.0)
    for cluster in (
        base,
        replace(base, nodes=12),
        replace(base, nodes=40),
        replace(base, nodes=40, rows=100_000),
        replace(base, weight=HEAVIER),
        replace(base, nodes=40, weight=HEAVIER),
        replace(base, nodes=40, weight=HEAVIER, rows=100_000),
        replace(base, nodes=40, weight=HEAVIER, rows=100_000, hours_to_failure=1.0),
    ):
        found = simulate(cluster, records, seed)
        hours = found.seconds / 3600
        cells = (
            "light" if cluster.weight == 1.0 else "40 words",
            cluster.nodes,
            cluster.nodes * cluster.cores,
            f"{cluster.rows:,}",
            f"{cluster.hours_to_failure:g} h",
            f"{hours:.2f}",
            f"{hours * cluster.nodes * price.usd:.2f}",
            found.lost_nodes,
            found.repeated_blocks,
            f"{found.driver_busy / found.seconds:.0%}",
        )
        yield f"| {' | '.join(map(str, cells))} |"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--machine", default="c5.4xlarge")
    given = parser.parse_args()
    price = read_price(given.machine)
    print(
        f"{given.records:,} records, {price.machine} at {price.usd} USD ({price.day})", end="\n\n"
    )
    print("\n".join(rows_of(given.records, given.seed, price)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
