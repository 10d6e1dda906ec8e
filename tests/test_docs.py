"""Everything public is documented, and what the documents show works."""

import inspect
import re
from pathlib import Path

import pytest

import assay
from assay import registry
from assay.cli import COMMANDS

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
_PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
_LINK = re.compile(r"\]\(([^)#]+?)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in _PYTHON.findall(page.read_text(encoding="utf-8")):
        exec(compile(block, str(page), "exec"), names)  # noqa: S102 -- our own pages
        printed = capsys.readouterr().out.split()
        promised = " ".join(re.findall(r"^# (.*)$", block, re.MULTILINE)).split()
        if promised:
            assert printed == promised


@pytest.mark.parametrize(
    "page", sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]), ids=lambda p: p.name
)
def test_links_between_pages_lead_somewhere(page):
    for link in _LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in link:
            assert (page.parent / link).exists(), link


@pytest.mark.parametrize("name", assay.__all__)
def test_every_public_name_is_documented(name):
    value = getattr(assay, name)
    if name != "__version__":
        assert inspect.getdoc(value)


def test_the_public_surface_is_sorted_and_complete():
    assert assay.__all__ == sorted(assay.__all__)
    assert dir(assay) == assay.__all__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        assay.nothing  # noqa: B018 -- the access is the test


def test_every_metric_has_a_page():
    for metric in registry.metrics().values():
        assert (ROOT / f"docs/metrics/{metric.family}/{metric.name}.md").exists()


def test_every_command_is_described():
    text = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"## assay {command}" in text
