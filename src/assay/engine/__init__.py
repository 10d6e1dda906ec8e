"""Plans which features a run needs, computes them and the metrics, and sums up."""

from assay.engine.aggregate import Tally
from assay.engine.batch_counts import WORST
from assay.engine.gate_watch import GatePolicy, GateWatch
from assay.engine.gates import Gate, parse_gate
from assay.engine.plan import Plan, make_plan
from assay.engine.run import failed_scores, score_batch

__all__ = [
    "WORST",
    "Gate",
    "GatePolicy",
    "GateWatch",
    "Plan",
    "Tally",
    "failed_scores",
    "make_plan",
    "parse_gate",
    "score_batch",
]
