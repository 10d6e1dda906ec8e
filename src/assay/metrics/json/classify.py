from typing import Any

from assay.core import rule
from assay.jsoncompare import pairing as json_pairing


@rule("json.classify")
def classify(gt: Any, aio: Any) -> dict[str, list[str]] | None:
    """The top-level keys by bucket, sorted; None when a document is absent."""
    return None if gt is None or aio is None else json_pairing.classify(gt, aio)
