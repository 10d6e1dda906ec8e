"""Whether an agent's calls keep the rules that a sample sets for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from assay.core.trajectory_rules import CallPattern, MatchMode
from assay.features.offered_tools import Tools
from assay.features.tool_calls import Call, Calls, best_assignment, is_same
from assay.features.trajectory import Offence, Step, Steps, shown
from assay.scoring.call_fit import MAX_PAIRS, call_problems, only_reads
from assay.textproc.linear_regex import found

ANY_ENDING = "*"
SHOWN_VALUE = 60
"""Characters of a value that a sentence quotes."""


def has_name(pattern: CallPattern, call: Call) -> bool:
    """Whether the call is one of the tool that a pattern names."""
    if pattern.name.endswith(ANY_ENDING):
        return call.name.startswith(pattern.name.removesuffix(ANY_ENDING))
    return call.name == pattern.name


def fits(pattern: CallPattern, call: Call) -> bool:
    """Whether a call is one that a pattern stands for."""
    return has_name(pattern, call) and not any(broken_conditions(pattern, call))


_WORDS = {
    "equals": "",
    "any_of": "one of ",
    "none_of": "none of ",
    "above": "more than ",
    "below": "less than ",
    "at_least": "at least ",
    "at_most": "at most ",
    "matches": "a match of ",
    "contains": "a text with ",
    "present": "present: ",
}
"""How a condition on an argument reads."""


def broken_conditions(pattern: CallPattern, call: Call) -> Iterator[str]:
    """The conditions on arguments that a call does not meet, each as words."""
    arguments = call.arguments or {}
    for key, conditions in pattern.conditions.items():
        is_given = key in arguments
        if not is_given and conditions.get("present") is False:
            continue
        if not is_given:
            yield f"{shown(key, SHOWN_VALUE)} is absent"
            continue
        for word, wanted in conditions.items():
            if not _holds(word, wanted, arguments[key]):
                yield (
                    f"{shown(key, SHOWN_VALUE)} is {shown(arguments[key], SHOWN_VALUE)}, "
                    f"expected {_WORDS[word]}{shown(wanted, SHOWN_VALUE)}"
                )


def _holds(word: str, wanted: Any, value: Any) -> bool:
    """Whether a condition holds for the value of an argument."""
    if word == "equals":
        return is_same(value, wanted)
    if word in ("any_of", "none_of"):
        return any(is_same(value, one) for one in wanted) == (word == "any_of")
    if word == "present":
        return bool(wanted)
    if word in ("matches", "contains"):
        text = value if isinstance(value, str) else shown(value, 10**6)
        return found(wanted, text) if word == "matches" else wanted in text
    number = _number(value)
    if number is None:
        return False
    kept = {
        "above": number > wanted,
        "below": number < wanted,
        "at_least": number >= wanted,
        "at_most": number <= wanted,
    }
    return bool(kept[word])


def _number(value: Any) -> float | None:
    """A number, also where it is written as text; None for anything else."""
    if isinstance(value, str) and len(value) <= 40:
        try:
            return float(value)
        except ValueError:
            return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number else None


def too_early(steps: Steps, pairs: Sequence[tuple[CallPattern, CallPattern]]) -> list[Offence]:
    """Calls that had to wait for another one which had not succeeded before them."""
    offences = []
    for earlier, later in pairs:
        first = next(
            (s.place for s in steps if s.call.succeeded is not False and fits(earlier, s.call)),
            len(steps),
        )
        offences += [
            Offence(step, f"came before {shown(earlier.name, SHOWN_VALUE)} had succeeded")
            for step in steps
            if step.place <= first and fits(later, step.call)
        ]
    return sorted(offences, key=lambda offence: offence.step.place)


def count_of(steps: Steps, pattern: CallPattern) -> list[Step]:
    """The calls that a pattern stands for and that did not fail."""
    return [s for s in steps if s.call.succeeded is not False and fits(pattern, s.call)]


class MatchResult(NamedTuple):
    """How the calls fit the expected ones in one of the modes."""

    right: int
    total: int
    """What `right` is a share of in that mode."""
    offences: list[Offence]
    """Calls that should not be there, or not there."""
    absent: list[Call]
    """Expected calls that are not there."""


def match_trajectory(steps: Steps, expected: Calls, tools: Tools, mode: MatchMode) -> MatchResult:
    """Pair the calls with the expected ones; in their order where the mode is strict."""
    if mode == "changes":
        steps = tuple(s for s in steps if is_change(s.call))
        expected = tuple(call for call in expected if is_change(call))
    made = [step.call for step in steps]
    pairs = (_in_order if mode == "strict" else _in_any_order)(made, expected, tools)
    paired, met = {steps[one].place for one, _ in pairs}, {other for _, other in pairs}
    extra = [
        Offence(step, _reason(step.call, expected, met, tools))
        for step in steps
        if step.place not in paired and mode != "superset"
    ]
    absent = [c for n, c in enumerate(expected) if n not in met and mode != "subset"]
    totals: Mapping[MatchMode, int] = {"subset": len(made), "superset": len(expected)}
    return MatchResult(len(pairs), totals.get(mode, max(len(made), len(expected))), extra, absent)


def is_change(call: Call) -> bool:
    """Whether a call may have changed something: it did not fail, and does more than read."""
    return call.succeeded is not False and not only_reads(call.name)


def _reason(call: Call, expected: Calls, met: set[int], tools: Tools) -> str:
    """Why a call is not one of those expected."""
    alike = [e for n, e in enumerate(expected) if n not in met and e.name == call.name]
    problem = next((p for one in alike for p in call_problems(call, one, tools)), "")
    if problem:
        return f"does not fit: {problem}"
    return "is out of order" if alike else "was not expected here"


def _fits_expected(made: Call, expected: Call, tools: Tools) -> bool:
    is_named = made.name == expected.name != ""
    return is_named and next(call_problems(made, expected, tools), None) is None


def _in_order(made: Sequence[Call], expected: Calls, tools: Tools) -> list[tuple[int, int]]:
    """The longest row of pairs in the order of both; place by place where there are very many."""
    if len(made) * len(expected) > MAX_PAIRS:
        places = range(min(len(made), len(expected)))
        return [(n, n) for n in places if _fits_expected(made[n], expected[n], tools)]
    rows, columns = len(made), len(expected)
    is_fit = [[_fits_expected(one, other, tools) for other in expected] for one in made]
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for row in reversed(range(rows)):
        for column in reversed(range(columns)):
            here = 1 + best[row + 1][column + 1] if is_fit[row][column] else 0
            best[row][column] = max(here, best[row + 1][column], best[row][column + 1])
    pairs: list[tuple[int, int]] = []
    row = column = 0
    while row < rows and column < columns:
        if is_fit[row][column] and best[row][column] == 1 + best[row + 1][column + 1]:
            pairs.append((row, column))
            row, column = row + 1, column + 1
        elif best[row + 1][column] >= best[row][column + 1]:
            row += 1
        else:
            column += 1
    return pairs


def _in_any_order(made: Sequence[Call], expected: Calls, tools: Tools) -> list[tuple[int, int]]:
    """As many pairs as there can be, each call in one; in their order where there are very many."""
    pairs: list[tuple[int, int]] = []
    for name in dict.fromkeys(call.name for call in expected):
        rows = [n for n, call in enumerate(made) if call.name == name]
        columns = [n for n, call in enumerate(expected) if call.name == name]
        if not rows or len(rows) * len(columns) > MAX_PAIRS:
            chosen = list(zip(rows, columns, strict=False))
        else:
            fits_of = [
                [float(_fits_expected(made[r], expected[c], tools)) for c in columns] for r in rows
            ]
            chosen = [(rows[r], columns[c]) for r, c in best_assignment(fits_of)]
        pairs += [(r, c) for r, c in chosen if _fits_expected(made[r], expected[c], tools)]
    return pairs
