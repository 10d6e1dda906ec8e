"""The pictures show what the product prints today."""

from rich.text import Text
from tests.docs import pictures


def test_the_terminal_of_the_readme_is_up_to_date():
    shown = pictures.text_of(pictures.TERMINAL.read_text(encoding="utf-8"))
    printed = Text.from_ansi(f"$ {pictures.COMMAND} {pictures.output()}").plain
    assert "".join(shown) == "".join(printed.split())


def test_pictures_ask_nothing_of_a_network():
    text = pictures.TERMINAL.read_text(encoding="utf-8")
    assert text.count("http") == text.count("http://www.w3.org/2000/svg") == 1


def test_pictures_are_small():
    assert pictures.TERMINAL.stat().st_size < 40_000
    assert pictures.BROWSER.stat().st_size < 165_000
