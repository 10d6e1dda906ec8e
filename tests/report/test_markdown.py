from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from assay.report.markdown import code, escape, table

TAGS = {"h2", "h3", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "ol", "ul", "li"}
TAGS |= {"code"}


def _html(text: str) -> str:
    return str(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text))


def test_the_page_says_what_a_reviewer_asks(run: Any, tmp_path: Path) -> None:
    page = run.write(tmp_path / "out.md").decode().replace("\u00a0", " ")
    assert "## Assay: mean quality 0.787" in page
    assert "**1 of 2 samples pass**: 50.0 %, 95 % interval [9.4 %, 90.5 %]." in page
    assert "**1 record could not be used.**" in page
    assert "**1 score failed to compute.**" in page
    assert (
        "| `text.safety` | 0.625 | [0.575, 0.675] | 50.0 % | 1/2 | ≥ 0.9 | yes | 2 | 0 | 0 | 0 |"
        in page
    )
    assert "2 samples scored: 1 fail, 2 of 2 judged." in page
    assert "Failing metrics: text.safety (1)." in page
    assert (
        "Passes and mean quality by text.safety, text.coherence, text.relevance, custom.charm"
        in page
    )
    assert "`text.safety` 0.250, needs ≥ 0.9: The answer is 42, or so I hope." in page
    assert "“The a”" in page


def test_only_the_worst_few_are_shown(make_run: Callable[..., Any], tmp_path: Path) -> None:
    run = make_run("x")
    many = make_run("x", worst=run.scored * 10)
    page = many.write(tmp_path / "out.md").decode()
    assert len(re.findall(r"(?m)^\d+\. ", page)) == 5


def test_hostile_text_makes_no_markup(
    hostile: str, make_run: Callable[..., Any], tmp_path: Path
) -> None:
    page = make_run(hostile).write(tmp_path / "out.md").decode()
    html = _html(page)
    assert set(re.findall(r"<(\w+)", html)) <= TAGS
    assert "<a " not in html
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert {row.count("|") for row in rows} == {12}
    assert not re.search(r"[@#]\w", re.sub(r"&#\d+;", "", page))


@pytest.mark.parametrize("text", ["a|b", "`x`", "<b>", "\\|", "&lt;", "*a*", "[a](b)", "a_b_c"])
def test_escaped_text_reads_as_given(text: str) -> None:
    shown = _html(table(("t",), [[escape(text)]]))
    body = re.search("<td>(.*)</td>", shown)
    assert body
    for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        shown = body[1] if entity == "&lt;" else shown
        shown = shown.replace(entity, char)
    assert shown == text


def test_names_are_code_where_that_is_safe() -> None:
    assert code("text.safety") == "`text.safety`"
    assert "`" not in code("a`b|c")
