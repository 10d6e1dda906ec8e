"""What a person sees of a file before it is scored, and says about its columns."""

import pytest
from tests.server.test_jobs import finished, start, upload

CSV = (
    b"Question,Model Answer,Correct Answer,Topic\n"
    b"Is it open?,Yes.,Yes.,hours\n"
    b"Until when?,Until 6 PM.,Until 6 PM.,hours\n"
)
TWO = (
    b"Question,GPT Answer,Claude Answer,Correct Answer\nIs it open?,Yes it is.,No it is not.,Yes.\n"
)


def preview(client, id, **body):
    answer = client.post(f"/v1/uploads/{id}/preview", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def fields(found):
    return {column["name"]: column["field"] for column in found["columns"]}


def test_columns_are_guessed_and_the_first_records_shown(client):
    found = preview(client, upload(client, CSV, "answers.csv"))
    assert fields(found) == {
        "Question": "query",
        "Model Answer": "response",
        "Correct Answer": "expected",
        "Topic": None,
    }
    assert found["columns"][1]["values"] == ["Yes.", "Until 6 PM."]
    assert found["fields"][:4] == ["query", "response", "expected", "contexts"]
    assert (found["has_answers"], found["doubt"]) == (True, None)
    assert (found["checked"], found["unreadable"], found["problems"]) == (2, 0, [])


def test_what_is_ambiguous_is_asked_and_the_answer_decides_the_run(client):
    id = upload(client, TWO, "two.csv")
    found = preview(client, id)
    assert fields(found) == {
        "Question": "query",
        "GPT Answer": None,
        "Claude Answer": None,
        "Correct Answer": "expected",
    }
    asked = found["doubt"]
    assert (asked["field"], asked["columns"]) == ("response", ["GPT Answer", "Claude Answer"])
    assert asked["problem"] == (
        "'two.csv': 'GPT Answer' and 'Claude Answer' may each be the response"
    )
    refused = client.post("/v1/jobs", json={"upload": id})
    assert refused.status_code == 400
    assert "'columns'" in refused.json()["error"]
    assert "--map" not in refused.json()["error"]
    columns = {"Claude Answer": "response"}
    assert preview(client, id, columns=columns)["doubt"] is None
    job = finished(client, start(client, upload=id, columns=columns, run="b"))
    assert job["status"] == "done"
    tests = client.get("/v1/tests", params={"run": "b"}).json()["items"]
    assert [test["response"] for test in tests] == ["No it is not."]


def test_a_column_can_be_kept_out_of_the_fields(client):
    id = upload(client, CSV, "answers.csv")
    columns = {"Correct Answer": "metadata", "Topic": "tags"}
    found = preview(client, id, columns=columns)
    assert fields(found)["Correct Answer"] is None
    assert fields(found)["Topic"] == "tags"
    finished(client, start(client, upload=id, columns=columns, run="plain"))
    test = client.get("/v1/tests", params={"run": "plain"}).json()["items"][0]
    sample = client.get(f"/v1/tests/{test['test_id']}").json()["sample"]
    assert sample["expected"] is None
    assert sample["metadata"]["Correct Answer"] == sample["response"]
    assert sample["tags"] == ["hours"]


def test_a_preview_counts_what_the_run_cannot_read(client):
    data = b'{"response": "A"}\n{"response": 3}\n{"response": "B", "duration": -1}\n{\n'
    id = upload(client, data)
    found = preview(client, id)
    finished(client, start(client, upload=id, run="mine"))
    assert found["unreadable"] == client.get("/v1/runs/mine").json()["unread"] > 1
    assert (found["checked"], len(found["problems"])) == (4, found["unreadable"])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"Question": "nonsense"}, "no field"),
        ({"Question": "query", "Topic": "query"}, "expected one column a field"),
        ({"Gone": "query"}, "has no column 'Gone'"),
    ],
)
def test_a_wrong_choice_is_refused(client, columns, message):
    id = upload(client, CSV, "answers.csv")
    for path, body in ((f"/v1/uploads/{id}/preview", {}), ("/v1/jobs", {"upload": id})):
        answer = client.post(path, json={**body, "columns": columns})
        assert answer.status_code == 400
        assert message in answer.json()["error"]


def test_a_file_without_answers_is_not_scored(client):
    id = upload(client, b"Question,Topic\nIs it open?,hours\n", "questions.csv")
    assert preview(client, id)["has_answers"] is False
    refused = client.post("/v1/jobs", json={"upload": id})
    assert refused.status_code == 400
    assert "no column gives the response" in refused.json()["error"]


def test_the_demo_is_two_real_runs_of_the_same_questions(client):
    started = client.post("/v1/demo").json()
    assert [job["run"] for job in started] == ["demo-1", "demo-2"]
    assert [finished(client, job)["status"] for job in started] == ["done", "done"]
    first, second = (client.get(f"/v1/runs/demo-{n}").json() for n in (1, 2))
    assert (first["tests"], second["tests"]) == (32, 32)
    assert first["pass_rate"] < second["pass_rate"]
    changed = client.get("/v1/compare", params={"a": "demo-1", "b": "demo-2"}).json()
    assert changed["pairs"] == 32
    again = client.post("/v1/demo")
    assert again.status_code == 400
    assert "exists already" in again.json()["error"]
