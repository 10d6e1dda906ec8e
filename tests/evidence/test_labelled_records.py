from dataclasses import replace

import pytest

from assay.core import DataError
from assay.data.experiments import read_experiment
from assay.evidence.labelled_records import read_labelled, set_file


@pytest.mark.parametrize("name", ["tiny.jsonl", "tiny.jsonl.gz", "tiny.dev.jsonl.gz"])
def test_a_set_is_found_by_its_name(name, write, records):
    folder = write(name, records)
    write("tiny_other.dev.jsonl", records)
    write("tiny.md", records)
    assert set_file(folder, "tiny").name == name


def test_of_several_files_the_split_chooses(write, records):
    folder = write("tiny.dev.jsonl", records)
    write("tiny.holdout.jsonl", records)
    with pytest.raises(
        DataError, match=r"several files: tiny.dev.jsonl, .*choose one with --split"
    ):
        set_file(folder, "tiny")
    assert set_file(folder, "tiny", "holdout").name == "tiny.holdout.jsonl"
    assert set_file(folder, "tiny", "test") is None
    assert set_file(folder, "absent") is None


def test_no_folder_is_an_error(tmp_path):
    with pytest.raises(DataError, match="no such folder"):
        set_file(tmp_path / "absent", "tiny")


def read(folder, experiment, limit=None):
    return read_labelled(set_file(folder, "tiny"), experiment, experiment.sets[0], limit)


def test_fields_labels_and_groups_are_taken_over(write, records, experiment):
    found = read(write("tiny.jsonl", records), experiment)
    first, last = found.labelled[0], found.labelled[-1]
    assert (first.label, last.label) == (1.0, 0.0)
    assert (first.group, last.group) == ("g0", "g9")
    assert first.sample.id == "r0"
    assert first.sample.expected == "Cats sleep all day.\n\nDogs run in the park."
    assert [document.content for document in first.sample.contexts][1] == "Dogs run in the park."


def test_a_record_without_a_group_is_one_of_its_own(write, records, experiment):
    for one in records:
        del one["meta"]
    found = read(write("tiny.jsonl", records), experiment)
    assert len({one.group for one in found.labelled}) == len(records)


def test_what_cannot_be_used_is_counted(write, records, experiment):
    unlabelled = {**records[0], "id": "x", "label": None}
    lines = [*records, unlabelled, "{broken", "[1]", {"id": "y", "label": 1}]
    found = read(write("tiny.jsonl", lines), experiment)
    assert (len(found.labelled), found.unlabelled, found.unread) == (20, 1, 3)
    assert len(found.problems) == 3
    assert found.problems[0].startswith("tiny.jsonl, line 22: ")


def test_of_many_problems_the_first_are_named(write, records, experiment):
    found = read(write("tiny.jsonl", [*records, *["{broken"] * 9]), experiment)
    assert (found.unread, len(found.problems)) == (9, 5)


def test_labels_may_be_words(write, records, experiment):
    for one in records:
        one["label"] = ["no", "yes"][one["label"]]
    worded = replace(experiment, positive=("yes",))
    assert sum(one.label for one in read(write("tiny.jsonl", records), worded).labelled) == 10


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": None}, "set 'tiny' has no labelled records"),
        ({"label": 1}, "all 20 records of set 'tiny' are positive; expected both kinds"),
        ({"label": 7}, "all 20 records of set 'tiny' are negative; expected both kinds"),
        ({"response": None, "contexts": [{}]}, "no labelled records; tiny.jsonl, line 1: "),
    ],
)
def test_a_set_that_measures_nothing_says_why(change, message, write, records, experiment):
    folder = write("tiny.jsonl", [{**one, **change} for one in records])
    with pytest.raises(DataError, match=message):
        read(folder, experiment)


def test_graded_labels_must_be_numbers_and_differ(write, records):
    graded = read_experiment(
        "graded",
        'title = "t"\nstatistic = "spearman"\n[fields]\nresponse = "response"\n'
        '[metrics]\n"text.coherence" = "higher"\n[[set]]\nname = "tiny"\nlabel = "0 to 5"\n',
    )
    for place, one in enumerate(records):
        one["label"] = place / 4
    records[3]["label"] = "high"
    folder = write("tiny.jsonl", records)
    found = read(folder, graded)
    assert found.labelled[1].label == 0.25
    assert "'label' is 'high'; expected a number" in found.problems[0]
    with pytest.raises(DataError, match="all 1 records of set 'tiny' have one label"):
        read(folder, graded, limit=1)
