from assay.core import rule
from assay.scoring.dimensions import lowest

reasoning = rule("governance.reasoning")(lowest)
