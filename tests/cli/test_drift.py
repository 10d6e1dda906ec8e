import json

import pytest


@pytest.fixture
def files(tmp_path):
    """Two files of the same answers and one of others."""
    texts = {"a": "Tea is hot.", "b": "tea is HOT", "c": "Damn the cold coffee."}
    for name, text in texts.items():
        lines = [json.dumps({"id": str(n), "response": text}) for n in range(40)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def test_equal_populations_are_stable(run, files):
    code, out, _ = run("drift", "a.jsonl", "b.jsonl", "--fail-over", "0.1")
    assert code == 0
    assert "stable" in out
    assert "40 samples against 40 of the baseline, 1 added to each bin" in " ".join(out.split())


def test_too_much_drift_fails(run, files):
    code, out, err = run("drift", "a.jsonl", "c.jsonl", "-m", "text.safety", "--fail-over", 0.25)
    assert code == 1
    assert "significant" in out
    assert "Drift over 0.25: response has" in err
    assert "Drift over 0.25: text.safety has" in err
    assert run("drift", "a.jsonl", "c.jsonl")[0] == 0


def test_json(run, files):
    code, out, _ = run("drift", "a.jsonl", "c.jsonl", "-m", "text.safety", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["baseline_samples"] == found["current_samples"] == 40
    assert found["smoothing"] == 1
    words, scores = found["drift"]
    assert (words["name"], words["kind"], words["band"]) == ("response", "words", "significant")
    assert (scores["name"], scores["is_same_rule"]) == ("text.safety", True)
    assert scores["psi"] == pytest.approx(sum(part["contribution"] for part in scores["bins"]))


def test_a_saved_baseline_and_results(run, files):
    code, out, err = run("drift", "a.jsonl", "-m", "text.safety", "--save-baseline", "base.json")
    assert (code, out) == (0, "")
    assert "Written: base.json" in err
    direct = run("drift", "a.jsonl", "c.jsonl", "-m", "text.safety", "--json")[1]
    saved = run("drift", "base.json", "c.jsonl", "-m", "text.safety", "--json")[1]
    assert json.loads(saved) == json.loads(direct)
    run("run", "c.jsonl", "-m", "text.safety", "--out", "results.jsonl", "--quiet")
    found = json.loads(run("drift", "base.json", "results.jsonl", "--json")[1])
    assert found["drift"] == json.loads(direct)["drift"][1:]


def test_a_changed_rule_is_said(run, files):
    run("run", "a.jsonl", "-m", "text.safety", "--out", "before.jsonl", "--quiet")
    text = (files / "before.jsonl").read_text(encoding="utf-8")
    (files / "after.jsonl").write_text(text.replace("|v:1|", "|v:9|"), encoding="utf-8")
    _, out, _ = run("drift", "before.jsonl", "after.jsonl")
    assert "The rule or version of text.safety has changed" in " ".join(out.split())


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["a.jsonl"], "there is nothing to do"),
        (["a.jsonl", "base.json"], "saved baseline"),
        (["a.jsonl", "absent.jsonl"], "no such file"),
        (["a.jsonl", "b.jsonl", "--field", "query"], "share neither a text 'query' nor"),
    ],
)
def test_mistaken_calls(run, files, args, message):
    run("drift", "a.jsonl", "--save-baseline", "base.json")
    code, _, err = run("drift", *args)
    assert code == 2
    assert message in err


def test_records_that_cannot_be_read(run, files):
    with (files / "b.jsonl").open("a", encoding="utf-8") as file:
        file.write("\nnonsense\n")
    code, _, err = run("drift", "a.jsonl", "b.jsonl")
    assert code == 3
    assert "1 records could not be read." in err
