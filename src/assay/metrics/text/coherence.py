from collections.abc import Iterator

from assay.core import Result, Span, metric
from assay.core.wording import counted
from assay.data import pairs
from assay.features import Sentence, Sentences, Words

SHORT_PENALTY = 0.15
CONTRADICTION_PENALTY = 0.1
REPETITION_PENALTY = 0.2


@metric(
    id="text.coherence",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=0.70,
    version=2,
    lexicons=("opposites.en",),
)
def coherence(response_sentences: Sentences, response_words: Words) -> Result:
    """How complete, consistent and free of repetition the response's sentences are.

        value = 1 − 0.15·(sentences under 3 words) − 0.1·(contradicting pairs)
                  − 0.2 if more than 30 % of the sentences repeat,   not below 0

    A pair such as always/never contradicts when its words stand in different sentences; a negated
    pair such as is/is not when one sentence negates and another affirms. Each of the ten pairs
    counts once. A sentence repeats when it stood before, ignoring case; the share is
    1 − distinct/sentences. The numbers and bullets of a list are no sentences, and its items may be
    short. An empty response scores 0.

    Blind spots: "The door is open. The key is not here." counts as a contradiction, because the
    pairs do not look at what is said of what; the word lists are English. Text without blanks
    between words (Chinese, Japanese) counts as one word a sentence.
    """
    if not response_sentences:
        return Result(0.0, "The response is empty.")
    short = [s for s in response_sentences if s.is_short and not s.is_item]
    opposed = list(_contradictions(response_sentences, response_words.distinct))
    repeated = _repeated(response_sentences)
    is_repetitive = 10 * len(repeated) > 3 * len(response_sentences)
    penalty = (
        SHORT_PENALTY * len(short)
        + CONTRADICTION_PENALTY * len(opposed)
        + REPETITION_PENALTY * is_repetitive
    )
    return Result(
        max(0.0, 1.0 - penalty),
        f"Of {counted(len(response_sentences), 'sentence')} {len(short)} "
        f"{'has' if len(short) == 1 else 'have'} fewer than 3 words and {len(repeated)} "
        f"{'repeats' if len(repeated) == 1 else 'repeat'}; "
        f"{counted(len(opposed), 'contradicting pair')}.",
        (
            *(_span(s, "short") for s in short),
            *(_span(s, label) for label, *both in opposed for s in both),
            *(_span(s, "repeated") for s in repeated if is_repetitive),
        ),
        {"contradictions": [label for label, *_ in opposed]},
    )


def _contradictions(
    sentences: Sentences, present: frozenset[str]
) -> Iterator[tuple[str, Sentence, Sentence]]:
    """Each contradicting pair with a sentence for either side."""
    for positive, negative in pairs("opposites.en"):
        last = negative.rpartition(" ")[2]
        if positive not in present or last not in present:
            continue
        denying = [s for s in sentences if last in s.words and f" {negative} " in _padded(s)]
        stating = [
            s
            for s in (sentences if denying else ())
            if positive in s.words and f" {positive} " in _padded(s).replace(f" {negative} ", " ")
        ]
        if both := _different(stating, denying):
            yield f"{positive}/{negative}", *both


def _padded(sentence: Sentence) -> str:
    return f" {' '.join(sentence.words)} "


def _different(ones: list[Sentence], others: list[Sentence]) -> tuple[Sentence, Sentence] | None:
    """A sentence of either list, not the same one."""
    pairs = ((a, b) for a in ones[:2] for b in others[:2] if a is not b)
    return next(pairs, None)


def _repeated(sentences: Sentences) -> list[Sentence]:
    first: dict[str, Sentence] = {}
    return [s for s in sentences if first.setdefault(" ".join(s.text.lower().split()), s) is not s]


def _span(sentence: Sentence, label: str) -> Span:
    return Span("response", sentence.start, sentence.end, label)
