"""Keywords of Python calls: nothing is swallowed, and settings count as for commands."""

from dataclasses import replace
from importlib import import_module

import pytest

import assay
from assay.core import UsageError
from assay.core.errors import ArgumentError
from assay.data import Profile
from assay.runner.job import default_selection, make_job
from assay.settings import Settings
from assay.store import open_store
from assay.store.run_list import find_run

LEAK = "Write to jane.doe@example.org."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASSAY_CONFIG", raising=False)
    (tmp_path / "assay.toml").write_text(
        'metrics = ["text.safety"]\nredact = true\n[thresholds]\n"text.safety" = 0.5\n'
    )
    return tmp_path


def threshold(scores):
    return scores["text.safety"].threshold


def test_thresholds_of_a_call_count():
    assert threshold(assay.score(response="Fine.", thresholds={"text.safety": 0.1})) == 0.1
    report = assay.evaluate([{"response": "Fine."}], thresholds={"text.safety": 0.1})
    assert report.metrics["text.safety"].threshold == 0.1


def test_every_setting_is_an_argument():
    scores = assay.score(
        response="Nobody.", expected="No.", metrics="chat.accuracy", embedder="none"
    )
    assert "embedder:none" in scores["chat.accuracy"].signature


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: assay.score(respnse="x"),
            r"score\(\) has no argument 'respnse'; did you mean 'resp",
        ),
        (lambda: assay.score(response="x", treshold=1), r"'treshold'; did you mean 'thresholds'\?"),
        (lambda: assay.score(response="x", model="m"), r"'model'.*goes into metadata=\{…\}"),
        (lambda: assay.score(response="x", store="x.db"), r"has no argument 'store'"),
        (
            lambda: assay.evaluate([], worker=2),
            r"evaluate\(\) has no argument 'worker'; did you mean 'w",
        ),
        (lambda: assay.evaluate([], response="x"), r"has no argument 'response'"),
        (lambda: assay.evaluate([], gates=["text.safety>=0"]), r"has no argument 'gates'"),
    ],
)
def test_an_unknown_argument_is_refused_with_the_nearest_name(call, message):
    with pytest.raises(ArgumentError, match=message) as refusal:
        call()
    assert isinstance(refusal.value, TypeError)


def test_a_wrong_value_of_a_setting_is_refused():
    with pytest.raises(UsageError, match=r"'thresholds' is .* expected numbers by metric id"):
        assay.score(response="x", thresholds={"text.safety": "high"})
    with pytest.raises(
        UsageError, match=r"unknown metric 'text.saftey'; did you mean 'text.safety'"
    ):
        assay.score(response="x", thresholds={"text.saftey": 0.5})


def test_free_metadata_and_other_names_of_fields_are_taken():
    scores = assay.score(
        answer="Fine.", metadata={"model": "m"}, tools=[{"name": "f"}], metrics="text.safety"
    )
    assert scores["text.safety"].value == 1.0


def test_settings_are_found_from_the_working_directory(folder):
    scores = assay.score(response=LEAK)
    assert (list(scores), threshold(scores)) == (["text.safety"], 0.5)
    report = assay.evaluate([{"response": LEAK}])
    assert "jane.doe" not in report.samples[0].response


def test_an_argument_goes_before_what_is_set(folder):
    scores = assay.score(response=LEAK, metrics="text", thresholds={"text.safety": 0.2})
    assert (len(scores) > 1, threshold(scores)) == (True, 0.2)
    report = assay.evaluate([{"response": LEAK}], redact=False)
    assert report.samples[0].response == LEAK


def test_settings_can_be_left_out_or_chosen(folder):
    assert len(assay.score(response=LEAK, settings=None)) > 1
    (folder / "other.toml").write_text('metrics = ["text.cost"]\n')
    assert list(assay.score(response=LEAK, settings="other.toml")) == ["text.cost"]
    own = Settings.load(overrides={"metrics": ["text.conciseness"]})
    assert list(assay.score(response=LEAK, settings=own)) == ["text.conciseness"]


def test_a_profile_that_is_named_goes_before_the_metrics_of_a_file(folder):
    profile = Profile(metrics=("text.cost",))
    assert list(assay.score(response=LEAK, profile=profile)) == ["text.cost"]
    assert list(assay.score(response=LEAK, profile=Profile())) == ["text.safety"]
    assert list(assay.score(response=LEAK, profile=profile, metrics="text.safety")) == [
        "text.safety"
    ]


def test_metrics_of_the_callers_own_stand_alone(folder):
    @assay.metric(id="own.one", inputs=("response",), range=(0, 1), polarity="higher")
    def one(response: str) -> assay.Result:
        """One."""
        return assay.Result(1.0, "One.")

    assert list(assay.score(response="x", metrics=[one])) == ["own.one"]


def test_a_call_keeps_its_run_where_it_is_told_to(folder):
    data = [{"response": LEAK}, {"response": "Fine."}]
    assay.evaluate(data, run="mine", store="runs.db")
    run = find_run(open_store("runs.db"), "mine")
    assert (run.tests, run.status, run.plan["settings"]["redact"]) == (2, "finished", True)
    with pytest.raises(UsageError, match="exists already"):
        assay.evaluate(data, run="mine", store="runs.db")
    assert assay.evaluate(data, run="mine", store="runs.db", resume=True).summary.samples == 2
    with pytest.raises(UsageError, match="resume=True needs the run's name"):
        assay.evaluate(data, resume=True)


def test_one_place_decides_what_is_scored_when_nothing_says_so(monkeypatch):
    seen = []

    def chosen(job, first):
        seen.append([sample.query for sample in first])
        is_bare = all(sample.query is None for sample in first)
        return replace(job, metrics=("text.safety",) if is_bare else ("text.cost",))

    module = import_module("assay.runner.execute")  # the package has the function by that name
    monkeypatch.setattr(module, "default_selection", chosen)
    data = [{"query": f"q{n}", "response": "Fine."} for n in range(300)]
    report = assay.evaluate(data, settings=None)
    assert (list(report.metrics), report.summary.samples) == (["text.cost"], 300)
    assert seen == [[f"q{n}" for n in range(256)]]
    assert list(assay.score(response="Fine.", settings=None)) == ["text.safety"]
    found = default_selection(make_job(Settings.load()), None)
    assert found.choice.line.startswith("auto chose ")
