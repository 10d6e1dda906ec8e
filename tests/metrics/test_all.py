"""What holds for every metric of the registry."""

import ast
import inspect
import re
import unicodedata
from dataclasses import replace
from math import isfinite
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import registry
from assay.backends import Backends
from assay.core import TEXT_FIELDS, Sample, jsontext
from assay.core.sample import Document
from assay.data import lexicon_names, profile, profile_names
from assay.data.dimensions import dimensions
from assay.engine import make_plan, score_batch
from assay.report.cases import read_cases
from assay.report.evidence_text import text_of

ROOT = Path(__file__).parent.parent.parent
FAKES = Backends(embedder="fake", token_embedder="fake", classifier="fake", judge="fake")
METRICS = list(registry.metrics().values())
each = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.id)

PIECES = (
    "damn|h\u200bell|d\u0430mn|john@example.com|555-123-4567|123-45-6789|١٢٣-٤٥-٦٧٨٩"
    "|In conclusion,|it’s worth noting that|Tea is hot.|Tea is not hot.|always|never.|yes|no|cannot"
    "|costs 5|costs 7|Dr.|e.g.|1. first\n2) second|What is it?| and |ما هي عاصمة مصر؟"
    "|القَاهِرَة|مدينة|。|什么？|नमस्ते|👩\u200d👧|ﬁ|ﷺ|İ|½|\u0301|\ud800|\x00|<b>|{0}|%s"
    "|\n|\t|\u2028|\u202e|\ufeff|.|?|!|…| | | "
)
TEXTS = st.one_of(
    st.none(),
    st.just(""),
    st.text(),
    st.text(st.characters(exclude_categories=())),
    st.lists(st.sampled_from(PIECES.split("|")), max_size=25).map("".join),
    st.lists(st.sampled_from(PIECES.split("|")), max_size=25).map(" ".join),
)
SECONDS = st.none() | st.just(0.0) | st.floats(1e-9, 1e9)
SAMPLES = st.builds(
    Sample,
    id=st.text(max_size=5),
    query=TEXTS,
    response=TEXTS,
    expected=TEXTS,
    duration=SECONDS,
    first_token_time=SECONDS,
)
hostile = settings(max_examples=150, deadline=None, derandomize=True)
FULL = Sample(
    id="full",
    query="What is open? And why?",
    response="The door is open, damn. The door is not open, because 2 + 3 = 5 or it costs 7 [1].",
    expected="The door is shut.",
    contexts=(Document("The door is shut."),),
    gold_context="The door is shut.",
    expected_sources=("The door is shut.",),
    known_facts=("The door is shut.",),
    candidates=("The door is shut.", "It is open."),
    responses=("It is open.", "It is shut."),
    previous_responses=("It is open.",),
    conversation=(
        {"role": "user", "content": "Is it open?"},
        {"role": "assistant", "content": "Which door do you mean? The first door is open."},
        {"role": "user", "content": "That one. Thanks."},
    ),
    translations={"ar": "الباب مفتوح."},
    expected_json={"open": True},
    response_json={"open": False},
    schema={"type": "object"},
    checks=({"type": "contains", "value": "door"}, {"type": "not-contains", "value": "damn"}),
    duration=6.0,
    first_token_time=0.5,
    response_tokens=20,
    task_completed=True,
    expected_steps=2,
    steps_taken=3,
    errors_encountered=1,
    tools=({"name": "search", "parameters": {"type": "object"}},),
    tools_used=("search", "open"),
    tools_succeeded=("search",),
    tool_calls=({"name": "search", "arguments": {"q": "door"}, "status": "error"},),
    expected_tool_calls=({"name": "search", "arguments": {"q": "gate"}},),
    trajectory_rules={
        "match": "unordered",
        "before": [["search", "open"]],
        "required": ["search"],
        "forbidden": ["delete"],
        "arguments": [{"name": "search", "arguments": {"q": "gate"}}],
        "budget": {"steps": 2},
        "goal": {"state": {"door": "open"}, "says": ["open"]},
    },
    steps=("Look at the door.", "Say what it is."),
    language="en",
    metadata={
        "model": "gpt-4o",
        "prompt_tokens": 150,
        "completion_tokens": 80,
        "baseline_response": "The door is shut.",
        "expected_behaviour": "answer",
        "forbidden": ["damn"],
        "final_state": {"door": "shut"},
    },
)


@pytest.fixture(scope="module")
def plan():
    return make_plan(METRICS, backends=FAKES)


@hostile
@given(sample=SAMPLES)
def test_a_score_lies_in_its_range(plan, sample):
    (scores,) = score_batch(plan, [sample])
    for metric in METRICS:
        result = scores[metric.id]
        assert result.state != "error", result.explanation
        assert (result.value is None) is (result.state == "missing")
        if result.value is not None:
            low, high = metric.range
            assert isfinite(result.value)
            assert low is None or low <= result.value
            assert high is None or result.value <= high
            assert result.quality is None or 0 <= result.quality <= 1
            is_judged = result.threshold is not None and result.verdict != "unsure"
            assert (result.passed is not None) == is_judged
    assert scores.score is None or 0 <= scores.score <= 1


@hostile
@given(sample=SAMPLES)
def test_the_same_sample_scores_the_same(plan, sample):
    assert score_batch(plan, [sample]) == score_batch(plan, [sample])


@hostile
@given(sample=SAMPLES)
def test_evidence_lies_inside_its_field(plan, sample):
    (scores,) = score_batch(plan, [sample])
    for result in scores.results.values():
        for span in result.evidence:
            assert 0 <= span.start < span.end <= len(text_of(sample, span.field)), result


@hostile
@given(sample=SAMPLES)
def test_the_explanation_is_one_sentence(plan, sample):
    (scores,) = score_batch(plan, [sample])
    for result in scores.results.values():
        said = result.explanation
        assert re.fullmatch(r"[A-Z0-9][^\n\r]*\.", said), said
        assert not re.search(r"[.!?] [A-Z]", said), said
        assert said.isprintable()
        assert len(said) < 300


@hostile
@given(sample=SAMPLES)
def test_results_survive_the_wire(plan, sample):
    (scores,) = score_batch(plan, [sample])
    record = scores.to_json()
    text = jsontext.dumps(record)
    assert jsontext.loads(text) == record
    assert jsontext.loads(text.encode().decode()) == record


@settings(max_examples=40, deadline=None, derandomize=True)
@given(samples=st.lists(SAMPLES, min_size=1, max_size=8), data=st.data())
def test_order_and_size_of_batches_do_not_matter(plan, samples, data):
    together = score_batch(plan, samples)
    assert together == [scores for sample in samples for scores in score_batch(plan, [sample])]
    order = data.draw(st.permutations(range(len(samples))))
    shuffled = score_batch(plan, [samples[place] for place in order])
    assert shuffled == [together[place] for place in order]


@each
def test_a_metric_scores_the_same_alone_and_among_others(metric, plan):
    # With rules that say how calls are compared, agent.trajectory_match compares them alone.
    sample = replace(FULL, trajectory_rules=None) if metric.id == "agent.tool_calls" else FULL
    (alone,), (among,) = (
        score_batch(p, [sample]) for p in (make_plan([metric], backends=FAKES), plan)
    )
    assert alone[metric.id] == among[metric.id]
    assert alone[metric.id].state in ("ok", "imputed")


@pytest.mark.parametrize(
    ("metric", "input"), [(metric, input) for metric in METRICS for input in metric.inputs]
)
def test_an_absent_input_gives_missing_and_its_name(metric, input):
    given = {name: getattr(FULL, name) for name in metric.inputs if name != input}
    (scores,) = score_batch(make_plan([metric], backends=FAKES), [Sample(**given)])
    result = scores[metric.id]
    assert (result.state, result.value, result.passed) == ("missing", None, None)
    assert result.explanation == f"The sample has no {input!r}."


@each
def test_a_sample_without_anything_has_no_score(metric):
    (scores,) = score_batch(make_plan([metric], backends=FAKES), [Sample()])
    assert scores[metric.id].state == "missing"


@each
def test_the_id_is_the_files_place(metric):
    path = metric.function.__module__.split(".")
    assert path[:2] == ["assay", "metrics"]
    if metric.rubric:
        assert metric.id == f"judge.{metric.function.__name__}"
        assert (ROOT / f"src/assay/data/rubrics/{metric.name}.toml").is_file()
        return
    if metric.module == "assay.metrics.governance.dim.dimension":
        assert metric.id in {f"governance.dim.{own.name}" for own in dimensions()}
        return
    assert metric.id in (f"{path[2]}.{path[-1]}", ".".join(path[2:]))
    assert metric.function.__name__ == path[-1]


@each
def test_a_metric_is_a_pure_function_over_features(metric):
    tree = ast.parse(Path(inspect.getsourcefile(metric.function)).read_text(encoding="utf-8"))
    imported = {
        name.split(".")[0] if not name.startswith("assay") else name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    }
    allowed = {
        *("collections", "functools", "itertools", "math", "re", "statistics", "textwrap"),
        "typing",
    }
    ours = tuple(
        f"assay.{package}"
        for package in (
            *("checks", "core", "data", "features", "jsoncompare", "meaning", "safety", "scoring"),
            "textproc",
        )
    )
    assert {name for name in imported if not name.startswith(ours)} <= allowed
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert called.isdisjoint({"open", "exec", "eval", "compile", "__import__", "print", "input"})


@each
def test_the_documentation_has_title_rule_and_blind_spots(metric):
    title, _, rest = metric.documentation.partition("\n")
    assert title.endswith(".")
    assert len(title) < 100
    assert "value" in rest
    assert "Blind spots: " in rest
    for option in metric.options:
        assert option in rest or option in ("metrics", "weights"), option


@each
def test_what_is_declared_makes_sense(metric):
    low, high = metric.range
    assert low is None or high is None or low < high
    assert metric.polarity in ("higher", "lower", "neutral")
    assert metric.version >= 1
    assert set(metric.lexicons) <= set(lexicon_names())
    assert set(metric.inputs) <= set(Sample.__slots__)
    if metric.threshold is not None:
        assert metric.polarity != "neutral"
        assert low is None or low <= metric.threshold
        assert high is None or metric.threshold <= high
    if metric.quality(low if low is not None else 0) is not None:
        assert sorted((metric.quality(low), metric.quality(high))) == [0, 1]
        better = high if metric.polarity == "higher" else low
        assert metric.quality(better) == 1
        assert metric.threshold is None or metric.holds(better, metric.threshold)


@each
def test_options_can_be_written_in_a_profile(metric):
    for name, default in metric.options.items():
        assert default is None or isinstance(default, str | int | float | tuple | dict), name


@each
def test_cases_cover_the_usual_ground(metric):
    cases = read_cases(metric)
    texts = [value for case in cases for value in case.fields.values() if isinstance(value, str)]
    is_rule = "rules" in metric.tags
    assert len(cases) >= 3
    assert len({case.why for case in cases}) == len(cases)
    assert any(case.state == "missing" for case in cases) or not metric.inputs
    if is_rule and set(metric.inputs) & set(TEXT_FIELDS):
        assert any(unicodedata.name(c, "").startswith("ARABIC") for text in texts for c in text)
    if is_rule and metric.threshold is not None:
        assert {case.passed for case in cases} >= {True, False}


@pytest.mark.parametrize("name", profile_names())
@hostile
@given(sample=SAMPLES)
def test_a_verdict_follows_from_value_and_threshold(name, sample):
    found = profile(name)
    chosen = registry.select(found.metrics or ["all"])
    (scores,) = score_batch(make_plan(chosen, found, backends=FAKES), [sample])
    for id, result in scores.results.items():
        metric = registry.metrics()[id]
        if result.threshold is None or metric.is_composite or result.value is None:
            continue
        if "rules" in metric.tags:
            assert result.threshold == found.thresholds.get(id, metric.threshold)
        is_sure = result.verdict != "unsure"
        assert result.passed is (metric.holds(result.value, result.threshold) if is_sure else None)
