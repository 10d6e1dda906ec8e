import json

import pytest

EXPERIMENT = """
title = "Is it grounded?"
positive = [1]
[fields]
response = "response"
expected = "contexts"
contexts = "contexts"
[metrics]
"text.hallucination" = "higher"
[baselines]
token_overlap = "higher"
[[set]]
name = "tiny"
label = "1 = grounded, 0 = not"
[[set]]
name = "flat"
label = "1 = grounded, 0 = not"
"""


@pytest.fixture
def data(tmp_path):
    """A folder with a set of two kinds, and a file that says how to measure with it."""
    folder = tmp_path / "data"
    folder.mkdir()
    (tmp_path / "mine.toml").write_text(EXPERIMENT, encoding="utf-8")
    write(folder / "tiny.dev.jsonl", [1, 0] * 8)
    return folder


def write(path, labels):
    rows = [
        {
            "id": f"r{number}",
            "response": "Cats sleep all day" if label else "Birds fly over cats",
            "contexts": ["Cats sleep all day."],
            "label": label,
        }
        for number, label in enumerate(labels)
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")


MINE = ("--experiment", "mine.toml", "--embedder", "fake")


def test_the_table_shows_metric_baseline_and_difference(run, data):
    code, out, err = run("evidence", "--data", data, *MINE)
    assert code == 0
    assert "Is it grounded? · tiny: 16\u00a0labelled records, 8 positive, 16\u00a0groups" in out
    assert "text.hallucination" in out
    assert "token_overlap" in out
    assert "1.000 [1.000, 1.000]" in out
    assert "+0.000 [+0.000, +0.000]" in out
    assert f"Not in {data}: flat." in err


def test_json_is_for_programs(run, data):
    code, out, _ = run("evidence", "text.hallucination", "--data", data, *MINE, "--json")
    (finding,) = json.loads(out)["findings"]
    assert code == 0
    assert finding["set"] == "tiny"
    assert finding["positives"] == 8
    assert finding["measured"][0]["value"] == 1.0


def test_cards_are_written(run, data, tmp_path):
    code, _, err = run("evidence", "--data", data, *MINE, "--out", "cards", "--quiet")
    assert (code, err) == (0, "")
    assert sorted(p.name for p in (tmp_path / "cards").iterdir()) == [
        "evidence.json",
        "index.md",
        "measured.toml",
        "text.hallucination.md",
    ]


def test_a_set_of_one_kind_is_not_measured_and_the_others_are(run, data):
    write(data / "flat.jsonl", [1] * 5)
    code, out, err = run("evidence", "--data", data, *MINE)
    assert code == 3
    assert "tiny" in out
    assert "Not measured: all 5 records of set 'flat' are positive; expected both kinds" in err


def test_nothing_measured_is_an_error(run, data):
    write(data / "tiny.dev.jsonl", [0] * 5)
    code, _, err = run("evidence", "--data", data, *MINE)
    assert code == 2
    assert "are negative" in err


def test_a_bad_record_is_told_and_counted(run, data):
    with (data / "tiny.dev.jsonl").open("a") as file:
        file.write("\n{broken" * 7)
    code, out, err = run("evidence", "--data", data, *MINE)
    assert code == 3
    assert "7 could not be read" in " ".join(out.split())
    assert err.count("Not read: tiny.dev.jsonl, line ") == 5
    assert "… 7 records of tiny.dev.jsonl in all." in err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--data", "absent"), "no such folder: 'absent'"),
        (("--data", "data", "--set", "flat"), "set 'flat' is not in 'data'"),
        (("--data", "data", "--set", "none"), "uses set 'none'; expected one of tiny, flat"),
        (("text.cost", "--data", "data"), "no experiment measures text.cost"),
        (("text.nothing", "--data", "data"), "unknown metric 'text.nothing'"),
        ((), "Missing option '--data'"),
        (("--data", "data", "--experiment", "absent.toml"), "cannot be read"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(args, message, run, data):
    code, _, err = run("evidence", *args, *MINE)
    assert code == 2
    assert message in err


def test_limit_seed_and_split(run, data):
    write(data / "tiny.test.jsonl", [1, 0] * 3)
    args = ("evidence", "--data", data, *MINE, "--split", "test", "--limit", "4", "--seed", "5")
    code, out, _ = run(*args, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["seed"] == 5
    assert found["findings"][0]["records"] == 4
    assert found["findings"][0]["file"] == "tiny.test.jsonl"


def test_a_metric_of_ones_own_is_measured(run, data, tmp_path):
    (tmp_path / "own.py").write_text(
        "import assay\n"
        '@assay.metric(id="own.cats", inputs=("response",), range=(0, 1), polarity="higher")\n'
        "def cats(response: str) -> assay.Result:\n"
        '    """Whether it begins with cats."""\n'
        '    return assay.Result(float(response.startswith("Cats")), "Cats.")\n',
        encoding="utf-8",
    )
    (tmp_path / "mine.toml").write_text(
        EXPERIMENT.replace("text.hallucination", "own.cats"), encoding="utf-8"
    )
    code, out, _ = run("evidence", "--data", data, *MINE, "--plugin", "own.py", "--json")
    assert code == 0
    assert json.loads(out)["findings"][0]["measured"][0]["value"] == 1.0


def test_long_work_is_told_of(run, data, monkeypatch):
    monkeypatch.setattr("assay.cli.progress.EVERY", 0)
    _, _, err = run("evidence", "--data", data, *MINE)
    assert "mine on tiny: 16 of 16 records" in err
