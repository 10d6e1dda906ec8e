"""Plain functions, called from inside of an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from assay.core import UsageError

_T = TypeVar("_T")


async def in_thread(name: str, function: Callable[..., _T], *args: Any, **kwargs: Any) -> _T:
    """What a plain function gives, from a thread of asyncio's; `name` is what people call it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise UsageError(
            "this call needs the event loop of asyncio, and another one runs; "
            f"call the plain function in a thread, such as by trio.to_thread.run_sync({name}, …)"
        ) from None
    return await asyncio.to_thread(function, *args, **kwargs)
