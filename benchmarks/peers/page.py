"""The figures of all tools as a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.peers.figures import Figures

TITLES = {"exact": "Exact match", "rouge": "ROUGE-1, ROUGE-2 and ROUGE-L with stemming"}
NONE = "–"
_INTRODUCTION = """\
Each tool is installed in an environment of its own, as pip resolves it without pins, and
evaluates the same {records} records (answers of about 150 words with a reference and contexts)
with the same metric through its own runner, after a warm-up. {rounds} rounds, in each every tool
in turn; medians of CPU time, so that other work on the machine counts little. Compare ratios, not
rates. Progress bars, printed results, caches and telemetry are off; nothing else was tuned."""


def page(
    every: Sequence[Figures], records: int, rounds: int, machine: dict[str, str], day: str
) -> str:
    """The page in Markdown."""
    about = "; ".join(f"{name.lower()}: {value}" for name, value in machine.items())
    parts = [
        "# Other tools on the same records",
        "",
        "<!-- Made by `make bench-peers`; changes belong into benchmarks/peers. -->",
        "",
        *_INTRODUCTION.format(records=records, rounds=rounds).splitlines(),
        "",
        f"Measured on {day}; {about}.",
        "",
        "## Records a CPU second",
        "",
    ]
    for metric, title in TITLES.items():
        parts += [f"### {title}", "", *_rates(every, metric), ""]
    parts += ["## Installing and starting", "", *_starts(every), ""]
    parts += ["## What did not work", "", *_problems(every), ""]
    parts += ["## How each was called", "", *_notes(every), ""]
    return "\n".join(parts)


def _rates(every: Sequence[Figures], metric: str) -> Iterable[str]:
    own = next((f.rates.get(metric) for f in every if f.tool.name == "assay"), None)
    measured = sorted((f for f in every if metric in f.rates), key=lambda f: -f.rates[metric])
    rows = [
        (
            f.tool.title,
            f.version,
            f"{f.rates[metric]:,.0f}",
            NONE if own is None else f"{own / f.rates[metric]:.3g}",
            f"{f.peaks[metric]:,.0f}",
        )
        for f in measured
    ]
    head = (
        "tool",
        "version",
        "records/CPU s",
        "Assay ÷ tool",
        "peak memory, MiB",
    )
    return _table(head, rows)


def _starts(every: Sequence[Figures]) -> Iterable[str]:
    rows = [
        (
            f.tool.title,
            f.version,
            f"{f.installed.mib:,.0f}",
            _number(f.import_seconds),
            _number(f.import_mib, 0),
            _number(f.command_seconds),
        )
        for f in every
    ]
    return _table(
        (
            *("tool", "version", "install, MiB", "import, CPU s", "memory after import, MiB"),
            "`--help`, CPU s",
        ),
        rows,
    )


def _problems(every: Sequence[Figures]) -> Iterable[str]:
    rows = [(f.tool.title, "import or install", f.installed.error) for f in every]
    rows += [(f.tool.title, what, why) for f in every for what, why in f.errors.items()]
    found = [(title, what, f"`{why}`".replace("|", "\\|")) for title, what, why in rows if why]
    return _table(("tool", "what", "error"), found) if found else ["Everything did."]


def _notes(every: Sequence[Figures]) -> Iterable[str]:
    return _table(("tool", "runner"), [(f.tool.title, f.tool.note) for f in every])


def _number(value: float | None, digits: int = 2) -> str:
    return NONE if value is None else f"{value:,.{digits}f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(cells)} |" for cells in lines]
