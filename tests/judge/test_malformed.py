"""Replies that are not exactly one verdict: none of them becomes a score."""

import json

import pytest
from tests.judge.chat import graded
from tests.judge.test_cost import score

from assay.backends.judge import EndpointJudge
from assay.backends.judge_questions import JudgeQuestion, NoVerdictError, Numbers
from assay.backends.verdict_reader import read_verdict
from assay.core import Sample
from assay.data.rubrics import rubric
from assay.features.rubric_verdicts import question_of

QUERY = "When does the office open?"


def variants(asked, number):
    """A good verdict in three hundred bad forms, and some that are none at all."""
    good = graded(4, "Fine.")(asked)
    text = json.dumps(good)
    bare = {key: value for key, value in good.items() if key != "score"}
    answers = [0, 6, 7, -1, 4.5, 1e9, "4", "four", "أربعة", "四", "4/5", None, True, [4], {"a": 4}]
    answers += [number / 10 for number in range(11, 50) if number % 10]
    cuts = [text[:end] for end in range(len(text))] + [text[n:] for n in range(1, len(text))]
    words = ["Score: 4", "4", "[[4]]", "**4**", "GRADE: C", "I rate this 4 out of 5.", "الدرجة 4"]
    words += ["点数は4です", "A", "yes", "null", "true", "[]", "{}", '""', "\x00", "４", "٤", "N/A"]
    around = ["Sure! {}", "{} Hope this helps.", "```json\n{}\n```", "<think>x</think>{}", "'{}'"]
    around += ["verdict = {}", "{}{}", "{}\n{}", "[{}]", "({})", "data: {}", "{};", "/* x */ {}"]
    around += [
        "<verdict>{}</verdict>",
        '{{"verdict": {}}}',
        "{},",
        "// c\n{}",
        "ها هو: {}",
        "\u200b{}",
    ]
    odd = [{**bare, "score": answer} for answer in answers]
    odd += [{**good, "extra": 1}, bare, {**good, "nonce": good["nonce"].upper()}]
    odd += [{**good, "nonce": asked.nonce[:-1]}, {**good, "nonce": f"{asked.nonce} "}]
    odd += [{**good, "nonce": None}, {**good, "nonce": 0}, {**good, "reason": None}]
    odd += [{**good, "quote": 1}, {"label": "answers", "nonce": asked.nonce}, [good], [good, good]]
    odd += [{key.upper(): value for key, value in good.items()}, {"score": 4}, [4, asked.nonce]]
    odd += [{**good, "nonce": "0" * 32}, {**good, "nonce": asked.nonce[::-1]}]
    broken = [text.replace('"', "'"), text.replace("}", ",}"), text.replace(": 4", ": 04")]
    broken += [text.replace(": 4", f": {n}") for n in ("NaN", "Infinity", "1e999", "+4", "4.", "")]
    broken += [text.replace('"score": 4', '"score": 4, "score": 5'), text.replace(":", "=")]
    broken += [text.replace('"score": 4', '"score": 5, "score": 4'), text * 2, text + text[:5]]
    broken += [text.replace("{", "{{"), "[" * 100_000, '{"a":' * 600, "9" * 5000, text + "\x00"]
    broken += [text.replace('"nonce"', '"nonce": "x", "nonce"'), text.replace(",", "")]
    every = [*cuts, *words, *(form.replace("{}", text) for form in around[:14]), *broken]
    every += [form.format(text, text) for form in around[14:]]
    every += [json.dumps(one) for one in odd]
    return every[number]


def count():
    class Any:
        nonce = "0123456789abcdef" * 2

    number = 0
    while True:
        try:
            variants(Any, number)
        except IndexError:
            return number
        number += 1


COUNT = count()


def test_no_score_is_guessed(chat):
    assert COUNT >= 300

    def answer(asked):
        return variants(asked, int(asked.plain(1).split()[-1]))

    chat.answer = answer
    judge = EndpointJudge("small", chat.url, is_kept=False)
    sample = {"query": QUERY}
    found = judge.judge(
        [
            question_of(rubric("helpfulness"), {**sample, "response": f"Answer number {n}"})
            for n in range(COUNT)
        ]
    )
    for number, one in enumerate(found):
        assert isinstance(one, NoVerdictError), number
        assert one.fault == "unusable"
        assert len(one.reply) <= 500
        assert one.reply.isprintable()
    assert len(chat.asked) == 2 * COUNT  # one repair each, never more


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ({"choices": []}, "exactly one choice"),
        ({"choices": [{"message": {"content": "GOOD"}}] * 2}, "exactly one choice"),
        ({"choices": [{"message": {"content": None}}]}, "empty"),
        ({"choices": [{"message": {"content": "  "}}]}, "empty"),
        ({"choices": [{"message": {"content": [{"text": "GOOD"}]}}]}, "empty"),
        ({"choices": [{"message": {"content": "GOOD"}, "finish_reason": "length"}]}, "cut off"),
        (
            {"choices": [{"message": {"content": "GOOD"}, "finish_reason": "content_filter"}]},
            "content filter",
        ),
        ({"choices": [{"message": {"content": "GOOD", "tool_calls": [{}]}}]}, "tool call"),
        ({"choices": [{"message": {"content": "GOOD", "refusal": "no"}}]}, "refuses"),
        ({"choices": [{"text": "GOOD"}]}, "no message"),
        ({"error": "GOOD"}, "exactly one choice"),
        ([], "exactly one choice"),
        ("<html>GOOD</html>", "Expecting value"),
    ],
)
def test_an_endpoint_whose_answer_is_odd(chat, reply, reason):
    def answer(asked):
        text = reply if isinstance(reply, str) else json.dumps(reply)
        good = json.dumps(json.dumps(graded(4)(asked)))[1:-1]
        return 200, text.replace("GOOD", good)

    chat.answer = answer
    result = score(chat, Sample(query=QUERY, response="At nine."))
    assert (result.state, result.value) == ("error", None)
    assert reason in result.explanation
    assert "reply" in result.details


def test_what_the_judge_said_is_kept_for_people_and_harmless(chat):
    chat.answer = lambda asked: "\x1b[31mI think\u202e it is\r\n fine " + "x" * 5000
    result = score(chat, Sample(query=QUERY, response="At nine."))
    assert result.state == "error"
    assert result.details["reply"].startswith("[31mI think it is fine xxx")
    assert len(result.details["reply"]) == 500
    assert result.details["fault"] == "unusable"


@pytest.mark.parametrize("score", ["1" + "0" * 350, "-1" + "0" * 399, "1e400", "1e-400"])
def test_a_number_that_no_scale_holds_is_no_verdict(score):
    question = JudgeQuestion("How?", (), Numbers(1, 5), explains=False)
    with pytest.raises(ValueError, match=r"score|number"):
        read_verdict(f'{{"score": {score}, "nonce": "n"}}', question, "n")
