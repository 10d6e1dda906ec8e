"""`assay run --grid`: an experiment from the command line."""

import json

import pytest

from assay.cli import experiment
from assay.store import open_store
from assay.store.run_list import list_runs

BOT = """
def answer(turns, model="small", temperature=0):
    with open("asked", "a", encoding="utf-8") as file:
        file.write(f"{model} {turns[-1]['content']}\\n")
    return "Paris." if model == "large" or "briefly" in turns[-1]["content"] else "Rome."
"""
GRID = """
name = "tone"
prompts = ["plain.txt", "brief.txt"]
models = ["small", "large"]
[targets]
bot = "python:bot.py:answer"
"""
WORDS = ("run", "questions.jsonl", "--grid", "grid.toml", "-m", "check.passed")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    files = {
        "bot.py": BOT,
        "grid.toml": GRID,
        "plain.txt": "{query}",
        "brief.txt": "Answer briefly: {query}",
        "questions.jsonl": "\n".join(
            json.dumps({"id": f"q{n}", "query": f"Q{n}?", "checks": [{"contains": "Paris"}]})
            for n in range(12)
        ),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.delenv("ASSAY_STORE", raising=False)
    return tmp_path


def asked(folder):
    file = folder / "asked"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    file.write_text("", encoding="utf-8")
    return lines


def test_the_matrix_as_json_and_as_a_table(run, folder):
    code, out, err = run(*WORDS, "--json")
    assert code == 0, err
    matrix = json.loads(out)
    assert (matrix["experiment"], matrix["baseline"]) == ("tone", "plain:bot:small")
    rates = {cell["cell"]: cell["pass_rate"] for cell in matrix["cells"]}
    assert rates == {
        "plain:bot:small": 0.0,
        "plain:bot:large": 1.0,
        "brief:bot:small": 1.0,
        "brief:bot:large": 1.0,
    }
    assert len(asked(folder)) == 48
    assert len(list_runs(open_store("sqlite:///.assay/assay.db"))) == 4
    code, out, err = run(*WORDS, "--resume")
    assert (code, asked(folder)) == (0, [])
    lines = " ".join(out.replace("\xa0", " ").split())
    assert "Experiment tone" in lines
    assert "baseline" in lines
    assert "better" in lines
    assert "4 runs with the tag experiment:tone" in err
    code, _, err = run(*WORDS)
    assert code == 2
    assert "the experiment 'tone' exists already" in err


def test_several_answers_to_a_question_are_mentioned_once(run):
    code, out, err = run(*WORDS, "--repeat", "2", "--score-repeats")
    assert code == 0, err
    lines = " ".join(out.split())
    assert lines.count("A question counts once, with the means over its answers.") == 1
    assert "24 answers" not in lines


def test_gates_hold_for_every_cell(run):
    code, _, err = run(*WORDS, "--quiet", "--fail-under", "pass_rate>=50%")
    assert code == 1
    assert err.count("Gate failed") == 1
    assert "plain:bot:small: Gate failed" in err


def test_only_cells_of_a_changed_prompt_are_asked_again(run, folder, monkeypatch):
    pauses = iter(["", "Very briefly: {query}", "", "", KeyboardInterrupt])

    def pause(seconds):
        text = next(pauses)
        if text is KeyboardInterrupt:
            raise KeyboardInterrupt
        if text:
            (folder / "brief.txt").write_text(text, encoding="utf-8")

    monkeypatch.setattr(experiment.time, "sleep", pause)
    code, out, err = run(*WORDS, "--watch", "--json")
    assert code == 0, err
    lines = asked(folder)
    assert len(lines) == 48 + 24
    assert all("Very briefly: " in line for line in lines[48:])
    assert "Watching 2 prompts" in err
    assert "Stopped watching." in err
    decoder = json.JSONDecoder()
    first, end = decoder.raw_decode(out)
    second, _ = decoder.raw_decode(out[end:].lstrip())
    before, after = ([cell["run"] for cell in matrix["cells"]] for matrix in (first, second))
    assert before[:2] == after[:2]
    assert [name.partition("@")[0] for name in after] == before
    assert all("@" in name for name in after[2:])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--out", "r.jsonl"), "leave out --out"),
        (("--store", "none"), "a grid keeps its cells in a store"),
        (("--escalate", "--judge", "fake"), "a grid cannot escalate"),
        (("--target", "python:bot.py:answer"), "names targets and so does --target"),
    ],
)
def test_what_a_grid_cannot_have(run, folder, words, message):
    code, _, err = run(*WORDS, *words)
    assert code == 2
    assert message in err
    assert asked(folder) == []


def test_a_grid_reads_files_and_watching_needs_a_grid(run):
    code, _, err = run("run", "-", "--grid", "grid.toml")
    assert (code, "give a file instead of -" in err) == (2, True)
    code, _, err = run("run", "questions.jsonl", "--watch")
    assert (code, "name it with --grid" in err) == (2, True)


def test_parameters_that_a_function_does_not_take_are_rejected(run, folder):
    (folder / "grid.toml").write_text(GRID + "[parameters.warm]\nheat = 1\n", encoding="utf-8")
    code, _, err = run(*WORDS)
    assert code == 2
    assert "takes no parameter 'heat'; expected one of model, temperature" in err
    assert asked(folder) == []
