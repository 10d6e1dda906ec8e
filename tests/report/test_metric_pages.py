from __future__ import annotations

import re

import pytest

from assay import registry
from assay.core import Metric, Result, metric
from assay.report import metric_page, metric_pages
from assay.report.cases import Case


@metric(
    id="custom.charm",
    inputs=("response",),
    range=(0.0, None),
    polarity="lower",
    threshold=3.0,
    unit="ms",
)
def charm(response: str, *, words: tuple[str, ...] = ("a|b",), k: int = 5) -> Result:
    """How charming it is.

    value = laughs / jokes
    """
    return Result(float(len(response) + k + len(words)))


def test_a_page_holds_what_is_declared() -> None:
    page = metric_page(registry.metrics()["text.safety"])
    assert page.startswith("# text.safety\n\nHow free the response is")
    assert "\n    value = 1 − 0.15·violations" in page
    assert "| inputs | `response` |" in page
    assert "| range | 0 to 1 |" in page
    assert "| threshold | 0.9 or more |" in page
    assert "| `response_hits` | All hits" in page
    assert "| `pii` |" in page
    assert "| `count&#95;mode` |" not in page
    assert "| `count_mode` | 'category' |" in page
    assert "Source: `src/assay/metrics/text/safety.py`" in page


def test_a_metric_from_elsewhere_has_a_page_too() -> None:
    page = metric_page(charm)
    assert "| range | 0 and up |" in page
    assert "| unit | ms |" in page
    assert "| threshold | 3 or less |" in page
    assert "| `words` | ('a&#124;b',) |" in page
    assert "Source: the module" in page


def test_a_composite_says_whose_scores_it_reads() -> None:
    assert "its option `metrics` names" in metric_page(registry.metrics()["text.overall"])


def test_cases_are_worked_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case("it's loud", {"response": "a ```` b\u202e"}, {"k": 2}, 0.5, 0, "ok", True, ("a",))
    absent = Case("nothing", {}, {}, None, 0, "missing", None, None)
    monkeypatch.setattr(metric_pages, "read_cases", lambda _: [case, absent])
    page = metric_page(charm)
    block = (
        "It's loud\n\n`````text\n"
        'response = "a ```` b\\u202e"\noption k = 2\n→ 0.5; passes; evidence: "a"\n`````'
    )
    assert block in page
    assert "```text\n→ N/A\n```" in page


@pytest.mark.parametrize("known", registry.metrics().values(), ids=lambda m: m.id)
def test_every_metric_has_a_page(known: Metric) -> None:
    page = metric_page(known)
    assert page.count("\n# ") == 0
    for paragraph in known.documentation.split("\n\n"):
        assert paragraph.removeprefix("Blind spots: ")[1:] in page
    assert ("Blind spots: " in known.documentation) == ("\n## Blind spots\n" in page)


def test_a_family_lists_its_metrics_and_rules() -> None:
    members = [m for m in registry.metrics().values() if m.family == "text"]
    page = metric_pages.family_page("text", members, registry.rules().values())
    assert page.startswith("# text\n\nOffline evaluators")
    assert all(f"[{m.name}]({m.name}.md)" in page for m in members)
    assert "`text.threshold_preset`" in page


def test_the_index_lists_the_families() -> None:
    page = metric_pages.index_page({"text": [charm, charm]})
    assert "| [text](text/index.md) | Offline evaluators" in page
    assert page.rstrip().endswith("| 2 |")


def test_the_needs_of_a_metric_are_never_empty() -> None:
    page = metric_page(registry.metrics()["chat.accuracy"])
    assert "| inputs | some of `expected`, `metadata`, `query`, `response` |" in page
    assert "| inputs | the scores of other metrics |" in metric_page(registry.metrics()["json.rqs"])


def test_a_page_has_the_names_that_other_tools_use() -> None:
    page = metric_page(registry.metrics()["answer.relevance"])
    assert "Aliases: `answer_relevancy`" in page
    assert "answer relevancy" in page
    assert "In other tools" not in metric_page(charm)


def test_a_page_shows_what_a_metric_was_measured_to_be_worth() -> None:
    page = metric_page(registry.metrics()["safety.injection"])
    assert "## Evidence\n\nIt beats the baselines, so it decides passes by default." in page
    assert "| `prompt_injection`, " in page
    assert "harmless look-alikes in" in page
    behind = metric_page(registry.metrics()["chat.source_grounding"])
    assert "informational by default" in behind
    assert "## Evidence" not in metric_page(charm)


def test_a_family_says_what_evidence_there_is() -> None:
    members = [m for m in registry.metrics().values() if m.family == "rag"]
    page = metric_pages.family_page("rag", members, ())
    rows = {line.split("]")[0][3:]: line for line in page.splitlines() if line.startswith("| [")}
    assert rows["hit_rate"].endswith("| **exact check** |")
    assert rows["context_relevance"].endswith("| not measured |")
    assert re.search(r"\| \*\*ahead on \d of \d\xa0sets\*\* \|$", rows["faithfulness"])
    assert "| 0 to 1, higher is better; passes at 0.5 or more |" in rows["faithfulness"]
