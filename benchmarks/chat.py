"""The rules of the chat family through the engine against the same rules one by one."""

from __future__ import annotations

from functools import partial

from assay.runner import Job
from benchmarks import naive_chat
from benchmarks.compare import by_engine, disagreements, one_by_one, speed_rows, tasks
from benchmarks.generate import arabic_records, chat_records, samples
from benchmarks.measure import Row, Section, Sizes, all_of, medians

GOAL = 20
RULES = ("chat&@rules",)
"""The metrics of the family that ask no model."""
OVERLAP = ("chat.bleu", "chat.rouge", "chat.rouge_unicode")
"""Those that NLTK and rouge-score compute in the plain version; half of its time is theirs."""


def chat(sizes: Sizes) -> Section:
    """Records a second both ways, after checking that they say the same."""
    plan = Job(RULES).plan()
    rest = Job((*RULES, *(f"-{id}" for id in OVERLAP))).plan()
    found = samples(chat_records(sizes.texts))
    checked = [*found, *samples(chat_records(sizes.texts, make=arabic_records))]
    equal = len(checked) - len(disagreements(plan, checked, naive_chat.score))
    score_rest = partial(naive_chat.score, left_out=OVERLAP)
    taken = medians(
        {
            **tasks(plan, found, naive_chat.score),
            "naive rest": lambda: one_by_one(score_rest, found),
            "engine rest": lambda: by_engine(rest, found),
        },
        sizes.rounds,
    )
    rate = {name: len(found) / seconds for name, seconds in taken.items()}
    return Section(
        "Rules of the chat family against one by one",
        f"The family's {len(plan.shown)} metrics that ask no model, with values, explanations and "
        f"places of {len(found)} records, by the engine and by `benchmarks/naive_chat`: the same "
        "rules, each metric on its own, with the standard library, and with NLTK and rouge-score "
        "for BLEU, ROUGE and stems. Records have 165 words of response on average, documents, and "
        "some of them tools, a schema or further answers. The plain version normalises character "
        "by character, as the rule is written; the second one takes the shortcut that ASCII text "
        "needs no normalisation.",
        [
            *speed_rows(rate, GOAL),
            Row(
                "Speed-up without BLEU and ROUGE",
                f"{rate['engine rest'] / rate['naive rest']:.3g} times",
            ),
            all_of(
                "Same values, states and places, English and Arabic", equal, len(checked), "records"
            ),
        ],
    )
