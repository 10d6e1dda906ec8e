"""Gates of `assay run` as its user sees them: files, policies, baselines, build servers."""

import json
from xml.etree import ElementTree

import pytest

RUDE, FINE = "Damn. It is sunny.", "The store is in town."


@pytest.fixture
def data(tmp_path):
    def write(*responses, name="a.jsonl"):
        lines = [
            json.dumps({"id": f"q{i}", "response": text, "tags": ["odd"] if i % 2 else ["even"]})
            for i, text in enumerate(responses)
        ]
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return name

    return write


def gated(run, data, *args):
    return run("run", data, "-m", "text.safety", "-q", *args)


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("--fail-under", "text.safety[tag=odd]>=0.99"), 1, "Gate failed: text.safety[tag=odd]"),
        (("--fail-under", "text.safety[tag=even]>=0.99"), 0, ""),
        (("--fail-under", "pass_rate[tag=none]>=0"), 1, "it is undecided: nothing was scored"),
        (("--fail-under", "pass_rate[tag=none]>=0", "--allow-undecided"), 0, "Gate undecided"),
        (("--fail-under", "pass_rate>=30%"), 0, "Gate flaky: pass_rate>=30%; it is 50 % ["),
        (("--fail-under", "pass_rate>=60%"), 1, "Gate failed: pass_rate>=60%"),
        (("--fail-under", "pass_rate>=30%", "--flaky", "fail"), 1, "Gate failed"),
        (("--fail-under", "pass_rate>=60%", "--flaky", "pass"), 0, "Gate flaky"),
        (("--fail-under", "errors<=0", "--min-samples", "30"), 1, "only 10 samples; it needs 30"),
        (("--fail-if-worse", "text.safety"), 2, "add --baseline RUN"),
        (("--baseline", "none.jsonl"), 2, "there is no baseline 'none.jsonl'"),
        (("--baseline", "none", "--store", "none"), 2, "no store is set to find the baseline in"),
        (("--gates", "none.toml"), 2, "gates 'none.toml' cannot be read"),
        (("--flaky", "maybe"), 2, "--flaky"),
    ],
)
def test_gates_and_policies(run, data, args, code, said):
    found, _, err = gated(run, data(*[FINE, RUDE] * 5), *args)
    assert found == code
    assert said in err


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ('gates = ["text.safety>=0.99"]', 1, "Gate failed"),
        ('gates = ["pass_rate>=30%"]\nflaky = "fail"', 1, "Gate failed"),
        ('gates = ["errors<=0"]\nmin_samples = 11', 1, "needs 11"),
        ('gates = ["errors<=0"]', 0, ""),
        ("gates = []", 2, "there is no gate in it"),
        ("gates = 3", 2, "'gates' is 3; expected a list of texts"),
        ('gates = ["errors<=0"]\nflaki = 1', 2, "unknown key 'flaki'"),
        ('gates = ["errors<=0"]\nflaky = "x"', 2, "'flaky' is 'x'; expected one of warn"),
        ("gates = [", 2, "not valid TOML"),
    ],
)
def test_gates_of_a_file(run, data, tmp_path, text, code, said):
    (tmp_path / "gates.toml").write_text(text, encoding="utf-8")
    found, _, err = gated(run, data(*[FINE, RUDE] * 5), "--gates", "gates.toml")
    assert found == code
    assert said in err


def test_the_command_line_goes_before_the_file_and_the_file_before_settings(run, data, tmp_path):
    (tmp_path / "gates.toml").write_text('gates = ["pass_rate>=30%"]\nflaky = "fail"')
    (tmp_path / "assay.toml").write_text('gates = ["errors<=0"]\nflaky = "pass"\nmin_samples = 2')
    name = data(*[FINE, RUDE] * 5)
    assert gated(run, name, "--gates", "gates.toml")[0] == 1
    assert gated(run, name, "--gates", "gates.toml", "--flaky", "warn")[0] == 0
    assert gated(run, name, "--fail-under", "pass_rate>=60%")[0] == 0, "flaky passes by settings"
    assert gated(run, name, "--min-samples", "11")[0] == 1


def test_an_allowance_for_unread_records_takes_their_exit_code(run, data, tmp_path):
    name = data(FINE, FINE)
    with (tmp_path / name).open("a") as file:
        file.write("broken\n")
    assert gated(run, name)[0] == 3
    assert gated(run, name, "--fail-under", "unread<=50%")[0] == 0
    assert gated(run, name, "--fail-under", "unread<=10%")[0] == 1


def test_verdicts_are_in_every_output(run, data, tmp_path):
    args = ("--fail-under", "text.safety>=0.99", "-o", "o.xml", "-o", "o.md", "-o", "o.json")
    code, out, _ = run("run", data(*[FINE, RUDE] * 5), "-m", "text.safety", "--json", *args)
    assert code == 1
    (found,) = json.loads(out)["gates"]
    assert (found["gate"], found["state"], found["passes"]) == ("text.safety>=0.99", "fails", False)
    assert found["samples"] == 10
    suites = ElementTree.parse(tmp_path / "o.xml").getroot()  # noqa: S314 -- our own file
    assert [suite.attrib["name"] for suite in suites] == ["assay", "assay gates"]
    assert suites[1].attrib["failures"] == "1"
    assert suites[1][0][0].tag == "failure"
    assert "**0 gates hold, 1 failed.**" in (tmp_path / "o.md").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "o.json").read_text())["summary"]["gates"] == [found]


def test_stored_runs_keep_their_verdicts_and_serve_as_baseline(run, data):
    fine, rude = data(*[FINE] * 20), data(*[RUDE] * 20, name="b.jsonl")
    assert gated(run, fine, "--run", "main", "--fail-under", "errors<=0")[0] == 0
    _, out, _ = run("show", "main", "--json")
    assert json.loads(out)["summary"]["gates"][0]["state"] == "holds"
    assert run("report", "main", "--out", "again.md")[0] == 0
    code, _, err = gated(run, rude, "--baseline", "main", "--fail-if-worse", "text.safety")
    assert code == 1
    assert "Gate failed: text.safety not worse than in main; it changed by -0.15 [" in err
    assert gated(run, fine, "--baseline", "main", "--fail-if-worse", "text.safety:0.2")[0] == 0


def test_a_baseline_may_be_a_file(run, data):
    fine, rude = data(*[FINE] * 20), data(*[RUDE] * 20, name="b.jsonl")
    gated(run, fine, "-o", "main.jsonl")
    assert gated(run, rude, "--baseline", "main.jsonl")[0] == 1
    code, _, err = gated(run, data(FINE, name="c.jsonl"), "--baseline", "main.jsonl")
    assert code == 0
    assert "too few samples to tell" in err
    assert gated(run, rude, "--baseline", "main.jsonl", "--workers", "2")[0] == 1


def test_github_gets_annotations_and_a_step_summary(run, data, tmp_path, monkeypatch):
    page = tmp_path / "summary.md"
    page.write_text("before\n")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    name = data(*[FINE, RUDE] * 5)
    code, out, err = gated(run, name, "--fail-under", "text.safety>=0.99")
    assert (code, out) == (1, "")
    assert "::error file=a.jsonl,title=Gate failed%3A text.safety>=0.99::it is 0.9250 [" in err
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n## Assay")
    assert "1 failed.**" in text
    _, _, err = gated(run, name, "--fail-under", "text.safety>=0.99", "--ci", "none")
    assert "::error" not in err
    assert page.read_text(encoding="utf-8") == text


def test_a_summary_that_cannot_be_written_leaves_the_verdict(run, data, monkeypatch, tmp_path):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    code, _, err = gated(run, data(FINE), "--fail-under", "errors<=0", "--ci", "github")
    assert code == 0
    assert "The step's summary cannot be written" in err


def test_elsewhere_nothing_is_annotated_unless_told(run, data, monkeypatch):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    name = data(RUDE)
    assert "::" not in gated(run, name, "--fail-under", "text.safety>=0.99")[2]
    told = gated(run, name, "--fail-under", "text.safety>=0.99", "--ci", "github")
    assert "::error " in told[2]
