"""The files of words fit what the server says: metrics, families, reasons, kinds of failure."""

import json
from pathlib import Path
from typing import get_args

import pytest

from assay import registry
from assay.server.error_answers import BUSY_CODE, CODES, READ_ONLY_CODE, TIME_CODE
from assay.server.labelling import ESCALATED, NEAR, SPREAD
from assay.server.oidc import LoginProblem

MESSAGES = Path(__file__).parents[2] / "web/src/messages"
METRIC_FILES = sorted((MESSAGES / "metrics").glob("*.json"))


def _words(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_words_of_metrics_belong_to_a_language_of_the_interface():
    assert "ar.json" in {path.name for path in METRIC_FILES}
    assert all((MESSAGES / path.name).is_file() for path in METRIC_FILES)


@pytest.mark.parametrize("path", METRIC_FILES, ids=lambda path: path.stem)
def test_every_metric_and_family_has_words(path):
    words, metrics = _words(path), registry.metrics()
    families = {metric.family for metric in metrics.values()}
    assert words.keys() == metrics.keys() | families
    assert list(words) == sorted(words)
    assert all(words[id]["label"] and words[id]["summary"] for id in metrics)
    assert all(words[family]["summary"] for family in families)


@pytest.mark.parametrize("path", METRIC_FILES, ids=lambda path: path.stem)
def test_metrics_of_one_family_have_names_of_their_own(path):
    words = _words(path)
    for family in {metric.family for metric in registry.metrics().values()}:
        labels = [words[id]["label"] for id in words if id.startswith(f"{family}.")]
        english = [metric.name for metric in registry.metrics().values() if metric.family == family]
        assert len(set(labels)) >= len(set(english)), family


@pytest.mark.parametrize("path", sorted(MESSAGES.glob("*.json")), ids=lambda path: path.stem)
def test_every_reason_to_label_a_sample_has_a_message(path):
    assert {f"word.{reason}" for reason in (NEAR, SPREAD, ESCALATED)} <= set(_words(path))


@pytest.mark.parametrize("path", sorted(MESSAGES.glob("*.json")), ids=lambda path: path.stem)
def test_every_kind_of_failure_has_a_message(path):
    words = _words(path)
    codes = {*CODES.values(), BUSY_CODE, TIME_CODE, READ_ONLY_CODE}
    assert {key.removeprefix("error.") for key in words if key.startswith("error.")} == codes
    problems = {key.removeprefix("login.") for key in words if key.startswith("login.")}
    assert problems == set(get_args(LoginProblem))
