import json
import re

import pytest

from assay.core.result_records import DeclaredMetrics

pytest.importorskip("sqlalchemy")

GOOD = "You can reset your password in the settings, because the link there opens a form."
BAD = "Damn, mail bob@example.com, his number is 123-45-6789."


@pytest.fixture
def runs(run, tmp_path):
    """Runs `good` and `bad` over the same samples, stored and as files."""
    for name, bad in (("good", 0), ("bad", 20)):
        lines = [
            {"id": f"s{n}", "query": f"Question {n}?", "response": BAD if n < bad else GOOD}
            for n in range(40 if name == "good" else 39)
        ]
        text = "\n".join(map(json.dumps, lines))
        (tmp_path / f"{name}-samples.jsonl").write_text(text, encoding="utf-8")
        args = ("-m", "text.safety,text.coherence", "--run", name, "-q", "--out", f"{name}.jsonl")
        assert run("run", f"{name}-samples.jsonl", *args)[0] == 0
    return tmp_path


def found(run, *args):
    code, out, _ = run("compare", *args, "--json")
    assert code == 0
    return json.loads(out)


def test_stored_runs_and_files_say_the_same(run, runs):
    stored = found(run, "good", "bad")
    files = found(run, "good.jsonl", "bad.jsonl")
    mixed = found(run, "good", "bad.jsonl")
    by_name = [
        {change["metric"]: {**change, "adjusted_p": None} for change in c["metrics"]}
        for c in (stored, files, mixed)  # files keep no overall score, so fewer metrics are tested
    ]
    assert by_name[0].keys() == {"text.safety", "text.coherence", "overall", "pass_rate"}
    for name in ("text.safety", "text.coherence", "pass_rate"):
        assert by_name[0][name] == by_name[1][name] == by_name[2][name]
    assert stored["pairs"] == files["pairs"] == 39
    assert (stored["only_a"], stored["only_b"]) == (1, 0)
    safety = by_name[0]["text.safety"]
    assert safety["verdict"] == "worse"
    assert safety["interval"][1] < 0
    worst = stored["samples"][0]
    assert (worst["response_a"], worst["response_b"]) == (GOOD, BAD)
    assert files["samples"][0]["response_a"] is None
    assert files["samples"][0]["scores"] == worst["scores"]


def test_files_of_all_forms_say_the_same(run, runs):
    """Files of older versions repeat what is declared; files with less detail lack reasons."""
    lines = (runs / "bad.jsonl").read_text(encoding="utf-8").splitlines()
    declared = DeclaredMetrics()
    old = [
        json.dumps({"id": record["id"], "scores": declared.results(record)})
        for record in map(json.loads, lines)
    ]
    (runs / "old.jsonl").write_text("\n".join(old), encoding="utf-8")
    for detail in ("failing", "values"):
        args = ("--out", f"{detail}.jsonl", "--detail", detail)
        assert run("show", "bad", *args)[0] == 0
    whole = found(run, "good.jsonl", "bad.jsonl")
    sizes = [
        (runs / f"{name}.jsonl").stat().st_size for name in ("old", "bad", "failing", "values")
    ]
    assert sizes == sorted(sizes, reverse=True)
    for name in ("old", "failing", "values"):
        assert found(run, "good.jsonl", f"{name}.jsonl")["metrics"] == whole["metrics"]
    assert found(run, "good.jsonl", "old.jsonl")["samples"] == whole["samples"]


def test_a_baseline_may_be_named_apart(run, runs):
    assert found(run, "bad", "--baseline", "good") == found(run, "good", "bad")


def test_pairs_by_query(run, runs):
    by_query = found(run, "good", "bad", "--by", "query")
    assert by_query["paired_by"] == "query"
    assert by_query["pairs"] == 39
    run("runs", "export", "good", "exported.jsonl")
    assert found(run, "exported.jsonl", "bad", "--by", "query")["metrics"] == by_query["metrics"]
    code, _, err = run("compare", "good.jsonl", "bad", "--by", "query")
    assert code == 2
    assert "holds no queries" in err


def test_the_table(run, runs):
    code, out, err = run("compare", "good", "bad", "--samples", "1")
    assert (code, err) == (0, "")
    assert "39\u00a0samples paired by id; 1 only in A." in out
    assert "Changed most" in out
    assert "Damn, mail bob@example.com" in out


def test_gates(run, runs):
    code, _, err = run("compare", "good", "bad", "--fail-if-worse", "text.safety:0.01")
    assert code == 1
    assert "Gate failed: text.safety is worse; it changed by -0." in err
    assert run("compare", "good", "bad", "--fail-if-worse", "text.safety:0.9")[0] == 0
    assert run("compare", "bad", "good", "--fail-if-worse", "text.safety:0")[0] == 0
    assert run("compare", "good", "bad", "--fail-if-worse")[0] == 1
    code, _, err = run("compare", "good", "good", "--fail-if-worse")
    assert code == 0
    assert "Gates hold but are not sure, for too few samples: text.coherence, text.safety" in err
    code, _, err = run("compare", "good", "good", "--fail-if-worse", "--fail-if-unsure")
    assert code == 1
    assert "Gate failed: text.safety may be worse" in err
    assert run("compare", "good", "good", "--fail-if-worse", "--tolerance", "0.5")[2] == ""


def test_gates_are_part_of_the_json(run, runs):
    code, out, _ = run("compare", "good", "bad", "--json", "--fail-if-worse", "text.safety:0.01")
    assert code == 1
    (gate,) = json.loads(out)["gates"]
    assert (gate["metric"], gate["tolerance"], gate["holds"]) == ("text.safety", 0.01, False)


def test_other_rules_are_refused(run, runs):
    text = (runs / "bad.jsonl").read_text(encoding="utf-8")
    renewed = re.sub(r"\|v:\d+\|", "|v:99|", text)
    (runs / "new.jsonl").write_text(renewed, encoding="utf-8")
    code, _, err = run("compare", "good", "new.jsonl")
    assert code == 2
    assert re.search(r"differs in v: \d+ → 99", err)
    allowed = found(run, "good", "new.jsonl", "--allow-different")
    assert re.fullmatch(r"v: \d+ → 99", *allowed["metrics"][0]["rule_changes"])
    (runs / "half.jsonl").write_text(
        text.replace("text.safety|v:1|", "text.safety|v:9|"), encoding="utf-8"
    )
    code, out, _ = run("compare", "good", "half.jsonl")
    assert code == 0
    assert "Not compared: text.safety" in out
    code, _, err = run("compare", "good", "half.jsonl", "--fail-if-worse", "text.safety")
    assert code == 2
    assert "the rules of 'text.safety' differ in v: 1 → 9" in err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("good",), "found 1 runs to compare; expected two"),
        (("good", "bad", "third"), "found 3 runs"),
        (("good", "bda"), "there is no run 'bda' in the store; did you mean 'bad'?"),
        (("good", "none.jsonl"), "none.jsonl"),
        (("good", "bad", "-m", "nothing"), "share no metric"),
        (("good", "bad", "--fail-if-worse", "text.none"), "names a metric that was not compared"),
    ],
)
def test_wrong_calls_are_explained(run, runs, args, message):
    code, _, err = run("compare", *args)
    assert code == 2
    assert message in err


def test_records_that_cannot_be_read_are_said(run, runs):
    with (runs / "bad.jsonl").open("a", encoding="utf-8") as file:
        file.write("not JSON\n")
    code, _, err = run("compare", "good.jsonl", "bad.jsonl")
    assert code == 3
    assert "1 records could not be read." in err


def test_metrics_can_be_chosen(run, runs):
    chosen = found(run, "good", "bad", "-m", "text.safety")
    assert [change["metric"] for change in chosen["metrics"]] == ["text.safety"]
