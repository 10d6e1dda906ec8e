from __future__ import annotations

import re

import pytest

from assay.report.safe_text import one_line, storable, visible

ACTING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x9b2J", "\\x9b2J"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("\u202egnp", "\\u202egnp"),
        ("\ud83d", "\\ud83d"),
        ("::error file=a::b", "\\x3a:error file=a::b"),
        (":::Stop-Commands::b", ":\\x3a:Stop-Commands::b"),
        ("a ##[add-mask]b ###[x]", "a \\x23#[add-mask]b #\\x23#[x]"),
        ("test_a.py::test_error::x std::end()", "test_a.py::test_error::x std::end()"),
        ("مرحبا 👋\u200c", "مرحبا 👋\u200c"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_visible_leaves_nothing_that_acts(hostile: str) -> None:
    assert not ACTING.search(visible(hostile))
    visible(hostile).encode()


def test_one_line_joins_and_cuts() -> None:
    assert one_line(" a\n\n b\tc ") == "a b c"
    assert one_line("word " * 100, 20) == "word word word word…"
    assert len(one_line("x" * 100_000, 50)) == 50


def test_one_line_says_that_a_long_blank_start_was_cut() -> None:
    assert one_line(" " * 1000 + "x", 10) == "…"


def test_storable_changes_only_what_files_cannot_hold() -> None:
    assert storable("a\x00b\ud800\x1b\u202e") == "a\\x00b\\ud800\x1b\u202e"
