"""The families by subject work without an embedder: a score, or the reason why there is none."""

import pytest

import assay

SAMPLE = {
    "query": "What is the capital of France?",
    "response": "The capital of France is Paris [1].",
    "expected": "Paris",
    "contexts": ["Paris is the capital of France."],
    "expected_sources": ["Paris is the capital of France."],
    "translations": {"ar": "عاصمة فرنسا هي باريس."},
    "tool_calls": [{"name": "look_up", "arguments": {"country": "France"}}],
    "expected_tool_calls": [{"name": "look_up", "arguments": {"country": "France"}}],
}
NEED_ONE = {"answer.cross_language"}
"""Metrics that say nothing without an embedder."""


@pytest.mark.parametrize("embedder", ["none", "fake"])
def test_no_metric_fails_for_want_of_an_embedder(embedder):
    families = ["answer", "rag", "safety", "agent"]
    scores = assay.score(**SAMPLE, metrics=families, embedder=embedder, settings=None)
    for id in scores:
        allowed = ("ok", "missing", "error") if id in NEED_ONE else ("ok", "missing")
        assert scores[id].state in allowed, f"{id}: {scores[id].explanation}"
    assert scores["answer.relevance"].passed
    assert scores["answer.correctness"].passed
    assert scores["rag.faithfulness"].passed
