"""A ranking of systems on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assay.report.figures import count, interval, percent, percent_interval
from assay.report.safe_text import one_line

NAME = 24
"""Characters of a system's name that are shown."""


def ranking_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a pairwise report that was made plain data."""
    ranking = report["ranking"]
    yield (
        f"{report['metric']}: {count(ranking['questions'], 'question')}, "
        f"{count(report['comparisons'], 'comparison')}, {report['judged']:,} by the judge"
    )
    head = ("strength", "95 % interval", "win rate", "ranks", "won", "lost", "tied")
    yield _row("system", *head)
    for group in sorted({system["group"] for system in ranking["systems"]}):
        if group > 1:
            yield f"group {group}"
        for system in ranking["systems"]:
            if system["group"] == group:
                yield _system(system)
    flips = report["flips"]
    if flips["rate"] is not None:
        yield (
            f"Verdicts that depend on the order (ties): {percent(flips['rate'])} "
            f"{percent_interval(flips['interval'])}; the first place won both times in "
            f"{flips['for_the_first_place']}, the second in {flips['for_the_second_place']}."
        )
    if report["undecided"]:
        yield f"Without a usable verdict: {count(report['undecided'], 'comparison')}."
    for name, extra in report["unpaired"].items():
        yield f"{one_line(name, NAME)}: {count(extra, 'answer')} to questions that others lack."
    for note in ranking["notes"]:
        yield f"Note: {one_line(note, 500)}"


def _system(system: Mapping[str, Any]) -> str:
    best, worst = system["best_rank"], system["worst_rank"]
    ranks = str(best) if best == worst else f"{best}–{worst}"
    strength = "–" if system["strength"] is None else f"{system['strength']:+.2f}"
    return _row(
        one_line(system["system"], NAME),
        strength,
        interval(system["interval"]),
        percent(system["win_rate"]),
        ranks,
        *(f"{system[key]:,}" for key in ("wins", "losses", "ties")),
    )


def _row(name: str, *cells: str) -> str:
    widths = (9, 18, 9, 6, 6, 6, 6)
    shown = (f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
    return f"{name:<{NAME}}{' '.join(shown)}".rstrip()
