"""Stops calling a side that is down, and looks now and then whether it is back."""

from __future__ import annotations

from assay.wire.call_errors import CallError, Fault

FAULTS = 5
"""As many calls in a row without a sign of life open the circuit."""
FIRST_PROBE = 1.0
LONGEST_PROBE = 30.0
"""Seconds between two probes: doubled from the first to the longest."""
DOWN = frozenset({Fault.CONNECTION, Fault.TIMEOUT, Fault.SERVER})
"""What a side does that is down; any other answer is a sign of life."""


class Circuit:
    """Closed while the other side lives; open, it lets one call through now and then."""

    def __init__(self) -> None:
        self.opened_at: float | None = None
        self.has_lived = False
        """Whether any call ever went well."""
        self.last: CallError | None = None
        """The fault that was seen last."""
        self._in_a_row = 0
        self._every = FIRST_PROBE
        self._probe_at = 0.0

    def wait(self, now: float) -> float:
        """Seconds until a caller may try."""
        return 0.0 if self.opened_at is None else max(0.0, self._probe_at - now)

    def pass_through(self, now: float) -> bool:
        """Whether the caller may try now; where the circuit is open it is then the one to probe."""
        if self.wait(now) > 0:
            return False
        self._probe_at = now + self._every
        return True

    def close(self) -> bool:
        """The other side lives; gives whether it was taken for dead."""
        was_open = self.opened_at is not None
        self.opened_at, self._in_a_row, self._every = None, 0, FIRST_PROBE
        return was_open

    def fault(self, error: CallError, started: float, now: float) -> None:
        """A call that began at `started` found nobody."""
        self.last = error
        self._in_a_row += 1
        if self.opened_at is None:
            if self._in_a_row >= FAULTS:
                self.opened_at, self._probe_at = now, now + self._every
        elif started >= self.opened_at:
            self._every = min(self._every * 2, LONGEST_PROBE)
            self._probe_at = max(self._probe_at, now + self._every)
