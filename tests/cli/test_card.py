import json

import pytest

SAMPLE = {
    "id": "a",
    "query": "What is the defence budget?",
    "response": "The defence budget is 50 Crores. [Source: budget.pdf]",
    "rag_documents": [{"source": "budget.pdf", "content": "The defence budget is 50 crores."}],
    "model": "gpt-4o",
    "prompt_tokens": 150,
    "completion_tokens": 80,
}


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_EMBEDDER", "fake")
    path = tmp_path / "answers.jsonl"
    records = [SAMPLE, {"id": "b", "query": "Is it open?", "response": "It is open."}]
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_a_card_for_every_sample(run, data):
    code, out, _ = run("card", data)
    assert code == 0
    assert out.startswith("a  ")
    assert "\n\nb  " in out
    assert out.count("legal_compliance") >= 3
    assert "Section 8(1)(a)" in out
    assert "alert: " in out


def test_one_sample_as_json(run, data):
    code, out, _ = run("card", data, "--id", "a", "--json", "--weights", "legal_compliance=0.5")
    assert code == 0
    card = json.loads(out)
    assert (card["id"], card["overall_score"], card["verdict"]) == ("a", 0.0, "FAIL")
    assert card["weights"]["security"] == 0.0


def test_a_preset_and_weights_on_top_of_it(run, data):
    _, out, _ = run(
        "card", data, "--id", "a", "--json", "--preset", "uk_high_security", "--merge-weights",
        "--weights", "security=0.5,legal_compliance=0.1", "--include-imputed",
    )  # fmt: skip
    card = json.loads(out)
    assert card["weights"]["security"] == 0.5
    assert card["weights"]["human_control"] == 0.12
    assert card["policy"].startswith("uk_gdpr@")
    assert card["includes_imputed"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--weights", "security"), "weight 'security'; expected DIMENSION=NUMBER"),
        (("--weights", "safety=1"), "weights name 'safety'; expected dimensions"),
        (("--weights", "security=-1"), "the weight of 'security' is -1.0; expected 0 or more"),
        (("--preset", "nobody"), "unknown preset 'nobody'"),
    ],
)
def test_mistakes_are_usage_errors(run, data, options, said):
    code, _, err = run("card", data, *options)
    assert code == 2
    assert said in err


def test_a_record_that_cannot_be_read_is_said(run, data):
    data.write_text(data.read_text(encoding="utf-8") + "{nonsense\n", encoding="utf-8")
    code, out, err = run("card", data, "--json")
    assert code == 3
    assert len(out.splitlines()) == 2
    assert "Not read: answers.jsonl, line 3" in err


def test_an_id_that_is_not_there(run, data):
    code, out, err = run("card", data, "--id", "zzz")
    assert (code, out, err) == (0, "", "No sample was found.\n")
