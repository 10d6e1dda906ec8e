from hypothesis import given
from hypothesis import strategies as st

from assay.core import Document, Result, Sample, Scores
from assay.runner.redaction import mask, mask_sample, mask_scores


def test_every_text_of_a_sample_is_masked_in_place():
    sample = Sample(
        id="bob@example.com",
        query="I am bob@example.com.",
        contexts=(Document("Call 555-123-4567.", source="a@example.org"),),
        metadata={"user": ["x@example.org", 3]},
    )
    found = mask_sample(sample)
    assert found.query == f"I am {'█' * 15}."
    assert found.contexts == (Document(f"Call {'█' * 12}.", source="█" * 13),)
    assert found.metadata == {"user": ["█" * 13, 3]}
    assert found.id == "█" * 15


def test_explanations_and_details_are_masked():
    scores = Scores("1", {"a.b": Result(1.0, "Found 'bob@example.com'.", details={"k": "ok"})})
    found = mask_scores(scores)["a.b"]
    assert found.explanation == f"Found '{'█' * 15}'."
    assert (found.value, found.details) == (1.0, {"k": "ok"})


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_place_moves_and_an_address_never_stays(before, after):
    text = f"{before} bob@example.com {after}"
    found = mask(text)
    assert len(found) == len(text)
    assert "bob@example.com" not in found
