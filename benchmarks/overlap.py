"""Speed and agreement of BLEU and ROUGE against NLTK and rouge-score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from rouge_score.rouge_scorer import RougeScorer

from assay.runner import Job
from assay.runner.stream import run_stream
from assay.textproc.bleu import bleu_score
from assay.textproc.rouge import rouge_scores, rouge_tokens
from benchmarks.generate import arabic_records, records, samples, small_records
from benchmarks.measure import Row, Section, Sizes, all_of, at_least, medians

GOAL = 20
"""Times faster than the packages, as in our own comparison of ways to compute them."""
TOLERANCE = 1e-12

Pair = tuple[str, str]
"""An expected answer and a response."""
Values = tuple[float, float, float, float]
"""ROUGE-1, ROUGE-2, ROUGE-L and BLEU."""


def overlap(sizes: Sizes) -> Section:
    """Four scores of the same pairs, by the packages and by ours."""
    found = [(record["expected"], record["response"]) for record in records(sizes.texts)]
    by_packages = packages()
    plan = Job(("chat.bleu", "chat.rouge")).plan()
    whole = samples(records(sizes.texts))
    taken = medians(
        {
            "packages": lambda: [by_packages(*pair) for pair in found],
            "ours": lambda: [ours(*pair) for pair in found],
            "engine": lambda: run_stream(iter(whole), Job(), plan=plan),
        },
        sizes.rounds,
    )
    rate = {name: len(found) / seconds for name, seconds in taken.items()}
    return Section(
        "BLEU and ROUGE",
        f"ROUGE-1, -2 and -L F1 with stemming and sentence BLEU of {len(found)} responses of about "
        "150 words against expected answers of about half that length, each from the bare texts. "
        f"Equal means within {TOLERANCE:g}, on long, short and Arabic texts.",
        [
            Row("rouge-score and NLTK", f"{rate['packages']:,.0f} pairs/s"),
            Row("Ours", f"{rate['ours']:,.0f} pairs/s"),
            Row("Ours in a whole run, with evidence", f"{rate['engine']:,.0f} pairs/s"),
            at_least("Speed-up", rate["ours"] / rate["packages"], GOAL, "times"),
            agreement(pairs(sizes.texts), by_packages),
        ],
    )


def ours(expected: str, response: str) -> Values:
    """The four scores by our own code."""
    scores = rouge_scores(rouge_tokens(expected), rouge_tokens(response))
    bleu = bleu_score(expected.split(), response.split()).score
    return scores.rouge1_f1, scores.rouge2_f1, scores.rougeL_f1, bleu


def packages() -> Callable[[str, str], Values]:
    """The four scores by the packages."""
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
    smoothing = SmoothingFunction().method1

    def score(expected: str, response: str) -> Values:
        found = scorer.score(expected, response)
        bleu = sentence_bleu([expected.split()], response.split(), smoothing_function=smoothing)
        one, two, long = (found[name].fmeasure for name in ("rouge1", "rouge2", "rougeL"))
        return one, two, long, float(bleu)

    return score


def pairs(count: int) -> list[Pair]:
    """Pairs of all kinds, none of which was measured."""
    kinds = (make(count, seed=23) for make in (records, small_records, arabic_records))
    return [(record["expected"], record["response"]) for record in chain.from_iterable(kinds)]


def agreement(found: Sequence[Pair], by_packages: Callable[[str, str], Values]) -> Row:
    """How many pairs have the same four scores both ways."""
    same = sum(
        all(abs(a - b) <= TOLERANCE for a, b in zip(ours(*pair), by_packages(*pair), strict=True))
        for pair in found
    )
    return all_of("Equal scores", same, len(found), "pairs")
