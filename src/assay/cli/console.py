"""The terminal that tables are printed on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rich.console import Console


def console(*, is_error: bool = False) -> Console:
    """Standard output (or error); without any colour or style at `NO_COLOR` and in pipes."""
    from rich.console import Console

    system: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
    return Console(stderr=is_error, color_system=system, highlight=False)
