from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from assay.report.html import html_page
from assay.report.safe_text import visible
from assay.version import __version__

TAGS = {"html", "head", "meta", "title", "style", "body", "main", "header", "h1", "h2", "h3"}
TAGS |= {"section", "div", "p", "b", "span", "i", "code", "ul", "li", "details", "summary"}
TAGS |= {"table", "thead", "tbody", "tr", "th", "td", "svg", "rect", "mark", "footer"}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "dir", "title", "open"}
ATTRIBUTES |= {"colspan", "scope", "role", "viewbox", "preserveaspectratio"}
ATTRIBUTES |= {"x", "y", "width", "height"}
VOID = {"meta", "rect"}


class Page(HTMLParser):
    """Reads a page strictly: every tag and attribute is ours, and every tag is closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.marks: list[tuple[str, str]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        assert {name for name, _ in attrs} <= ATTRIBUTES
        if tag == "mark":
            self.marks.append((dict(attrs)["title"] or "", ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if self.open[-1:] == ["mark"]:
            title, words = self.marks[-1]
            self.marks[-1] = (title, words + data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    @property
    def text(self) -> str:
        return "".join(self.words)


def test_hostile_text_stays_text(
    hostile: str, make_run: Callable[..., Any], tmp_path: Path
) -> None:
    page = Page(make_run(hostile).write(tmp_path / "out.html").decode())
    assert f"{visible(hostile)} tail" in page.text


def test_the_page_asks_nothing_of_anyone(run: Any) -> None:
    page = html_page(run.summary)
    assert not re.search(r"<script|<link|<img|<iframe|\ssrc=|\shref=|url\(|@import|\son\w+=", page)
    policy = "default-src &#x27;none&#x27;; style-src &#x27;unsafe-inline&#x27;"
    assert f'<meta http-equiv="Content-Security-Policy" content="{policy}"/>' in page


def test_the_header_says_what_the_run_comes_to(run: Any) -> None:
    text = Page(html_page(run.summary)).text.replace("\u00a0", " ")
    for said in (
        "50.0 %",
        "95 % interval [0.600, 0.975]",
        "1 of 2 samples pass every threshold.",
        "1 record could not be read.",
        "1 score failed to compute.",
        "answers.jsonl, line 3",
        f"Made by Assay {__version__}; no data left this machine.",
    ):
        assert said in text


def test_a_clean_run_says_so(make_run: Callable[..., Any]) -> None:
    page = html_page(make_run("x", unread=0, problems=(), metrics={}, worst=[]).summary)
    text = Page(page).text
    assert "Every record was read." in text
    assert "No score failed to compute." in text


def test_metrics_in_and_outside_the_registry_have_a_row(make_run: Callable[..., Any]) -> None:
    text = Page(html_page(make_run("the reason why").summary)).text.replace("\u00a0", " ")
    assert "How free the response is of blocked words and personal data." in text
    assert "custom.charm" in text
    assert "2 × the reason why" in text
    assert "1 of 2 at ≥ 0.9" in text


def test_evidence_is_marked_in_place(make_run: Callable[..., Any]) -> None:
    page = Page(html_page(make_run("Sunny <b>world</b>").summary))
    assert page.marks == [
        ("text.coherence: Sunny <b>world</b>; text.safety: Sunny <b>world</b>", "Sunny"),
        ("text.safety", "Sun"),
        ("text.coherence: Sunny <b>world</b>", "A fin"),
    ]


def test_user_text_finds_its_own_direction(make_run: Callable[..., Any]) -> None:
    page = html_page(make_run("مرحبا بالعالم").summary)
    assert re.search(r'<div class="text" dir="auto">(<mark[^>]*>)?مرحبا', page)
