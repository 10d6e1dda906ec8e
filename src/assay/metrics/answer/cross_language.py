from collections.abc import Mapping

from assay.core import Result, metric


@metric(
    id="answer.cross_language",
    inputs=("translations",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=0.5,
    version=4,
    tags=("model", "linear"),
    aliases=("cross_lingual_consistency", "translation_consistency", "cross_language"),
)
def cross_language(
    translations: Mapping[str, str],
    cross_language_measures: Mapping[str, Mapping[str, float]] | None,
    cross_language_probabilities: Mapping[str, float] | None,
) -> Result:
    """The probability that the answer says the same in all its languages.

        value = least over languages of logistic(bias + Σ weight · measure)

    The texts are `translations` and, in a language that is not among them, the response; each is
    compared with the English one, or without it with the first by language code. The measures: the
    cosine of a multilingual embedder (the bundled one reads English, Arabic and fourteen more),
    figures that only one of them has, and how their lengths differ. The weights are fitted by
    `training/cross_language.py` to translations and to near misses.

    Blind spots: a changed word or a negation leaves the cosine almost as it was; numbers in words
    are read in English and Arabic only. Without an embedder there is no value; with one of a
    single language there is none worth having.
    """
    if not translations:
        return Result.missing("The sample has no 'translations'.")
    if cross_language_measures is None or cross_language_probabilities is None:
        return Result.missing(
            "No embedder is configured, so set 'embedder' (ASSAY_EMBEDDER or --embedder) to one "
            "that reads these languages, such as use."
        )
    if not cross_language_measures:
        return Result.missing("There is one language; two or more can be compared.")
    values = dict(cross_language_probabilities)
    worst = min(sorted(values), key=values.__getitem__)
    own = cross_language_measures[worst]
    why = ", with other figures" if own["figures"] else ""
    explanation = f"The text in {worst!r} has a cosine of {own['cosine']:.2f} with the other{why}."
    return Result(values[worst], explanation, details={"languages": values})
