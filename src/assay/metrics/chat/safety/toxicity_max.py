from assay.core import Result, metric
from assay.features import Hits
from assay.features.toxicity import Components
from assay.scoring.toxicity import (
    EXCEPTIONS,
    WORDS,
    by_classifier,
    by_keywords,
    highest_score,
)


def score(components: Components | None = None) -> float | None:
    """The highest score of a toxic label in percent; None without any label."""
    return highest_score(components)


@metric(
    id="chat.toxicity_max",
    inputs=("response",),
    range=(0.0, 100.0),
    polarity="lower",
    unit="%",
    lexicons=(WORDS, EXCEPTIONS),
    formula=score,
)
def toxicity_max(
    response_toxicity: Components | None, response_hits: Hits, response_language: str
) -> Result:
    """How toxic a classifier finds the response, by its strongest label.

        value = the highest score of a toxic label · 100

    Labels such as "non-toxic" do not count; where a classifier has only such labels, the value is
    what is left of the highest one. When no classifier is configured, it is the highest weight of a
    toxic keyword, whatever the length of the response; `details` and the signature say so. A
    classifier that fails gives an error.

    Blind spots: one label that a classifier gets wrong decides alone; labels without a name
    (LABEL_0) all count as toxic; the keywords read English only.
    """
    if response_toxicity is None:
        return by_keywords(response_hits, 0, response_language)
    return by_classifier(score, response_toxicity)
