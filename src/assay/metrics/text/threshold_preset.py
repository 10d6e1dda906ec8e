from assay.core import rule
from assay.data import profile


@rule("text.threshold_preset")
def threshold_preset(level: str) -> dict[str, float]:
    """The thresholds of a preset by evaluator name: conservative, balanced or lenient."""
    return {id.removeprefix("text."): value for id, value in profile(level).thresholds.items()}
