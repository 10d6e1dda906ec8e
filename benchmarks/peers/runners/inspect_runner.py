"""Inspect: `eval` of a task whose model gives the recorded answers."""

import tempfile

from harness import Record, measure
from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import exact as exact_match

MODEL = "mockllm/model"


def exact(records: list[Record]) -> object:
    samples = [Sample(input=record["query"], target=record["expected"]) for record in records]
    outputs = [ModelOutput.from_content(MODEL, record["response"]) for record in records]
    with tempfile.TemporaryDirectory() as folder:
        return evaluate(
            Task(dataset=MemoryDataset(samples), scorer=[exact_match()]),
            model=get_model(MODEL, custom_outputs=outputs),
            display="none",
            log_dir=folder,
        )


measure({"exact": exact})
