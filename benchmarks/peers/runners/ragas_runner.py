"""Ragas: `evaluate`."""

from harness import Record, measure
from ragas import EvaluationDataset, SingleTurnSample, evaluate
from ragas.metrics import ExactMatch


def exact(records: list[Record]) -> object:
    samples = [
        SingleTurnSample(
            user_input=record["query"],
            response=record["response"],
            reference=record["expected"],
            retrieved_contexts=record["contexts"],
        )
        for record in records
    ]
    return evaluate(EvaluationDataset(samples=samples), [ExactMatch()], show_progress=False)


measure({"exact": exact})
