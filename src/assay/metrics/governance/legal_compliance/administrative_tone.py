from assay.core import Result, Span, metric
from assay.core.bounds import clamp
from assay.features import Hits
from assay.scoring.weighted_patterns import by_place, quoted, weigh

PENALTIES, BONUSES = "gov_tone_penalties.en", "gov_tone_bonuses.en"
EMOJI = 0.15
"""What emoji take off, one or many."""


@metric(
    id="governance.administrative_tone",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    lexicons=(PENALTIES, BONUSES),
    languages=("en",),
)
def administrative_tone(response_hits: Hits, response_emoji: tuple[Span, ...]) -> Result:
    """Whether the response has an administrative tone.

        value = 1 − penalties + bonuses, each pattern once;   from 0 to 1

    Penalties: "I feel/think/believe/in my opinion/personally" 0.15, "hello/hi there/hey/happy to
    help/glad to assist/certainly" 0.1, two or more "!" in a row 0.1, emoji 0.15,
    "sure/absolutely/definitely/of course/no problem" 0.1, "gonna/wanna/gotta/kinda/sorta" 0.2,
    "awesome" 0.1, "don't worry" 0.1. Bonuses of 0.05: "as per/pursuant to/in accordance with",
    "vide/hereby/thereto/thereof", "undersigned/competent authority", "for your
    information/necessary action", "kindly". An empty response scores 1.

    Blind spots: a bonus can make up for slang; a quoted greeting counts, and unfriendly or unclear
    wording does not. Much of it is measured by `governance.tone_professionalism` too.
    """
    penalties, bonuses = weigh(response_hits, PENALTIES), weigh(response_hits, BONUSES)
    informal = [*penalties.names, *(["emoji"] if response_emoji else [])]
    taken = penalties.score + EMOJI * bool(response_emoji)
    parts = [
        *([f"takes off for {quoted(informal)}"] if informal else []),
        *([f"adds for {bonuses.wording}"] if bonuses.names else []),
    ]
    return Result(
        clamp(1.0 - taken + bonuses.score),
        f"The rule {' and '.join(parts)}." if parts else "Nothing informal was found.",
        by_place(penalties.spans, response_emoji, bonuses.spans),
        {"penalties": informal, "bonuses": list(bonuses.names)},
    )
