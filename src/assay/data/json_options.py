"""How two JSON documents are compared: a team's choices, in the profile's table `[json]`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from assay.data.files import fingerprint

Strategy = Literal["EXACT", "FUZZY", "SEMANTIC", "IGNORE"]
"""How a field's two values are compared."""


@dataclass(frozen=True)
class JsonOptions:
    """The choices of a comparison; the defaults are the documented rule."""

    strategies: Mapping[str, Strategy] = field(default_factory=dict)
    """Field or path pattern → strategy; a field that is not listed goes by its type."""
    fuzzy_threshold: float = 0.85
    semantic_threshold: float = 0.80

    @property
    def identity(self) -> str:
        """What a signature says of the choices: six digits that change when one does."""
        return fingerprint(repr(self))


DOCUMENTED = JsonOptions()
"""The comparison as documented, when nothing was chosen."""
