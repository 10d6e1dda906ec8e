"""Why a call gave no usable answer."""

from __future__ import annotations

from enum import StrEnum

from assay.core.errors import AssayError


class Fault(StrEnum):
    """What went wrong, and so what may be done about it."""

    CONNECTION = "connection"
    """No connection, or it broke."""
    TIMEOUT = "timeout"
    """A deadline passed: connecting, first byte, silence between data, or the whole call."""
    RATE = "rate"
    """Too many calls (429); the address may say how long to wait."""
    SERVER = "server"
    """The other side failed (5xx, 408, 425)."""
    ACCESS = "access"
    """The key or the address is wrong (401, 403, 404, 407): every further call would fail alike."""
    REFUSED = "refused"
    """This request is refused whenever it is asked (any other 4xx, a content filter)."""
    UNUSABLE = "unusable"
    """An answer came, and it is not what was asked for."""
    TOO_LARGE = "too large"
    """An answer of more bytes, tokens or pieces than allowed."""
    BUDGET = "budget"
    """A cap on calls, tokens, money or time is reached: the call was not made."""

    @property
    def is_passing(self) -> bool:
        """Whether the same call may succeed later."""
        return self in (Fault.CONNECTION, Fault.TIMEOUT, Fault.RATE, Fault.SERVER)

    @property
    def concerns_all(self) -> bool:
        """Whether further calls would fail too."""
        return self in (Fault.ACCESS, Fault.BUDGET)


class CallError(AssayError):
    """A call without a usable answer; `fault` says of what kind."""

    def __init__(
        self,
        message: str,
        fault: Fault,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        partial: str = "",
    ) -> None:
        super().__init__(message)
        self.fault = fault
        self.status = status
        self.retry_after = retry_after
        """Seconds that the other side asked to wait."""
        self.partial = partial
        """What had come when it broke off; never scored as an answer."""
        self.attempts = 0
        """How often it was tried; `assay.wire.retries.Pacer` fills it in."""
