import re
import sys
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

from assay import registry
from assay.core import Result, Sample, UnknownMetricError, UsageError, metric, rule
from assay.data.other_names import other_names
from assay.engine import make_plan, score_batch

TEXT = [
    "text.coherence",
    "text.completeness",
    "text.conciseness",
    "text.consistency",
    "text.cost",
    "text.factuality",
    "text.hallucination",
    "text.latency",
    "text.overall",
    "text.relevance",
    "text.safety",
]


def declare(id, **declared):
    declared = {"inputs": ("response",), "range": (0, 1), "polarity": "higher", **declared}

    @metric(id=id, **declared)
    def found(response):
        """Something."""
        return Result(0.5, "Half.")

    return found


KNOWN = {
    found.id: found
    for found in [
        declare("chat.accuracy", tags=("rules", "proven")),
        declare("chat.clarity", tags=("model",)),
        declare("json.accuracy"),
        declare("text.safety", tags=("rules", "arabic")),
    ]
}


def ids(*selectors):
    return [found.id for found in registry.select(selectors, KNOWN)]


def test_our_metrics_are_found():
    assert [id for id in registry.metrics() if id.startswith("text.")] == TEXT
    assert list(registry.metrics()) == sorted(registry.metrics())


def test_our_rules_are_found():
    assert {
        "text.metric_score.passed",
        "text.score_from_violations",
        "text.threshold_preset",
    } <= set(registry.rules())


def test_the_sample_of_the_guide_is_no_metric_of_ours():
    assert "text.custom_example" not in {*registry.metrics(), *registry.rules()}


def test_text_features_exist_for_every_text_field():
    found = registry.features()
    assert {"query_words", "response_words", "expected_words", "gold_context_words"} <= set(found)
    assert found["expected_sentences"].parameters[0] == "expected_normal"
    assert found["response_hits"].constants == {"field": "response"}


@pytest.mark.parametrize(
    ("selectors", "expected"),
    [
        (["all"], list(KNOWN)),
        (["text.safety"], ["text.safety"]),
        (["chat"], ["chat.accuracy", "chat.clarity"]),
        (["text.safety", "chat"], ["chat.accuracy", "chat.clarity", "text.safety"]),
        (["chat", "chat.accuracy"], ["chat.accuracy", "chat.clarity"]),
        (["@proven"], ["chat.accuracy"]),
        (["@rules"], ["chat.accuracy", "json.accuracy", "text.safety"]),
        (["chat&@rules"], ["chat.accuracy"]),
        ([" chat & @rules "], ["chat.accuracy"]),
        (["all&@rules&@arabic"], ["text.safety"]),
        (["all", "-chat"], ["json.accuracy", "text.safety"]),
        (["-chat", "all"], ["json.accuracy", "text.safety"]),
        (["-chat"], ["json.accuracy", "text.safety"]),
        (["all", "-@rules"], ["chat.clarity"]),
        (["all", "-chat&@rules"], ["chat.clarity", "json.accuracy", "text.safety"]),
    ],
)
def test_selectors(selectors, expected):
    assert ids(*selectors) == expected


@pytest.mark.parametrize(
    ("selectors", "message"),
    [
        (["accuracy"], "'accuracy' is not a full id; expected one of chat.accuracy, json.accuracy"),
        (["safety"], "'safety' is not a full id; expected one of text.safety"),
        (
            ["text.safeety"],
            "unknown metric 'text.safeety'; did you mean 'text.safety'? \"assay metrics\" lists",
        ),
        (["chatt"], "unknown metric 'chatt'; did you mean 'chat'? \"assay metrics\" lists all"),
        (["clarty"], "unknown metric 'clarty'; did you mean 'chat.clarity'?"),
        (["text.accuracyy"], "did you mean"),
        (["qqqqqq"], "unknown metric 'qqqqqq'; \"assay metrics\" lists all"),
        ([""], "unknown metric ''; \"assay metrics\" lists all"),
        (["-text.safeety"], "unknown metric 'text.safeety'; did you mean 'text.safety'?"),
        (["chat&"], "unknown metric ''"),
        (
            ["@rule"],
            "unknown tag '@rule'; expected one of @arabic, @gating, @model, @proven, @rules",
        ),
        (["Text.Safety"], "unknown metric 'Text.Safety'; did you mean 'text.safety'?"),
    ],
)
def test_an_unknown_selector_is_refused_with_a_hint(selectors, message):
    with pytest.raises(UnknownMetricError) as refusal:
        ids(*selectors)
    assert message in str(refusal.value)


@pytest.mark.parametrize("selectors", [[], ["chat", "-chat"], ["json&@proven"]])
def test_an_empty_selection_is_refused(selectors):
    with pytest.raises(UsageError, match="no metric is selected"):
        ids(*selectors)


@pytest.fixture
def plugin(monkeypatch):
    """Installs a module as a plugin; the registry forgets it afterwards."""
    caches = (registry.metrics, registry.rules)

    def install(**contents):
        module = ModuleType("assay_own")
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, "assay_own", module)
        point = EntryPoint("own", "assay_own", "assay.metrics")
        monkeypatch.setattr(
            registry, "entry_points", lambda *, group: [point] if group == point.group else []
        )
        for cached in caches:
            cached.cache_clear()

    yield install
    for cached in caches:
        cached.cache_clear()


def test_a_plugins_metrics_and_rules_are_found(plugin):
    plugin(politeness=declare("own.politeness"), half=rule("own.half")(lambda value: value / 2))
    assert "own.politeness" in registry.metrics()
    assert registry.rules()["own.half"](1.0) == 0.5
    chosen = registry.select(["own", "text.latency"])
    assert [found.id for found in chosen] == ["own.politeness", "text.latency"]
    (scores,) = score_batch(make_plan(chosen), [Sample(response="x")])
    assert scores["own.politeness"].value == 0.5


def test_a_name_imported_twice_is_one_metric(plugin):
    found = declare("own.politeness")
    plugin(one=found, other=found)
    assert registry.metrics()["own.politeness"] is found


def test_two_definitions_of_one_id_are_refused(plugin):
    plugin(safety=declare("text.safety"))
    with pytest.raises(UsageError, match=r"two definitions of 'text\.safety'.*assay_own"):
        registry.metrics()


@pytest.mark.parametrize(
    ("id", "function", "message"),
    [
        ("politeness", lambda response: None, "metric id 'politeness' has no family"),
        ("own.politeness", lambda: None, "metric 'own.politeness' reads nothing"),
    ],
)
def test_a_declaration_that_makes_no_sense_is_refused(id, function, message):
    with pytest.raises(ValueError, match=message):
        metric(id=id, inputs=(), range=(0, 1), polarity="higher")(function)


@pytest.mark.parametrize(
    ("name", "suggested"),
    [
        ("hallucination_score", "'rag.faithfulness'"),
        ("ConversationalRelevancy", "'answer.relevance'"),
        ("semantic-similarity", "'answer.similarity'"),
        ("jailbreak", "'safety.injection'"),
        ("geval", "'judge'"),
        ("faithfullness", "'rag.faithfulness'"),
    ],
)
def test_names_of_other_tools_are_suggested_by_meaning(name, suggested):
    with pytest.raises(UnknownMetricError, match=f"did you mean .*{re.escape(suggested)}"):
        registry.select([name])


def test_a_bare_name_lists_what_is_meant_before_what_is_called_so():
    with pytest.raises(UnknownMetricError, match=r"expected one of rag\.faithfulness, .*, json\.h"):
        registry.select(["hallucination"])


def test_every_other_name_means_metrics_that_exist():
    families = {metric.family for metric in registry.metrics().values()}
    for name, ids in other_names().items():
        assert set(ids) <= registry.metrics().keys() | families, name
    assert list(other_names()) == sorted(other_names())


def test_a_metric_without_inputs_says_what_it_reads():
    for one in registry.metrics().values():
        assert one.inputs or one.is_composite or registry.fields_read(one), one.id
    accuracy = registry.metrics()["chat.accuracy"]
    assert registry.fields_read(accuracy) == ("expected", "metadata", "query", "response")


def test_modules_may_be_imported_by_other_threads_meanwhile(monkeypatch):
    """A package gets a new name for each module of it that is imported."""
    package = ModuleType("package")

    class Importing:
        @property
        def __class__(self):
            setattr(package, f"module_{len(vars(package))}", None)
            return type(self)

    package.first = Importing()
    monkeypatch.setattr(registry, "_modules", lambda root: [package])
    assert registry.features.__wrapped__() == {}
    assert registry._declared(registry.Metric) == []
