"""Any JSON that Python can parse is read, scored or refused by itself, and can be read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import registry
from assay.core import Sample, SampleError
from assay.core.jsontext import dumps, loads
from assay.engine import make_plan, score_batch
from assay.runner import evaluate
from assay.samples import read_samples
from assay.samples.field_names import fields
from assay.samples.raw_records import numbered
from assay.samples.reader import samples_from
from assay.store.row_codec import TEXTS, rest_of, sample_of

PLAN = make_plan(
    registry.select(["text.safety", "chat.accuracy", "suite", "json.accuracy", "agent.tool_calls"])
)
NUMBERS = (
    st.integers()
    | st.floats()
    | st.sampled_from([10**308, 10**309, -(10**309), int("9" * 400), 2**63, 1e200, 1e308, 5e-324])
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["role", "content", "name", "score", "weight"]), inner)
    ),
    max_leaves=6,
)
NAMES = st.sampled_from(
    [name for field in fields() for name in field.accepted]
    + ["weight", "similarity_score", "forbidden", "expected_behaviour", "prompt_tokens"]
)
RECORDS = st.lists(st.dictionaries(NAMES, VALUES, max_size=5) | VALUES, min_size=1, max_size=4)


@settings(max_examples=150)
@given(RECORDS)
def test_records_are_read_scored_or_refused_one_by_one(records: list[Any]) -> None:
    parsed = json.loads(json.dumps([*records, {"id": "last", "response": "ok"}]))
    items = list(samples_from("data.json", numbered(parsed), None, None))
    assert len(items) == len(records) + 1
    assert all(isinstance(item, Sample | SampleError) for item in items)
    samples = [item for item in items if isinstance(item, Sample)]
    for sample, scores in zip(samples, score_batch(PLAN, samples), strict=True):
        assert loads(dumps(scores.to_json())) is not None
        texts = {column: getattr(sample, name) for name, column in TEXTS.items()}
        assert dumps(rest_of(sample_of(rest_of(sample), texts))) == dumps(rest_of(sample))
    assert score_batch(PLAN, samples[-1:])[0]["text.safety"].state == "ok"


@pytest.mark.parametrize("digits", [309, 400, 401, 5000])
def test_one_long_number_does_not_end_a_run(tmp_path: Path, digits: int) -> None:
    number = "9" * digits
    data, out = tmp_path / "data.jsonl", tmp_path / "out.jsonl"
    data.write_text(
        f'{{"id": "a", "response": {number}}}\n'
        f'{{"id": "b", "response": "x", "expected": "y", "similarity_score": {number}}}\n'
        '{"id": "c", "response": "x", "expected": "y", "similarity_score": 0.5}\n',
        encoding="utf-8",
    )
    report = evaluate(data, metrics=["chat.accuracy", "text.safety"], settings=None)
    assert report.summary.samples + report.summary.unread == 3
    last = report.scores[-1]
    assert last.id == "c"
    assert last["chat.accuracy"].value == 0.5
    report.save(out)
    assert len([loads(line) for line in out.read_text(encoding="utf-8").splitlines()]) > 0


def test_a_number_that_no_reader_takes_is_written_as_text(tmp_path: Path) -> None:
    report = evaluate(
        [{"response": "x", "figures": [10**400, -(10**5000), 10**399]}],
        metrics="text.safety",
        run="r",
        store=str(tmp_path / "s.db"),
        settings=None,
    )
    written = loads(dumps(dict(report.samples[0].metadata)))
    assert written == {"figures": ["1" + "0" * 400, "-1" + "0" * 5000, 10**399]}
    path = tmp_path / "again.jsonl"
    path.write_text(dumps({"response": "x", **written}), encoding="utf-8")
    assert all(isinstance(item, Sample) for item in read_samples(path))
