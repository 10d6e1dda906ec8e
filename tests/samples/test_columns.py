"""Columns as people head them: read right, or asked about."""

from typing import Any

import pytest

from assay.core import DataError, UsageError
from assay.samples.columns import check_map, parse_map, read_columns

QUESTIONS = ["Where is the office?", "Who wrote Hamlet?", "When do you open?"]
ANSWERS = ["It is in Bonn.", "Shakespeare wrote it.", "We open at nine."]
TRUTHS = ["Bonn", "William Shakespeare", "At nine"]
PASSAGES = ["The office is in Bonn, near the Rhine.", "Hamlet is a play by him.", "Open from 9 AM."]


def table(**columns: list[Any]) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def read(columns: dict[str, list[Any]], **options: Any) -> dict[str, str]:
    """Field → column."""
    reading = read_columns("a.csv", table(**columns), **options)
    return {field: column for column, field in reading.fields.items()}


@pytest.mark.parametrize(
    ("question", "answer", "truth"),
    [
        ("Question", "Model Answer", "Correct Answer"),
        ("Question Text", "AI Response", "Expected Answer"),
        ("User question", "Bot reply", "Ground truth"),
        ("customer_query", "llm_output", "gold_answer"),
        ("Prompt", "GPT-4o answer", "Reference answer"),
        ("userQuestion", "generatedAnswer", "idealAnswer"),
        ("q", "chatbot response", "solution"),
        ("Original question", "Model response (GPT-4o)", "target_text"),
        ("Test input", "Actual result", "Expected result"),
        ("السؤال", "إجابة النموذج", "الإجابة الصحيحة"),
        ("سؤال المستخدم", "رد الروبوت", "الإجابة النموذجية"),
        ("Frage", "Antwort des Modells", "Richtige Antwort"),
        ("Frage", "Antwort des Bots", "Musterlösung"),
        ("Frage", "Antwort des Bots", "Soll"),
        ("Question", "Réponse du modèle", "Réponse attendue"),
        ("Pregunta", "Respuesta del modelo", "Respuesta correcta"),
    ],
)
def test_headings_of_spreadsheets_are_read(question: str, answer: str, truth: str) -> None:
    assert read({question: QUESTIONS, answer: ANSWERS, truth: TRUTHS}) == {
        "query": question,
        "response": answer,
        "expected": truth,
    }


def test_retrieved_passages_are_read() -> None:
    columns = {"Question": QUESTIONS, "Bot Answer": ANSWERS, "Source Documents": PASSAGES}
    assert read(columns)["contexts"] == "Source Documents"


def test_a_clear_name_goes_before_words() -> None:
    columns = {"Question Text": TRUTHS, "query": QUESTIONS, "response": ANSWERS}
    assert read({**columns, "Model answer": TRUTHS}) == {"query": "query", "response": "response"}


def test_an_empty_column_gives_no_field() -> None:
    columns = {"instruction": QUESTIONS, "input": ["", None, ""], "output": ANSWERS}
    assert read(columns) == {"query": "instruction", "response": "output"}
    with pytest.raises(DataError, match="'input' and 'instruction' may each be the query"):
        read({**columns, "input": PASSAGES})


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Answer Score", [0.1, 0.5, 0.9]),
        ("Score", [1, 2, 3]),
        ("Response Time", [0.3, 0.4, 0.5]),
        ("response_tokens_total", [3, 4, 5]),
        ("Answer ID", ["a1", "a2", "a3"]),
        ("Answer correct", ["yes", "no", "yes"]),
        ("Is answer right", ["yes", "no", "yes"]),
        ("Correct?", ["yes", "no", "yes"]),
        ("GPT-4 answer length", [3, 4, 5]),
        ("model", ["gpt-4o", "gpt-4o", "gpt-4o"]),
        ("Answered by", ["Ann", "Bo", "Cy"]),
        ("Answer language", ["en", "en", "ar"]),
        ("تقييم الإجابة", [1, 2, 3]),
    ],
)
def test_what_is_said_about_an_answer_is_no_answer(name: str, values: list[Any]) -> None:
    assert "response" not in read({"Question": QUESTIONS, name: values})
    assert read({"Question": QUESTIONS, "Bot answer": ANSWERS, name: values})["response"] == (
        "Bot answer"
    )


@pytest.mark.parametrize(
    "values",
    [
        ["correct", "incorrect", "correct"],
        [1, 0, 1],
        ["TRUE", "FALSE", "TRUE"],
        ["yes", "no", "no"],
    ],
)
def test_verdicts_are_no_expected_answers(values: list[Any]) -> None:
    columns = {"Question": QUESTIONS, "Bot answer": ANSWERS, "Correct": values}
    assert "expected" not in read(columns)


def test_names_and_addresses_of_documents_are_no_passages() -> None:
    columns = {"response": ANSWERS, "Source document": ["a.pdf", "b.pdf", "https://c.example/d"]}
    assert "contexts" not in read(columns)


def test_empty_columns_are_not_read() -> None:
    assert "expected" not in read({"response": ANSWERS, "Correct Answer": [None, "", None]})


@pytest.mark.parametrize(
    "columns",
    [
        {"Question": QUESTIONS, "GPT-4 answer": ANSWERS, "Claude answer": TRUTHS},
        {"Question": QUESTIONS, "Model answer": TRUTHS, "Student answer": ANSWERS},
        {"question": QUESTIONS, "answer": TRUTHS, "model_answer": ANSWERS},
        {"question": QUESTIONS, "answer": TRUTHS, "prediction": ANSWERS},
    ],
)
def test_two_columns_for_one_field_are_asked_about(columns: dict[str, list[Any]]) -> None:
    with pytest.raises(DataError, match=r"may each be the response; say which: --map response="):
        read(columns)


def test_the_question_says_what_the_other_column_may_be() -> None:
    columns = {"question": QUESTIONS, "answer": TRUTHS, "model_answer": ANSWERS}
    with pytest.raises(
        DataError,
        match="--map response=model_answer --map expected=answer or --map response=answer",
    ):
        read(columns)


def test_a_copy_of_the_response_is_not_asked_about() -> None:
    columns = {"answer": ANSWERS, "model_answer": ANSWERS}
    assert read(columns) == {"response": "answer"}


def test_letters_of_choices_are_not_taken_for_expected_texts() -> None:
    columns = {"Question": QUESTIONS, "Model answer": ANSWERS, "Correct answer": ["A", "B", "D"]}
    with pytest.raises(DataError, match=r"it holds numbers or letters only, 'Model answer' texts"):
        read(columns)
    columns["Model answer"] = ["A) Bonn", "B) Marlowe", "(D) At nine"]
    assert read(columns)["expected"] == "Correct answer"


def test_numbers_are_expected_where_responses_hold_numbers() -> None:
    columns = {"Question": QUESTIONS, "Model answer": ["It is 4.", "7", "12 of them"]}
    assert read({**columns, "Correct answer": [4, 7, 12]})["expected"] == "Correct answer"


def test_numbers_of_questions_are_not_the_questions() -> None:
    columns = {"Question": [1, 2, 3], "Question text": QUESTIONS, "Answer": ANSWERS}
    with pytest.raises(DataError, match="'Question' and 'Question text' may each be the query"):
        read(columns)


def test_gt_is_json_only_where_it_holds_json() -> None:
    assert read({"response": ANSWERS, "gt": TRUTHS})["expected"] == "gt"
    assert read({"response": ANSWERS, "gt": ['{"a": 1}'] * 3})["expected_json"] == "gt"


def test_the_caller_names_columns_before_all_names() -> None:
    columns = {"question": QUESTIONS, "answer": TRUTHS, "x": ANSWERS}
    named = check_map({"response": "x", "expected": "answer"})
    assert read(columns, named=named) == {
        "query": "question",
        "response": "x",
        "expected": "answer",
    }


def test_the_caller_may_name_an_inner_value() -> None:
    records = [{"question": "q", "output": {"text": "a", "model": "m"}}]
    reading = read_columns("a.jsonl", records, named=check_map({"response": "output.text"}))
    assert reading.fields["output.text"] == "response"


def test_a_named_column_has_to_be_there() -> None:
    with pytest.raises(DataError, match=r"no column 'Anser', .* columns found: Question, Answer"):
        read({"Question": QUESTIONS, "Answer": ANSWERS}, named=(("response", "Anser"),))


def test_a_column_of_the_settings_may_be_absent() -> None:
    columns = {"Question": QUESTIONS, "Answer": ANSWERS}
    found = read(columns, named=(("response", "Model Answer"),), needs_map=False)
    assert found == {"query": "Question", "response": "Answer"}


def test_a_format_leaves_nothing_to_words() -> None:
    columns = {"input": QUESTIONS, "Model answer": ANSWERS}
    assert read(columns, format="deepeval") == {"query": "input"}


def test_maps_are_checked() -> None:
    assert parse_map(["response=Model Answer", "expected = a=b"]) == {
        "response": "Model Answer",
        "expected": "a=b",
    }
    with pytest.raises(UsageError, match="expected FIELD=COLUMN"):
        parse_map(["Model Answer"])
    with pytest.raises(UsageError, match="names 'reply', which is no field; expected one of id"):
        check_map({"reply": "x"})


def test_what_is_read_is_said() -> None:
    records = table(**{"Question": QUESTIONS, "Model Answer": ANSWERS, "Score": [1, 2, 3]})
    assert str(read_columns("a.csv", records)) == (
        "columns found: Question, Model Answer, Score; "
        "read as: query = Question, response = Model Answer; only kept as metadata: Score"
    )
