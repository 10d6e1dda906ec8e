"""Counts the steps in which a backtracking engine looks for an expression in a text.

It does what the standard library's engine does, one alternative after the other, and counts every
character, assertion and iteration it looks at. So whether work grows with the text or faster can
be told without a clock. Its matches are compared with those of `re` in `test_linear_patterns.py`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from re import _constants as codes  # the only way to read an expression
from re import _parser as parser
from typing import Any

Rest = Callable[[int], int | None]
"""What is looked for behind a place; gives the end of the match, or None."""
Node = Callable[[int, Rest], int | None]
"""Looks for a part of an expression at a place, then for the rest."""
DEPTH = 200_000
"""Calls within each other: a group that repeats needs some for each character."""


class TooManyStepsError(Exception):
    """The steps that were allowed are used up."""


class StepCounter:
    """An expression, and the steps that it took in texts so far."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.steps = 0
        self._text = ""
        self._most = sys.maxsize
        self._flags = pattern.flags
        self._groups: dict[int, tuple[int, int]] = {}
        self._root = self._sequence(list(parser.parse(pattern.pattern, pattern.flags)))

    def start(self, text: str, most: int = sys.maxsize) -> None:
        """Take another text, and count from 0; more steps than `most` are an error."""
        self._text, self.steps, self._most = text, 0, most

    def match(self) -> int | None:
        """The end of a match at the start of the text."""
        return self._at_place(0, lambda end: end)

    def fullmatch(self) -> int | None:
        """The same, where nothing may be left."""
        return self._at_place(0, lambda end: end if end == len(self._text) else None)

    def finditer(self) -> Iterator[tuple[int, int]]:
        """Start and end of all matches, from left to right."""
        place, is_behind_empty = 0, False
        while place <= len(self._text):
            least = place + is_behind_empty
            end = self._at_place(place, partial(_no_less, least))
            if end is None:
                place, is_behind_empty = place + 1, False
                continue
            yield place, end
            place, is_behind_empty = end, end == place

    def _at_place(self, place: int, rest: Rest) -> int | None:
        self._groups = {}
        usual = sys.getrecursionlimit()
        sys.setrecursionlimit(max(DEPTH, usual))
        try:
            return self._root(place, rest)
        finally:
            sys.setrecursionlimit(usual)

    def _step(self) -> None:
        self.steps += 1
        if self.steps > self._most:
            raise TooManyStepsError

    def _sequence(self, items: list[Any]) -> Node:
        nodes = [self._node(code, given) for code, given in items]

        def look(place: int, rest: Rest) -> int | None:
            return follow(0, place, rest)

        def follow(number: int, place: int, rest: Rest) -> int | None:
            if number == len(nodes):
                return rest(place)
            return nodes[number](place, lambda end: follow(number + 1, end, rest))

        return nodes[0] if len(nodes) == 1 else look

    def _node(self, code: Any, given: Any) -> Node:
        if code in _REPEATS:
            return self._repeat(code, *given)
        if (test := self._single(code, given)) is not None:
            return self._character(test)
        return getattr(self, f"_{str(code).lower()}")(given)  # type: ignore[no-any-return]

    def _character(self, test: Callable[[str], bool]) -> Node:
        def look(place: int, rest: Rest) -> int | None:
            self._step()
            text = self._text
            return rest(place + 1) if place < len(text) and test(text[place]) else None

        return look

    def _single(self, code: Any, given: Any) -> Callable[[str], bool] | None:
        """What one character must be; None where the part is no single character."""
        if code not in (codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN):
            return None
        source = {codes.ANY: "."}.get(code) or _source(code, given)
        return _one_character(source, self._flags)

    def _repeat(self, code: Any, least: int, most: Any, items: Any) -> Node:
        items = list(items)
        test = self._single(*items[0]) if len(items) == 1 else None
        if code is codes.POSSESSIVE_REPEAT:
            greedy = self._repeat(codes.MAX_REPEAT, least, most, items)
            return self._atomic(greedy)
        if test:
            kind = self._repeat_one_lazily if code is codes.MIN_REPEAT else self._repeat_one
            return kind(test, least, int(most))
        return self._repeat_group(
            self._sequence(items), least, int(most), is_lazy=code is codes.MIN_REPEAT
        )

    def _repeat_one(self, test: Callable[[str], bool], least: int, most: int) -> Node:
        def look(place: int, rest: Rest) -> int | None:
            self._step()
            end, text = place, self._text
            limit = min(len(text), place + most)
            while end < limit and test(text[end]):
                self._step()
                end += 1
            for place_after in range(end, place + least - 1, -1):
                self._step()
                if (found := rest(place_after)) is not None:
                    return found
            return None

        return look

    def _repeat_one_lazily(self, test: Callable[[str], bool], least: int, most: int) -> Node:
        def look(place: int, rest: Rest) -> int | None:
            text = self._text
            for end in range(place, min(len(text), place + most) + 1):
                self._step()
                if end - place >= least and (found := rest(end)) is not None:
                    return found
                if end == len(text) or not test(text[end]):
                    return None
            return None

        return look

    def _repeat_group(self, node: Node, least: int, most: int, *, is_lazy: bool) -> Node:
        def more(count: int, place: int, rest: Rest) -> int | None:
            def again(end: int) -> int | None:
                is_idle = end == place and count >= least
                return None if is_idle else more(count + 1, end, rest)

            self._step()
            if count < least:
                return node(place, again)
            tries = [lambda: node(place, again)] if count < most else []
            tries.insert(0 if is_lazy else len(tries), lambda: rest(place))
            return next((found for one in tries if (found := one()) is not None), None)

        return lambda place, rest: more(0, place, rest)

    def _atomic(self, node: Node) -> Node:
        def look(place: int, rest: Rest) -> int | None:
            end = node(place, lambda end: end)
            return None if end is None else rest(end)

        return look

    def _atomic_group(self, given: Any) -> Node:
        return self._atomic(self._sequence(list(given)))

    def _subpattern(self, given: Any) -> Node:
        group, added, removed, items = given
        before, self._flags = self._flags, (self._flags | added) & ~removed
        node = self._sequence(list(items))
        self._flags = before

        def look(place: int, rest: Rest) -> int | None:
            def close(end: int) -> int | None:
                old = self._groups.get(group)
                self._groups[group] = (place, end)
                if (found := rest(end)) is None and old is not None:
                    self._groups[group] = old
                return found

            return node(place, close)

        return node if group is None else look

    def _branch(self, given: Any) -> Node:
        nodes = [self._sequence(list(items)) for items in given[1]]

        def look(place: int, rest: Rest) -> int | None:
            for node in nodes:
                self._step()
                if (found := node(place, rest)) is not None:
                    return found
            return None

        return look

    def _assert(self, given: Any, *, is_wanted: bool = True) -> Node:
        direction, items = given
        node = self._sequence(list(items))
        width = items.getwidth()[1] if direction < 0 else 0

        def look(place: int, rest: Rest) -> int | None:
            start = place - width
            is_found = start >= 0 and node(start, lambda end: end) is not None
            return rest(place) if is_found == is_wanted else None

        return look

    def _assert_not(self, given: Any) -> Node:
        return self._assert(given, is_wanted=False)

    def _at(self, given: Any) -> Node:
        expression = re.compile(_AT[given], self._flags & _FLAGS)

        def look(place: int, rest: Rest) -> int | None:
            self._step()
            return rest(place) if expression.match(self._text, place) else None

        return look

    def _groupref(self, given: Any) -> Node:
        def look(place: int, rest: Rest) -> int | None:
            start, end = self._groups.get(given, (0, -1))
            self._step()
            is_there = end >= 0 and self._text.startswith(self._text[start:end], place)
            return rest(place + end - start) if is_there else None

        return look


def _no_less(least: int, end: int) -> int | None:
    return end if end >= least else None


_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_FLAGS = re.IGNORECASE | re.MULTILINE | re.DOTALL | re.ASCII
_AT = {
    codes.AT_BEGINNING: "^",
    codes.AT_BEGINNING_STRING: r"\A",
    codes.AT_END: "$",
    codes.AT_END_STRING: r"\Z",
    codes.AT_BOUNDARY: r"\b",
    codes.AT_NON_BOUNDARY: r"\B",
}
_CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


def _source(code: Any, given: Any) -> str:
    """The expression of a single character."""
    if code is codes.LITERAL:
        return re.escape(chr(given))
    if code is codes.NOT_LITERAL:
        return f"[^{re.escape(chr(given))}]"
    return f"[{''.join(_member(*part) for part in given)}]"


def _member(code: Any, given: Any) -> str:
    if code is codes.NEGATE:
        return "^"
    if code is codes.RANGE:
        return "-".join(re.escape(chr(end)) for end in given)
    return _CATEGORIES[given] if code is codes.CATEGORY else re.escape(chr(given))


def _one_character(source: str, flags: int) -> Callable[[str], bool]:
    expression = re.compile(source, flags & _FLAGS)
    known: dict[str, bool] = {}

    def test(char: str) -> bool:
        if char not in known:
            known[char] = expression.fullmatch(char) is not None
        return known[char]

    return test
