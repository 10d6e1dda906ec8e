"""Reads the answers of a stored run, to score them again without calling the target."""

from __future__ import annotations

from collections.abc import Iterator

from assay.core import SampleError
from assay.runner.questions import answered_sample
from assay.runner.stream import Item
from assay.store import Store
from assay.store.answers import StoredAnswer, all_answers, has_answers
from assay.store.run_list import Run, read_run


def stored_items(store: Store, run: Run) -> Iterator[Item]:
    """The samples of a run as they were before scoring, in order.

    Where the run asked a system these are its answers, also those that were not scored yet, and a
    question without an answer stands as an error in its place. Other runs give their samples.
    """
    if not has_answers(store, run.id):
        for sample, _ in read_run(store, run):
            yield sample
        return
    for place, answers in all_answers(store, run.id):
        yield item_of(place, answers)


def item_of(place: int, answers: list[StoredAnswer]) -> Item:
    """The sample of one question and all that was answered to it."""
    question = answers[0].question
    if question is None:  # the run ended between two calls for it
        return SampleError(f"question {place + 1} was not asked to the end")
    return answered_sample(question, answers)
