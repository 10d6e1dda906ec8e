import json

import pytest

from assay.core import DataError, UsageError
from assay.runner.sides import FileSide, is_file, open_side


def result(value=0.5, state="ok", passed=None, signature="m.x|v:1", **fields):
    return {
        "value": value,
        "state": state,
        "passed": passed,
        "threshold": None if passed is None else 0.4,
        "explanation": "So it is.",
        "signature": signature,
        **fields,
    }


@pytest.fixture
def side(tmp_path):
    def make(*lines):
        path = tmp_path / "results.jsonl"
        shown = (line if isinstance(line, str) else json.dumps(line) for line in lines)
        path.write_text("\n".join(shown), encoding="utf-8")
        return FileSide(path)

    return make


def test_results_are_read(side):
    made = side(
        {"id": "a", "scores": {"m.x": result(0.7, passed=True), "m.y": result(0.1, passed=False)}},
        {"id": 7, "scores": {"m.x": result(None, "missing"), "m.y": result(0.2, "imputed")}},
    )
    first, second = made.read("id")
    assert first.key == "a"
    assert first.values == {"m.x": (0.7, True), "m.y": (0.1, False)}
    assert (first.passed, first.score) == (False, None)
    assert (second.key, second.values, second.passed) == ("7", {}, None)
    assert made.signatures == {"m.x": "m.x|v:1", "m.y": "m.x|v:1"}
    assert made.thresholds == {"m.x": 0.4, "m.y": 0.4}
    shown = made.show([1])
    assert list(shown) == [1]
    assert (shown[1].id, shown[1].response, shown[1].explanations["m.x"]) == (
        "7",
        None,
        "So it is.",
    )


def test_an_exported_run_has_its_texts_too(side):
    sample = {"id": "a", "query": "Why\n  so?", "response": "So."}
    made = side(
        {"assay_run": 1, "name": "first"},
        {"problem": "line 3 is wrong"},
        {"sample": sample, "score": 0.6, "passed": False, "results": {"m.x": result()}},
    )
    (row,) = made.read("query")
    assert (row.key, row.score, row.passed) == ("Why so?", 0.6, False)
    assert made.unread == 1
    assert made.show([0])[0].response == "So."


def test_lines_that_hold_no_results_are_counted(side):
    made = side('{"id": "a"', "[1]", {"id": "a", "scores": {"m.x": 3}}, {"id": "a", "scores": {}})
    assert len(list(made.read("id"))) == 1
    assert made.unread == 3


def test_results_of_two_rules_in_one_file_are_refused(side):
    made = side(
        {"id": "a", "scores": {"m.x": result()}},
        {"id": "b", "scores": {"m.x": result(signature="m.x|v:2")}},
    )
    with pytest.raises(DataError, match=r"'m.x' with two signatures"):
        list(made.read("id"))


def test_results_cannot_be_paired_by_query(side):
    with pytest.raises(UsageError, match="holds no queries; pair by id"):
        list(side({"id": "a", "scores": {}}).read("query"))


@pytest.mark.parametrize(
    ("name", "expected"), [("a.jsonl", True), ("A.JSONL.gz", True), ("main", False)]
)
def test_files_are_known_by_their_ending(name, expected):
    assert is_file(name) == expected


def test_an_absent_file_is_said(tmp_path):
    with pytest.raises(DataError, match=r"none\.jsonl"):
        list(open_side(str(tmp_path / "none.jsonl"), None).read("id"))
