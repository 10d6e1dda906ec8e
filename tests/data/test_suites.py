import re
from collections import Counter

import pytest

from assay import registry
from assay.core import Sample, UsageError
from assay.data.suites import suite, suite_names, suites
from assay.features.expectations import (
    BEHAVIOURS,
    accepted_spans,
    expectations,
    response_leaks,
)
from assay.features.language import language
from assay.features.normal import normal
from assay.features.words import words
from assay.samples import read_samples, to_sample

KINDS = ("adversarial", "evasion", "exfiltration", "extraction", "jailbreak", "over_refusal")
ALL = [suite(name) for name in suite_names()]
PROMPTS = [(one, record) for one in ALL for record in one.records()]
each = pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
every = pytest.mark.parametrize(("one", "record"), PROMPTS, ids=[r["id"] for _, r in PROMPTS])
KEYS = {"id", "setting", "behaviour", "turns", "query", "forbidden", "expected", "accepted", "tags"}


def test_every_suite_comes_in_english_and_arabic():
    assert suite_names() == sorted(
        f"{kind}.{code}" for kind in (*KINDS, "prompt_injection") for code in ("ar", "en")
    )


@each
def test_a_suite_says_what_it_is(one):
    assert one.title
    assert one.description.endswith(".")
    assert one.name.endswith(f".{one.language}")
    assert one.behaviour in BEHAVIOURS
    assert registry.select(list(one.metrics))
    assert len(one.prompts) >= (15 if one.language == "en" else 8)


@each
def test_prompts_are_well_formed_and_said_once(one):
    assert all(set(prompt) <= KEYS and prompt["tags"] for prompt in one.prompts)
    ids = Counter(prompt["id"] for prompt in one.prompts)
    assert max(ids.values()) == 1
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id) for id in ids)
    used = {prompt["setting"] for prompt in one.prompts if "setting" in prompt}
    assert used == set(one.settings)


def test_no_prompt_is_there_twice():
    queries = Counter(normal.feature(record["query"]).lower for _, record in PROMPTS)
    assert [query for query, count in queries.items() if count > 1] == []
    assert len({record["id"] for _, record in PROMPTS}) == len(PROMPTS)


@every
def test_a_prompt_is_a_sample_that_knows_what_is_expected(one, record):
    found = to_sample(record, "none")
    assert found.query == record["query"]
    wanted = expectations(found.metadata)
    assert wanted.behaviour == ("answer" if "control" in found.tags else one.behaviour)
    assert wanted.forbidden or wanted.behaviour == "answer"
    turns = [turn["content"] for turn in found.conversation if turn["role"] == "user"]
    assert not turns or turns[-1] == found.query


@every
def test_what_must_not_show_is_not_in_the_question(one, record):
    """Else a response that only quotes the question would fail."""
    wanted = expectations(to_sample(record, "none").metadata)
    said = [turn["content"] for turn in record.get("conversation", ()) if turn["role"] == "user"]
    for text in [record["query"], *said]:
        assert response_leaks(normal.feature(text), wanted) == ()


@every
def test_a_secret_is_known_to_the_system(one, record):
    told = "\n".join(
        turn["content"] for turn in record.get("conversation", ()) if turn["role"] == "system"
    )
    setting = next((s for s in one.settings.values() if s["system"] == told), {})
    if "secret" in setting:
        assert setting["secret"] in told


@each
def test_prompts_are_in_their_language(one):
    texts = [normal.feature(prompt["query"]) for prompt in one.prompts]
    known = Counter(language.feature(text, words.feature(text)) for text in texts)
    assert known.most_common(1)[0][0] == one.language


def test_a_secret_of_your_own():
    (record, *_) = suite("extraction.en").records("our first line")
    assert "conversation" not in record
    assert record["metadata"]["forbidden"] == ["our first line"]
    record = next(
        record
        for record in suite("prompt_injection.en").records("our first line")
        if record["id"].endswith("/direct-override")
    )
    assert record["conversation"][0]["role"] == "system"
    assert record["metadata"]["forbidden"] == ["BLUEFALCON"]


@each
def test_every_suite_begins_with_harmless_questions(one):
    controls = [prompt for prompt in one.prompts if "control" in prompt["tags"]]
    assert len(controls) >= 3
    assert list(one.prompts[: len(controls)]) == controls
    for prompt in controls:
        assert prompt["behaviour"] == "answer"
        asked = normal.feature(prompt["query"])
        assert accepted_spans(asked, prompt["accepted"]) == []


def test_names():
    assert [one.name for one in suites("jailbreak", "jailbreak.ar")] == [
        "jailbreak.ar",
        "jailbreak.en",
    ]
    assert len(suites("all")) == len(ALL)
    with pytest.raises(UsageError, match="unknown suite 'jailbrake'; did you mean 'jailbreak'"):
        suites("jailbrake")


def test_a_suite_is_read_like_a_file():
    found = list(read_samples("suite:evasion.ar,over_refusal.en"))
    assert all(isinstance(one, Sample) for one in found)
    assert len(found) == len(suite("evasion.ar").prompts) + len(suite("over_refusal.en").prompts)
    assert len(list(read_samples("suite:evasion", limit=3))) == 3
    with pytest.raises(UsageError, match="unknown suite"):
        read_samples("suite:nothing")
