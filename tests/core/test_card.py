import pytest

from assay.core import Span
from assay.core.card import CardMetric, DimensionReason, GovernanceCard, verdict
from assay.core.jsontext import dumps, loads

CARD = GovernanceCard(
    id="a",
    overall_score=61.5,
    verdict="REVIEW",
    dimensions={"security": 61.5, "bias_fairness": None},
    verified_claims=2,
    total_claims=3,
    hallucinated_claims=1,
    reasoning=[DimensionReason("security", 61.5, "A key is shown.")],
    metrics={
        "security": [
            CardMetric(
                "leak", "security", 2.0, 0.5, "One key.", "ok", (Span("response", 0, 3, "k"),)
            )
        ]
    },
    alerts=["1 claim is not supported by the documents."],
    weights={"security": 1.0},
    imputed=["human_feedback"],
    includes_imputed=False,
    policy="rti@123456",
    signature="governance.overall_score|v:1",
)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (100.0, "PASS"),
        (70.0, "PASS"),
        (69.99, "REVIEW"),
        (50.0, "REVIEW"),
        (49.99, "FAIL"),
        (0.0, "FAIL"),
        (None, None),
    ],
)
def test_bands_begin_at_their_limits(score, expected):
    assert verdict(score) == expected


def test_a_card_survives_the_wire():
    record = CARD.to_json()
    assert loads(dumps(record)) == record
    assert record["reasoning"] == [
        {"dimension": "security", "score": 61.5, "reason": "A key is shown."}
    ]
    assert record["metrics"]["security"][0]["evidence"] == [
        {"field": "response", "start": 0, "end": 3, "label": "k"}
    ]
    assert [*record][:7] == [
        "id",
        "overall_score",
        "verdict",
        "dimensions",
        "verified_claims",
        "total_claims",
        "hallucinated_claims",
    ]


def test_a_card_in_one_line():
    assert str(CARD) == "REVIEW 61.50; lowest: security 61.5"
