"""What is said of statements that no encoder reads."""

import pytest

import assay

MUSEUM = ["يغلق المتحف أبوابه يوم الاثنين، ويدخل الأطفال مجانا."]


@pytest.mark.parametrize(
    ("response", "verdict"),
    [
        ("لا يستقبل المتحف زوارا في أول الأسبوع ولا يدفع الصغار.", "unsure"),
        ("يغلق المتحف أبوابه يوم الثلاثاء.", "fail"),
        ("يغلق المتحف أبوابه يوم الاثنين.", "pass"),
        ("ثمن الخبز ثلاثة دراهم في كل مدن الشمال.", "fail"),
    ],
)
def test_words_alone_decide_nothing_in_arabic_between_two_ends(response, verdict):
    result = assay.score(metrics=["rag.faithfulness"], response=response, contexts=MUSEUM)[
        "rag.faithfulness"
    ]

    assert result.verdict == verdict
    is_told = "nothing but other words speaks against it" in result.explanation
    assert is_told is (verdict == "unsure")
    assert ("in doubt whether the statement is supported" in result.explanation) is is_told


def test_a_chosen_threshold_decides_in_arabic():
    scores = assay.score(
        metrics=["rag.faithfulness"],
        thresholds={"rag.faithfulness": 0.5},
        response="لا يستقبل المتحف زوارا في أول الأسبوع ولا يدفع الصغار.",
        contexts=MUSEUM,
    )

    assert scores["rag.faithfulness"].verdict == "fail"
