import pytest

from assay import registry
from assay.backends import Backends
from assay.core import RESOURCES, ProfileError, Result, Sample, metric
from assay.data import Profile, read_lexicon
from assay.engine import make_plan, plan, score_batch


def plan_of(*selectors, **profile):
    return make_plan(registry.select(selectors), Profile(name="own", **profile))


def own(id, **declared):
    declared = {"inputs": (), "range": (0, 1), "polarity": "higher", **declared}
    return metric(id=id, **declared)


@own("own.length", inputs=("response",))
def length(response):
    return Result(float(bool(response)))


@own("own.unreadable", inputs=("response",))
def unreadable(response_mood):
    return Result(1.0)


@own("own.twofold")
def twofold(scores, *, metrics=("text.overall", "text.safety")):
    return Result(1.0)


@own("own.circle")
def circle(scores, *, metrics=("own.round",)):
    return Result(1.0)


@own("own.round")
def round_again(scores, *, metrics=("own.circle",)):
    return Result(1.0)


def test_plain_metrics_come_in_order_of_their_ids_and_composites_after_all_that_they_combine():
    metrics = [step.metric for step in plan_of("all").steps]
    plain = [m.id for m in metrics if not m.is_composite]
    assert [m.id for m in metrics[: len(plain)]] == sorted(plain)
    seen = set(plain)
    for composite in metrics[len(plain) :]:
        assert seen.issuperset(composite.options["metrics"])
        seen.add(composite.id)


def test_a_composite_pulls_in_its_parts_without_showing_them():
    found = plan_of("text.overall")
    assert [step.metric.id for step in found.shown] == ["text.overall"]
    hidden = [step.metric.id for step in found.steps if not step.is_shown]
    assert hidden == [
        "text.coherence",
        "text.factuality",
        "text.hallucination",
        "text.relevance",
        "text.safety",
    ]


def test_a_part_that_was_asked_for_is_shown():
    found = plan_of("text.overall", "text.safety")
    assert [step.metric.id for step in found.shown] == ["text.safety", "text.overall"]


def test_a_profile_chooses_the_parts_of_a_composite():
    found = plan_of("text.overall", options={"text.overall": {"metrics": ["text.cost"]}})
    assert [step.metric.id for step in found.steps] == ["text.cost", "text.overall"]


def test_only_the_features_that_are_read_are_computed_each_after_what_it_needs():
    assert plan_of("text.latency").features == ()
    assert plan_of("text.latency").fields == ("duration",)
    names = [feature.name for feature in plan_of("all").features]
    assert len(names) == len(set(names))
    for feature in plan_of("all").features:
        before = {*names[: names.index(feature.name)], *plan.SAMPLE_FIELDS, *RESOURCES}
        assert set(feature.parameters) <= before


def test_what_the_caller_brings_along_is_not_computed():
    found = make_plan(registry.select(["text.overall"]), given=("scores",))
    assert [step.metric.id for step in found.steps] == ["text.overall"]
    values = {"a": 1.0, "b": 0.7, "c": 0.25, "d": 0.75, "e": 0.85}
    scores = {id: Result(value, quality=value) for id, value in values.items()}
    (result,) = score_batch(found, [Sample()], {"scores": scores})
    assert result["text.overall"].value == pytest.approx(0.71, abs=1e-12)


def test_the_profile_decides_thresholds_weights_and_options():
    (step,) = plan_of(
        "text.safety",
        thresholds={"text.safety": 0.5},
        weights={"text.safety": 2},
        options={"text.safety": {"blocklist": ["x"]}},
    ).steps
    assert (step.threshold, step.weight) == (0.5, 2)
    assert step.options == {"blocklist": ("x",)}


def test_without_a_profile_the_metrics_own_defaults_hold():
    (step,) = make_plan(registry.select(["text.safety"])).steps
    assert (step.threshold, step.weight, step.options) == (0.9, 1.0, {})


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        (
            {"options": {"text.safety": {"blocklst": []}}},
            "'text.safety' has no option 'blocklst'; expected blocklist, additional_blocklist, "
            "count_mode",
        ),
        (
            {"options": {"text.coherence": {"x": 1}}},
            "'text.coherence' has no option 'x'; expected none",
        ),
        (
            {"options": {"text.safeety": {}}},
            "profile 'own': options: unknown metric 'text.safeety'; did you mean 'text.safety'? "
            '"assay metrics" lists all',
        ),
        (
            {"thresholds": {"text.safeety": 0.5}},
            "profile 'own': thresholds: unknown metric 'text.safeety'; did you mean 'text.safety'? "
            '"assay metrics" lists all',
        ),
        (
            {"weights": {"safety": 1}},
            "profile 'own': weights: 'safety' is not a full id; expected one of text.safety",
        ),
        (
            {"thresholds": {"text.safety": 7.0}},
            "the threshold of 'text.safety' is 7.0; expected 0.0 to 1.0",
        ),
        (
            {"options": {"text.overall": {"metrics": ["text.safeety"]}}},
            "'text.overall' combines 'text.safeety', which does not exist",
        ),
    ],
)
def test_a_profile_that_speaks_of_unknown_things_is_refused(profile, message):
    with pytest.raises(ProfileError) as refusal:
        plan_of("all", **profile)
    assert str(refusal.value) == message


def test_a_composite_of_composites_comes_after_both_and_all_parts_are_scored():
    found = make_plan([twofold])
    assert [step.metric.id for step in found.steps[-2:]] == ["text.overall", "own.twofold"]
    scores = score_batch(found, [Sample(response="Fine.")])[0]
    assert list(scores.results) == ["own.twofold"]


def test_composites_that_combine_each_other_are_refused():
    known = {"own.circle": circle, "own.round": round_again}
    with pytest.raises(ProfileError, match=r"combine each other: own\.\w+ → own\.\w+ → own"):
        make_plan([circle], known=known)


def test_a_metric_that_reads_something_unknown_is_refused():
    expected = (
        "'own.unreadable' reads 'response_mood', which is neither a sample field nor a feature"
    )
    with pytest.raises(ProfileError, match=expected):
        make_plan([unreadable])


def test_a_metric_that_the_registry_does_not_know_can_be_planned():
    (scores,) = score_batch(make_plan([length]), [Sample(response="x")])
    assert scores["own.length"].value == 1.0


def signature(id, **profile):
    return plan_of(id, **profile).shown[0].signature


def test_a_signature_names_definition_data_and_version():
    parts = signature("text.safety").split("|")
    assert parts[:2] == ["text.safety", "v:1"]
    assert [part.split("@")[0] for part in parts[2:4]] == ["lex:blocklist.en", "lex:pii"]
    assert parts[-1].startswith("assay:")


@pytest.mark.parametrize(
    ("options", "changes"),
    [
        ({}, False),
        ({"count_mode": "category"}, False),
        ({"blocklist": []}, False),
        ({"count_mode": "match"}, True),
        ({"blocklist": ["x"]}, True),
        ({"blocklist": ["x"], "count_mode": "match"}, True),
    ],
)
def test_a_signature_changes_with_options_that_differ(options, changes):
    found = signature("text.safety", options={"text.safety": options})
    assert (found != signature("text.safety")) is changes


def test_a_signature_does_not_depend_on_the_order_of_options():
    options = {"min_words": 5, "max_words": 10}
    one, other = (
        signature("text.conciseness", options={"text.conciseness": dict(items)})
        for items in (options.items(), reversed(options.items()))
    )
    assert one == other


def test_a_threshold_does_not_change_the_signature():
    assert signature("text.safety", thresholds={"text.safety": 0.1}) == signature("text.safety")


def test_an_edited_word_list_changes_the_signature(monkeypatch):
    before = signature("text.conciseness")
    edited = read_lexicon(
        "padding.en",
        "# Padding.\n# source: x\n# licence: x\n# language: en\n# matches: x\n# rejects: y\nx\n",
        "padding.en.txt",
    )
    monkeypatch.setattr(plan, "lexicon", lambda name: edited)
    assert signature("text.conciseness") != before


@pytest.mark.parametrize(
    ("id", "options", "expected"),
    [
        ("text.safety", {"count_mode": "matches"}, "one of 'category', 'match'"),
        ("text.safety", {"blocklist": "competitor"}, "a list of texts"),
        ("text.safety", {"blocklist": [1]}, "a list of texts"),
        ("text.latency", {"limit_ms": -1}, "a number of 0 or more"),
        ("text.latency", {"limit_ms": "fast"}, "a number of 0 or more"),
        ("text.conciseness", {"min_words": True}, "a number of 0 or more"),
        ("text.overall", {"metrics": "text.safety"}, "a list of texts"),
    ],
)
def test_option_values_that_do_not_fit_are_refused(id, options, expected):
    ((name, value),) = options.items()
    with pytest.raises(ProfileError) as refused:
        make_plan(registry.select([id]), Profile(options={id: options}))
    assert str(refused.value) == f"option {name!r} of {id!r} is {value!r}; expected {expected}"


def test_an_edited_data_file_of_a_feature_changes_the_signature(monkeypatch):
    before = signature("answer.similarity")
    assert "|feat:" in before
    monkeypatch.setattr(plan, "file_fingerprint", lambda path: "edited")
    assert signature("answer.similarity") != before


def test_a_model_behind_a_feature_is_part_of_the_signature():
    assert "|embedder:" in signature("answer.similarity")
    assert "embedder:" not in signature("text.safety")


def test_a_composite_is_signed_with_what_it_combines():
    before = signature("text.overall")
    assert "|parts:" in before
    usual = registry.metrics()["text.safety"].options["count_mode"]
    (other,) = {"category", "match"} - {usual}
    options = {"text.safety": {"count_mode": other}}
    assert signature("text.overall", options=options) != before


def test_only_metrics_of_the_package_are_its_own():
    found = make_plan([length, *registry.select(["text.safety"])])
    assert {step.metric.id: step.is_own for step in found.steps} == {
        "own.length": False,
        "text.safety": True,
    }


def test_an_option_may_be_zero():
    found = plan_of("text.latency", options={"text.latency": {"limit_ms": 0}})
    assert found.steps[0].options == {"limit_ms": 0}


def test_a_policy_is_checked_where_a_metric_reads_it(monkeypatch):
    checked = []
    monkeypatch.setattr(plan, "require_sound", checked.append)
    plan_of("text.safety")
    assert not checked
    plan_of("governance")
    assert len(checked) == 1


def test_models_get_the_mask_for_personal_data():
    masks = []

    class Recorded(Backends):
        def open(self, kinds, mask=None):
            masks.append(mask)
            return super().open(kinds, mask)

    make_plan(registry.select(["answer.similarity"]), backends=Recorded(embedder="fake"))
    assert masks == [plan.masked]
