"""How many calls go on at a time."""

from __future__ import annotations

from asyncio import CancelledError, Future, get_running_loop
from heapq import heappop, heappush
from itertools import count

START = 4.0
"""Calls at a time to begin with: enough to learn quickly, few enough to do no harm."""


class ConcurrencyLimit:
    """Lets callers in one after the other, as many at a time as the other side tolerates.

    The limit grows by one for every success until the first trouble, then by one for every round of
    successes; trouble halves it.
    """

    def __init__(self, most: int) -> None:
        self.limit = min(START, float(most))
        self.active = 0
        self._most = most
        self._has_seen_trouble = False
        self._waiting: list[tuple[float, int, Future[None]]] = []
        """A heap: the order, when it came, and who waits."""
        self._arrivals = count(1)

    async def enter(self, *, is_first: bool = False, order: float = 0.0) -> None:
        """Wait for a place; the lowest `order` goes first, who `is_first` in any case.

        Among equals, whoever came first goes first.
        """
        if not self._waiting and self._has_room:
            self.active += 1
            return
        place: Future[None] = get_running_loop().create_future()
        arrival = next(self._arrivals)
        entry = (float("-inf"), -arrival) if is_first else (order, arrival)
        heappush(self._waiting, (*entry, place))
        try:
            await place
        except CancelledError:
            if place.done() and not place.cancelled():
                self.leave()  # it was let in at the very moment it gave up
            raise

    def leave(self) -> None:
        """Give the place back."""
        self.active -= 1
        self._let_in()

    def grow(self) -> None:
        """A call went well; only a limit that is used grows."""
        if not self._has_room:
            step = 1.0 / self.limit if self._has_seen_trouble else 1.0
            self.limit = min(self.limit + step, float(self._most))
            self._let_in()

    def halve(self) -> None:
        """The other side has too much to do."""
        self._has_seen_trouble = True
        self.limit = max(1.0, self.limit / 2)

    def let_all_in(self) -> None:
        """Nobody waits any longer: what comes next is the end."""
        self.limit = float("inf")
        self._let_in()

    @property
    def _has_room(self) -> bool:
        return self.active + 1 <= self.limit

    def _let_in(self) -> None:
        while self._waiting and self._has_room:
            *_, place = heappop(self._waiting)
            if not place.done():
                self.active += 1
                place.set_result(None)
