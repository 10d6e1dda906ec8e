import json
from random import Random

import pytest

REFUSAL, ANSWER = "I can't help with that.", "Here is how you do it."
ODD = "That would be wrong of me."
"""A refusal that the metric does not see."""


def record(number, *, text, label=None, **more):
    labelled = {} if label is None else {"human": label}
    return {"id": f"r{number}", "query": "How?", "response": text, **labelled, **more}


def write(path, records):
    path.write_text("\n".join(map(json.dumps, records)) + "\n", encoding="utf-8")


@pytest.fixture
def answers(tmp_path):
    """300 answers, 40 % of them refusals of which the metric misses every fourth; 100 labels."""
    records = []
    for number in range(300):
        is_refusal = number % 5 < 2
        text = (ODD if number % 20 < 2 else REFUSAL) if is_refusal else ANSWER
        records.append(record(number, text=text, label="refusal" if is_refusal else "answer"))
    Random(1).shuffle(records)  # noqa: S311 -- an order, not a secret
    for one in records[100:]:
        del one["human"]
    write(tmp_path / "answers.jsonl", records)
    return records


CALL = ("calibrate", "answers.jsonl", "--labels", "human", "-m", "chat.refusal_rate")


def test_it_says_how_good_the_metric_is_and_the_true_rate(run, answers):
    code, out, err = run(*CALL, "--positive", "refusal")
    assert (code, err) == (0, "")
    text = " ".join(out.split())
    assert "100 labels" in text
    assert "Higher scores go with positive labels: AUROC 0.9" in text
    assert "The metric calls 30.0 % of 300 records positive." in text
    assert "the true rate of records like these is about" in text


def test_json(run, answers):
    found = json.loads(run(*CALL, "--positive", "refusal", "--json")[1])
    low, high = found["corrected_rate"]["interval"]
    assert low < 0.4 < high
    assert found["raw_rate"]["value"] == pytest.approx(0.3)
    assert high - low < found["labels_rate"]["interval"][1] - found["labels_rate"]["interval"][0]
    assert (found["records"], found["labelled"], found["method"]) == (300, 100, "strata")
    (verdicts,) = found["verdicts"]
    assert verdicts["counts"]["false_positive"] == 0
    assert (verdicts["origin"], verdicts["says_positive"]) == ("chosen", ">= 50")
    assert found["spearman"] is found["weighted_kappa"] is None


def test_the_rate_of_these_records_is_narrower(run, answers):
    whole = json.loads(run(*CALL, "--positive", "refusal", "--json")[1])
    these = json.loads(run(*CALL, "--positive", "refusal", "--these-only", "--json")[1])
    (a, b), (c, d) = (one["corrected_rate"]["interval"] for one in (whole, these))
    assert a < c < 0.4 < d < b


def test_a_stored_run_with_labels_from_a_file(run, answers, tmp_path):
    bare = [{key: value for key, value in one.items() if key != "human"} for one in answers]
    write(tmp_path / "bare.jsonl", bare)
    labels = "".join(f"{one['id']},{one['human']}\n" for one in answers[:100])
    (tmp_path / "labels.csv").write_text(f"id,human\n{labels}stranger,answer\n")
    args = ("--run", "first", "--store", "s.db", "--quiet")
    assert run("run", "bare.jsonl", "-m", "chat.refusal_rate", *args)[0] == 0
    code, out, err = run(
        *("calibrate", "first", "--labels", "human", "-m", "chat.refusal_rate", "--json"),
        *("--labels-from", "labels.csv", "--positive", "refusal", "--store", "s.db"),
    )
    assert code == 0
    assert "Labels that name no record of first: 1." in err
    direct = json.loads(run(*CALL, "--positive", "refusal", "--json")[1])
    assert json.loads(out) == direct


def test_a_stored_run_keeps_its_labels(run, answers):
    args = ("--run", "first", "--store", "s.db", "--quiet")
    run("run", "answers.jsonl", "-m", "chat.refusal_rate", *args)
    stored = run("calibrate", "first", *CALL[2:], "--positive", "refusal", "--store", "s.db")
    assert stored == run(*CALL, "--positive", "refusal")
    _, _, err = run(
        "calibrate", "first", "--labels", "human", "-m", "text.safety", "--store", "s.db"
    )
    assert "'first' has no scores of 'text.safety'; it has those of chat.refusal_rate" in err


def test_records_of_another_file_and_of_results(run, answers, tmp_path):
    others = [record(f"x{n}", text=REFUSAL if n % 10 < 6 else ANSWER) for n in range(200)]
    write(tmp_path / "others.jsonl", others)
    run("run", "others.jsonl", "-m", "chat.refusal_rate", "--out", "scored.jsonl", "--quiet")
    args = (*CALL, "--positive", "refusal", "--json")
    one = json.loads(run(*args, "--all", "others.jsonl")[1])
    assert one == json.loads(run(*args, "--all", "scored.jsonl")[1])
    assert one["method"] == "rogan-gladen"
    low, high = one["corrected_rate"]["interval"]
    assert low < 0.6 / 0.75 < high
    assert "errs as often on both" in one["warnings"][-1]
    part = json.loads(run(*args, "--all", "answers.jsonl")[1])
    assert part["method"] == "strata"


def test_a_saved_threshold_is_a_profile(run, answers):
    code, _, err = run(*CALL, "--positive", "refusal", "--recall", "0.7", "--save", "ours.toml")
    assert (code, "Written: ours.toml" in err) == (0, True)
    summary = json.loads(run("run", "answers.jsonl", "--profile", "ours.toml", "--json")[1])
    assert list(summary["metrics"]) == ["chat.refusal_rate"]
    assert summary["metrics"]["chat.refusal_rate"]["pass_rate"] == pytest.approx(0.3)


def test_a_metric_whose_low_scores_are_positive(run, tmp_path):
    records = [
        record(n, text="You are a damn idiot." if n % 3 == 0 else "Thank you.", label=n % 3 == 0)
        for n in range(60)
    ]
    write(tmp_path / "answers.jsonl", records)
    found = json.loads(
        run("calibrate", "answers.jsonl", "--labels", "human", "-m", "text.safety", "--json")[1]
    )
    assert found["direction"] == "lower"
    own, chosen = found["verdicts"]
    assert (own["origin"], own["says_positive"]) == ("own", "< 0.9")
    assert chosen["counts"] == own["counts"]
    assert found["corrected_rate"]["value"] == pytest.approx(1 / 3)


def test_grades(run, tmp_path):
    records = [record(n, text="Tea. " * (n % 5 + 1), label=n % 5 + 1) for n in range(60)]
    write(tmp_path / "answers.jsonl", records)
    args = ("calibrate", "answers.jsonl", "--labels", "human", "-m", "text.conciseness", "--json")
    code, _, err = run(*args)
    assert code == 2
    assert "say which are positive with --positive" in err
    found = json.loads(run(*args, "--positive", ">=4")[1])
    assert found["positives"] == 24
    assert found["spearman"]["value"] is None or -1 <= found["spearman"]["value"] <= 1


def test_notes_about_what_not_to_trust(run, tmp_path):
    records = [record(n, text=ANSWER + " " * (n % 2), label=n % 4 == 0) for n in range(20)]
    records[3]["response"] = REFUSAL
    write(tmp_path / "answers.jsonl", records)
    code, _, err = run(*CALL, "--precision", "0.9")
    assert code == 0
    assert "20 labels are few" in err
    assert "Only 5 labels are positive" in err
    assert "no better than chance" in err
    assert "No threshold reaches a precision of 0.9" in err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--labels", "nothing"), "no record has a label"),
        (("--positive", "other"), "--positive 'other' fits no label; found are 'answer'"),
        (("--precision", "0.9", "--recall", "0.9"), "exclude each other"),
        (("--threshold", "nan"), "nan is no precision, recall or threshold"),
        (("--precision", "nan"), "nan is no precision, recall or threshold"),
        (("-m", "chat"), "expected the id of one"),
        (("--labels-from", "answers.jsonl", "--labels", "nothing"), "has no record with an 'id'"),
        (("--all", "no-run", "--store", "s.db", "--positive", "refusal"), "there is no run"),
    ],
)
def test_mistakes_are_named(run, answers, args, said):
    code, _, err = run(*CALL, *args)
    assert code == 2
    assert said in err


def test_two_people_who_disagree_have_to_settle(run, answers, tmp_path):
    (tmp_path / "labels.csv").write_text("id,human\nr1,yes\nr2,no\nr1,yes\nr1,no\n")
    code, _, err = run(*CALL, "--labels-from", "labels.csv")
    assert code == 2
    assert "'r1' is labelled 'no' here and 'yes' before; settle on one label a record" in err


def test_records_that_cannot_be_read_are_counted(run, answers, tmp_path):
    with (tmp_path / "answers.jsonl").open("a") as file:
        file.write("{broken\n")
    code, _, err = run(*CALL, "--positive", "refusal")
    assert code == 3
    assert "1\u00a0record could not be read." in err


def test_labels_that_were_picked_are_noticed(run, answers, tmp_path):
    everyone = [record(n, text=REFUSAL if n % 5 == 0 else ANSWER) for n in range(300)]
    for one in everyone[:40]:
        one["human"] = "answer"
    for one in [one for one in everyone if one["response"] == REFUSAL][20:]:
        one["human"] = "refusal"
    write(tmp_path / "answers.jsonl", everyone)
    code, out, err = run(*CALL, "--positive", "refusal")
    assert code == 0
    assert "were not drawn by chance alone" in err
    assert "calls 20.0 % of 300 records positive" in out


LENGTH = """
import assay


@assay.metric(
    id="own.length", inputs=("response",), range=(0, None), polarity="neutral", version=1
)
def length(response: str) -> assay.Result:
    \"\"\"How long the response is.\"\"\"
    return assay.Result(float(len(response)), "It is so long.")
"""


def test_a_metric_of_your_own_with_many_values(run, tmp_path):
    (tmp_path / "own.py").write_text(LENGTH)
    spread = Random(3)  # noqa: S311 -- numbers, not secrets
    records = []
    for number in range(400):
        label = number % 3 == 0
        text = "x" * max(0, round(spread.gauss(60 if label else 40, 12)))
        records.append(record(number, text=text, label=label if number < 120 else None))
    write(tmp_path / "answers.jsonl", records)
    args = ("calibrate", "answers.jsonl", "--labels", "human", "-m", "own.length", "--json")
    found = json.loads(run(*args, "--plugin", "own.py", "--precision", "0.8")[1])
    (chosen,) = found["verdicts"]
    shown = chosen["counts"]["true_positive"] / (
        chosen["counts"]["true_positive"] + chosen["counts"]["false_positive"]
    )
    assert shown >= 0.8
    assert shown > chosen["precision"]["value"]
    low, high = found["corrected_rate"]["interval"]
    assert low < 1 / 3 < high
    carried = json.loads(run(*args, "--plugin", "own.py", "--method", "rogan-gladen")[1])
    low, high = carried["corrected_rate"]["interval"]
    assert low < 1 / 3 < high
