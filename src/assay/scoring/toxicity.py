"""How toxic a text is: the scores of a classifier, or keywords where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from assay.core.result import Result
from assay.data.toxicity_labels import label_name, toxicity_labels
from assay.features.hits import Hits
from assay.features.toxicity import Components
from assay.scoring.findings import FULL, Spans, strength, strongest, uncovered, weights
from assay.textproc.language import is_other_script

WORDS = "toxic_words.en"
EXCEPTIONS = "harmless_uses.en"
LENGTH_BONUS = 0.1
"""What 100 words or more add to the keyword score, as the metric guide says."""


def weighted_score(components: Components | None) -> float | None:
    """The weighted mean of the toxic labels in percent; without a known one, the highest score."""
    if not components:
        return None
    labels = toxicity_labels()
    weighed = [(labels.weight(label), score) for label, score in components.items()]
    known = [(weight, score) for weight, score in weighed if weight is not None]
    if not known:
        return highest_score(components)
    mean = sum(w * score for w, score in known) / sum(w for w, _ in known)
    return FULL * min(1.0, mean)


def highest_score(components: Components | None) -> float | None:
    """The highest score of a label that is not harmless, in percent.

    A classifier that gives harmless labels only says with them how little toxic the text is.
    """
    if not components:
        return None
    is_harmless = toxicity_labels().is_harmless
    toxic = [score for label, score in components.items() if not is_harmless(label)]
    return FULL * max(toxic) if toxic else FULL * (1.0 - max(components.values()))


def keyword_score(
    pattern_weights: Iterable[float] | None = None, word_count: int | None = None
) -> float | None:
    """The highest weight in percent, and up to a tenth more for a long text; at most 100."""
    base = strongest(pattern_weights)
    if base is None:
        return None
    return min(FULL, base * (1.0 + LENGTH_BONUS * min((word_count or 0) / 100, 1.0)))


def toxic_words(hits: Hits) -> Spans:
    """The toxic words of a text, harmless uses such as "kill time" left out."""
    return uncovered(hits[WORDS], hits[EXCEPTIONS])


def by_keywords(hits: Hits, word_count: int, language: str = "en") -> Result:
    """The result without a classifier; `word_count` 0 leaves the length of the text aside."""
    if is_other_script(language):
        return Result.missing(
            f"No classifier is configured and the keywords are in en; the response is in "
            f"{language!r}."
        )
    words = toxic_words(hits)
    value = keyword_score(weights(words, WORDS), word_count)
    result = strength(value, words, "toxic keyword")
    return result._replace(details={**result.details, "backend": "keywords"})


def by_classifier(rule: Callable[[Components], float | None], components: Components) -> Result:
    """The result of a rule over the classifier's scores; the explanation names the highest one."""
    for label, score in components.items():
        if not 0.0 <= score <= 1.0:
            raise ValueError(f"the classifier gave {label!r} {score}; expected 0 to 1")
    value = rule(components)
    if value is None:
        return Result.missing("The classifier gave no label.")
    label, score = max(components.items(), key=lambda item: item[1])
    detail = f"the classifier's highest label is '{label_name(label)[:40]}' with {score:.2f}"
    details = {"backend": "classifier", "labels": dict(components)}
    return Result(value, f"Toxicity {value:.1f} of 100; {detail}.", details=details)
