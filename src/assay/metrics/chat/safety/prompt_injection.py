from assay.core import Result, metric
from assay.features import Hits
from assay.scoring.findings import flag, strength
from assay.textproc.language import is_other_script

PATTERNS = "injection"


def score(injection_detected: bool | None = None) -> float | None:
    """100 when an injection was detected, else 0."""
    return flag(injection_detected)


@metric(
    id="chat.prompt_injection",
    inputs=("query",),
    range=(0.0, 100.0),
    polarity="neutral",
    unit="%",
    lexicons=(PATTERNS,),
    formula=score,
)
def prompt_injection(query_hits: Hits, query_language: str) -> Result:
    """Whether the query looks like an attempt to overrule the system's instructions.

        value = 100 if the query holds a pattern of the set `injection`, else 0

    The patterns are "ignore previous", "forget", "system:", "assistant:", "user:", "<|" and
    "[INST]", anywhere in the text and ignoring case. It says something about the query, not about
    the system, so its polarity is neutral. An empty query scores 0; a query in another script than
    Latin without a match has no score, because the words are English.

    Blind spots: "don't forget my umbrella" and "ecosystem:" count (`chat.prompt_injection_strict`
    leaves them alone), and an injection in other words does not.
    """
    hits = query_hits[PATTERNS]
    if not hits and is_other_script(query_language):
        return Result.missing(f"The rule reads en; the query is in {query_language!r}.")
    return strength(score(bool(hits)), hits, "injection pattern")
