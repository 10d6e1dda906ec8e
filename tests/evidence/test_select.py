import pytest

from assay.core import DataError, UnknownMetricError, UsageError
from assay.evidence import tasks


def chosen(experiment, folder, **kwargs):
    found = tasks([experiment], folder, **kwargs)
    return [(task.labelled_set.name, [*task.names]) for task in found.found], [*found.absent]


ALL = ["text.hallucination", "text.factuality", "json_fuzzy"]


def test_everything_that_the_folder_has_is_measured(experiment, write, records):
    folder = write("tiny.jsonl", records)
    assert chosen(experiment, folder) == ([("tiny", ALL)], ["other"])


@pytest.mark.parametrize(
    ("selectors", "names"),
    [
        (["text.factuality"], ["text.factuality"]),
        (["text"], ["text.hallucination", "text.factuality"]),
        (["json_fuzzy"], ["json_fuzzy"]),
        (["json_fuzzy", "text", "-text.factuality"], ["text.hallucination", "json_fuzzy"]),
    ],
)
def test_selectors_choose_metrics_and_probes(selectors, names, experiment, write, records):
    folder = write("tiny.jsonl", records)
    assert chosen(experiment, folder, selectors=selectors)[0] == [("tiny", names)]


def test_a_named_set_must_be_there(experiment, write, records):
    folder = write("tiny.jsonl", records)
    assert chosen(experiment, folder, sets=["tiny"]) == ([("tiny", ALL)], [])
    with pytest.raises(DataError, match=r"set 'other' is not in .*expected other.jsonl there"):
        chosen(experiment, folder, sets=["tiny", "other"])
    with pytest.raises(UsageError, match="uses set 'unknown'; expected one of tiny, other"):
        chosen(experiment, folder, sets=["unknown"])


def test_a_folder_without_any_set_is_an_error(experiment, write, records):
    folder = write("unrelated.jsonl", records)
    with pytest.raises(DataError, match=r"'tiny' is not in .*, nor any of 1 more sets; expected"):
        chosen(experiment, folder)
    write("tiny.dev.jsonl", records)
    with pytest.raises(DataError, match=r"expected tiny\.test\.jsonl there"):
        chosen(experiment, folder, split="test")


def test_what_no_experiment_measures_is_refused(experiment, write, records):
    folder = write("tiny.jsonl", records)
    with pytest.raises(UsageError, match=r"no experiment measures text.cost; those .* json_fuzzy"):
        chosen(experiment, folder, selectors=["text.cost"])
    with pytest.raises(UnknownMetricError, match=r"did you mean 'text\.factuality'"):
        chosen(experiment, folder, selectors=["text.factualty"])
