"""The bundled chatbot, its ten tests, and the page of the guide that shows them."""

import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "chatbot"
PAGE = ROOT / "docs/how-to/pytest.md"


@pytest.fixture(autouse=True)
def no_other_bot(monkeypatch):
    """Other tests have modules of that name, too."""
    monkeypatch.delitem(sys.modules, "bot", raising=False)


@pytest.fixture
def example(inner):
    shutil.copytree(
        EXAMPLE,
        inner.path,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"),
    )
    return inner


def failures(lines):
    """What pytest printed of failures."""
    start = next(place for place, line in enumerate(lines) if " FAILURES " in line)
    end = next(place for place, line in enumerate(lines) if line.startswith("=") and place > start)
    return "\n".join(line.rstrip() for line in lines[start:end])


def test_nine_tests_pass_and_one_fails_as_the_page_shows(example):
    found = example.runpytest()
    found.assert_outcomes(passed=9, failed=1)
    shown = failures(found.outlines)
    assert "⟦dana.weber@mail.example⟧" in shown
    text = PAGE.read_text(encoding="utf-8")
    assert shown == text.partition("```text\n")[2].partition("\n```")[0]


def test_the_page_names_every_option(inner):
    text = PAGE.read_text(encoding="utf-8")
    listed = inner.runpytest("--help").stdout.str().split()
    options = {
        word.partition("=")[0] for word in listed if word.startswith("--assay-") and "=" in word
    }
    assert len(options) == 3
    assert all(f"`{option} " in text for option in options)


def test_the_chatbot_answers_plain_text_for_other_callers(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLE))
    import bot

    assert bot.answer("When is the library open?").startswith("The city library is open")
    assert bot.answer("من فاز بالمباراة أمس؟") == bot.UNKNOWN["ar"]
