"""How quickly calls may follow each other, learned from refusals."""

from __future__ import annotations

BACK = 0.85
"""A refusal for too many calls takes the pace to this share of what was too quick."""
RECOVERY = 15.0
"""Seconds in which the pace climbs back to where it was refused."""
PAUSES = 10.0
"""After a long pause it takes as many times that pause: the dearer a refusal, the rarer."""
GROWTH = 0.1
"""Beyond that it grows by this share a second."""
SLOWEST = 0.05
"""Calls a second; slower than that, waiting is left to Retry-After."""
WINDOW = 1.0
"""Seconds over which the first pace is measured at least: a shorter burst says little."""


class RateLimiter:
    """Spaces the starts of calls evenly.

    Without a given rate there is no spacing until the other side refuses a call for coming too
    soon. The pace is then set below what it bore, and climbs again.
    """

    def __init__(self, rate: float | None, now: float) -> None:
        self.rate = rate
        self._most = rate
        self._refused_at = rate
        self._next = now
        self._grown = now
        self._began: float | None = None
        self._good = 0
        self._recovery = RECOVERY

    def reserve(self, now: float) -> float:
        """The time at which the next call may start; it is taken."""
        if self._began is None:
            self._began = now
        if self.rate is None:
            return now
        at = max(now, self._next)
        self._next = at + 1.0 / self.rate
        return at

    def hold(self, now: float, until: float) -> None:
        """Start no call before that time."""
        self._next = self._grown = until
        self._recovery = max(RECOVERY, PAUSES * (until - now))

    def slow_down(self, now: float) -> None:
        """A call was refused for coming too soon."""
        if self.rate is None:
            if self._began is None or not self._good:
                return  # nothing is known yet of what it tolerates
            self.rate = self._good / max(WINDOW, now - self._began)
        self._refused_at = max(self.rate, SLOWEST)
        self.rate = max(self.rate * BACK, SLOWEST)
        self._grown = now

    def speed_up(self, now: float) -> None:
        """A call went well."""
        self._good += 1
        if self.rate is None or self._refused_at is None or now <= self._grown:
            return
        seconds = now - self._grown
        if self.rate < self._refused_at:
            self.rate += self._refused_at * (1 - BACK) / self._recovery * seconds
        else:
            self.rate *= 1 + GROWTH * min(seconds, 1.0)
        if self._most is not None:
            self.rate = min(self.rate, self._most)
        self._grown = now
