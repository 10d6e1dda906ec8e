"""Everything public is documented, and what the documents show works."""

import inspect
import re

import pytest
from tests.docs.blocks import DOCS, ROOT, place

import assay
from assay import registry
from assay.cli import COMMANDS

PAGES = sorted([ROOT / "README.md", *DOCS.rglob("*.md")])
_LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
_CODE = re.compile(r"^(`{3,})[^`\n]*\n.*?^\1$", re.DOTALL | re.MULTILINE)


def _places(page):
    """The headings of a page, as links name them."""
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=place)
def test_links_between_pages_lead_somewhere(page):
    for link, heading in _LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in link:
            continue
        target = (page.parent / link).resolve() if link else page
        assert target.exists(), link
        if heading and target.suffix == ".md":
            assert heading in _places(target), f"{link}#{heading}"


def test_every_page_is_in_the_navigation_once():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    named = re.findall(r"^ +- (?:.*: )?(\S+\.md)$", text, re.MULTILINE)
    pages = {place(page) for page in PAGES if DOCS in page.parents}
    metrics = {page for page in pages if re.fullmatch(r"metrics/.+/(?!index).+", page)}
    assert sorted(named) == sorted(pages - metrics)


@pytest.mark.parametrize("name", assay.__all__)
def test_every_public_name_is_documented(name):
    value = getattr(assay, name)
    if name != "__version__":
        assert inspect.getdoc(value)
        assert f"## assay.{name}\n" in (DOCS / "reference/python.md").read_text(encoding="utf-8")


def test_the_public_surface_is_sorted_and_complete():
    assert assay.__all__ == sorted(assay.__all__)
    assert dir(assay) == assay.__all__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        assay.nothing  # noqa: B018 -- the access is the test


def test_every_metric_has_a_page():
    for metric in registry.metrics().values():
        assert (ROOT / f"docs/metrics/{metric.family}/{metric.name}.md").exists()


def test_every_command_is_described():
    text = (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"## assay {command}" in text
