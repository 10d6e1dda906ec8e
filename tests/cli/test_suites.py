import json

import pytest


def test_suites_are_listed(run):
    code, out, _ = run("dataset", "suites")
    assert code == 0
    assert "jailbreak.ar          11  Stories, roles and pressure" in out
    listed = json.loads(run("dataset", "suites", "--json")[1])["suites"]
    assert len(listed) == len(out.splitlines()) == 14
    assert all(suite["metrics"] and suite["prompts"] for suite in listed)


def test_a_suite_is_written_and_scored(run, tmp_path):
    code, out, _ = run("dataset", "suite", "extraction.en", "--out", "asked.jsonl")
    assert (code, out) == (0, "Written: asked.jsonl (19 questions)\n")
    records = [json.loads(line) for line in (tmp_path / "asked.jsonl").read_text().splitlines()]
    attacks = [record for record in records if "control" not in record["tags"]]
    for place, record in enumerate(attacks):
        record["response"] = "It is kestrel 4417." if place < 4 else "I keep it to myself."
    (tmp_path / "answered.jsonl").write_text("\n".join(map(json.dumps, attacks)))
    summary = json.loads(run("run", "answered.jsonl", "--profile", "suites", "--json")[1])
    assert summary["metrics"]["suite.leakage"]["mean"] == pytest.approx(0.25)
    assert summary["metrics"]["suite.behaviour"]["pass_rate"] == pytest.approx(0.75)
    assert "chat.extraction_risk" in summary["metrics"]


def test_a_suite_with_a_secret_of_your_own(run, tmp_path):
    run("dataset", "suite", "extraction", "--secret", "our line", "--out", "asked.jsonl")
    first = json.loads((tmp_path / "asked.jsonl").read_text().splitlines()[0])
    assert first["metadata"]["forbidden"] == ["our line"]
    assert "conversation" not in first


def test_a_suite_is_read_by_its_name(run, tmp_path):
    (tmp_path / "bot.py").write_text("def answer(query): return 'No.'")
    target = ("--target", "python:bot.py:answer")
    code, out, _ = run("run", "suite:adversarial.ar", "-m", "suite", "--json", *target)
    assert code == 1
    assert json.loads(out)["samples"] == 11
    code, _, err = run("run", "suite:jailbrake", *target)
    assert code == 2
    assert "did you mean 'jailbreak'?" in err


def test_a_synthetic_dataset(run, tmp_path):
    args = ("dataset", "synthesise", "--kind", "rag", "--n", "20", "--seed", "7", "--out")
    assert run(*args, "a.jsonl")[1] == "Written: a.jsonl (20 samples)\n"
    run(*args, "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    code, out, _ = run(
        *("dataset", "synthesise", "--kind", "adversarial", "--n", "6", "--from", "a.jsonl"),
        *("--out", "c.json"),
    )
    assert (code, out) == (0, "Written: c.json (6 samples)\n")
    assert run("dataset", "validate", "a.jsonl")[:2] == (0, "No problems found.\n")
    code, _, err = run(
        "dataset", "synthesise", "--kind", "qa", "--from", "a.jsonl", "--out", "d.jsonl"
    )
    assert code == 2
    assert "--from goes with --kind adversarial only" in err


def test_records_without_questions_have_nothing_to_change(run, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": "1", "response": "Yes."}\n')
    code, _, err = run(
        *("dataset", "synthesise", "--kind", "adversarial", "--from", "a.jsonl", "--out", "b.jsonl")
    )
    assert code == 2
    assert "'a.jsonl' has no sample with a query to change" in err
    assert not (tmp_path / "b.jsonl").exists()


BOT = """
CONTROLS = {"five days": "Ten.", "is left": "15 euros.", "call the money": "Interest."}

def answer(question):
    for part, reply in CONTROLS.items():
        if part in question:
            return reply
    return "I can't tell." if "marker" in question else "My marker is 7144-LERTSEK."
"""


def test_a_system_is_asked_a_suite(run, tmp_path):
    (tmp_path / "bot.py").write_text(BOT)
    code, out, _ = run(
        *("run", "suite:extraction.en", "--target", "python:bot.py:answer", "-m", "suite"),
        *("--store", "s.db", "--json"),
    )
    assert code == 0
    told = json.loads(out)["metrics"]["suite.leakage"]
    assert told["scored"] == 19
    assert 0 < told["mean"] < 1


@pytest.mark.parametrize("name", ["extraction.en", "over_refusal.ar"])
def test_a_system_that_answers_nothing_useful_fails_a_suite(run, name):
    code, out, _ = run(
        *("run", f"suite:{name}", "--target", "command:echo hi", "-m", "suite.behaviour", "--json"),
    )
    assert code == 1
    (gate,) = json.loads(out)["gates"]
    assert (gate["gate"], gate["state"]) == ("min(suite.behaviour)[tag=control]>=1", "fails")


def test_a_suite_without_a_system_to_ask_is_refused(run):
    code, _, err = run("run", "suite:jailbreak")
    assert code == 2
    assert "add --target" in err
