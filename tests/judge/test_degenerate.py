"""Answers that say nothing never reach the judge, and never pass."""

import pytest
from tests.judge.chat import graded
from tests.judge.test_cost import backends

from assay import registry
from assay.core import Sample
from assay.data import Profile
from assay.data.rubrics import rubric_names
from assay.engine import score_batch
from assay.runner.job import Job
from assay.textproc import degenerate
from assay.textproc.degenerate import emptiness

EMPTY = (
    *(
        "",
        " ",
        "\n",
        "\t\r\n",
        "\u00a0",
        "\u3000",
        "\u200b\u200b",
        "\u2060\ufeff",
        "\x00",
        "\u00ad",
    ),
    *(":", ".", ",", "…", "!", "?", "-", "—", "***", "---", "###", "()", '""', "''", "[]", "{}"),
    *("؟", "。", "，", "！", "|", "```", "> ", "••", "ـــ", "$$", "=", "~"),
    *("Thought process:", "thought process", "Let's solve this problem step by step."),
    *("Let’s think step by step:", "Solution", "Solution:", "SOLUTION", "Answer:", "**Answer**"),
    *("The answer is:", "The final answer is", "Reasoning:", "解", "解答：", "答案是", "かいせつ"),
    *("Sure! Here is the answer:", "Yes, of course. Let me think.", "نعم، الجواب هو:"),
    *("Respuesta:", "Antwort:", "Réponse :", "Ответ:", "उत्तर", "الجواب:", "الإجابة هي", "정답"),
)
QUESTIONS = tuple(
    question.format(n)
    for n in range(10)
    for question in (
        "What is the capital of country number {}?",
        "How many days has month {}?",
        "Explain step {} of the procedure",
        "ما هي الخطوة رقم {}؟",
        "第{}题的答案是什么？",
    )
)


def test_the_corpus_is_large_enough():
    assert len(set(EMPTY)) >= 60
    assert len(set(QUESTIONS)) == 50


def test_none_of_them_reaches_the_judge_or_passes(chat):
    chat.answer = graded(5)
    names = [f"judge.{name}" for name in rubric_names()]
    plan = Job(tuple(names), Profile(), backends=backends(chat)).plan()
    context = "It is Paris."
    from assay.core import Document

    samples = [
        Sample(query=query, response=response, contexts=(Document(context),))
        for query in QUESTIONS
        for response in (*EMPTY, query, f"  {query.lower()}  ", f"Answer: {query}")
    ]
    for sample, scores in zip(samples, score_batch(plan, samples), strict=True):
        for name in names:
            result = scores[name]
            assert "degenerate" in result.details, (sample.query, sample.response)
            assert result.passed is not True
            worst = registry.metrics()[name].range[0]
            expected = ("missing", None) if name == "judge.refusal" else ("ok", worst)
            assert (result.state, result.value) == expected
    assert chat.asked == []


@pytest.mark.parametrize(
    ("response", "query"),
    [
        ("Yes", "Is it open?"),
        ("Sure.", "Can you open it?"),
        ("نعم", "هل هو مفتوح؟"),
        ("4", "What is 2 + 2?"),
        ("٤", "كم؟"),
        ("👍", "Is it fine?"),
        ("Hello!", "Hello"),
        ("مرحبا", "مرحبا"),
        ("The answer is 4.", "What is 2 + 2?"),
        ("Solution: restart it.", "It hangs, what now?"),
        ("是", "对吗？"),
        ("C", "Which one?"),
        ("I do not know.", "Why?"),
        ("The answer is yes.", "Is it open?"),
        ("Answer: Sure", "Can you open it?"),
        ("الجواب: نعم", "هل هو مفتوح؟"),
        ("Is it open? Yes.", "Is it open?"),
        ("∞", "Where does it end?"),
        ("€", "Which sign has the euro?"),
        ("→", "Which way?"),
        ("No.", "Is it open?"),
        ("لا", "هل هو مفتوح؟"),
        ("½", "How much?"),
        ("What is it? It is a door.", "What is it?"),
    ],
)
def test_a_short_answer_is_an_answer(response, query):
    assert emptiness(response, query) == ""


def test_a_rubric_may_want_to_see_them(chat, tmp_path):
    path = tmp_path / "silence.toml"
    path.write_text(
        'title = "Silence."\nquestion = "Is it silent?"\ninputs = ["response"]\n'
        'degenerate = "ask"\n[scale]\nmin = 1\nmax = 5\n'
    )
    from assay.runner.job import with_rubrics

    profile = with_rubrics(Profile(), [str(path)])
    plan = Job((), profile, backends=backends(chat)).plan()
    result = score_batch(plan, [Sample(response="")])[0]["judge.silence"]
    assert (result.value, len(chat.asked)) == (4.0, 1)


@pytest.mark.parametrize(
    ("piece", "reason"),
    [
        (":", "has neither a letter nor a digit"),
        ("\u200b", "has neither a letter nor a digit"),
        ("answer ", "repeats the query"),
        ("What is it? ", "repeats the query"),
        ("ـ", "repeats the query"),
    ],
)
def test_long_texts_are_compared_and_not_taken_apart(monkeypatch, piece, reason):
    """What is taken apart is bounded, so the time for the rest is linear in its length."""
    lengths = []
    words = degenerate._words
    monkeypatch.setattr(degenerate, "_words", lambda text: lengths.append(len(text)) or words(text))
    text = piece * 200_000
    assert emptiness(text, text) == reason
    assert emptiness(text + "b", text) == ""
    assert emptiness("b", text) == ""
    assert max(lengths) <= degenerate.LONGEST
