from assay.core import rule
from assay.data.dimensions import dimensions


@rule("governance.catalog")
def catalog() -> dict[str, int]:
    """How many metrics each dimension combines, variants left out."""
    return {own.name: len(own.metrics) for own in dimensions()}
