from typing import Any

from assay.core import rule
from assay.data.json_options import DOCUMENTED
from assay.jsoncompare.document import JsonDocument
from assay.jsoncompare.pairing import pair

BUCKETS = (
    "extra_keys",
    "gt_null_aio_has_value",
    "aio_missing_or_null",
    "both_non_null",
    "skipped",
)


@rule("json.classify")
def classify(gt: Any, aio: Any) -> dict[str, list[str]] | None:
    """The top-level keys by bucket, sorted; None when a document is absent.

    `gt_non_null` is what the ground truth holds.
    """
    if gt is None or aio is None:
        return None
    pairing = pair(gt, JsonDocument(aio), DOCUMENTED)
    buckets = {name: pairing.buckets.get(name, []) for name in BUCKETS}
    expected = sorted((*buckets["both_non_null"], *buckets["aio_missing_or_null"]))
    return {**buckets, "gt_non_null": expected}
