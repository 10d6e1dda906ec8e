"""A system that writes down what it is asked, and questions for it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from assay.core import Sample
from assay.targets.protocol import Answer, Turn

Reply = Callable[[Sequence[Turn]], Any]


class Recording:
    """A system that writes down what it is asked."""

    name = "recording"

    def __init__(self, reply: Reply = lambda turns: f"{turns[-1].content} Yes.") -> None:
        self.asked: list[tuple[Turn, ...]] = []
        self.is_closed = False
        self._reply = reply

    @property
    def counts(self) -> Counter[str]:
        """How often each question was put."""
        return Counter(turns[-1].content for turns in self.asked)

    async def ask(self, turns: Sequence[Turn]) -> Answer:
        self.asked.append(tuple(turns))
        given = self._reply(turns)
        if asyncio.iscoroutine(given):
            given = await given
        return given if isinstance(given, Answer) else Answer(given)

    async def close(self) -> None:
        self.is_closed = True


def questions(count: int) -> Iterator[Sample]:
    return (Sample(f"q{n}", query=str(n)) for n in range(count))
