"""Checklists and decision trees: read, asked step by step, scored, and refused where wrong."""

import pytest
from tests.judge.chat import Chat, graded

import assay
from assay.backends import Backends, JudgeSettings
from assay.core import ProfileError
from assay.data.preferences import preference_rubric
from assay.data.rubrics import read_rubric
from assay.metrics.judge.rubric import rubric_metric

HEAD = 'title = "How good it is."\nquestion = "Judge the response."\ninputs = ["response"]\n'
CHECKLIST = (
    HEAD
    + """threshold = 0.7
[[items]]
id = "steps"
question = "Does it name the steps?"
weight = 2
[[items]]
id = "safe"
question = "Is it safe?"
required = true
[[items]]
id = "price"
question = "Does it name the price?"
optional = true
"""
)
TREE = (
    HEAD
    + """start = "declines"
[nodes.declines]
question = "Does it decline?"
answers = { yes = "explains", no = 1.0 }
[nodes.explains]
question = "Does it say why?"
answers = { yes = 0.5, no = 0 }
"""
)
SAMPLE = {"id": "s", "response": "First open it, then close it."}


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Scores samples by a rubric; answers are by a word of the question."""
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    servers = []

    def score(text, answers, samples=(SAMPLE,), **judging):
        def answer(asked):
            question = asked.system.rpartition("Answer this one question:\n")[2]
            found = next(given for word, given in answers.items() if word in question)
            given = found(asked) if callable(found) else found
            return given if given == "?" else graded(given, quote="First open it")(asked)

        servers.append(Chat(answer))
        score.server = servers[-1]
        chosen = Backends(judge=servers[-1].spec, judging=JudgeSettings(**judging))
        rubric = read_rubric("quality", text)
        report = assay.evaluate(samples, rubrics=[rubric], backends=chosen, settings=None)
        return [scores["judge.quality"] for scores in report.scores]

    yield score
    for server in servers:
        server.close()


@pytest.mark.parametrize(
    ("steps", "safe", "price", "value", "says"),
    [
        ("yes", "yes", "yes", 1.0, "3 of 3 items of the checklist hold."),
        ("no", "yes", "yes", 0.5, "2 of 3 items of the checklist hold; not steps."),
        ("yes", "yes", "no", 0.75, "not price."),
        ("no", "yes", "not applicable", 1 / 3, "1 of 2 items"),
        ("yes", "no", "yes", 0.0, "not safe, of which safe is required."),
    ],
)
def test_a_checklist_adds_up(asked, steps, safe, price, value, says):
    (result,) = asked(CHECKLIST, {"steps": steps, "safe": safe, "price": price})
    assert result.value == pytest.approx(value)
    assert says in result.explanation
    assert result.passed is (value >= 0.7)
    assert [one["answer"] for one in result.details["steps"]] == [steps, safe, price]
    assert len(asked.server.asked) == 3
    assert result.details["prompt_tokens"] == 300
    assert result.evidence[0].start == 0


@pytest.mark.parametrize(
    ("answers", "value", "calls"),
    [
        ({"decline": "no", "why": "yes"}, 1.0, 1),
        ({"decline": "yes", "why": "yes"}, 0.5, 2),
        ({"decline": "yes", "why": "no"}, 0.0, 2),
    ],
)
def test_a_tree_asks_only_what_lies_on_the_way(asked, answers, value, calls):
    (result,) = asked(TREE, answers)
    assert (result.value, len(asked.server.asked)) == (value, calls)
    assert f"The answers lead to {value:g} (declines: {answers['decline']}" in result.explanation


def test_samples_take_their_own_ways_and_empty_ones_none(asked):
    samples = [SAMPLE, {"id": "no", "response": "No."}, {"id": "empty", "response": ":"}]
    answers = {"decline": lambda asked: "yes" if asked.plain(0) == "No." else "no", "why": "no"}
    results = asked(TREE, answers, samples)
    assert [result.value for result in results] == [1.0, 0.0, 0.0]
    assert "degenerate" in results[2].details
    assert len(asked.server.asked) == 3


def test_a_step_without_a_verdict_leaves_no_score(asked):
    (result,) = asked(CHECKLIST, {"steps": "yes", "safe": "?", "price": "yes"}, repairs=0)
    assert (result.state, result.value) == ("error", None)


def test_only_items_that_apply_can_be_scored(asked):
    text = HEAD + '[[items]]\nid = "a"\nquestion = "Is it?"\noptional = true\n'
    (result,) = asked(text, {"Is it": "not applicable"})
    assert (result.state, result.explanation) == ("missing", "No item of the checklist applies.")


def test_repeats_go_by_the_majority_and_a_draw_is_the_worse(asked):
    said = iter(["yes", "no"])
    text = HEAD + '[[items]]\nid = "a"\nquestion = "Is it?"\n'
    (result,) = asked(text, {"Is it": lambda asked: next(said)}, repeats=2, concurrency=1)
    assert result.value == 0.0


def test_a_second_run_asks_nothing(asked, monkeypatch):
    text, answers = TREE, {"decline": "yes", "why": "yes"}
    asked(text, answers)
    server = asked.server
    chosen = Backends(judge=server.spec)
    rubric = read_rubric("quality", text)
    report = assay.evaluate([SAMPLE], rubrics=[rubric], backends=chosen, settings=None)
    assert report.scores[0]["judge.quality"].value == 0.5
    assert report.summary.judge["calls"] == 0


ITEM = '[[items]]\nid = "a"\nquestion = "Is it?"\n'
NODE = '[nodes.a]\nquestion = "Is it?"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ITEM * 2, "ids of their own"),
        (ITEM + "weight = 0\n", "no number above 0"),
        (ITEM + "weight = true\n", "no number above 0"),
        (ITEM + 'required = "yes"\n', "true or false"),
        (ITEM + "other = 1\n", "an item is"),
        ('[[items]]\nid = ""\nquestion = "x"\n', "has the id ''"),
        ('[[items]]\nid = "a"\n', "has the question None"),
        (ITEM + "[scale]\nmin = 1\nmax = 2\n", "expected one of"),
        ('start = "a"\n' + ITEM, "'start' names the first"),
        (NODE + "answers = { yes = 1, no = 0 }\n", "'start' names the first"),
        ('start = "b"\n' + NODE + "answers = { yes = 1, no = 0 }\n", "'start' is 'b'"),
        ('start = "a"\n' + NODE + "answers = { yes = 1 }\n", "two answers or more"),
        ('start = "a"\n' + NODE + "answers = { yes = 1, no = 1 }\n", "the same score"),
        ('start = "a"\n' + NODE + 'answers = { yes = "b", no = 1 }\n', "which is no node"),
        ('start = "a"\n' + NODE + 'answers = { yes = "a", no = 1 }\n', "a → a go round"),
        ('start = "a"\n' + NODE + "answers = { yes = true, no = 1 }\n", "a node's id or a score"),
        (
            'start = "a"\n' + NODE + "answers = { yes = 1, no = 0 }\n"
            '[nodes.b]\nquestion = "x"\nanswers = { yes = 1, no = 0 }\n',
            "no answer leads to the node 'b'",
        ),
    ],
)  # fmt: skip
def test_mistakes_are_refused_with_the_reason(text, message):
    with pytest.raises(ProfileError, match=message):
        read_rubric("quality", HEAD + text)


def test_the_page_and_the_range_are_those_of_the_steps():
    tree, checklist = (read_rubric("quality", text) for text in (TREE, CHECKLIST))
    assert (tree.range, checklist.range) == ((0.0, 1.0), (0.0, 1.0))
    assert "explains: Does it say why?" in rubric_metric(tree).documentation
    assert "0 without a required one" in rubric_metric(checklist).documentation
    with pytest.raises(ProfileError, match="several questions"):
        preference_rubric(tree)
