"""Systems judged in pairs by scripted judges: both orders, flips, rules, ranks, nothing twice."""

import json

import pytest
from tests.judge.chat import Chat, graded

from assay.core import DataError, ProfileError, Sample, UsageError
from assay.data.preferences import preference_rubric
from assay.data.rubrics import read_rubric, rubric
from assay.runner.answered_systems import common_questions, read_systems, system_of
from assay.runner.pairwise import judge_pairs, plan_pairs
from assay.settings import Settings


def longer(asked):
    """Prefers the response with more words, wherever it stands."""
    first, second = (len(asked.plain(place).split()) for place in (1, 2))
    return graded("tie" if first == second else "first" if first > second else "second")(asked)


def system(name, *responses):
    return system_of(
        name,
        [Sample(f"q{n}", f"What is {n}?", text) for n, text in enumerate(responses)],
    )


A = system("a", "It is three long words.", "Equal answers.", "Yes it is.", ":")
B = system("b", "It is.", "Equal answers.", "It is, yes.", "It is.")
C = system("c", "No.", "None known.", "It is hard to say.", "It is open.")


@pytest.fixture
def judged(tmp_path, monkeypatch):
    """Judges systems by a scripted judge; gives the report and the server."""
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    servers = {}

    def judge(answer, *systems, rubric="helpfulness", limit=None, **overrides):
        server = servers.setdefault(answer, Chat(answer))
        settings = Settings.load(environ={}, overrides={"judge": server.spec, **overrides})
        return judge_pairs(plan_pairs(systems, settings, rubric, limit), settings), server

    yield judge
    for server in servers.values():
        server.close()


def test_a_judge_without_a_preferred_place_ranks_by_what_it_likes(judged):
    report, server = judged(longer, A, B, C)
    scores = {(pair.question, pair.first, pair.second): pair.score for pair in report.pairs}
    assert scores["q0", 0, 1] == 1.0
    assert scores["q0", 1, 2] == 1.0
    assert scores["q2", 0, 1] == 0.5
    assert scores["q2", 0, 2] == 0.0
    assert (report.flip_rate, report.undecided) == (0.0, 0)
    assert report.flip_interval().high > 0.1  # few pairs prove little
    # each pair that is judged is asked in both orders, with the two texts swapped
    shown = [(asked.plain(1), asked.plain(2)) for asked in server.asked]
    assert len(report.judged) == 9
    assert len(shown) == 16  # the equal answers of a and b are compared with c's once
    assert all((second, first) in shown for first, second in shown)
    assert "How far does the response help" in server.asked[0].system
    assert all(asked.plain(0).startswith("What is") for asked in server.asked)


def test_equal_and_empty_answers_need_no_judge(judged):
    report, server = judged(longer, A, B)
    scores = {pair.question: (pair.score, pair.orders is None) for pair in report.pairs}
    assert scores["q1"] == (0.5, True)
    assert scores["q3"] == (0.0, True)  # a lone colon against an answer
    assert len(server.asked) == 4
    blank, _ = judged(longer, system("a", " "), system("b", "…"))
    assert [pair.score for pair in blank.pairs] == [0.5]


@pytest.mark.parametrize(("place", "favoured"), [("first", (4, 0)), ("second", (0, 4))])
def test_a_judge_that_prefers_a_place_gets_only_ties(judged, place, favoured):
    report, _ = judged(graded(place), A, B, C, limit=1)
    more, _ = judged(graded(place), A, C)
    assert {pair.score for pair in report.judged} == {0.5}
    assert report.flip_rate == 1.0
    assert report.favoured(place) == 3
    assert all(one.strength == pytest.approx(0) for one in report.ranking.systems)
    assert (more.favoured("first"), more.favoured("second")) == tuple(n * 3 // 4 for n in favoured)


def test_a_win_in_one_order_and_a_tie_in_the_other_is_a_tie(judged):
    def unsteady(asked):
        return graded("first" if asked.plain(1) == "It is." else "tie")(asked)

    report, _ = judged(unsteady, system("a", "It is."), system("b", "It may be."))
    (pair,) = report.pairs
    assert (pair.score, pair.is_flip, pair.favours) == (0.5, True, "")


def test_an_order_without_a_usable_verdict_leaves_the_pair_undecided(judged):
    def half(asked):
        return longer(asked) if len(asked.plain(1)) > len(asked.plain(2)) else "I cannot say."

    report, _ = judged(half, A, B, limit=1)
    assert (report.undecided, report.flip_rate) == (1, None)
    assert report.ranking.questions == 0
    assert len(report.ranking.notes) == 1


def test_a_stopped_comparison_goes_on_and_asks_nothing_twice(judged):
    report, server = judged(longer, A, B, C, max_judge_calls=5, judge_concurrency=1)
    assert len(server.asked) == 5
    assert report.undecided > 0
    whole, _ = judged(longer, A, B, C)
    assert whole.undecided == 0
    assert len(server.asked) == 16
    assert whole.summary.judge["cached"] == 5


def test_another_rubric_asks_its_own_question(judged):
    own = read_rubric(
        "harm",
        'title = "How harmful it is."\nquestion = "Does it harm?"\ninputs = ["response"]\n'
        'polarity = "lower"\n[scale]\nmin = 0\nmax = 3\n',
    )
    pair = preference_rubric(own)
    assert "Does it harm?" in pair.question
    assert "less is better" in pair.question
    assert pair.inputs == ("responses",)
    with pytest.raises(ProfileError, match="needs 'contexts'"):
        preference_rubric(rubric("groundedness"))


def test_both_orders_show_the_same_question():
    def told(name, response, expected):
        return system_of(name, [Sample("q", "How far?", response, expected=expected)])

    systems = [told("a", "Ten.", None), told("b", "Two.", "Two miles."), told("c", "Six.", "6 mi")]
    settings = Settings.load(environ={}, overrides={"judge": "fake"})
    shown = [sample.expected for sample in plan_pairs(systems, settings).samples()]
    assert shown == ["Two miles."] * 6


def test_questions_are_paired_by_id_or_query(tmp_path):
    for name, rows in {
        "one": [("x", "How?", "So."), ("y", "Why?", "Because.")],
        "two": [("y", "How?", "Thus."), ("z", "Why?", "For that.")],
    }.items():
        lines = [json.dumps({"id": i, "query": q, "response": r}) for i, q, r in rows]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    paths = [f"{name}={tmp_path / name}.jsonl" for name in ("one", "two")]
    by_query = read_systems(paths, "query", lambda: None)
    assert common_questions(by_query) == (["How?", "Why?"], {})
    assert [one.name for one in by_query] == ["one", "two"]
    with pytest.raises(DataError, match="'y' names different queries"):
        common_questions(read_systems(paths, "id", lambda: None))
    with pytest.raises(UsageError, match="two systems are called 'one'"):
        read_systems([paths[0], paths[0]], "id", lambda: None)
    with pytest.raises(DataError, match="no question is answered by all"):
        common_questions([A, system_of("far", [Sample("other", "What?", "That.")])])


def test_one_system_or_no_judge_is_refused():
    with pytest.raises(UsageError, match="expected two or more"):
        plan_pairs([A], Settings.load(environ={}))
    with pytest.raises(UsageError, match="no judge is set"):
        plan_pairs([A, B], Settings.load(environ={}))
    with pytest.raises(DataError, match="two answers belong to the question"):
        system_of("twice", [Sample("x", "q", "a"), Sample("x", "q", "b")])
