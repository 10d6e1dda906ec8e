import assay


def test_the_explanation_names_what_is_wrong_and_where():
    response = "The station is 12 km away."
    result = assay.score(
        query="How far is the station?",
        expected="12 miles",
        response=response,
        metrics=["answer.correctness"],
    )["answer.correctness"]
    assert "says '12 km' where '12 miles' is expected" in result.explanation
    assert [response[span.start : span.end] for span in result.evidence] == ["12 km"]


def test_missing_words_are_named():
    result = assay.score(
        query="Which colours are in the flag?",
        expected="Red, white and blue",
        response="It has red and white.",
        metrics=["answer.correctness"],
    )["answer.correctness"]
    assert "lacks 'blue'" in result.explanation
