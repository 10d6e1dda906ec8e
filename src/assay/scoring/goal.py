"""Whether a goal holds: values of a final state, and texts that were to be said."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from assay.features.tool_calls import is_same
from assay.features.trajectory import shown

SHOWN_VALUE = 60
"""Characters of a path or a value that a sentence quotes."""


def state_problems(goal: Mapping[str, Any], final: Mapping[str, Any]) -> tuple[int, list[str]]:
    """How many values the goal names, and which of them are not so; an empty object is one."""
    count, problems = 0, []
    waiting: deque[tuple[str, Any, Any, bool]] = deque(
        (str(key), wanted, final.get(key), key in final) for key, wanted in goal.items()
    )
    while waiting:
        path, wanted, value, is_there = waiting.popleft()
        if isinstance(wanted, Mapping) and wanted:
            inner = value if isinstance(value, Mapping) else {}
            waiting.extend((f"{path}.{k}", w, inner.get(k), k in inner) for k, w in wanted.items())
            continue
        count += 1
        if not is_there:
            problems.append(f"{shown(path, SHOWN_VALUE)} is absent")
        elif not is_same(value, wanted):
            problems.append(
                f"{shown(path, SHOWN_VALUE)} is {shown(value, SHOWN_VALUE)}, "
                f"not {shown(wanted, SHOWN_VALUE)}"
            )
    return count, problems


def unsaid(wanted: Iterable[str], texts: Iterable[str]) -> list[str]:
    """The texts that were never said."""
    spoken = [_plain(text) for text in texts]
    return [
        f"{shown(text, SHOWN_VALUE)} was not said"
        for text in wanted
        if not any(_plain(text) in one for one in spoken)
    ]


def _plain(text: str) -> str:
    return text.lower().replace(",", "")
