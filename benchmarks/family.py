"""The text family through the engine against the same rules one by one."""

from __future__ import annotations

from assay.runner import Job
from benchmarks import naive
from benchmarks.compare import disagreements, speed_rows, tasks
from benchmarks.generate import arabic_records, records, samples
from benchmarks.measure import Section, Sizes, all_of, medians

GOAL = 10


def family(sizes: Sizes) -> Section:
    """Records a second both ways, after checking that they say the same."""
    plan = Job(("text",)).plan()
    found = samples(records(sizes.family))
    checked = [*found, *samples(arabic_records(sizes.family))]
    equal = len(checked) - len(disagreements(plan, checked, naive.score))
    taken = medians(tasks(plan, found, naive.score), sizes.rounds)
    rate = {name: len(found) / seconds for name, seconds in taken.items()}
    return Section(
        "Text family against one by one",
        "The family's eleven metrics with values, explanations and places, by the engine and by "
        "`benchmarks/naive.py`: the same rules, each metric on its own, with the standard library. "
        "The plain version normalises character by character, as the rule is written; the second "
        "one takes the shortcut that ASCII text needs no normalisation.",
        [
            *speed_rows(rate, GOAL),
            all_of("Same values and places, English and Arabic", equal, len(checked), "records"),
        ],
    )
