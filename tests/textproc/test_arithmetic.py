"""Arithmetic in texts: the values of expressions and equations, and nothing for anything else."""

import ast
import operator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.textproc.arithmetic import assigned, equations, evaluate

NUMBERS = st.integers(0, 50).map(str)
EXPRESSIONS = st.recursive(
    NUMBERS,
    lambda inner: (
        st.tuples(inner, st.sampled_from("+-*"), inner).map(
            lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
        )
        | inner.map(lambda text: f"(-{text})")
    ),
    max_leaves=8,
)
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}


def by_python(node):
    """The value of an expression, by Python's own parser."""
    match node:
        case ast.BinOp(left, kind, right):
            return OPERATORS[type(kind)](by_python(left), by_python(right))
        case ast.UnaryOp(ast.USub(), inner):
            return -by_python(inner)
    return node.value


@given(EXPRESSIONS)
def test_values_are_those_of_python(text):
    value = by_python(ast.parse(text, mode="eval").body)
    assert evaluate(text) == (value if len(str(abs(value))) <= 30 else None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3 * 4", 14),
        ("-2^2", 4),  # a sign belongs to the number, as models write it
        ("7 / 2", Fraction(7, 2)),
        ("1,500 × 2", 3000),
        ("3(4 + 1)", 15),
        ("$12 * 2", 24),
        ("1 / 0", None),
        ("2 +", None),
        ("(2 + 3", None),
        ("2 apples", None),
        ("", None),
        ("9^999", None),
        ("(" * 100 + "1" + ")" * 100, None),
    ],
)
def test_expressions(text, value):
    assert evaluate(text) == value


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("It is 74 - 5 = 70 inches.", [False]),
        ("B = (4 + 4) - 3 = 8 - 3 = 5.", [True]),
        ("75% of $32 = $24, which is the refund", [None]),
        ("36 divided by 4 = 9", [None]),
        ("no_show = 1/4", [None]),
        ("x = 14", [None]),
        (r"so \frac{1}{4} = 0.5", []),
    ],
)
def test_equations(text, holds):
    assert [equation.holds for equation in equations(text)] == holds


def test_letters_keep_their_values():
    known = assigned("A = 2 * 3 = 6. Then B = A + 1 = 7.")
    assert known == {"A": 6, "B": 7}
    assert [e.holds for e in equations("A * B = 41", known)] == [False]


@given(st.text(max_size=200))
def test_any_text_can_be_read(text):
    for equation in equations(text):
        assert 0 <= equation.start <= equation.end <= len(text)
