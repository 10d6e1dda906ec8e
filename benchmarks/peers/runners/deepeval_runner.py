"""DeepEval: `evaluate` with what shows and caches turned off."""

from deepeval import evaluate
from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import ExactMatchMetric
from deepeval.test_case import LLMTestCase
from harness import Record, measure


def exact(records: list[Record]) -> object:
    cases = [
        LLMTestCase(
            input=record["query"],
            actual_output=record["response"],
            expected_output=record["expected"],
            retrieval_context=record["contexts"],
        )
        for record in records
    ]
    return evaluate(
        cases,
        [ExactMatchMetric()],
        async_config=AsyncConfig(run_async=False),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        cache_config=CacheConfig(write_cache=False),
    )


measure({"exact": exact})
