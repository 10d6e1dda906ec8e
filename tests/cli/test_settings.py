"""`assay settings`, and how settings reach `assay run`."""

import json

import pytest

from assay.data.setting_table import setting_table

CONFIG = """
metrics = ["text.safety", "text.conciseness"]
[environments.strict]
profile = "strict.toml"
metrics = ["text.safety"]
"""


@pytest.fixture
def data(tmp_path):
    (tmp_path / "assay.toml").write_text(CONFIG)
    (tmp_path / "strict.toml").write_text('[thresholds]\n"text.safety" = 0.99\n')
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "response": "The store is in town."}\n')
    return path


@pytest.fixture(autouse=True)
def no_variables(monkeypatch):
    for setting in setting_table().values():
        for variable in (*setting.variables, "ASSAY_CONFIG", "ASSAY_ENV"):
            monkeypatch.delenv(variable, raising=False)


def scored(run, *args):
    """The metrics that a run scores, with their thresholds."""
    code, out, err = run("run", "a.jsonl", "--out", "-", *args)
    assert code == 0, err
    return {id: score["threshold"] for id, score in json.loads(out)["scores"].items()}


def test_every_setting_is_shown_with_its_source(run, data, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setenv("ASSAY_WORKERS", "2")
    code, out, _ = run("settings", "--environment", "strict")
    assert code == 0
    lines = [line.strip() for line in out.splitlines()]
    shown = {line.split()[0]: line.split(maxsplit=2)[1:] for line in lines}
    assert set(setting_table()) <= set(shown)
    assert shown["workers"] == ["2", "ASSAY_WORKERS"]
    assert shown["include_imputed"] == ["false", "default"]
    assert "[environments.strict]" in out


def test_thresholds_by_id_reach_the_metrics(run, data):
    given = ("--threshold", "text.safety=0.3", "--environment", "strict")
    assert scored(run, *given) == {"text.safety": 0.3}
    code, _, err = run("run", "a.jsonl", "--threshold", "text.safety")
    assert (code, "expected a metric's id and a number: text.safety=0.9" in err) == (2, True)
    code, _, err = run("run", "a.jsonl", "--threshold", "text.saftey=0.5")
    assert (code, "did you mean 'text.safety'?" in err) == (2, True)


def test_a_profile_on_the_command_line_goes_before_metrics_of_the_file(run, data):
    (data.parent / "own.toml").write_text('metrics = ["text.cost"]\n')
    assert set(scored(run, "--profile", "own.toml")) == {"text.cost"}


def test_settings_as_json(run, data):
    code, out, _ = run("settings", "--json")
    listed = {entry["name"]: entry for entry in json.loads(out)}
    assert code == 0
    assert listed["metrics"]["value"] == ["text.safety", "text.conciseness"]
    assert listed["metrics"]["source"].endswith("assay.toml")
    assert listed["min_response_length"]["variables"] == [
        "ASSAY_MIN_RESPONSE_LENGTH",
        "MIN_RESPONSE_LENGTH",
    ]


def test_a_mistake_is_one_line_and_exit_code_2(run, data, monkeypatch):
    monkeypatch.setenv("ASSAY_WORKERS", "many")
    for command in (("settings",), ("run", "a.jsonl")):
        code, out, err = run(*command)
        assert (code, out) == (2, "")
        assert err.startswith("Error: ASSAY_WORKERS: 'workers' is 'many'")


def test_a_run_follows_the_file(run, data):
    assert set(scored(run)) == {"text.safety", "text.conciseness"}


def test_a_run_follows_the_chosen_environment(run, data, monkeypatch):
    assert scored(run, "--environment", "strict") == {"text.safety": 0.99}
    monkeypatch.setenv("ASSAY_ENV", "strict")
    assert scored(run) == {"text.safety": 0.99}


def test_the_command_line_wins(run, data):
    metrics = ("--metrics", "text.coherence", "--environment", "strict")
    assert set(scored(run, *metrics)) == {"text.coherence"}
    lenient = scored(run, "--environment", "strict", "-p", "lenient")
    assert lenient["text.safety"] == 0.8
    assert len(lenient) == 5  # the profile that the call names goes before the metrics of a file


def test_another_file_can_be_named(run, data, tmp_path):
    (tmp_path / "other.toml").write_text('metrics = ["text.coherence"]')
    assert set(scored(run, "--config", "other.toml")) == {"text.coherence"}


def test_include_imputed_can_be_set_and_unset(run, data, tmp_path):
    (tmp_path / "assay.toml").write_text('include_imputed = true\nmetrics = ["text.safety"]')
    assert scored(run, "--leave-out-imputed").keys() == {"text.safety"}
