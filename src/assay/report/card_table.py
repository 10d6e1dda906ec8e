"""A governance scorecard on the terminal.

What comes from data is put into `rich.text.Text` with its control characters made visible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.core.card import ALERT_BELOW, PASS_AT, GovernanceCard
from assay.report.figures import NO_VALUE
from assay.report.safe_text import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

WIDTH = 20
"""Characters of a full bar."""
REASON = 300
"""Characters of a reason that are shown."""
_STYLES = {"PASS": "bold green", "REVIEW": "bold yellow", "FAIL": "bold red", None: "dim"}


def print_card(card: GovernanceCard, console: Console) -> None:
    """Print overall score and verdict, a bar for each dimension, the reasons and the alerts."""
    console.print(_heading(card))
    console.print(_dimensions(card))
    for reason in card.reasoning:
        console.print(_entry(f"{reason.dimension} {reason.score:.1f}", reason.reason))
    for alert in card.alerts:
        console.print(_entry("alert", alert, "red"))
    if card.imputed:
        use = "counted" if card.includes_imputed else "left out"
        console.print(_entry(f"imputed, {use}", ", ".join(card.imputed), "dim"))


def _text(text: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(text, style=style)


def _heading(card: GovernanceCard) -> Text:
    line = _text(one_line(card.id, 80), "bold").append("  ")
    line.append(_score(card.overall_score, 2)).append("  ")
    line.append(card.verdict or "N/A", _STYLES[card.verdict])
    if card.total_claims is not None:
        line.append(f"  {card.verified_claims} of {card.total_claims} claims verified", "dim")
    return line


def _dimensions(card: GovernanceCard) -> Table:
    """Name, score, bar, weight, and how many of its metrics have a score of their own."""
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right")
    for _ in range(3):
        grid.add_column(no_wrap=True)
    for name, score in card.dimensions.items():
        listed = card.metrics.get(name, ())
        scored = sum(metric.state == "ok" for metric in listed)
        grid.add_row(
            f"  {name}",
            _score(score, 1),
            _bar(score),
            _text(f"weight {card.weights.get(name, 0.0):.2f}", "dim"),
            _text(f"{scored} of {len(listed)} metrics", "dim"),
        )
    return grid


def _score(score: float | None, digits: int) -> str:
    return NO_VALUE if score is None else f"{score:.{digits}f}"


def _bar(score: float | None) -> Text:
    if score is None:
        return _text("no score", "dim")
    full = round(score / 100 * WIDTH)
    style = "green" if score >= PASS_AT else "yellow" if score >= ALERT_BELOW else "red"
    return _text("█" * full, style).append("░" * (WIDTH - full), "dim")


def _entry(name: str, text: str, style: str = "bold") -> Text:
    return _text(f"  {one_line(name, 80)}: ", style).append(one_line(text, REASON), "not bold")
