"""Settings: where each value comes from, and what it changes."""

import json
from dataclasses import FrozenInstanceError, astuple, fields
from pathlib import Path

import pytest

import assay
from assay import registry
from assay.backends import Backends, JudgeSettings
from assay.core import ProfileError
from assay.data import Profile
from assay.data.setting_table import setting_table
from assay.engine import make_plan
from assay.runner.stream import BATCH_SIZE
from assay.settings import Settings

PAGE = Path(__file__).parent.parent / "docs/reference/settings.md"
ALL = list(setting_table().values())
each = pytest.mark.parametrize("setting", ALL, ids=lambda setting: setting.name)


@pytest.fixture
def project(tmp_path):
    """A repository with a configuration file and a folder below."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "below" / "deeper").mkdir(parents=True)
    (tmp_path / "assay.toml").write_text(
        'workers = 2\nbatch_size = 20\nseed = 2\nprofile = "mine.toml"\n'
        "[environments.ci]\nworkers = 3\nbatch_size = 30\n[environments.night]\nworkers = 9\n"
    )
    return tmp_path


def write(folder, text):
    (folder / "assay.toml").write_text(text, encoding="utf-8")
    return folder


# The sources, from weak to strong.


def test_without_anything_all_is_default():
    settings = Settings.load()
    assert set(settings.sources.values()) == {"default"}
    assert (settings.workers, settings.metrics, settings.min_response_length) == (1, (), 10)


@pytest.mark.parametrize(
    ("environment", "environ", "overrides", "expected", "source"),
    [
        (None, {}, {}, 2, "FILE"),
        ("ci", {}, {}, 3, "FILE [environments.ci]"),
        ("ci", {"ASSAY_WORKERS": "4"}, {}, 4, "ASSAY_WORKERS"),
        ("ci", {"ASSAY_WORKERS": "4"}, {"workers": 5}, 5, "command line"),
        (None, {"ASSAY_ENV": "ci"}, {}, 3, "FILE [environments.ci]"),
        ("night", {"ASSAY_ENV": "ci"}, {}, 9, "FILE [environments.night]"),
        (None, {"ASSAY_WORKERS": ""}, {"workers": None}, 2, "FILE"),
    ],
)
def test_each_source_wins_over_the_weaker_ones(
    project, environment, environ, overrides, expected, source
):
    settings = Settings.load(project, environ, overrides, environment=environment)
    found = settings.sources["workers"].replace(str(project / "assay.toml"), "FILE")
    assert (settings.workers, found) == (expected, source)


def test_an_environment_keeps_what_it_does_not_say(project):
    settings = Settings.load(project, environment="night")
    assert (settings.workers, settings.batch_size, settings.include_imputed) == (9, 20, False)


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"SEMANTIC_SIMILARITY_THRESHOLD": "0.8"}, 0.8),
        ({"ASSAY_SEMANTIC_SIMILARITY_THRESHOLD": "0.6"}, 0.6),
        (
            {
                "SEMANTIC_SIMILARITY_THRESHOLD": "0.8",
                "ASSAY_SEMANTIC_SIMILARITY_THRESHOLD": "0.6",
            },
            0.6,
        ),
        ({"semantic_similarity_threshold": "0.1"}, 0.7),
    ],
)
def test_documented_variables_are_read_under_both_names(environ, expected):
    assert Settings.load(environ=environ).semantic_similarity_threshold == expected


def test_other_settings_are_read_under_our_name_only():
    assert Settings.load(environ={"WORKERS": "7", "METRICS": "x"}) == Settings.load()


@pytest.mark.parametrize(
    ("variable", "text", "expected"),
    [
        ("ASSAY_METRICS", "text, -text.cost,", ("text", "-text.cost")),
        ("ASSAY_INCLUDE_IMPUTED", "Yes", True),
        ("ASSAY_INCLUDE_IMPUTED", "0", False),
        ("ASSAY_SEED", "12", 12),
        ("ASSAY_MAX_RESPONSE_TIME_SECONDS", "45", 45.0),
        ("ASSAY_EMBEDDER", "hf:models/e5", "hf:models/e5"),
        ("ASSAY_THRESHOLDS", "text.safety=0.9, text.cost=2,", {"text.safety": 0.9, "text.cost": 2}),
    ],
)
def test_the_text_of_a_variable_becomes_a_value(variable, text, expected):
    settings = Settings.load(environ={variable: text})
    value = getattr(settings, variable.removeprefix("ASSAY_").lower())
    assert (value, type(value)) == (expected, type(expected))


# The configuration file.


def test_the_file_is_found_above_up_to_the_root_of_the_repository(project):
    assert Settings.load(project / "below" / "deeper").workers == 2
    write(project / "below", "workers = 8")
    assert Settings.load(project / "below" / "deeper").workers == 8


def test_the_search_ends_at_the_root_of_the_repository(project):
    (project / "below" / ".git").write_text("gitdir: elsewhere")
    assert Settings.load(project / "below" / "deeper") == Settings.load()


def test_outside_of_a_repository_only_the_folder_itself_counts(tmp_path):
    (tmp_path / "below").mkdir()
    write(tmp_path, "workers = 2")
    assert Settings.load(tmp_path).workers == 2
    assert Settings.load(tmp_path / "below").workers == 1


def test_the_file_can_be_named(project):
    (project / "other.toml").write_text("workers = 6")
    (project / "third.toml").write_text("workers = 7")
    environ = {"ASSAY_CONFIG": "other.toml"}
    assert Settings.load(project, environ).workers == 6
    assert Settings.load(project, environ, config="third.toml").workers == 7
    assert Settings.load(config=str(project / "other.toml")).workers == 6


def test_paths_in_the_file_start_at_the_file(project):
    (project / "mine.toml").write_text('title = "Mine"\nmetrics = ["text.safety"]')
    settings = Settings.load(project / "below")
    assert settings.profile == str(project / "mine.toml")
    assert settings.chosen_profile().title == "Mine"
    assert Settings.load(write(project, 'profile = "rag"')).profile == "rag"
    assert Settings.load(project, {"ASSAY_PROFILE": "x.toml"}).profile == "x.toml"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wrokers = 2", "FILE: unknown key 'wrokers'; did you mean 'workers'?"),
        ("SEED = 2", "FILE: unknown key 'SEED'; did you mean 'seed'?"),
        ("zzz = 2", "FILE: unknown key 'zzz'; \"assay settings\" lists all"),
        ('workers = "two"', "FILE: 'workers' is 'two'; expected a whole number from 1 to 256"),
        ("workers = 0", "FILE: 'workers' is 0; expected a whole number from 1 to 256"),
        ("workers = 2.0", "FILE: 'workers' is 2.0; expected a whole number"),
        ("workers = true", "FILE: 'workers' is True; expected a whole number"),
        ("seed = -1", "FILE: 'seed' is -1; expected a whole number of 0 or more"),
        ("include_imputed = 1", "FILE: 'include_imputed' is 1; expected true or false"),
        ('metrics = "text"', "FILE: 'metrics' is 'text'; expected a list of texts"),
        ("metrics = [1]", "FILE: 'metrics' is [1]; expected a list of texts"),
        ("embedder = 1", "FILE: 'embedder' is 1; expected text"),
        (
            "max_response_time_seconds = nan",
            "FILE: 'max_response_time_seconds' is nan; expected a number of 0 or more",
        ),
        (
            "consistency_threshold = 70",
            "FILE: 'consistency_threshold' is 70; expected a number from 0 to 1",
        ),
        (
            "[environments.ci]\nworkers = 0",
            "FILE [environments.ci]: 'workers' is 0; expected a whole number",
        ),
        ("[environments.ci]\nenvironments = 1", "unknown key 'environments'"),
        ("environments = 1", "FILE: 'environments' is 1; expected tables"),
        ("[environments]\nci = 1", "FILE: environments.ci is 1; expected a table"),
        ("workers = ", "FILE: not valid TOML"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path, text, message):
    write(tmp_path, text)
    with pytest.raises(ProfileError) as raised:
        Settings.load(tmp_path)
    assert message in str(raised.value).replace(str(tmp_path / "assay.toml"), "FILE")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"environ": {"ASSAY_WORKERS": "two"}},
            "ASSAY_WORKERS: 'workers' is 'two'; expected a whole number from 1 to 256",
        ),
        (
            {"environ": {"MIN_RESPONSE_LENGTH": "ten"}},
            "MIN_RESPONSE_LENGTH: 'min_response_length' is 'ten'; expected a whole number of 0",
        ),
        (
            {"environ": {"ASSAY_INCLUDE_IMPUTED": "maybe"}},
            "'include_imputed' is 'maybe'; expected true or false",
        ),
        (
            {"environ": {"ASSAY_MAX_RESPONSE_TIME_SECONDS": "inf"}},
            "'max_response_time_seconds' is inf; expected a number",
        ),
        ({"overrides": {"workers": 0}}, "command line: 'workers' is 0"),
        ({"overrides": {"works": 1}}, "command line: unknown key 'works'; did you mean"),
        ({"environment": "ci"}, "environment 'ci' is chosen but there is no assay.toml"),
        ({"config": "nowhere.toml"}, "'.*nowhere.toml' cannot be read: No such file"),
    ],
)
def test_other_mistakes_are_named(tmp_path, given, message):
    with pytest.raises(ProfileError, match=message):
        Settings.load(tmp_path, **given)


def test_an_unknown_environment_is_answered_with_the_known_ones(project):
    with pytest.raises(ProfileError, match="no environment 'prod'; there is ci, night"):
        Settings.load(project, environment="prod")


def test_a_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "assay.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ProfileError, match="not UTF-8"):
        Settings.load(tmp_path)


# What the settings are for.


def test_settings_are_frozen():
    with pytest.raises(FrozenInstanceError):
        Settings.load().workers = 2


def test_every_setting_is_a_field_and_every_field_a_setting():
    assert [f.name for f in fields(Settings)] == [*setting_table(), "sources"]


@each
def test_a_default_fits_its_own_limits(setting):
    assert setting.fits(setting.default)
    assert setting.help.endswith(".")


def test_defaults_are_those_of_the_calls():
    settings = Settings.load()
    assert settings.backends() == Backends()
    assert settings.batch_size == BATCH_SIZE
    assert settings.chosen_profile() == Profile()


def test_every_back_end_can_be_chosen():
    assert {f.name for f in fields(Backends)} - {"judging"} <= set(setting_table())
    environ = {
        "ASSAY_EMBEDDER": "fake",
        "ASSAY_CLASSIFIER": "hf:x",
        "ASSAY_TOKEN_EMBEDDER": "none",
        "ASSAY_THREADS": "2",
        "ASSAY_CACHE": "off",
    }
    backends = Settings.load(environ=environ).backends()
    assert (backends.embedder, backends.classifier) == ("fake", "hf:x")
    assert backends.token_embedder == ""
    assert (backends.threads, backends.cache, backends.downloads) == (2, False, False)


def test_all_about_the_judge_can_be_set():
    environ = {
        "ASSAY_JUDGE": "fake",
        "ASSAY_JUDGE_FORMAT": "none",
        "ASSAY_JUDGE_SCORE": "expected",
        "ASSAY_JUDGE_REPEATS": "3",
        "ASSAY_JUDGE_TEMPERATURE": "0.7",
        "ASSAY_JUDGE_SEED": "5",
        "ASSAY_JUDGE_ANSWER_TOKENS": "90",
        "ASSAY_JUDGE_REPAIRS": "0",
        "ASSAY_JUDGE_EXTRA": '{"top_p": 0.9}',
        "ASSAY_REDACT": "yes",
        "ASSAY_JUDGE_CONCURRENCY": "2",
        "ASSAY_JUDGE_TIMEOUT": "30",
        "ASSAY_JUDGE_PRICE": "0.5/1.5",
        "ASSAY_MAX_JUDGE_CALLS": "10",
        "ASSAY_MAX_JUDGE_TOKENS": "1000",
        "ASSAY_MAX_JUDGE_SPEND": "0.25",
    }
    judging = Settings.load(environ=environ).backends().judging
    asking = ("none", "expected", 3, 0.7, 5, 90, 0, '{"top_p": 0.9}', True, 2, 30.0)
    assert astuple(judging) == (*asking, 10, 1000, 0.25, (0.5, 1.5))
    assert Settings.load().backends().judging == JudgeSettings()


@pytest.mark.parametrize(
    ("variable", "text", "message"),
    [
        ("ASSAY_JUDGE_PRICE", "cheap", "'judge_price' is 'cheap'"),
        ("ASSAY_JUDGE_PRICE", "1/-2", "'judge_price' is '1/-2'"),
        ("ASSAY_JUDGE_FORMAT", "yaml", "format is 'yaml'"),
        ("ASSAY_JUDGE_EXTRA", "[1]", "expected an object"),
        ("ASSAY_JUDGE_EXTRA", "{", "no JSON"),
        ("ASSAY_JUDGE_EXTRA", '{"messages": []}', "may not set 'messages'"),
    ],
)
def test_what_a_judge_cannot_be_told_is_refused(variable, text, message):
    with pytest.raises(ProfileError, match=message):
        Settings.load(environ={variable: text}).backends()


TARGETS = [(setting, target) for setting in ALL for target in setting.sets]


def test_no_two_settings_change_the_same_thing():
    targets = [(target.metric, target.option) for _, target in TARGETS]
    assert len(targets) == len(set(targets))


@pytest.mark.parametrize(
    ("setting", "target"), TARGETS, ids=[f"{s.name}-{t.metric}-{t.option}" for s, t in TARGETS]
)
def test_a_default_is_that_of_the_metric(setting, target):
    metric = registry.metrics()[target.metric]
    own = metric.options[target.option] if target.option else metric.threshold
    assert own is None or own == pytest.approx(setting.default * target.factor)


def test_what_nobody_set_changes_nothing():
    profile = Profile("mine", thresholds={"text.safety": 0.5})
    assert Settings.load().apply(profile) == profile


def test_what_is_set_reaches_the_metrics_in_their_own_scale():
    environ = {
        "SEMANTIC_SIMILARITY_THRESHOLD": "0.8",
        "MIN_RESPONSE_LENGTH": "20",
        "MAX_RESPONSE_TIME_SECONDS": "2",
    }
    profile = Settings.load(environ=environ).apply(Profile())
    assert profile.options["chat.accuracy"] == {"min_similarity": 0.8}
    assert profile.thresholds["chat.e2e_latency"] == 2000.0
    assert profile.options["chat.response_quality"] == {"min_length": 20}
    steps = {step.metric.id: step for step in make_plan(registry.metrics().values(), profile).steps}
    assert steps["chat.output_validity"].options == {"min_length": 20}
    assert "min_length:20" in steps["chat.output_validity"].signature
    assert steps["chat.consistency"].threshold == 0.7


def test_a_profile_wins_over_settings():
    profile = Profile(
        thresholds={"chat.accuracy": 0.9},
        options={"chat.response_quality": {"min_length": 5}, "text.safety": {"blocklist": ["x"]}},
    )
    environ = {"SEMANTIC_SIMILARITY_THRESHOLD": "0.8", "MIN_RESPONSE_LENGTH": "20"}
    applied = Settings.load(environ=environ).apply(profile)
    assert applied.thresholds["chat.accuracy"] == 0.9
    assert applied.options["chat.response_quality"] == {"min_length": 5}
    assert applied.options["chat.output_validity"] == {"min_length": 20}
    assert applied.options["text.safety"] == {"blocklist": ["x"]}


def test_thresholds_by_id_win_over_the_profile_and_are_united_over_all_places(tmp_path):
    write(tmp_path, '[thresholds]\n"text.safety" = 0.1\n"text.cost" = 0.2')
    environ = {"ASSAY_THRESHOLDS": "text.cost=0.3,text.clarity=0.3"}
    overrides = {"thresholds": {"text.clarity": 0.4}}
    settings = Settings.load(tmp_path, environ, overrides)
    found = settings.apply(Profile(thresholds={"text.safety": 0.9, "text.bias": 0.9})).thresholds
    assert found == {"text.safety": 0.1, "text.cost": 0.3, "text.clarity": 0.4, "text.bias": 0.9}
    assert settings.override({"thresholds": {"text.cost": 0.5}}).thresholds["text.cost"] == 0.5
    assert settings.override({"thresholds": None}) == settings


@pytest.mark.parametrize("text", ["text.safety", "text.safety=much", "text.safety=nan"])
def test_a_threshold_that_is_no_number_is_refused(text):
    with pytest.raises(ProfileError, match=r"expected numbers by metric id: text\.safety=0\.9"):
        Settings.load(environ={"ASSAY_THRESHOLDS": text})


@pytest.mark.parametrize(
    ("response", "environ", "thresholds", "expected"),
    [
        ("yes", {}, {}, 0.7),
        ("نعم", {}, {}, 0.5),
        ("yes", {"SEMANTIC_SIMILARITY_THRESHOLD": "0.8"}, {}, 0.8),
        ("نعم", {"SEMANTIC_SIMILARITY_THRESHOLD": "0.8"}, {}, 0.5),
        ("نعم", {"ARABIC_SEMANTIC_SIMILARITY_THRESHOLD": "0.4"}, {}, 0.4),
        ("نعم", {"ARABIC_SEMANTIC_SIMILARITY_THRESHOLD": "0.4"}, {"chat.accuracy": 0.9}, 0.9),
    ],
)
def test_arabic_has_a_threshold_of_its_own(response, environ, thresholds, expected):
    scores = assay.score(
        response=response,
        expected=response,
        metrics=["chat.accuracy"],
        profile=Settings.load(environ=environ).apply(Profile(thresholds=thresholds)),
        backends=Backends(embedder="fake"),
    )
    assert scores.results["chat.accuracy"].threshold == expected


def documented(setting):
    """The row of a setting on its page."""
    cells = [f"`{setting.name}`", f"`{json.dumps(setting.default)}`", setting.help]
    if setting.group == "thresholds":
        changes = (f"`{t.metric}`" + f" (`{t.option}`)" * bool(t.option) for t in setting.sets)
        cells += [f"`{setting.variables[-1]}`", ", ".join(changes)]
    return f"| {' | '.join(cells)} |"


@each
def test_every_setting_is_documented(setting):
    assert documented(setting) in PAGE.read_text(encoding="utf-8").splitlines()
