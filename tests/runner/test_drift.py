import json

import pytest

from assay.core import DataError, UsageError
from assay.runner.drift import (
    compare,
    is_baseline,
    make_baseline,
    read_baseline,
    read_population,
    write_baseline,
)
from assay.settings import Settings


def file(path, *records):
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return str(path)


def samples(path, *texts):
    return file(path, *({"id": str(n), "response": text} for n, text in enumerate(texts)))


def read(path, *metrics):
    return read_population(path, "response", metrics, Settings.load())


def baseline(path, *metrics):
    return make_baseline(read(path, *metrics), bins=10, words=100)


def test_the_words_of_samples(tmp_path):
    before = baseline(samples(tmp_path / "a.jsonl", *["Tea is hot."] * 50))
    same = read(samples(tmp_path / "b.jsonl", *["hot, is TEA"] * 40))
    other = read(samples(tmp_path / "c.jsonl", *["Coffee is cold."] * 40))
    (stable,), (moved,) = compare(before, same), compare(before, other)
    assert (stable.name, stable.kind, stable.drift.band) == ("response", "words", "stable")
    assert (stable.baseline_size, stable.current_size) == (150, 120)
    assert moved.drift.band == "significant"
    assert [part.label for part in moved.drift.bins] == ["hot", "is", "tea", "other words"]


def test_the_scores_of_samples(tmp_path):
    metric = "text.safety"
    before = baseline(samples(tmp_path / "a.jsonl", *["Tea is hot."] * 30), metric)
    now = read(samples(tmp_path / "b.jsonl", *["Tea is hot, damn."] * 30), metric)
    (_, found) = compare(before, now)
    assert (found.name, found.kind, found.is_same_rule) == (metric, "scores", True)
    assert found.drift.band == "significant"
    assert [part.current for part in found.drift.bins] == [30, 0, 0]


def results(path, metric, values, signature="s", state="ok"):
    return file(
        path,
        *(
            {
                "id": str(n),
                "scores": {metric: {"value": v, "state": state, "signature": signature}},
            }
            for n, v in enumerate(values)
        ),
    )


def test_results_of_an_earlier_run(tmp_path):
    before = baseline(results(tmp_path / "a.jsonl", "text.safety", [1.0] * 30))
    now = read(results(tmp_path / "b.jsonl", "text.safety", [0.5] * 30, signature="t"))
    (found,) = compare(before, now)
    assert found.drift.band == "significant"
    assert not found.is_same_rule


def test_substitutes_and_absent_scores_do_not_count(tmp_path):
    found = read(results(tmp_path / "a.jsonl", "text.safety", [0.8], state="imputed"))
    assert found.scores == {}
    found = read(results(tmp_path / "b.jsonl", "text.safety", [None, True, 0.5]))
    assert list(found.scores["text.safety"]) == [0.5]


def test_chosen_results(tmp_path):
    path = results(tmp_path / "a.jsonl", "text.safety", [1.0])
    assert list(read(path, "text").scores) == ["text.safety"]
    assert list(read(path, "chat").scores) == []


def test_records_that_cannot_be_read_are_counted(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "1", "response": "Tea"}\nnonsense\n', encoding="utf-8")
    assert (read(str(path)).samples, read(str(path)).unread) == (1, 1)
    assert read(str(path), "text.safety").unread == 1
    results(path, "text.safety", [1.0])
    path.write_text(path.read_text(encoding="utf-8") + "\nnonsense\n", encoding="utf-8")
    assert (read(str(path)).samples, read(str(path)).unread) == (1, 1)


def test_a_baseline_survives_its_file(tmp_path):
    before = baseline(samples(tmp_path / "a.jsonl", "شاي ساخن", "Tea 1 2 3."), "text.conciseness")
    path = str(tmp_path / "base.json")
    write_baseline(before, path)
    assert is_baseline(path)
    assert not is_baseline(str(tmp_path / "a.jsonl"))
    assert read_baseline(path) == before


def test_a_baseline_is_no_current_population(tmp_path):
    path = str(tmp_path / "base.json")
    write_baseline(baseline(samples(tmp_path / "a.jsonl", "Tea")), path)
    with pytest.raises(UsageError, match="saved baseline; give it as BASELINE"):
        read(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 9}, "it has version 9; expected 1"),
        ({"bins": 3}, "no baseline"),
        ({"bins": {"x": {"kind": "words", "marks": ["a"], "counts": [1], "signature": ""}}}, "fit"),
        ({"samples": "many"}, "no baseline"),
    ],
)
def test_a_damaged_baseline_is_refused(tmp_path, change, message):
    path = tmp_path / "base.json"
    write_baseline(baseline(samples(tmp_path / "a.jsonl", "Tea")), str(path))
    table = json.loads(path.read_text(encoding="utf-8")) | change
    path.write_text(json.dumps(table), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_baseline(str(path))


def test_files_that_cannot_be_had(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        read_baseline(str(tmp_path / "absent.json"))
    with pytest.raises(DataError, match="cannot be written"):
        write_baseline(
            baseline(samples(tmp_path / "a.jsonl", "Tea")), str(tmp_path / "no" / "base.json")
        )
