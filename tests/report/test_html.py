from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.required import NO_REPORT_PAGE

from assay.core import UsageError
from assay.core.jsontext import loads
from assay.report import About, html, open_writer
from assay.report.safe_text import visible
from assay.version import __version__

BUILT = files("assay.report") / "page" / "report.html"
built = pytest.mark.skipif(not BUILT.is_file(), reason=NO_REPORT_PAGE)


class Page(HTMLParser):
    """Reads a page as a browser does, and keeps what stands in its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": []}
        self.open = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in self.texts:
            self.open = tag
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self.open = "" if tag == self.open else self.open

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open][-1] += data

    @property
    def data(self) -> Any:
        return loads(self.texts["script"][-1])


def test_hostile_text_stays_data(
    hostile: str, make_run: Callable[..., Any], tmp_path: Path
) -> None:
    text = make_run(hostile).write(tmp_path / "out.html").decode()
    harmless = make_run("harmless").write(tmp_path / "harmless.html").decode()
    page = Page(text)
    assert page.tags == Page(harmless).tags
    shown = page.data["tests"][0]["sample"]["response"]
    assert visible(shown) == visible(re.sub("[\ud800-\udfff]", "\ufffd", hostile)) + " tail"


@pytest.mark.parametrize("sign", ["<", ">", "&", "\u2028", "\u2029"])
def test_no_sign_that_could_end_a_script_stands_in_the_data(
    sign: str, make_run: Callable[..., Any], tmp_path: Path
) -> None:
    page = Page(make_run(f"a{sign}b").write(tmp_path / "out.html").decode())
    assert sign not in page.texts["script"][-1]
    assert page.data["tests"][0]["sample"]["query"] == f"a{sign}b"


def test_what_a_report_is_about_is_said(run: Any, tmp_path: Path) -> None:
    about = About("monday", r"C:\data\answers.jsonl", "2026-05-04T08:00:00Z", tags=("nightly",))
    writer = open_writer(str(tmp_path / "out.html"), about)
    writer.close(run.summary)
    data = Page((tmp_path / "out.html").read_text(encoding="utf-8")).data
    assert data["version"] == __version__
    assert data["run"]["name"] == "monday"
    assert data["run"]["source"] == "answers.jsonl"
    assert data["run"]["created"] == "2026-05-04T08:00:00Z"
    assert data["run"]["tags"] == ["nightly"]


def test_without_the_page_nothing_is_begun(tmp_path: Path, monkeypatch: Any) -> None:
    def absent() -> Any:
        raise UsageError("the page is not there")

    monkeypatch.setattr(html, "page", absent)
    with pytest.raises(UsageError, match="not there"):
        open_writer(str(tmp_path / "out.html"))
    assert list(tmp_path.iterdir()) == []


def test_what_to_do_without_the_page_is_said(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(html, "files", lambda package: tmp_path)
    with pytest.raises(UsageError, match=r"reinstall it .* another format: \.md"):
        html.page.__wrapped__()


@built
def test_the_page_runs_its_own_script_and_style_alone() -> None:
    page = Page(BUILT.read_text(encoding="utf-8"))
    (policy,) = (found["content"] for _, found in page.tags if "http-equiv" in found)
    rules = dict(rule.split(" ", 1) for rule in str(policy).split("; "))
    assert rules["default-src"] == "'none'"
    for kind in ("script", "style"):
        (text,) = page.texts[kind]
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert rules[f"{kind}-src"] == f"'sha256-{digest}'"
    assert set(rules) == {
        "default-src",
        "script-src",
        "style-src",
        "img-src",
        "base-uri",
        "form-action",
    }
    assert rules["img-src"] == "data: blob:"


@built
def test_the_page_names_no_file_and_no_address() -> None:
    text = BUILT.read_text(encoding="utf-8")
    assert text.count(html.MARKER) == 1
    found = [value for _, tag in Page(text).tags for name, value in tag.items() if name in _PLACES]
    assert found == ["data:,"]
    style = "".join(Page(text).texts["style"])
    assert not re.search(r"url\(|@import", style)


@built
def test_the_page_is_small() -> None:
    assert len(BUILT.read_bytes()) < 490_000  # with the words of all languages


_PLACES = {"src", "href", "action", "srcset", "poster"}
