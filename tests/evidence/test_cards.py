import json
from dataclasses import replace

import pytest

from assay.backends import Backends
from assay.core import DataError, Interval
from assay.evidence import Estimate, card, measure, read_labelled, set_file, write_cards
from assay.evidence.cards import difference, estimate, overview


@pytest.fixture
def finding(write, records, experiment):
    folder = write("tiny.jsonl", [*records, {**records[0], "label": None}, "{"])
    path = set_file(folder, "tiny")
    read = read_labelled(path, experiment, experiment.sets[0])
    backends = Backends(embedder="fake", cache=False)
    return measure(experiment, experiment.sets[0], path.name, read, backends=backends)


def test_a_card_says_what_was_measured_and_on_what(finding):
    page = card("text.hallucination", [finding], seed=0)
    assert page.startswith("# Evidence for `text.hallucination`\n")
    assert "## Is it grounded?" in page
    assert "| `tiny` | 20 | 10 | 10 | 1.000 [1.000, 1.000] | 0 |" in page
    assert "1 = grounded, 0 = not; labels by people;" in page
    assert "1 records had no label; 1 records could not be read." in page
    assert "100.0\u00a0% [72.2, 100.0]" not in page  # groups count, not records
    assert "of positive records pass the threshold" in page
    assert "```text\ntext.hallucination|v:" in page


def test_a_card_tells_ahead_behind_and_neither(finding):
    name = "text.hallucination"
    for ends, words in (
        (Interval(0.1, 0.2), "ahead of `token_overlap`"),
        (Interval(-0.2, -0.1), "behind `token_overlap`"),
        (Interval(-0.1, 0.1), "not told apart from `token_overlap`"),
        (None, "not comparable with `token_overlap`"),
    ):
        changed = {**finding.differences, (name, "token_overlap"): Estimate(0.0, ends)}
        assert words in card(name, [replace(finding, differences=changed)], seed=0)


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        (Interval(0.6, 0.7), "- `tiny`: ahead of chance; "),
        (Interval(0.4, 0.6), "- `tiny`: not told apart from chance; "),
        (Interval(0.2, 0.3), "- `tiny`: behind chance; "),
        (None, "- `tiny`: not comparable with chance; "),
    ],
)
def test_a_card_compares_with_chance(ends, words, finding):
    one = replace(finding.measured[0], ranking=Estimate(0.5, ends))
    assert words in card(one.name, [replace(finding, measured=[one])], seed=0)


def test_records_without_a_score_are_in_the_card(finding):
    page = card("json_fuzzy", [finding], seed=0)
    assert "| – | 20\u00a0N/A |" in page


def test_text_of_an_experiment_is_no_markup(finding):
    hostile = replace(finding.experiment, title="<script>alert(1)</script>")
    page = card("text.hallucination", [replace(finding, experiment=hostile)], seed=0)
    assert "<script>" not in page


def test_the_overview_has_every_figure(finding):
    lines = overview([finding]).splitlines()
    assert lines[2] == "## Is it grounded?"
    assert lines[6].startswith(
        "| `tiny`: 20\u00a0records, 10 positive, 10\u00a0groups | `text.hallucination` | 1.000"
    )
    assert lines[9].startswith("|  | token_overlap | ")
    assert len(lines) == 11


def test_only_what_is_ahead_of_all_is_bold_in_the_overview(finding):
    assert "**" not in overview([finding])
    ahead = dict.fromkeys(finding.differences, Estimate(0.1, Interval(0.05, 0.2)))
    page = overview([replace(finding, differences=ahead)])
    assert "| `text.hallucination` | **1.000 [1.000, 1.000]** |" in page
    assert "| `json_fuzzy` | – |" in page


def test_cards_and_json_are_written(finding, tmp_path):
    folder = tmp_path / "new" / "cards"
    names = [path.name for path in write_cards([finding], folder, seed=0)]
    assert names == [
        "text.hallucination.md",
        "text.factuality.md",
        "json_fuzzy.md",
        "index.md",
        "evidence.json",
        "measured.toml",
    ]
    written = json.loads((folder / "evidence.json").read_text(encoding="utf-8"))
    first = written["findings"][0]["measured"][0]
    assert (first["name"], first["value"], first["interval"]) == (
        "text.hallucination",
        1.0,
        [1.0, 1.0],
    )
    assert set(first["differences"]) == {"token_overlap", "whole_response_embedding"}
    before = [path.read_bytes() for path in folder.iterdir()]
    write_cards([finding], folder, seed=0)
    assert [path.read_bytes() for path in folder.iterdir()] == before


def test_a_folder_that_cannot_be_written_is_an_error(finding, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(DataError, match="cannot write to"):
        write_cards([finding], tmp_path / "file", seed=0)


@pytest.mark.parametrize(
    ("found", "plain", "signed"),
    [
        (Estimate(None, None), "–", "–"),
        (Estimate(0.5, None), "0.500 –", "+0.500"),
        (
            Estimate(-0.25, Interval(-0.5, 0.25)),
            "-0.250 [-0.500, 0.250]",
            "−0.250 [−0.500, +0.250]",
        ),
    ],
)
def test_figures_as_people_read_them(found, plain, signed):
    assert (estimate(found), difference(found)) == (plain, signed)
