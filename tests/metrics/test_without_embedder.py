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


@pytest.mark.parametrize("embedder", ["none", "fake"])
def test_no_metric_fails_for_want_of_an_embedder(embedder):
    families = ["answer", "rag", "safety", "agent"]
    scores = assay.score(**SAMPLE, metrics=families, embedder=embedder, settings=None)
    for id in scores:
        assert scores[id].state in ("ok", "missing"), f"{id}: {scores[id].explanation}"
    assert scores["answer.relevance"].passed
    assert scores["answer.correctness"].passed
    assert scores["rag.faithfulness"].passed


def test_translations_are_missing_without_an_embedder():
    def compared(translations, embedder):
        scores = assay.score(
            response=SAMPLE["response"],
            translations=translations,
            metrics=["answer.cross_language"],
            embedder=embedder,
            settings=None,
        )
        return scores["answer.cross_language"]

    absent = compared(SAMPLE["translations"], "none")
    assert (absent.state, absent.value, absent.passed) == ("missing", None, None)
    assert absent.explanation.startswith("No embedder is configured, so set 'embedder'")
    alone = compared({"en": "The capital of France is Paris."}, "none")
    assert alone.explanation == "There is one language; two or more can be compared."
    assert compared(SAMPLE["translations"], "fake").state == "ok"
