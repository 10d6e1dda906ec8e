from importlib import import_module

from assay.core import Metric, rule
from assay.scoring.dimensions import DIMENSIONS


@rule("governance.catalog")
def catalog() -> dict[str, int]:
    """How many metrics each dimension combines, variants left out."""
    return {name: len(_dimension(name).options["metrics"]) for name in DIMENSIONS}


def _dimension(name: str) -> Metric:
    found: Metric = getattr(import_module(f"assay.metrics.governance.dim.{name}"), name)
    return found
