from collections import Counter

from assay.core import Result, Span, metric


@metric(
    id="chat.determinism_repeats",
    inputs=("responses",),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
)
def determinism_repeats(responses: tuple[str, ...]) -> Result:
    """How many of several answers to the same query are identical.

        value = answers equal to the most frequent one / answers · 100

    Answers are compared character by character. With fewer than two there is no score; n answers
    that all differ score 100 / n.

    Blind spots: one blank more is another answer, and two answers that mean the same count as
    different; a few answers tell little about rare ones.
    """
    if len(responses) < 2:
        return Result.missing("There are fewer than two responses to compare.")
    counts = Counter(responses)
    usual, same = counts.most_common(1)[0]
    others = [place for place, answer in enumerate(responses) if answer and answer != usual]
    return Result(
        100.0 * same / len(responses),
        f"{same} of {len(responses)} answers are identical, {len(counts)} are distinct.",
        tuple(Span(f"responses[{place}]", 0, len(responses[place]), "differs") for place in others),
        {"distinct": len(counts)},
    ).limited()
