"""`assay diff`: what it reads, what it prints, and its exit codes."""

import io
import json
import subprocess
import sys

import pytest
from tests.judge.chat import Chat, numbers

GT = {"name": "John Smith", "email": "john@example.com", "id": None, "status": "active"}
AIO = {"name": "John Smyth", "email": "john@example.com", "id": "abc123", "extra": "surprise"}
DEEP = "[" * 100_000
FUZZY = ("--strategies", "s.json")
"""Strategies under which no model is asked."""


@pytest.fixture
def diff(run, tmp_path):
    """Call `assay diff` with files beside it; gives exit code, output and errors."""

    def call(*args, **files):
        for name, content in {"s": {"name": "FUZZY", "status": "EXACT"}, **files}.items():
            text = content if isinstance(content, str) else json.dumps(content)
            path = tmp_path / f"{name.replace('__', '/')}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return run("diff", *args)

    return call


def test_fields_are_shown_side_by_side(diff):
    code, out, err = diff("gt.json", "aio.json", *FUZZY, gt=GT, aio=AIO)
    rows = [line.split() for line in out.splitlines() if line.strip()]
    lines = {row[1]: row for row in rows if row[0] in "≠+-"}
    assert (code, err) == (1, "")
    assert lines.keys() >= {"id", "status", "extra"}
    assert lines["status"] == ["-", "status", '"active"', "–", "missing"]
    assert lines["id"] == ["+", "id", "null", '"abc123"', "unexpected"]
    assert "Not shown: 2 match; --all shows them." in out
    assert "completeness" in out
    assert "0.667" in out


def test_all_shows_fields_that_agree(diff):
    _, out, _ = diff("gt.json", "aio.json", "--all", *FUZZY, gt=GT, aio=AIO)
    name = next(line.split() for line in out.splitlines() if " name " in line)
    assert name == [
        *("=", "name", '"John', 'Smith"', '"John', 'Smyth"'),
        *("fuzzy", "0.90", "→", "1", "both"),
    ]


def test_json_prints_the_breakdown(diff):
    code, out, _ = diff("gt.json", "aio.json", "--json", *FUZZY, gt=GT, aio=AIO)
    found = json.loads(out)
    assert code == 1
    assert found["completeness"] == pytest.approx(2 / 3)
    assert found["hallucination"] == pytest.approx(2 / 5)
    assert found["accuracy"] == 1
    assert found["extra_keys"] == ["extra"]
    assert found["aio_missing_or_null"] == ["status"]
    assert found["gt_null_aio_has_value"] == ["id"]
    assert found["both_non_null"] == ["email", "name"]
    assert {
        "rqs",
        "safety_score",
        "toxicity",
        "tone",
        "consistency",
        "ignored_keys",
    } <= found.keys()
    name = next(field for field in found["field_scores"] if field["field_name"] == "name")
    assert (name["match_strategy"], name["score"]) == ("FUZZY", 1)


@pytest.mark.parametrize(
    ("args", "aio", "code"),
    [
        ((), GT, 0),
        ((), AIO, 1),
        (("--fail-under", "rqs>=0.1"), AIO, 0),
        (("--fail-under", "json.rqs>=0.1"), AIO, 0),
        (("--fail-under", "rqs>=0.1", "--fail-under", "completeness>=0.9"), AIO, 1),
        (("--fail-under", "hallucination<=0.5"), AIO, 0),
        (("--fail-under", "rqs>=0.99"), GT, 1),
        (("--fail-under", "hallucination<=0.5"), "no JSON", 3),
        (("--fail-under", "completeness>=0.5"), "no JSON", 1),
        (("--fail-under", "overall>=0.5"), GT, 2),
        (("--fail-under", "speed>=0.5"), GT, 2),
        (("--fail-under", "rqs"), GT, 2),
        ((), "no JSON", 3),
        ((), '```json\n{"name": "x"}\n```', 3),
        (("--repair",), '```json\n{"name": "x"}\n```', 1),
        (("--repair",), f"Here:\n{json.dumps(GT)}", 0),
        (("--repair",), "no JSON", 3),
    ],
)
def test_exit_codes(diff, args, aio, code):
    assert diff("gt.json", "aio.json", *FUZZY, *args, gt=GT, aio=aio)[0] == code


def test_a_failed_gate_says_the_value(diff):
    gate = ("--fail-under", "completeness>=0.9")
    _, _, err = diff("gt.json", "aio.json", *FUZZY, *gate, gt=GT, aio=AIO)
    assert err == "Gate failed: completeness>=0.9; it is 0.6667\n"


def test_an_output_that_is_no_json_is_scored_as_no_answer(diff):
    code, out, _ = diff("gt.json", "aio.json", gt=GT, aio='{"name": 1,}')
    assert code == 3
    assert "Not compared: " in out
    assert "line 1, column 12" in out


def test_repairs_are_named(diff):
    code, out, _ = diff("gt.json", "aio.json", "--repair", gt={"a": 1}, aio='{"a": 1,}')
    assert code == 0
    assert "removed trailing commas" in out


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (DEEP, "nested deeper than 500 levels"),
        (DEEP + "]" * 100_000, "nested deeper than 500 levels"),
        ('{"a": 1, "a": 2}', "the key 'a' appears twice"),
        ('{"a": NaN}', "NaN is not a JSON number"),
        ('{"a": ' + "9" * 5000 + "}", "has 5000 digits"),
        (r'{"a": "\ud800"}', "half a surrogate pair"),
        ("", "Expecting value at line 1, column 1"),
    ],
    ids=["deep", "deep and closed", "twice", "nan", "huge", "surrogate", "empty"],
)
@pytest.mark.parametrize("repair", [(), ("--repair",)])
def test_bad_documents_are_refused_with_the_reason(diff, text, reason, repair):
    code, out, _ = diff("gt.json", "aio.json", *repair, gt={"a": 1}, aio=text)
    assert code == 3
    assert reason in " ".join(out.split())
    code, out, err = diff("gt.json", "aio.json", *repair, gt=text, aio={"a": 1})
    assert code == 3
    assert "Not compared: " in err
    assert reason in err
    assert out == ""


def test_a_bad_ground_truth_as_json(diff):
    code, out, _ = diff("gt.json", "aio.json", "--json", gt="{", aio={})
    assert code == 3
    assert "ground truth" in json.loads(out)["error"]


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("gt.json",),
        ("-", "-"),
        ("gt.json", "none.json"),
        ("gt.json", "."),
        ("gt.json", "aio.json", "--pairs", "p.jsonl"),
        ("gt.json", "aio.json", "--strategies", "none.json"),
        ("gt.json", "aio.json", "--strategies", "bad.json"),
        ("gt.json", "aio.json", "--list-alignment", "key"),
        ("gt.json", "aio.json", "--profile", "none"),
    ],
)
def test_usage_errors(diff, args):
    code, out, err = diff(*args, gt=GT, aio=AIO, bad={"name": "ALIKE"})
    assert code == 2
    assert out == ""
    assert err


def test_a_wrong_strategy_names_file_and_field(diff):
    args = ("gt.json", "aio.json", "--strategies", "bad.json")
    err = diff(*args, gt=GT, aio=AIO, bad={"name": "ALIKE"})[2]
    assert "bad.json" in err
    assert "'name'" in err
    assert "'ALIKE'" in err


def test_standard_input_is_one_of_both(diff, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(GT).encode())))
    assert diff("gt.json", "-", *FUZZY, gt=GT)[0] == 0


def test_nested_documents_are_compared_by_path(diff):
    gt = {"items": [{"id": 1, "price": 5}, {"id": 2, "price": 7}]}
    aio = {"items": [{"id": 2, "price": 7}, {"id": 1, "price": 6}]}
    code, out, _ = diff("gt.json", "aio.json", "--nested", "--list-key", "id", gt=gt, aio=aio)
    assert code == 1
    assert "items[0].price" in out
    assert "items[1].price" not in out
    best = ("--nested", "--list-alignment", "best", "--json")
    found = json.loads(diff("gt.json", "aio.json", *best, gt=gt, aio=aio)[1])
    assert found["accuracy"] == 0.75


def test_several_outputs_are_ranked(diff):
    files = {"gt": GT, "low": {"name": "x"}, "good": GT, "mid": AIO}
    names = ("low.json", "good.json", "mid.json")
    code, out, _ = diff("gt.json", *names, *FUZZY, **files)
    places = [out.index(name) for name in ("good.json", "mid.json", "low.json")]
    assert code == 1
    assert places == sorted(places)
    assert "mean RQS" in out
    found = json.loads(diff("gt.json", *names, *FUZZY, "--json", **files)[1])
    assert found["outputs"] == list(names)
    assert found["ranking"] == [1, 2, 0]
    assert found["best_index"] == 1
    assert len(found["results"]) == 3


def test_outputs_may_be_lines_of_a_file(diff, tmp_path):
    (tmp_path / "o.jsonl").write_text(f"{json.dumps(GT)}\n{json.dumps(AIO)}\nbroken\n")
    code, out, _ = diff("gt.json", "o.jsonl", *FUZZY, "--json", gt=GT)
    found = json.loads(out)
    assert code == 3
    assert found["outputs"] == [f"o.jsonl, line {number}" for number in (1, 2, 3)]
    assert "line 1, column 1" in found["results"][2]["error"]


def test_folders_are_matched_by_name(diff):
    files = {"gt__a": GT, "gt__b": GT, "gt__c": GT, "aio__a": GT, "aio__b": AIO, "aio__d": GT}
    code, out, err = diff("gt", "aio", *FUZZY, **files)
    assert code == 1
    assert err == "Only in gt: c.json\nOnly in aio: d.json\n"
    assert "a.json" in out
    assert "mean RQS" in out
    gate = ("--fail-under", "rqs>=0.5")
    assert diff("gt", "aio", *FUZZY, *gate, **files)[0] == 3, "what has no output has no score"
    found = json.loads(diff("gt", "aio", *FUZZY, "--json", **files)[1])
    assert [pair["name"] for pair in found["pairs"]] == ["a.json", "b.json"]
    assert found["unmatched"] == {"gt": ["c.json"], "aio": ["d.json"]}
    assert found["means"]["completeness"] == pytest.approx((1 + 2 / 3) / 2)


def test_many_pairs_in_one_file(diff, tmp_path):
    pairs = [{"id": "x", "gt": GT, "aio": GT}, {"id": "y", "gt": json.dumps(GT), "aio": AIO}]
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, pairs)))
    assert diff("--pairs", "p.jsonl", *FUZZY)[0] == 1
    assert diff("--pairs", "p.jsonl", *FUZZY, "--fail-under", "rqs>=0.5")[0] == 0
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, [*pairs, {"gt": GT}, {"gt": "{"}])))
    code, out, err = diff("--pairs", "p.jsonl", *FUZZY)
    assert code == 3
    assert "x" in out
    assert "Not compared: p.jsonl, line-3: no 'aio'" in err


def test_hostile_names_do_not_act_on_the_terminal(diff, tmp_path):
    (tmp_path / "p.jsonl").write_text(json.dumps({"id": "a\x1b[2J\nb", "gt": "{", "aio": "{}"}))
    code, _, err = diff("--pairs", "p.jsonl")
    assert code == 3
    assert "\x1b" not in err
    assert err.count("\n") == 1


def test_a_profile_brings_its_options(diff, tmp_path):
    (tmp_path / "p.toml").write_text('[json]\ndepth = "nested"\nnumeric_tolerance = 0.5\n')
    files = {"gt": {"a": {"b": 1}}, "aio": {"a": {"b": 1.2}}}
    assert diff("gt.json", "aio.json", **files)[0] == 1
    assert diff("gt.json", "aio.json", "--profile", "p.toml", **files)[0] == 0


@pytest.mark.parametrize(("aio", "code"), [(GT, 0), (AIO, 1), (DEEP, 3)])
def test_the_process_ends_with_the_code(tmp_path, aio, code):
    (tmp_path / "gt.json").write_text(json.dumps(GT))
    (tmp_path / "aio.json").write_text(aio if isinstance(aio, str) else json.dumps(aio))
    command = [sys.executable, "-m", "assay", "diff", "gt.json", "aio.json", "--embedder=none"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize("prefix", ["", "openai:"])
def test_a_judge_compares_texts(diff, monkeypatch, prefix):
    chat = Chat(numbers(0.95))
    try:
        judge = ("--judge", f"{prefix}{chat.url}#small", "--json")
        documents = {"gt": {"bio": "A painter of the sea."}, "aio": {"bio": "She paints ships."}}
        code, out, err = diff("gt.json", "aio.json", *judge, **documents)
    finally:
        chat.close()
    assert (code, len(chat.asked)) == (0, 1), err
    (field,) = json.loads(out)["field_scores"]
    assert (field["score"], field["similarity"]) == (1.0, 0.95)
    code, out, _ = diff("gt.json", "aio.json", "--json", **documents)
    assert (code, json.loads(out)["accuracy"]) == (1, 0.0)
