"""A file of an exported run is believed in nothing: it is stored whole, or refused whole."""

import json
from pathlib import Path

import pytest
from tests.store.scored import UNREADABLE, make_samples, stored_run

from assay.core import DataError
from assay.store.answers import StoredAnswer, add_answers
from assay.store.run_import import import_run
from assay.store.run_list import find_run, list_runs
from assay.store.transfer import export_run

SAFETY = "text.safety"


@pytest.fixture
def lines(store):
    """The lines of an exported run of four records, with answers to the first, as objects."""
    samples = make_samples(3)
    writer = stored_run(store, [*samples[:2], UNREADABLE, samples[2]])
    answer = StoredAnswer(0, 0, [{"text": "Use the link, please."}], question=samples[0])
    add_answers(store, writer.id, [answer])
    return [json.loads(line) for line in export_run(store, find_run(store, "first"))]


def written(folder: Path, lines) -> Path:
    path = folder / "run.jsonl"
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def changed(lines, number, place, value):
    """The lines with another value at a place of one of them."""
    part = lines[number]
    for step in place[:-1]:
        part = part[step]
    part[place[-1]] = value
    return lines


def test_a_run_comes_back_as_it_was(store, tmp_path, lines):
    assert import_run(store, written(tmp_path, lines), "second") == "second"
    again = [json.loads(line) for line in export_run(store, find_run(store, "second"))]
    assert again == changed(lines, 0, ["name"], "second")


def test_a_file_that_was_cut_off_is_refused(store, tmp_path, lines):
    path = written(tmp_path, lines[:-1])
    with pytest.raises(DataError, match=r"was cut off: it has 3 of 4 records"):
        import_run(store, path, "second")
    assert [run.name for run in list_runs(store)] == ["first"]


def test_a_file_of_an_older_version_does_not_tell_its_length(store, tmp_path, lines):
    del lines[0]["records"]
    assert import_run(store, written(tmp_path, lines), "second") == "second"


@pytest.mark.parametrize(
    ("number", "place", "value"),
    [
        (0, ["plan"], None),
        (0, ["plan", "metrics"], {SAFETY: ["s"]}),
        (0, ["plan", "settings"], 3),
        (0, ["name"], 5),
        (0, ["name"], "a\0b"),
        (0, ["created"], "abc"),
        (0, ["created"], 1e18),
        (0, ["created"], -1.0),
        (0, ["tags"], [1, None]),
        (0, ["records"], "4"),
        (0, ["summary"], "x"),
        (0, ["summary"], {"overall": 1}),
        (1, ["sample"], None),
        (1, ["sample", "unheard_of"], 1),
        (1, ["sample", "id"], 5),
        (1, ["sample", "query"], 5),
        (1, ["sample", "duration"], "x"),
        (1, ["sample", "duration"], 1e308),
        (1, ["sample", "duration"], -1),
        (1, ["sample", "contexts"], [5]),
        (1, ["sample", "tags"], [5]),
        (1, ["results", SAFETY, "value"], "abc"),
        (1, ["results", SAFETY, "value"], 1e308),
        (1, ["results", SAFETY, "value"], 10**399),
        (1, ["results", SAFETY, "quality"], 5),
        (1, ["results", SAFETY, "state"], "fine"),
        (1, ["results", SAFETY, "verdict"], "yes"),
        (1, ["results", SAFETY, "gates"], 1),
        (1, ["results", SAFETY, "evidence"], [{"x": 1}]),
        (1, ["results", "own.metric"], {}),
        (1, ["score"], "abc"),
        (1, ["score"], 1e99),
        (1, ["passed"], "yes"),
        (1, ["answers", 0, "answer"], [{"words": "x"}]),
        (1, ["answers", 0, "answer"], "x"),
        (1, ["answers", 0, "repeat"], "x"),
        (1, ["question", "id"], 5),
        (3, ["problem"], 5),
    ],
)
def test_what_no_run_holds_is_refused_and_nothing_is_stored(
    store, tmp_path, lines, number, place, value
):
    path = written(tmp_path, changed(lines, number, place, value))
    with pytest.raises(DataError, match=rf"line {number + 1}"):
        import_run(store, path, "second")
    assert [run.name for run in list_runs(store)] == ["first"]


@pytest.mark.parametrize("line", ["[]", "5", "{}", "{", '"x"'])
def test_a_line_that_is_no_record_is_refused(store, tmp_path, lines, line):
    with pytest.raises(DataError, match="line 3"):
        import_run(store, written(tmp_path, [*lines[:2], line, *lines[2:]]), "second")
    assert [run.name for run in list_runs(store)] == ["first"]
