"""Linear models: what they compute, and that a changed file is refused."""

from __future__ import annotations

import json
from math import exp, sqrt
from pathlib import Path

import numpy as np
import pytest

from assay.core.errors import DataError
from assay.linear import models
from assay.linear.models import MeasureModel, NgramModel
from assay.linear.ngrams import BUCKETS, hashed_ngrams


def one_word_model(word: str) -> NgramModel:
    """A model that gives each n-gram of one word the weight 2."""
    weights = np.zeros(BUCKETS, np.int8)
    weights[hashed_ngrams(word).buckets] = 2
    return NgramModel("test", weights, 0.5, -1.0)


def test_the_logit_is_the_mean_weight_by_the_root_of_distinct_ngrams() -> None:
    model = one_word_model("idiot")
    distinct = len(set(hashed_ngrams("idiot").buckets.tolist()))
    assert model.logit("idiot") == pytest.approx(-1.0 + 0.5 * 2 * distinct / sqrt(distinct))
    assert model.logit("idiot idiot") < 2 * model.logit("idiot")


def test_a_text_without_words_has_the_bias() -> None:
    assert one_word_model("idiot").logit("") == -1.0


def test_the_strongest_words_are_named() -> None:
    text = "you are an idiot today"
    (part,) = one_word_model("idiot").contributions(text, 1)
    assert text[part.start : part.end] == "idiot"


def test_no_words_no_contributions() -> None:
    assert one_word_model("idiot").contributions("", 3) == ()


def test_measures_are_weighed_and_squashed() -> None:
    model = MeasureModel("test", -1.0, {"a": 2.0, "b": -3.0})
    assert model.probability({"a": 1.0, "b": 0.5}) == pytest.approx(1 / (1 + exp(0.5)))


def test_a_measure_that_is_not_given_is_an_error() -> None:
    with pytest.raises(KeyError):
        MeasureModel("test", 0.0, {"a": 1.0}).logit({})


def test_a_changed_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "data" / "models"
    folder.mkdir(parents=True)
    (folder / "m.json").write_text(json.dumps({"bias": 0.0, "weights": {}}))
    (folder / models.HASHES).write_text(json.dumps({"m.json": "0" * 64}))
    monkeypatch.setattr(models, "files", lambda _: tmp_path)
    models._measure_model.cache_clear()
    with pytest.raises(DataError, match=r"'m.json' does not have the hash"):
        models.measure_model("m")
