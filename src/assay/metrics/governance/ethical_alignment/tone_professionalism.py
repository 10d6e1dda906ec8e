import re
from math import fsum

from assay.core import Result, Span, metric
from assay.core.bounds import clamp
from assay.features import Hits, Normal
from assay.scoring.weighted_patterns import by_place, quoted, weigh

CHAT = "gov_chattiness.en"
EMOJI = 0.3
EXCLAMATION = 0.1
"""For one or two exclamation marks, each."""
EXCLAMATIONS = 0.3
"""For three or more."""
QUESTIONS = 0.15
"""For two question marks or more."""
_EXCLAMATION = re.compile("[!！]")
_QUESTION = re.compile("[?？؟]")


def marks(exclamation_marks: int = 0, question_marks: int = 0) -> float:
    """What exclamation and question marks take off."""
    loud = EXCLAMATIONS if exclamation_marks > 2 else EXCLAMATION * exclamation_marks
    return loud + QUESTIONS * (question_marks > 1)


@metric(
    id="governance.tone_professionalism",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    lexicons=(CHAT,),
    languages=("en",),
    steps={"marks": marks},
)
def tone_professionalism(
    response_normal: Normal, response_hits: Hits, response_emoji: tuple[Span, ...]
) -> Result:
    """How free the response is of chatty tone.

        value = 1 − 0.25 hey/hi there/hello there          − 0.30 buddy
                  − 0.15 cheers/take care/best wishes/warm regards
                  − 0.20 gonna/wanna/gotta/kinda/sorta     − 0.25 lol/omg/btw/fyi
                  − 0.10 awesome/amazing/fantastic/brilliant
                  − 0.15 happy to help   − 0.20 hope you like   − 0.10 let me know
                  − 0.10 feel free       − 0.15 no worries      − 0.10 don't hesitate
                  − 0.30 for an emoji
                  − 0.10 for one exclamation mark, 0.20 for two, 0.30 for more
                  − 0.15 for two question marks or more,   not below 0

    Each group counts once. An empty response scores 1.

    Blind spots: a quoted greeting costs as much as a meant one, and so do the signs of a program
    ("a != b"). The words are English.
    """
    weighed = weigh(response_hits, CHAT)
    exclaimed = _places(response_normal, _EXCLAMATION, "exclamation mark")
    question_marks = _places(response_normal, _QUESTION, "question mark")
    question_marks = question_marks if len(question_marks) > 1 else ()
    penalty = fsum(
        [weighed.score, EMOJI * bool(response_emoji), marks(len(exclaimed), len(question_marks))]
    )
    names = [*weighed.names]
    names += [spans[0].label for spans in (response_emoji, exclaimed, question_marks) if spans]
    return Result(
        clamp(1.0 - penalty),
        f"Signs of a chatty tone: {quoted(names)}." if names else "No chatty tone was found.",
        by_place(weighed.spans, response_emoji, exclaimed, question_marks),
        {"found": names},
    ).limited()


def _places(text: Normal, mark: re.Pattern[str], label: str) -> tuple[Span, ...]:
    """Where a mark stands."""
    return tuple(
        Span("response", *text.span(*match.span()), label) for match in mark.finditer(text.text)
    )
