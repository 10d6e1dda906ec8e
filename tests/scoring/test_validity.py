import pytest

from assay.scoring.validity import failure_spans, validity


@pytest.mark.parametrize(
    ("response", "percent", "failed"),
    [
        ("The office opens at nine.", 100.0, ()),
        ("hello there friend", 75.0, ("ends_properly",)),
        ("ok", 50.0, ("has_minimum_length", "ends_properly")),
        ("", 25.0, ("has_minimum_length", "is_not_empty", "ends_properly")),
    ],
)
def test_the_share_of_checks(response, percent, failed):
    found = validity(response)
    assert (found.percent, found.failed) == (percent, failed)
    assert str(found) == f"{4 - len(failed)} of 4 checks of its form hold"


def test_a_longest_length_is_a_fifth_check():
    assert validity("The office opens at nine.", max_length=5).percent == 80.0
    assert validity("ok", min_length=1).percent == 75.0


@pytest.mark.parametrize(
    ("response", "max_length", "shown"),
    [
        ("<b>", None, ["<b>", "<", ">", ">"]),
        ("  ok  ", None, ["ok", "k"]),
        ("", None, []),
        (" \n ", None, []),
        ("a" * 12 + ".", 11, ["a."]),
        ("<" * 50 + ".", None, ["<"] * 10),
    ],
)
def test_failures_are_shown_in_their_place(response, max_length, shown):
    failed = validity(response, max_length=max_length).failed
    spans = failure_spans(response, failed, max_length)
    assert [response[span.start : span.end] for span in spans] == shown
