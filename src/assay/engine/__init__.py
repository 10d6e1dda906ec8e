"""Plans which features a run needs, computes them and the metrics, and sums up."""

from assay.engine.aggregate import WORST, Tally
from assay.engine.gates import Gate, parse_gate
from assay.engine.plan import Plan, make_plan
from assay.engine.run import score_batch

__all__ = [
    "WORST",
    "Gate",
    "Plan",
    "Tally",
    "make_plan",
    "parse_gate",
    "score_batch",
]
