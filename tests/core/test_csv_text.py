"""No cell acts as a formula, and every text comes back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core import Sample
from assay.core.csv_text import FORMULA_STARTS, guarded, unguarded
from assay.samples import GoldenDataset


@given(st.text(alphabet=st.sampled_from("'=+-@\t\r\n＝aß1 ")) | st.text())
def test_every_text_comes_back(text):
    assert not guarded(text).startswith(tuple(FORMULA_STARTS))
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize("text", ['=HYPERLINK("http://evil.example")', "@SUM(1)", "-2+3", "'=1"])
def test_a_converted_dataset_carries_no_live_formula(tmp_path, text):
    path = tmp_path / "set.csv"
    made = GoldenDataset("set", examples=(Sample("1", query=text, expected=text),))
    made.save(path)
    assert f"'{text[:4]}".replace('"', '""') in path.read_text(encoding="utf-8")
    (example,) = GoldenDataset.load(path).examples
    assert (example.query, example.expected) == (text, text)
