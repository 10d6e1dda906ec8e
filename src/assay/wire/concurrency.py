"""How many calls go on at a time."""

from __future__ import annotations

from asyncio import CancelledError, Future, get_running_loop
from collections import deque

START = 4.0
"""Calls at a time to begin with: enough to learn quickly, few enough to do no harm."""


class ConcurrencyLimit:
    """Lets callers in one after the other, as many at a time as the other side bears.

    The limit grows by one for every success until the first trouble, then by one for every round of
    successes; trouble halves it.
    """

    def __init__(self, most: int) -> None:
        self.limit = min(START, float(most))
        self.active = 0
        self._most = most
        self._has_seen_trouble = False
        self._waiting: deque[Future[None]] = deque()

    async def enter(self, *, is_first: bool = False) -> None:
        """Wait for a place; whoever came first goes first, or who `is_first` in any case."""
        if not self._waiting and self._has_room:
            self.active += 1
            return
        place: Future[None] = get_running_loop().create_future()
        if is_first:
            self._waiting.appendleft(place)
        else:
            self._waiting.append(place)
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
            place = self._waiting.popleft()
            if not place.done():
                self.active += 1
                place.set_result(None)
