from assay.core import Result, metric
from assay.features import Hits
from assay.scoring.findings import presence, uncovered
from assay.textproc.language import is_other_script

PHRASES = "injection_phrases.en"
EXCEPTIONS = "reminders.en"


@metric(
    id="chat.prompt_injection_strict",
    inputs=("query",),
    range=(0.0, 100.0),
    polarity="neutral",
    unit="%",
    lexicons=(PHRASES, EXCEPTIONS),
)
def prompt_injection_strict(query_hits: Hits, query_language: str) -> Result:
    """Whether the query contains an injection phrase as whole words.

        value = 100 if the query holds a phrase of the lexicon `injection_phrases.en`, else 0

    The phrases are those of `chat.prompt_injection`, but "unforgettable" and "ecosystem:" are other
    words, and a reminder of the lexicon `reminders.en` ("don't forget") does not count. It says
    something about the query, not about the system, so its polarity is neutral. An empty query
    scores 0; a query in another script than Latin without a match has no score.

    Blind spots: "How do I forget a bad day?" counts, and an injection in other words does not.
    """
    hits = uncovered(query_hits[PHRASES], query_hits[EXCEPTIONS])
    if not hits and is_other_script(query_language):
        return Result.missing(f"The rule reads en; the query is in {query_language!r}.")
    return presence(hits, "injection phrase")
