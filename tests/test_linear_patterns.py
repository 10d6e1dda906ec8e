"""Every expression of the standard library's engine takes steps that grow with the text alone.

That engine backtracks, so an expression can be quadratic or worse on a text made for it. Patterns
of data files run in RE2, which cannot; these are the ones in code. Each is tried on texts made of
its own characters, and on the ways it is called; steps are counted, no time is measured.
"""

import ast
import importlib
import pkgutil
import re
from itertools import product
from pathlib import Path
from re import _constants as codes  # the only way to read an expression
from re import _parser as parser

import pytest
from tests.regex_steps import StepCounter, TooManyStepsError

import assay
from assay import compare_json
from assay.meaning import amount_forms
from assay.meaning.value_kinds import identifier

ROOT = Path(assay.__file__).parent
SHORT, LONG = (32, 128), (512, 2048)
"""Characters; an exponential search is noticed with the first."""
LINEAR, GROWTH = 5, 9
"""Four times the text takes 4 times the steps where they are linear, 16 where quadratic."""
MOST = 1_500_000
"""Steps; more than this no linear search of a text takes."""
BOUNDED = {
    "assay.meaning.amount_forms:_PER/0": amount_forms.MAX_LENGTH,
    "assay.meaning.amount_forms:_RANGE/0": amount_forms.MAX_LENGTH,
    "assay.textproc.expressions:_TOKEN/0": 200,
}
"""Expressions that see no longer texts: values whose length is checked before; the last reads the
patterns of files, which their author writes."""
ANCHORED = frozenset({"match", "fullmatch"})
CALLS = frozenset({"search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"})


def expressions():
    """Name → the expression and whether it is only looked for at the start of a text."""
    found = {}
    for info in pkgutil.walk_packages(assay.__path__, "assay."):
        path = _source(info)
        if path is None:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if not any(_is_re(node) for node in ast.walk(tree)):
            continue
        found |= {
            f"{info.name}:{name}": (pattern, anchored)
            for name, pattern, anchored in _in_module(importlib.import_module(info.name), tree)
        }
    return found


def _source(info):
    ending = "/__init__.py" if info.ispkg else ".py"
    path = ROOT.parent / (info.name.replace(".", "/") + ending)
    return path if path.is_file() and "migrations" not in info.name else None


def _is_re(node):
    return isinstance(node, ast.Import) and any(name.name == "re" for name in node.names)


def _in_module(module, tree):
    """The expressions that a module keeps, and those that stand in a call."""
    uses = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            uses.setdefault(node.value.id, set()).add(node.attr)
    for name, value in vars(module).items():
        for number, pattern in enumerate(_held(value)):
            yield f"{name}/{number}", pattern, bool(uses.get(name)) and uses[name] <= ANCHORED
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        owner, kind = node.func.value, node.func.attr
        if not (isinstance(owner, ast.Name) and owner.id == "re" and kind in CALLS):
            continue
        if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            yield f"{node.lineno}", re.compile(node.args[0].value), kind in ANCHORED


def _held(value):
    if isinstance(value, re.Pattern):
        return [value] if isinstance(value.pattern, str) else []
    if isinstance(value, tuple | list | frozenset | set):
        return [pattern for part in value for pattern in _held(part)]
    if isinstance(value, dict):
        return [pattern for part in value.values() for pattern in _held(part)]
    return []


def letters(parsed, found=None):
    """Characters that an expression names, the literals and one or two of each class."""
    found = [] if found is None else found
    for code, given in parsed:
        if code is codes.LITERAL:
            found.append(chr(given))
        elif code is codes.NOT_LITERAL:
            found.append("x" if given != ord("x") else "y")
        elif code is codes.ANY:
            found.append("x")
        elif code is codes.IN:
            found += _of_class(given)
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            letters(given[2], found)
        elif code is codes.SUBPATTERN:
            letters(given[3], found)
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            letters(given[1], found)
        elif code is codes.ATOMIC_GROUP:
            letters(given, found)
        elif code is codes.BRANCH:
            for branch in given[1]:
                letters(branch, found)
    return found


CATEGORIES = {
    codes.CATEGORY_DIGIT: "1",
    codes.CATEGORY_WORD: "a",
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_NOT_DIGIT: "x",
    codes.CATEGORY_NOT_WORD: "!",
    codes.CATEGORY_NOT_SPACE: "x",
}


def _of_class(parts):
    if parts[0][0] is codes.NEGATE:
        return ["x", " ", "1"]
    found = []
    for code, given in parts:
        if code is codes.LITERAL:
            found.append(chr(given))
        elif code is codes.RANGE:
            found.append(chr(given[0]))
        elif code is codes.CATEGORY:
            found.append(CATEGORIES[given])
    return found


def texts(pattern):
    """What to repeat: an expression's own characters, pairs of them, its literals in a row."""
    parsed = parser.parse(pattern.pattern, pattern.flags)
    own = letters(parsed)
    few = list(dict.fromkeys(own))
    basic = list(dict.fromkeys([*few[:8], "a", "1", " ", "\n", "A"]))
    pairs = ("".join(pair) for pair in product(basic[:6], repeat=2))
    parts = [*few[:20], "".join(own)[:20], *pairs]
    return list(dict.fromkeys(filter(None, parts)))


ALL = expressions()


def superlinear(pattern, is_anchored, longest=LONG[-1]):
    """A text for which the steps grow faster than the text; None where there is none."""
    counter = StepCounter(pattern)
    for part, end in product(texts(pattern), ("", "\0")):
        if _grows_faster(counter, is_anchored, part, end, longest):
            return part + end
    return None


def _grows_faster(counter, is_anchored, part, end, longest):
    """Whether four times the text takes more than so many times the steps, twice in a row.

    A repeat with a bound does so once, until the bound is reached.
    """
    for growth, sizes in ((LINEAR, SHORT), (GROWTH, LONG)):
        less, more = (part * (min(size, longest) // len(part)) + end for size in sizes)
        steps = _steps(counter, is_anchored, less, MOST)
        if steps < MOST and _steps(counter, is_anchored, more, growth * steps) < growth * steps:
            return False
    return True


def _steps(counter, is_anchored, text, most):
    """The steps that all calls of an expression take; `most` where they take more."""
    counter.start(text, most)
    try:
        if is_anchored:
            counter.match()
            counter.fullmatch()
        else:
            list(counter.finditer())
    except TooManyStepsError:
        return most
    return counter.steps


@pytest.mark.parametrize("name", ALL)
def test_the_steps_grow_no_faster_than_the_text(name):
    pattern, is_anchored = ALL[name]
    assert superlinear(pattern, is_anchored, BOUNDED.get(name, LONG[-1])) is None


@pytest.mark.parametrize("name", ALL)
def test_the_counter_finds_what_the_engine_finds(name):
    pattern, _ = ALL[name]
    counter = StepCounter(pattern)
    for part, end in product(texts(pattern), ("", "\0")):
        text = part * (SHORT[0] // len(part)) + end
        counter.start(text)
        assert list(counter.finditer()) == [match.span() for match in pattern.finditer(text)]


@pytest.mark.parametrize(
    "expression",
    [
        r"[a-z0-9]+(?:[-_/]?[a-z0-9]+)*!",
        r"\s+$",
        r"[.!?]+(?=\s)",
        r"\s*(?:,\s*|\s+and\s+)\s*",
        r"^\s*[-*]\s",
    ],
)
def test_what_grows_faster_is_found(expression):
    assert superlinear(re.compile(expression, re.MULTILINE), is_anchored=False)


def test_a_value_of_one_word_is_compared_to_the_end():
    """Each of these would not end: the steps doubled with every character."""
    assert compare_json({"id": "AB-1"}, {"id": "a" * 190 + " !"}).accuracy == 0
    assert identifier("a" * 10_000 + "!") is None


def test_all_of_them_are_looked_at():
    assert len(ALL) > 200
    assert BOUNDED.keys() <= ALL.keys()
