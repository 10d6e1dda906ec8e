"""How long a call may take, and how much it may bring."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self

from assay.core.errors import UsageError


@dataclass(frozen=True, slots=True)
class CallLimits:
    """The clocks and caps of one call. Two clocks always run: of silence, and of the whole call."""

    connect: float = 5.0
    """Seconds to a connection."""
    first_byte: float = 60.0
    """Seconds from sending to the first data; a model may think before it writes."""
    idle: float = 30.0
    """Seconds without data once the first has come; heartbeats and blanks are no data."""
    total: float = 180.0
    """Seconds for the whole call, however lively it is."""
    max_bytes: int = 16 * 2**20
    """Bytes of one answer, unpacked as well as packed."""
    max_pieces: int = 200_000
    """Pieces of one answer: chunks of a body, events of a stream."""

    def __post_init__(self) -> None:
        for limit in fields(self):
            value = getattr(self, limit.name)
            if not value > 0:
                raise UsageError(f"the limit {limit.name!r} is {value!r}; expected more than 0")

    @classmethod
    def within(cls, seconds: float) -> Self:
        """The usual limits for calls of which each may take so long.

        The first data may take all of it: an answer that is not streamed comes at the very end.
        """
        return cls(
            connect=min(cls().connect, seconds),
            first_byte=seconds,
            idle=min(cls().idle, seconds),
            total=seconds,
        )
