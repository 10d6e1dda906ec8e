from __future__ import annotations

from html.parser import HTMLParser

from assay.report.markup import Markup, element, join


def test_element_escapes_text_and_attributes() -> None:
    made = element("p", "<b>", title='"x"', class_="a", hidden=True, dir=None, open=False)
    assert made == '<p title="&quot;x&quot;" class="a" hidden>&lt;b&gt;</p>'


def test_markup_is_not_escaped_twice() -> None:
    assert element("p", element("b", "&")) == "<p><b>&amp;</b></p>"


def test_join_escapes_plain_parts() -> None:
    assert join(["<", Markup("<i></i>")], " ") == "&lt; <i></i>"


def test_hostile_text_makes_no_tag_and_no_attribute(hostile: str) -> None:
    seen: list[tuple[str, list[str]]] = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            seen.append((tag, [name for name, _ in attrs]))

    parser = Parser()
    parser.feed(element("p", hostile, title=hostile))
    parser.close()
    assert seen == [("p", ["title"])]
