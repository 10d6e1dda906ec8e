from dataclasses import replace

import pytest
from rich.console import Console

from assay.core.card import CardMetric, DimensionReason, GovernanceCard
from assay.report.card_table import print_card

CARD = GovernanceCard(
    id="case-17",
    overall_score=61.5,
    verdict="REVIEW",
    dimensions={"security": 61.5, "legal_compliance": 0.0, "bias_fairness": None},
    verified_claims=2,
    total_claims=3,
    hallucinated_claims=1,
    reasoning=[
        DimensionReason("legal_compliance", 0.0, "Forced to 0: [bold]no[/bold] \x1b[31mred.")
    ],
    metrics={
        "security": [
            CardMetric("a", "security", 1.0, 1.0, "A.", "ok"),
            CardMetric("b", "security", 0.8, 0.8, "B.", "imputed"),
        ]
    },
    alerts=["1 claim is not supported by the documents."],
    weights={"security": 1.0},
    imputed=["b"],
    includes_imputed=False,
    policy="rti@123456",
    signature="",
)


def printed(card):
    console = Console(width=100, record=True, file=None, force_terminal=False)
    with console.capture() as capture:
        print_card(card, console)
    return capture.get()


def test_a_card_shows_score_verdict_bars_reasons_and_alerts():
    lines = printed(CARD).splitlines()
    assert lines[0] == "case-17  61.50  REVIEW  2 of 3 claims verified"
    assert "61.5  ████████████░░░░░░░░  weight 1.00  1 of 2 metrics" in lines[1]
    assert "0.0  ░░░░░░░░░░░░░░░░░░░░" in lines[2]
    assert "–  no score" in lines[3]
    assert lines[4].startswith("  legal_compliance 0.0: Forced to 0: ")
    assert lines[5] == "  alert: 1 claim is not supported by the documents."
    assert lines[6] == "  imputed, left out: b"


def test_text_from_data_neither_acts_nor_is_markup():
    shown = printed(CARD)
    assert "[bold]no[/bold] \\x1b[31mred." in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"overall_score": None, "verdict": None}, "case-17  –  N/A"),
        ({"includes_imputed": True}, "imputed, counted: b"),
    ],
)
def test_what_is_absent_is_said(change, said):
    assert said in printed(replace(CARD, **change))


def test_claims_that_were_not_checked_are_not_counted():
    unknown = {"verified_claims": None, "total_claims": None, "hallucinated_claims": None}
    assert "claims" not in printed(replace(CARD, **unknown)).splitlines()[0]
