from dataclasses import replace

import pytest
from benchmarks.chat import RULES
from benchmarks.compare import disagreements
from benchmarks.generate import arabic_records, chat_records, records, samples, small_records

from assay import registry
from assay.runner import Job
from benchmarks import naive_chat


@pytest.mark.parametrize("make", [records, small_records, arabic_records])
def test_engine_and_rules_one_by_one_say_the_same(make):
    found = samples(chat_records(60, seed=5, make=make))
    assert disagreements(Job(RULES).plan(), found, naive_chat.score) == []


def test_absent_fields_are_missing_both_ways():
    sample = samples(chat_records(1))[0]
    bare = [replace(sample, **{name: None}) for name in ("query", "response", "expected")]
    found = [*bare, replace(sample, contexts=())]
    assert disagreements(Job(RULES).plan(), found, naive_chat.score) == []


def test_expected_sources_are_found_alike():
    sample = next(one for one in samples(chat_records(50)) if len(one.contexts) > 1)
    first, second = (document.id for document in sample.contexts[:2])
    content = sample.contexts[1].content
    words = content.split()
    changed = " ".join([*words[:3], "otherwise", *words[4:]])
    asked = [
        (first.upper(), second, first),
        (f"https://example.org/a/{first}.pdf?page=2#top", f"b\\{second}.md", f"http://{second}.md"),
        (sample.contexts[0].source, f"{sample.contexts[0].source}_"),
        (content, " ".join(words[2:12]), changed, f"{changed} 4711"),
        (" ".join(words[:6]), " ".join(words[:5]), "nowhere", "القاهرة", ".pdf"),
        (" ", ""),
    ]
    found = [replace(sample, expected_sources=sources) for sources in asked]
    assert disagreements(Job(RULES).plan(), found, naive_chat.score) == []
    values = [naive_chat.score(one)["chat.retrieval_recall_5"].value for one in found]
    assert values[0] == 100.0
    assert values[-1] is None
    assert len(set(values)) > 2


def test_disagreement_is_told(monkeypatch):
    wrong = naive_chat.METRICS | {"chat.bleu": naive_chat.METRICS["chat.exact_match"]}
    monkeypatch.setattr(naive_chat, "METRICS", wrong)
    found = samples(chat_records(3))
    assert len(disagreements(Job(RULES).plan(), found, naive_chat.score)) == 3


def test_every_rule_has_a_plain_version():
    assert naive_chat.METRICS.keys() == {metric.id for metric in registry.select(RULES)}


def test_left_out_metrics_are_not_computed():
    sample = samples(chat_records(1))[0]
    found = naive_chat.score(sample, ["chat.bleu"])
    assert naive_chat.METRICS.keys() - found.keys() == {"chat.bleu"}


def test_same_seed_gives_same_records():
    assert list(chat_records(3)) == list(chat_records(3))
    assert list(chat_records(3)) != list(chat_records(3, seed=8))


def test_records_carry_what_the_rules_read():
    found = list(chat_records(200))
    for name in ("schema", "tool_calls", "expected_tool_calls", "responses", "first_token_time"):
        assert 5 < sum(name in record for record in found) < 195
    assert any("Step 1:" in record["response"] for record in found)
    assert any("\n- " in record["response"] for record in found)
