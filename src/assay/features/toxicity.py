"""How toxic a text is, by the scores of a classifier."""

from __future__ import annotations

from collections.abc import Mapping

from assay.backends import Classifier
from assay.backends.choice import is_configured
from assay.core.metric import text_feature
from assay.textproc.normal import Normal

Components = Mapping[str, float]
"""Label of the classifier → its score from 0 to 1."""


@text_feature(is_batch=True, data=("toxicity_labels.toml",))
def toxicity(normal: list[Normal], classifier: Classifier) -> list[Components | None]:
    """The classifier's scores of the text; None when no classifier is configured."""
    if not is_configured(classifier):
        return [None] * len(normal)
    labels = classifier.classify([text.text for text in normal])
    pairs = zip(normal, labels, strict=True)
    return [{str(label): float(score) for label, score in own.items()} for _, own in pairs]
