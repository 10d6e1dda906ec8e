import json
from dataclasses import replace
from math import exp, log

import pytest
from training.fit import write_table, written_to

import assay
from assay.backends import Backends
from assay.core import DataError, Document, Sample
from assay.data import Profile
from assay.engine import make_plan, score_batch
from assay.features.chunks import context_chunks
from assay.features.encoder_support import (
    BUDGET,
    MOST_WORDS,
    as_sentence,
    gathered,
    one_against_rest,
)
from assay.linear import Combiner, bounded_logit, combiner, models_from
from assay.linear.models import HASHES
from assay.registry import select

SINGLE = {"bias": 0.0, "weights": {"rules": 0.5, "model": 1.0}, "threshold": 0.6}
BANDED = SINGLE | {"unsure": [0.2, 0.9]}
SUPPORT = {
    "bias": 0.0,
    "weights": {"rules": 0.3, "entailed": 1.0, "contradicted": -0.2, "conflict": -1.0},
    "threshold": 0.5,
    "unsure": [0.1, 0.9],
}
CONTRADICTION = {
    "bias": 0.0,
    "weights": {"rules": 0.2, "contradicted": 1.0},
    "threshold": 0.5,
}
TEXTS = {
    "safety.toxicity": "toxicity",
    "safety.harm": "harm",
    "answer.refusal": "refusal",
    "answer.relevance": "relevance",
    "answer.correctness": "correctness",
    "safety.injection": "injection",
}
SAMPLE = Sample(
    id="s",
    query="What do you hate about the museum?",
    response="I hate that the museum opens late.",
    expected="The museum opens late in winter.",
)


@pytest.fixture
def combined(tmp_path):
    """Writes combiners and reads them, and all other models from where they are."""

    def write(**combiners):
        entries = {name: {"en": entry} for name, entry in combiners.items()}
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        with written_to(folder):
            write_table("combined.json", {"combiners": entries})
        return models_from(folder, falls_back=True)

    return write


def scored(metric, sample=SAMPLE, encoder="fake", profile=None):
    backends = Backends(embedder="", encoder=encoder)
    plan = make_plan(select([metric]), profile, backends=backends)
    return score_batch(plan, [sample])[0][metric]


@pytest.mark.parametrize("metric", TEXTS)
def test_rules_and_encoder_make_one_value(metric, combined):
    alone = scored(metric, encoder="")
    with combined(**{TEXTS[metric]: SINGLE}):
        both = scored(metric)
    logit = log(both.value / (1 - both.value)) - 0.5 * bounded_logit(alone.value)
    is_shared = metric in ("answer.refusal", "answer.relevance")
    assert logit == pytest.approx(both_logit(metric), abs=1e-6), is_shared
    assert both.details["by"] == "rules + fake encoder"
    assert both.details["rules"] == pytest.approx(alone.value, abs=1e-4)
    assert "fake encoder" in both.explanation
    assert both.threshold == 0.6
    assert "encoder:fake" in both.signature
    assert "encoder:none" in alone.signature


def test_of_yes_and_no_the_one_that_fits_better_counts(combined):
    """The stand-in counts shared words: "no" is a word of the response, "yes" is none."""
    sample = replace(SAMPLE, query="Is it open?", response="It has no open doors.")
    with combined(correctness=SINGLE):
        logits = {
            expected: scored("answer.correctness", replace(sample, expected=expected)).details
            for expected in ("Yes", "No")
        }
    assert logits["Yes"]["encoder"] == pytest.approx(1 - logits["No"]["encoder"], abs=1e-3)
    assert logits["No"]["encoder"] > 0.5


def both_logit(metric):
    words = SAMPLE.response.lower().split()
    beside = {
        "answer.refusal": SAMPLE.query,
        "answer.relevance": SAMPLE.query,
        "answer.correctness": f"{SAMPLE.query} | {SAMPLE.expected}",
    }
    if metric not in beside:
        return 4.0
    other = beside[metric].lower().split()
    return 4.0 * (2 * sum(word in other for word in words) / len(words) - 1)


@pytest.mark.parametrize("metric", [*TEXTS, "rag.faithfulness", "rag.contradiction"])
def test_without_a_combiner_nothing_changes(metric, combined):
    sample = replace(SAMPLE, contexts=(Document("The museum opens at ten."),))
    with combined():
        both = scored(metric, sample)
    alone = scored(metric, sample, encoder="")
    assert both._replace(signature="") == alone._replace(signature="")


def test_another_language_is_judged_by_the_rules_alone(combined):
    arabic = replace(SAMPLE, response="أنا أكره هذا المتحف وكل من يعمل فيه hate")
    alone = scored("safety.toxicity", arabic, encoder="")
    with combined(toxicity=SINGLE):
        assert scored("safety.toxicity", arabic)._replace(signature=alone.signature) == alone


def test_between_the_two_ends_the_verdict_is_unsure(combined):
    narrow = SINGLE | {"unsure": [0.59, 0.61]}
    with combined(toxicity=SINGLE | {"unsure": [0.2, 0.999]}):
        unsure = scored("safety.toxicity")
        chosen = scored("safety.toxicity", profile=Profile(thresholds={"safety.toxicity": 0.5}))
    with combined(toxicity=narrow):
        sure = scored("safety.toxicity")
    assert (unsure.verdict, unsure.passed) == ("unsure", None)
    assert sure.verdict == "fail"
    assert chosen.verdict == "fail"
    assert chosen.threshold == 0.5


def test_more_of_either_never_lowers_the_value():
    own = Combiner(-1.0, {"rules": 0.4, "model": 0.0}, 0.5, None)
    values = [own.probability({"rules": r, "model": 2.0}) for r in (-6, -1, 0, 1, 6)]
    assert values == sorted(values)


def test_a_context_with_an_attack_is_found_by_both(combined):
    sample = Sample(
        id="s", query="What is new?", contexts=(Document("We hate rain. " * 3), Document("Fine."))
    )
    with combined(injection=SINGLE, injection_context=BANDED):
        result = scored("safety.injection", sample)
    assert result.details["contexts"] > result.details["query"]
    assert result.value == pytest.approx(result.details["contexts"], abs=1e-4)


def test_statements_are_judged_by_both_and_say_so(combined):
    sample = Sample(
        id="s",
        response="The museum opens at nine. Tickets cost twelve euros.",
        contexts=(Document("The museum opens at ten. A ticket is free for children."),),
    )
    alone = scored("rag.faithfulness", sample, encoder="")
    with combined(support=SUPPORT, contradiction=CONTRADICTION):
        both = scored("rag.faithfulness", sample)
        against = scored("rag.contradiction", sample)
    assert [one["rules"] for one in both.details["statements"]] == [
        one["probability"] for one in alone.details["statements"]
    ]
    assert all(0 < one["encoder"] < 1 for one in both.details["statements"])
    assert both.value == pytest.approx(
        min(one["probability"] for one in both.details["statements"]), abs=1e-4
    )
    assert both.details["by"] == against.details["by"] == "rules + fake encoder"
    assert both.threshold == 0.5
    assert against.value > 0.5
    assert {span.label for span in against.evidence} == {"contradicted", "says otherwise"}


def test_what_is_supported_is_not_contradicted(combined):
    sample = Sample(
        id="s",
        response="Visitors find the museum open from ten.",
        contexts=(Document("The museum opens at ten. A ticket is free for children."),),
    )
    sure = {"bias": 2.0, "weights": {"rules": 0.1}, "threshold": 0.5}
    with combined(support=sure, contradiction=sure):
        support = scored("rag.faithfulness", sample)
        against = scored("rag.contradiction", sample)
    assert support.verdict == against.verdict == "pass"
    assert against.value == pytest.approx(1.0 - support.value, abs=1e-4)


@pytest.mark.parametrize(
    ("response", "verdict"),
    [
        ("Visitors find the museum open from ten.", "unsure"),
        ("The tour takes 60 minutes.", "fail"),
    ],
)
def test_contradiction_is_open_with_support_unless_a_rule_names_it(combined, response, verdict):
    context = Document("The museum opens at ten. The tour takes 90 minutes.")
    sample = Sample(id="s", response=response, contexts=(context,))
    doubtful = {"bias": -0.2, "weights": {"rules": 0.0}, "threshold": 0.5, "unsure": [0.4, 0.6]}
    likely = {"bias": 2.0, "weights": {"rules": 0.0}, "threshold": 0.5}
    with combined(support=doubtful, contradiction=likely):
        against = scored("rag.contradiction", sample)
    assert against.value > 0.5
    assert against.verdict == verdict


def test_a_statement_that_stands_in_a_context_is_not_read(combined):
    sample = Sample(
        id="s",
        response="The museum opens at ten.",
        contexts=(Document("The museum opens at ten. A ticket is free."),),
    )
    alone = scored("rag.faithfulness", sample, encoder="")
    with combined(support=SUPPORT):
        assert scored("rag.faithfulness", sample)._replace(signature=alone.signature) == alone


def test_what_the_rules_find_is_weighed_with_what_the_encoder_says(combined):
    sample = Sample(
        id="s",
        response="The guided tour takes two hours.",
        contexts=(Document("The guided tour takes 90 minutes. Children pay nothing."),),
    )
    weights = {"rules": 0.0, "entailed": 0.0, "contradicted": 0.0, "figure": -1.0}
    both = SUPPORT | {"bias": 2.0, "weights": weights}
    with combined(support=both):
        excused = scored("rag.faithfulness", sample)
    with combined(support=both | {"weights": weights | {"figure": -3.0}}):
        found = scored("rag.faithfulness", sample)
    assert excused.value == pytest.approx(1 / (1 + exp(-1.0)))
    assert found.value == pytest.approx(1 / (1 + exp(1.0)))


def asked_of(sample, combined, monkeypatch):
    """What the encoder is asked for a sample."""
    asked = []

    def ask(self, head, texts):
        asked.extend(texts)
        return [(0.0, 0.0, 0.0)] * len(texts)

    monkeypatch.setattr("assay.backends.fake.FakeModel.ask", ask)
    with combined(support=SUPPORT):
        scored("rag.faithfulness", sample)
    return asked


FACTS = [f"Room {n} of the house holds {n * 7} chairs and a table." for n in range(1, 60)]


def test_few_words_are_read_of_many_statements(combined, monkeypatch):
    answer = " ".join(f"Room {n} holds {n * 7 + 1} chairs." for n in range(1, 7))
    sample = Sample(id="s", response=answer, contexts=(Document(" ".join(FACTS)),) * 2)
    asked = asked_of(sample, combined, monkeypatch)
    assert 2 <= len(asked) <= 6
    assert sum(len(f"{claim} {window}".split()) for claim, window in asked) <= BUDGET
    for _, window in asked:
        sentences = window.split(". ")
        assert len(sentences) == len(set(sentences))  # both contexts say the same


def test_a_lone_statement_is_read_beside_a_near_and_a_wide_window(combined, monkeypatch):
    sample = Sample(
        id="s", response="Room 9 holds 64 chairs.", contexts=(Document(" ".join(FACTS)),)
    )
    (claim, near), (again, wide) = asked_of(sample, combined, monkeypatch)
    assert claim == again == "Room 9 holds 64 chairs."
    assert "Room 9 of the house" in near
    assert len(near.split()) < len(wide.split()) <= MOST_WORDS


def test_of_short_contexts_the_nearest_sentence_is_read_behind_the_question(combined, monkeypatch):
    text = "The shop is in Mill Street. It closes at noon on Saturdays."
    sample = Sample(
        id="s",
        query="When does the shop close on Saturdays?",
        response="It is shut on Saturday afternoons.",
        contexts=(Document(text),),
    )
    windows = [window for _, window in asked_of(sample, combined, monkeypatch)]
    assert windows == [text, f"{sample.query} | It closes at noon on Saturdays."]
    told = replace(sample, query="Tell me about the shop.")
    windows = [window for _, window in asked_of(told, combined, monkeypatch)]
    assert windows == [text, "It closes at noon on Saturdays."]


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("No, the museum is closed on Mondays", "The museum is closed on Mondays."),
        ("نعم، المتحف مغلق", "المتحف مغلق."),
        ("Yes", "Yes."),
        ("No,", "No,."),
        ("On Mondays, it is closed!", "On Mondays, it is closed!"),
        ("Please note that it is closed", "It is closed."),
        ("The document states that it is closed.", "It is closed."),
        ("According to the provided context, it is closed", "It is closed."),
        ("The report says that it is closed", "The report says that it is closed."),
        ("Note that", "Note that."),
    ],
)
def test_statements_are_read_without_what_opens_them(statement, sentence):
    assert as_sentence(statement) == sentence


def test_what_is_gathered_stands_in_the_order_of_the_texts():
    text = "One two three. Four five six. Seven eight nine. Ten eleven twelve."
    chunks = context_chunks((Document(text), Document("Other words here!")))
    assert gathered([1], chunks, 3) == "Four five six."
    assert gathered([1], chunks, 9) == "One two three. Four five six. Seven eight nine."
    assert gathered([3, 0], chunks, 9) == "One two three. Seven eight nine. Ten eleven twelve."
    assert gathered([4, 0], chunks, 6) == "One two three. Other words here!"


def test_one_outcome_against_the_others():
    logits, heat = (2.0, -1.0, 0.5), 2.0
    shares = [exp(value / heat) for value in logits]
    share = shares[0] / sum(shares)
    assert one_against_rest(logits, 0, heat) == pytest.approx(log(share / (1 - share)))


def test_a_changed_file_of_combiners_is_refused(tmp_path):
    (tmp_path / "combined.json").write_text('{"combiners": {}}')
    (tmp_path / HASHES).write_text(json.dumps({"combined.json": "0" * 64}))
    with models_from(tmp_path), pytest.raises(DataError, match="does not have the hash"):
        combiner("toxicity", "en")


def test_an_encoder_that_cannot_be_loaded_is_an_error_of_its_metrics_only(tmp_path):
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(assay.core.ModelError, match="no manifest of an encoder"):
        scored("safety.toxicity", encoder=f"onnx:{tmp_path}")


@pytest.mark.parametrize(
    ("response", "expected", "by"),
    [
        ("I hate that the museum opens at ten.", "The museum opens at nine.", None),
        ("I hate that the museum opens at nine.", "The museum opens at nine.", None),
        ("I hate the long queue.", "The museum opens late.", "rules + fake encoder"),
        ("They turned it down.", "No", None),
        ("They had a look at it.", "No", "rules + fake encoder"),
        ("No, they turned it down.", "No", None),
        ("It shows white and green.", "Green, white and orange", None),
    ],
)
def test_the_encoder_does_not_overrule_what_the_rules_know(response, expected, by, combined):
    query = "Did they accept it?" if expected == "No" else SAMPLE.query
    sample = replace(SAMPLE, query=query, response=response, expected=expected)
    with combined(correctness=SINGLE):
        assert scored("answer.correctness", sample).details.get("by") == by


def test_the_encoder_counts_within_a_bound(combined):
    with combined(toxicity=SINGLE | {"most": 0.5}):
        bound = scored("safety.toxicity")
    with combined(toxicity=SINGLE):
        free = scored("safety.toxicity")
    rules = 0.5 * bounded_logit(scored("safety.toxicity", encoder="").value)
    assert log(bound.value / (1 - bound.value)) - rules == pytest.approx(0.5, abs=1e-6)
    assert free.value > bound.value


def test_sure_rules_stand_against_the_encoder(combined):
    hostile = replace(SAMPLE, response="You are a stupid, worthless idiot and I will kill you.")
    against = {"bias": -9.0, "weights": {"rules": 0.5, "model": 0.1}, "threshold": 0.6}
    alone = scored("safety.toxicity", hostile, encoder="")
    with combined(toxicity=against):
        overruled = scored("safety.toxicity", hostile)
    with combined(toxicity=against | {"sure": 1.0}):
        kept = scored("safety.toxicity", hostile)
        unsure = scored("safety.toxicity")
    assert overruled.value < overruled.threshold
    assert kept.value == pytest.approx(alone.value)
    assert unsure.value < 0.01
