"""What a metric says whose model is not installed."""

import assay
from assay.backends import Backends
from assay.core import MissingExtraError


def test_a_package_that_is_not_installed_makes_the_score_missing_not_failed(monkeypatch):
    def absent(model, texts):
        raise MissingExtraError('the package comes with the extra "minilm"')

    monkeypatch.setattr("assay.backends.fake.FakeModel.embed_tokens", absent)
    scores = assay.score(
        response="Tea is hot.",
        expected="Tea is green.",
        metrics=["chat.bertscore", "chat.bleu"],
        backends=Backends(token_embedder="fake"),
    )
    assert scores["chat.bertscore"].state == "missing"
    assert 'comes with the extra "minilm".' in scores["chat.bertscore"].explanation
    assert scores["chat.bleu"].state == "ok"
