"""Two JSON documents side by side on the terminal, and many comparisons as a list.

Values from documents are written as JSON, put into `rich.text.Text`, never parsed as rich's
markup, and have their control characters made visible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.core.json_result import FieldScore, JsonBatch, JsonComparison
from assay.core.jsontext import dumps
from assay.report.safe_text import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

SHOWN = 200
"""Fields or documents that are listed unless all are asked for."""
SCORES = (
    "completeness",
    "hallucination",
    "accuracy",
    "safety_score",
    "rqs",
    "rqs_normalized",
    "consistency",
)
"""The numbers of a comparison, in the order in which they are shown."""
_NARROW = 80
_KIND = 10
"""Columns for how a field was compared."""
_AT_ONCE = 1000
"""Rows of one table; more come in further ones, so that a reader need not wait for the last."""
_GOOD, _BAD, _DIM = "green", "red", "dim"
_NO_VALUE = "–"


class _Verdict(NamedTuple):
    """How a field stands: a sign and a word, which say it without colours too."""

    sign: str
    bucket: str
    style: str


_VERDICTS = {
    "aio_missing_or_null": _Verdict("-", "missing", _BAD),
    "extra_keys": _Verdict("+", "extra", _BAD),
    "gt_null_aio_has_value": _Verdict("+", "unexpected", _BAD),
    "skipped": _Verdict(" ", "skipped", _DIM),
}


def differences(comparison: JsonComparison) -> list[FieldScore]:
    """The fields in which the output is not what the ground truth expects."""
    return [field for field in comparison.field_scores if _verdict(field).style == _BAD]


def print_comparison(comparison: JsonComparison, console: Console, *, show_all: bool) -> None:
    """Print the fields of two documents side by side, then the scores and what to know of them."""
    fields = comparison.field_scores if show_all else differences(comparison)
    listed = fields if show_all else fields[:SHOWN]
    print_fields = _print_blocks if console.width < _NARROW else _print_table
    for start in range(0, len(listed), _AT_ONCE):
        print_fields(listed[start : start + _AT_ONCE], comparison, console)
    for line in _folded(comparison, listed):
        console.print(_text(line, _DIM))
    _print_scores(comparison, console)
    for note in _notes(comparison):
        console.print(note)


def print_batch(
    batch: JsonBatch, names: Sequence[str], console: Console, *, show_all: bool
) -> None:
    """Print several outputs for one ground truth, the best first, and how they stand together."""
    unranked = set(range(len(names))).difference(batch.ranking)
    places = (*batch.ranking, *sorted(unranked))
    ranked = [(names[place], batch.results[place]) for place in places]
    print_list(ranked, console, show_all=show_all)
    figures = {
        "mean RQS": batch.mean_rqs,
        "standard deviation": batch.std_dev,
        "consistency": batch.consistency,
        "hallucination rate": batch.hallucination_rate,
    }
    _print_figures(figures, console)
    verdict = _text(batch.status, _GOOD if batch.status == "PASS" else _BAD)
    if batch.reasons:
        verdict.append(f": {'; '.join(batch.reasons)}", "default")
    console.print(verdict)


def print_list(
    compared: Sequence[tuple[str, JsonComparison]], console: Console, *, show_all: bool
) -> None:
    """Print one line a comparison."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("output", overflow="fold", min_width=8)
    for title in ("compl.", "halluc.", "accuracy", "RQS", "differ"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("note", overflow="fold")
    shared = _shared_notes(compared)
    for name, comparison in compared if show_all else compared[:SHOWN]:
        table.add_row(*_line(name, comparison, shared))
    console.print(table)
    for note in shared:
        console.print(_note(note))
    if not show_all and len(compared) > SHOWN:
        console.print(_text(f"… and {len(compared) - SHOWN:,} more; --all shows them.", _DIM))


def print_means(means: dict[str, float | None], console: Console) -> None:
    """Print the means of many comparisons."""
    _print_figures({f"mean {_title(name)}": value for name, value in means.items()}, console)


def _text(text: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(text, style=style)


def _verdict(field: FieldScore) -> _Verdict:
    if field.bucket != "both_non_null":
        return _VERDICTS[field.bucket]
    if field.match_strategy == "IGNORE":
        return _Verdict("~", "both", _DIM)
    if field.score is None:
        return _Verdict("?", "both", _BAD)
    return _Verdict("=", "both", _GOOD) if field.score == 1 else _Verdict("≠", "both", _BAD)


def _print_table(
    listed: Iterable[FieldScore], comparison: JsonComparison, console: Console
) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("", width=1)
    table.add_column("field", overflow="fold", ratio=2)
    for title in ("expected", "actual"):
        table.add_column(title, overflow="fold", ratio=3)
    table.add_column("strategy", max_width=_KIND)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("bucket", no_wrap=True)
    for field, expected, actual in _shown(listed, comparison, console.width // 2):
        sign, bucket, style = _verdict(field)
        table.add_row(
            _text(sign, style),
            _text(one_line(field.field_name, console.width // 2), "bold"),
            _text(expected),
            _text(actual, style if style == _BAD else ""),
            _text(_compared_as(field), _DIM),
            _text(_score(field), style),
            _text(bucket, style),
        )
    console.print(table)


def _print_blocks(
    listed: Iterable[FieldScore], comparison: JsonComparison, console: Console
) -> None:
    """Each field in lines of its own, for a terminal that is too narrow for the table."""
    for field, expected, actual in _shown(listed, comparison, 2 * console.width):
        sign, bucket, style = _verdict(field)
        line = _text(f"{sign} ", style).append(one_line(field.field_name), "bold")
        heading = " ".join(filter(None, (bucket, _compared_as(field), _score(field))))
        console.print(line.append(f"  {heading}", style))
        console.print(_text("  expected ", _DIM).append(expected, "not dim"))
        console.print(_text("  actual   ", _DIM).append(actual, "not dim"))


def _shown(
    listed: Iterable[FieldScore], comparison: JsonComparison, limit: int
) -> Iterator[tuple[FieldScore, str, str]]:
    """The fields with both values as they are shown, cut so that a difference stays visible."""
    expected_keys, actual_keys = frozenset(comparison.gt_keys), frozenset(comparison.aio_keys)
    for field in listed:
        expected = _value(field.gt_value, field.field_name in expected_keys)
        actual = _value(field.aio_value, field.field_name in actual_keys)
        yield field, *_cut(expected, actual, limit)


def _value(value: Any, is_there: bool) -> str:
    return dumps(value) if is_there or value is not None else _NO_VALUE


def _cut(expected: str, actual: str, limit: int) -> tuple[str, str]:
    """Both texts in one line each, begun shortly before they part where they part late."""
    pairs = enumerate(zip(expected, actual, strict=False))
    same = next((place for place, (a, b) in pairs if a != b), min(len(expected), len(actual)))
    if same < limit // 2 or max(len(expected), len(actual)) <= limit or expected == actual:
        return one_line(expected, limit), one_line(actual, limit)
    start = same - limit // 4
    return tuple("…" + one_line(text[start:], limit - 1) for text in (expected, actual))  # type: ignore[return-value] # two


def _compared_as(field: FieldScore) -> str:
    """The strategy, or what the value was recognised as where nobody chose one."""
    return field.field_type if field.match_strategy == "TYPED" else field.match_strategy.lower()


def _score(field: FieldScore) -> str:
    if field.score is None:
        return ""
    is_decided = field.match_strategy == "TYPED" and field.similarity == field.score
    if field.match_strategy == "EXACT" or field.similarity is None or is_decided:
        return f"{field.score:.0f}"
    return f"{field.similarity:.2f} → {field.score:.0f}"


def _folded(comparison: JsonComparison, listed: Sequence[FieldScore]) -> Iterator[str]:
    """What is not listed, in words."""
    counts = Counter(_verdict(field)[:2] for field in comparison.field_scores)
    counts.subtract(_verdict(field)[:2] for field in listed)
    words = {("=", "both"): "match", ("~", "both"): "ignored", (" ", "skipped"): "null in both"}
    parts = [f"{counts.pop(kind, 0):,} {word}" for kind, word in words.items() if counts[kind]]
    if more := sum(counts.values()):
        parts.append(f"{more:,} more differ")
    if parts:
        yield f"Not shown: {', '.join(parts)}; --all shows them."


def _print_scores(comparison: JsonComparison, console: Console) -> None:
    values = {_title(name): getattr(comparison, name) for name in SCORES}
    if comparison.consistency is None:
        del values["consistency"]
    _print_figures(values, console)


def _title(name: str) -> str:
    return {"safety_score": "safety", "rqs": "RQS", "rqs_normalized": "RQS normalized"}.get(
        name, name
    )


def _print_figures(values: dict[str, float | None], console: Console) -> None:
    """Print names with their numbers, as many on a line as fit."""
    line = _text("")
    for name, value in values.items():
        shown = _NO_VALUE if value is None else f"{value:.3f}"
        if line and len(line) + len(name) + len(shown) + 4 > console.width:
            console.print(line)
            line = _text("")
        line.append("   " if line else "").append(f"{name} ", _DIM).append(shown, "bold")
    console.print(line)


def _notes(comparison: JsonComparison) -> Iterator[Text]:
    if comparison.error:
        yield _text("Not compared: ", _BAD).append(one_line(comparison.error, 400), "default")
    yield from map(_note, comparison.notes)


def _note(text: str) -> Text:
    return _text("Note: ", "yellow").append(one_line(text, 400), "default")


def _shared_notes(compared: Sequence[tuple[str, JsonComparison]]) -> list[str]:
    """Notes that all of several comparisons have, which are said once."""
    if len(compared) < 2:
        return []
    first = compared[0][1].notes
    return [note for note in first if all(note in other.notes for _, other in compared)]


def _line(name: str, comparison: JsonComparison, shared: Sequence[str]) -> list[Text]:
    scores = ("completeness", "hallucination", "accuracy", "rqs")
    values = [getattr(comparison, score) for score in scores]
    differ = len(differences(comparison))
    note = comparison.error or "; ".join(n for n in comparison.notes if n not in shared)
    return [
        _text(one_line(name, 120), _BAD if comparison.error or differ else _GOOD),
        *(_text(_NO_VALUE if value is None else f"{value:.3f}") for value in values),
        _text(f"{differ:,}", _BAD if differ else _DIM),
        _text(one_line(note), _BAD if comparison.error else _DIM),
    ]
