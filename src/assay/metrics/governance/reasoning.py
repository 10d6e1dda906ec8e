from collections.abc import Mapping

from assay.core import rule
from assay.scoring.dimensions import REASONS, lowest


@rule("governance.reasoning")
def reasoning(dimensions: Mapping[str, float | None] | None, count: int = REASONS) -> list[str]:
    """The dimensions that a card explains: the three lowest, ascending, equal ones by name."""
    return lowest(dimensions or {}, count)
