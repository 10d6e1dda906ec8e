from assay.core import Result, metric
from assay.textproc.overlap import spans_of


@metric(
    id="chat.bleu_fallback",
    inputs=("response", "expected"),
    range=(0.0, 1.0),
    polarity="higher",
    aliases=("chat.lexical_overlap", "lexical_overlap"),
)
def bleu_fallback(response: str, expected: str) -> Result:
    """How many words of the expected answer the response contains.

    Words are separated by whitespace, in lower case, each counted once:

        value = words in both / words of the expected answer

    An expected answer without words gives no score.

    Blind spots: it is not BLEU: order, repetition and further words of the response do not matter,
    so a long enough response holds everything; "tea" and "tea." are two words.
    """
    words, lower = expected.split(), expected.lower().split()
    wanted, held = set(lower), set(response.lower().split())
    if not wanted:
        return Result.missing("The expected answer has no words.")
    shared = len(wanted & held)
    lacking = {word for word, low in zip(words, lower, strict=True) if low not in held}
    return Result(
        shared / len(wanted),
        f"{shared} of {len(wanted)} words of the expected answer are in the response.",
        spans_of(lacking, expected, words, "expected", "lacking"),
        {"shared": shared, "expected": len(wanted)},
    ).limited(len(lacking))
