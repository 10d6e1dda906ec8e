"""The model card says what is stored with the model."""

import json

import pytest

pytest.importorskip("numpy")

from training.model_card import (
    FAILURES,
    PAGE,
    CaseOutcome,
    data_table,
    exam_tables,
    put,
    shares_table,
    stored_tables,
    training_table,
)


def case(id, job="toxicity", language="en", phenomenon="idiom", why="Praise."):
    sample = {"response": "You killed | it, <b>you</b> did!"}
    return {
        "id": id,
        "job": job,
        "language": language,
        "phenomenon": phenomenon,
        "sample": sample,
        "why": why,
    }


def test_the_page_holds_what_the_files_say():
    page = PAGE.read_text("utf-8")
    assert put(page, stored_tables()) == page, "run: python -m training.model_card"


def test_every_set_of_the_attribution_is_listed():
    listed = data_table(
        "# A\n\n## Training records\n\n- X: MIT. Repository: https://x\n\n### More\n"
    )
    assert "| X: MIT | <https://x> |" in listed
    assert len(stored_tables()["data"].splitlines()) > 30


def test_energy_is_time_by_the_limit_of_the_card():
    entry = {"device": "H", "epochs": 1, "own epochs": 2, "steps": 2, "rate": 0.1, "seed": 1}
    entry |= {"seconds": 3600.0, "from": []}
    made = training_table({"learnt": {"pairs": [entry, entry], "texts": [entry]}})
    assert "| 3600 s | 0.700 kWh |" in made
    assert "| 10800 s | 2.100 kWh |" in made


def test_unsure_cases_are_neither_right_nor_wrong():
    outcomes = [CaseOutcome(case("a"), 0.1, known) for known in (True, False, None, True)]
    row = shares_table(outcomes, ("job", "language"), lambda own: True).splitlines()[-1]
    assert row == "| toxicity | en | 4 | 2 | 1 | 1 | 50.0 % |"


def test_failures_are_those_that_are_still_wrong_and_no_markup():
    outcomes = [CaseOutcome(case(id), 0.9, True) for id in FAILURES]
    outcomes[0] = outcomes[0]._replace(is_right=False)
    rows = exam_tables(outcomes)["failures"].splitlines()[2:]
    assert len(rows) == 1
    assert "You killed \\| it, &lt;b>you&lt;/b> did!" in rows[0]


@pytest.mark.parametrize("name", ["exam", "phenomena", "failures"])
def test_what_was_asked_has_a_place_on_the_page(name):
    assert f"<!-- table: {name} -->" in PAGE.read_text("utf-8")


def test_failures_are_cases_of_the_exam():
    from benchmarks.exam import FILE

    known = {json.loads(line)["id"] for line in FILE.read_text("utf-8").splitlines()}
    assert known.issuperset(FAILURES)
