from assay.core import rule
from assay.core.metric import holds

passed = rule("text.metric_score.passed")(holds)
