import pytest

from assay.features.normal import normal
from assay.features.text_drift import response_baseline_drift, text_psi
from assay.features.words import words


def drift(text, baseline):
    found = words.feature(normal.feature(text))
    return response_baseline_drift(found, {"baseline_response": baseline})


def test_words_that_are_new_and_gone():
    text = "Hot tea, hot coffee."
    found = drift(text, "Cold tea and milk")
    assert (found.new, found.gone, found.band) == (2, 3, "significant")
    assert [text[span.start : span.end] for span in found.spans] == ["Hot", "coffee"]
    assert found.psi == pytest.approx(text_psi(text, "Cold tea and milk"))


@pytest.mark.parametrize("baseline", [None, 3, ["tea"]])
def test_what_is_no_text_is_no_baseline(baseline):
    assert drift("tea", baseline) is None
