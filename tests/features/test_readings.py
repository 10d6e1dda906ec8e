from assay.features.readings import accepted_answers, read_text


def test_expected_answer_is_read_once():
    expected = read_text("Canberra")
    assert accepted_answers("Canberra", expected, {}) == (expected,)


def test_alternatives_of_the_expected_answer_are_read_by_themselves():
    found = accepted_answers("Dec./December", read_text("Dec./December"), {})
    assert [reading.text for reading in found] == ["Dec.", "December"]
