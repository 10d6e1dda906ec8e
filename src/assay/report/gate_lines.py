"""Gates as lines that people read: on a terminal, as annotations of a build, in reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from assay.core import GateVerdict
from assay.report.safe_text import one_line


def word(verdict: GateVerdict) -> str:
    """What became of the gate, in one word: `failed`, else its state."""
    return verdict.state if verdict.passes else "failed"


def heading(verdict: GateVerdict) -> str:
    """What became of the gate, in two words."""
    return f"Gate {word(verdict)}"


def reason(verdict: GateVerdict) -> str:
    """Why, as the end of a sentence."""
    text = one_line(verdict.explanation, 500)
    if verdict.state == "undecided" and not verdict.passes:
        return f"it is undecided: {text}"
    return text


def line(verdict: GateVerdict) -> str:
    """The whole of it on one line."""
    return f"{heading(verdict)}: {one_line(verdict.gate, 300)}; {reason(verdict)}"


def noteworthy(verdicts: Iterable[GateVerdict]) -> list[GateVerdict]:
    """Those that fail, then those that are not sure."""
    unsure = [v for v in verdicts if v.state != "holds"]
    return sorted(unsure, key=lambda verdict: verdict.passes)


def counts(verdicts: Sequence[GateVerdict]) -> str:
    """How many of each kind: `3 gates hold, 1 flaky`."""
    by_word = Counter(word(verdict) for verdict in verdicts)
    parts = [
        f"{by_word[word]} {word}" for word in ("failed", "flaky", "undecided") if by_word[word]
    ]
    held = by_word["holds"]
    return ", ".join([f"{held} {'gate holds' if held == 1 else 'gates hold'}", *parts])
