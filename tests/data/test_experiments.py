import pytest

from assay import registry
from assay.core import ProfileError
from assay.data.experiments import experiment_file, experiments, read_experiment
from assay.engine.plan import SAMPLE_FIELDS
from assay.evidence.measure import check_names
from assay.evidence.readings import READINGS

SMALLEST = """
title = "A question"
positive = [1]
[fields]
response = "response"
[metrics]
"text.hallucination" = "higher"
[[set]]
name = "small"
label = "1 = yes"
"""


@pytest.mark.parametrize("experiment", experiments().values(), ids=lambda e: e.name)
def test_a_bundled_experiment_names_what_exists(experiment):
    check_names(experiment)
    assert set(experiment.metrics) <= set(registry.metrics())
    assert {*map(_field, experiment.fields)} <= set(SAMPLE_FIELDS)
    assert set(experiment.readings) <= set(experiment.fields)
    assert set(experiment.readings.values()) <= set(READINGS)
    assert experiment.baselines
    assert experiment.about
    for found in experiment.sets:
        assert all((found.name, found.label, found.labelled_by, found.source, found.licence))
        assert set(found.fields) <= {*SAMPLE_FIELDS, "accepted_answers"}
        assert bool(found.look_alikes) == bool(found.look_alikes_are)


@pytest.mark.parametrize("experiment", experiments().values(), ids=lambda e: e.name)
def test_a_bundled_experiment_gives_its_metrics_what_they_read(experiment):
    for id in experiment.metrics:
        assert set(registry.metrics()[id].inputs) <= {*map(_field, experiment.fields)}


def _field(name):
    """The sample's field that a name leads into."""
    return name.partition(".")[0]


def test_the_smallest_experiment():
    found = read_experiment("small", SMALLEST)
    assert (found.name, found.statistic, found.positive) == ("small", "auroc", (1,))
    assert found.sets[0].name == "small"
    assert found.probes == found.baselines == {}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[fields]", "unknown = 1\n[fields]", "unknown key 'unknown'; expected one of title"),
        ('title = "A question"', "title = 5", "'title' is 5; expected a str"),
        ('title = "A question"', "", "'title' is missing"),
        ('"text.hallucination" = "higher"', "", "nothing to measure"),
        ('= "higher"', '= "up"', "metrics.'text.hallucination' is 'up'; expected 'higher'"),
        ('response = "response"', "response = 3", "fields.response is 3"),
        ("positive = [1]", "", "'positive' names 0 labels; expected one or more for 'auroc'"),
        ("positive = [1]", "positive = [[1]]", r"'positive' names \[1\]; expected texts or numb"),
        ("positive = [1]", 'positive = [1]\nstatistic = "f1"', "'statistic' is 'f1'; expected"),
        ("positive = [1]", 'positive = [1]\nstatistic = "spearman"', "none for 'spearman'"),
        ('label = "1 = yes"', "", "'label' of a set is missing"),
        ('label = "1 = yes"', 'label = "1"\nsize = 3', "set key 'size' is 3; expected text for"),
        ("[[set]]", "[[set", "small: not valid TOML"),
    ],
)
def test_a_mistake_is_refused_with_its_reason(old, new, message):
    with pytest.raises(ProfileError, match=message):
        read_experiment("small", SMALLEST.replace(old, new))


def test_a_set_must_be_a_table():
    text = SMALLEST.partition("[[set]]")[0].replace("[fields]", "set = [3]\n[fields]")
    with pytest.raises(ProfileError, match="a set is 3; expected a table"):
        read_experiment("small", text)


def test_a_file_of_ones_own(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(SMALLEST, encoding="utf-8")
    assert experiment_file(str(path)).name == "mine"
    path.write_bytes(b"\xff")
    with pytest.raises(ProfileError, match="not UTF-8"):
        experiment_file(str(path))
    with pytest.raises(ProfileError, match="cannot be read: No such file"):
        experiment_file(str(tmp_path / "absent.toml"))
