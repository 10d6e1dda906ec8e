"""Caps on what a run may spend on calls."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from assay.wire.call_errors import CallError, Fault


class CallSpending(NamedTuple):
    """What calls have cost so far."""

    calls: int
    tokens: int
    spend: float
    """Money, in the currency of the prices."""
    seconds: float
    """Since the first call."""


class Budget:
    """Counts calls, tokens, money and time, and admits no call once a cap is reached.

    A cap of None does not bind. What a call costs is known after it, so calls that are on their way
    when a cap is reached still count: the overshoot is theirs. Safe to share between threads.
    """

    def __init__(
        self,
        *,
        max_calls: int | None = None,
        max_tokens: int | None = None,
        max_spend: float | None = None,
        max_seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._caps = {
            "calls": max_calls,
            "tokens": max_tokens,
            "spend": max_spend,
            "seconds": max_seconds,
        }
        self._calls = 0
        self._tokens = 0
        self._spend = 0.0
        self._began: float | None = None
        self._clock = clock
        self._lock = Lock()

    def admit(self) -> None:
        """Count one more call; raises `CallError` of the kind BUDGET where a cap forbids it."""
        with self._lock:
            spent = self._spent()._asdict()
            for name, cap in self._caps.items():
                if cap is not None and spent[name] >= cap:
                    raise CallError(f"the cap of {cap:g} {name} is reached", Fault.BUDGET)
            self._calls += 1
            if self._began is None:
                self._began = self._clock()

    def add(self, *, tokens: int = 0, spend: float = 0.0) -> None:
        """Count what a call has cost."""
        with self._lock:
            self._tokens += tokens
            self._spend += spend

    @property
    def spent(self) -> CallSpending:
        """What was counted so far."""
        with self._lock:
            return self._spent()

    def _spent(self) -> CallSpending:
        seconds = 0.0 if self._began is None else self._clock() - self._began
        return CallSpending(self._calls, self._tokens, self._spend, seconds)
