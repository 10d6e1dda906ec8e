"""How a system does now, against last time; and what people say about runs."""

import pytest
from tests.server.test_jobs import finished, start

RIGHT = "The store opens at 9 AM."
QUESTIONS = [f"When does store number {n} open?" for n in range(12)]
OTHER = [f"What does ticket number {n} cost?" for n in range(8)]


def answers(questions, bad=0, ids="{}"):
    return [
        {
            "id": ids.format(n),
            "query": query,
            "response": "You stupid idiot, I hate you." if n < bad else RIGHT,
            "expected": RIGHT,
        }
        for n, query in enumerate(questions)
    ]


def score(client, run, samples, metrics=("safety.toxicity", "answer.similarity")):
    client.now += 60
    job = start(client, samples=samples, run=run, metrics=list(metrics))
    assert finished(client, job)["status"] == "done"


@pytest.fixture
def runs(client):
    """A dataset of two runs, the later one worse, and the one run of another dataset before."""
    score(client, "tickets", answers(OTHER))
    score(client, "monday", answers(QUESTIONS))
    score(client, "tuesday", answers(QUESTIONS, bad=9))
    return client


def standing(client, **params):
    found = client.get("/v1/standing", params=params)
    assert found.status_code == 200, found.text
    return found.json()


def change(client, run, **body):
    return client.call("PATCH", f"/v1/runs/{run}", role="write", json=body)


def test_an_empty_store_has_no_standing(client):
    found = standing(client)
    assert (found["datasets"], found["run"], found["comparison"]) == ([], None, None)


def test_the_latest_run_is_compared_with_the_one_before_it(runs):
    found = standing(runs)
    assert (found["run"]["name"], found["against"]["name"]) == ("tuesday", "monday")
    assert found["run"]["passed"] == 3
    low, high = found["run"]["pass_rate_interval"]
    assert low < found["run"]["pass_rate"] == 0.25 < high
    verdicts = {one["metric"]: one["verdict"] for one in found["comparison"]["metrics"]}
    assert verdicts["safety.toxicity"] == "worse"
    assert found["causes"] == {"safety.toxicity": 9}
    assert {test["run"] for test in found["worst"]} == {"tuesday"}
    assert len(found["worst"]) == 5


def test_runs_over_other_questions_are_another_dataset(runs):
    names = [[run["name"] for run in one["runs"]] for one in standing(runs)["datasets"]]
    assert names == [["tuesday", "monday"], ["tickets"]]
    other = standing(runs, dataset="tickets")
    assert (other["run"]["name"], other["against"], other["comparison"]) == ("tickets", None, None)
    assert runs.get("/v1/standing", params={"dataset": "none"}).status_code == 404
    listed = runs.get("/v1/datasets").json()
    assert [one["id"] for one in listed] == ["monday", "tickets"]


def test_runs_with_other_ids_are_paired_by_query(runs):
    score(runs, "wednesday", answers(QUESTIONS, ids="other-{}"))
    found = standing(runs)
    assert found["against"]["name"] == "tuesday"
    assert (found["comparison"]["paired_by"], found["comparison"]["pairs"]) == ("query", 12)


def test_runs_without_a_common_sample_get_advice_that_a_page_can_follow(runs):
    """Neither an option of the command line nor a way to pair that was tried already."""
    score(runs, "elsewhere", answers(["Where is the desk?"], ids="elsewhere-{}"))
    refused = runs.get("/v1/compare", params={"a": "monday", "b": "elsewhere", "by": "auto"})
    assert refused.status_code == 400
    assert refused.json()["error"] == (
        "'monday' and 'elsewhere' share no sample by id or by query; "
        "give runs over the same samples"
    )
    by_id = runs.get("/v1/compare", params={"a": "monday", "b": "elsewhere", "by": "id"})
    assert by_id.json()["error"].endswith("or pair them by query")


def test_only_metrics_that_scored_are_shown(client):
    samples = [{"query": query, "response": RIGHT} for query in QUESTIONS]
    score(client, "bare", samples)
    found = standing(client)
    assert [one["metric"] for one in found["metrics"]] == ["safety.toxicity"]
    assert found["unscored"] == 1


def test_why_there_is_no_value_is_what_the_results_say(client):
    samples = [{"query": query, "response": RIGHT} for query in QUESTIONS]
    score(client, "bare", samples)
    test = client.get("/v1/tests", params={"run": "bare"}).json()["items"][0]["test_id"]
    said = client.get(f"/v1/tests/{test}").json()["results"]["answer.similarity"]["explanation"]
    figures = client.get("/v1/statistics").json()["validation_metrics"]
    assert figures["answer.similarity"]["reason"] == said
    assert figures["safety.toxicity"]["reason"] is None


def test_a_pinned_baseline_takes_the_place_of_the_run_before(runs):
    score(runs, "wednesday", answers(QUESTIONS, bad=1))
    assert standing(runs)["against"]["name"] == "tuesday"
    assert change(runs, "monday", is_baseline=True).json()["is_baseline"]
    assert standing(runs)["against"]["name"] == "monday"
    change(runs, "tickets", is_baseline=True)
    change(runs, "tuesday", is_baseline=True)
    pinned = [run["name"] for run in runs.get("/v1/runs").json()["items"] if run["is_baseline"]]
    assert sorted(pinned) == ["tickets", "tuesday"]
    change(runs, "tuesday", is_baseline=False)
    assert standing(runs)["against"]["name"] == "tuesday"
    kinds = {entry["action"] for entry in runs.get("/v1/audit", role="admin").json()["items"]}
    assert {"run.pinned", "run.unpinned"} <= kinds


def test_a_run_is_renamed_and_noted(runs):
    noted = change(runs, "tuesday", name="release 2", note="New prompt, for <b>all</b>")
    assert noted.status_code == 200, noted.text
    assert runs.get("/v1/runs/tuesday").status_code == 404
    found = runs.get("/v1/runs/release 2").json()
    assert (found["name"], found["note"]) == ("release 2", "New prompt, for <b>all</b>")
    assert standing(runs)["run"]["note"] == found["note"]
    assert runs.get("/v1/tests", params={"run": "release 2"}).json()["total"] == 12
    taken = change(runs, "monday", name="release 2")
    assert taken.status_code == 400
    assert "exists already" in taken.json()["error"]
    assert change(runs, "monday", name="a/b").status_code == 422
    assert runs.call("PATCH", "/v1/runs/monday", role="read", json={}).status_code == 403


def test_groups_are_shown_against_metrics(client):
    samples = [
        {**sample, "tags": ["even" if place % 2 == 0 else "odd", "all"]}
        for place, sample in enumerate(answers(QUESTIONS, bad=1))
    ]
    score(client, "tagged", samples)
    table = client.get("/v1/runs/tagged/groups").json()
    assert [group["name"] for group in table["groups"]] == ["all", "even", "odd"]
    assert set(table["metrics"]) == {"safety.toxicity", "answer.similarity"}
    cell = table["groups"][1]["cells"]["safety.toxicity"]
    assert (cell["count"], cell["passed"], cell["judged"]) == (6, 5, 6)
    low, high = cell["interval"]
    assert low <= cell["mean"] <= high
    assert table["left_out"] == 0


def test_values_of_a_metric_come_in_order(runs):
    found = runs.get("/v1/runs/tuesday/values", params={"metric": "safety.toxicity"}).json()
    assert (found["total"], len(found["values"])) == (12, 12)
    assert found["values"] == sorted(found["values"])
    assert set(found["labels"]) == {None}
    missing = runs.get("/v1/runs/tuesday/values", params={"metric": "text.safety"})
    assert missing.status_code == 404


def matrix(client, runs, **params):
    found = client.get("/v1/matrix", params={"runs": runs, **params})
    assert found.status_code == 200, found.text
    return found.json()


def test_a_matrix_shows_what_was_lost_and_gained(runs):
    found = matrix(runs, "tuesday,monday")
    assert (found["runs"], found["paired_by"]) == (["monday", "tuesday"], "id")
    assert found["counts"] == {"all": 12, "changed": 9, "lost": 9, "gained": 0}
    first = found["rows"][0]
    assert (first["change"], first["query"]) == ("lost", QUESTIONS[0])
    assert [cell["status"] for cell in first["cells"]] == ["passed", "failed"]
    assert first["cells"][0]["response"] == RIGHT
    lost = matrix(runs, "monday,tuesday", only="lost", limit=4, offset=8)
    assert (lost["total"], len(lost["rows"])) == (9, 1)
    assert matrix(runs, "monday,tuesday", only="gained")["rows"] == []


def test_a_matrix_pairs_by_query_where_ids_differ(runs):
    score(runs, "wednesday", answers(QUESTIONS[:6], ids="other-{}"))
    found = matrix(runs, "monday,tuesday,wednesday")
    assert found["paired_by"] == "query"
    assert found["counts"]["all"] == 12
    assert sum(row["cells"][2] is None for row in found["rows"]) == 6
    assert {row["change"] for row in found["rows"]} == {"lost", "changed", "all"}


@pytest.mark.parametrize(
    ("names", "status"),
    [
        ("monday", 400),
        ("monday,none", 404),
        (",".join(f"a-long-name-of-a-cell-of-the-grid-{n:030}" for n in range(64)), 404),
        (",".join(map(str, range(65))), 400),
    ],
)
def test_a_matrix_needs_two_to_64_runs(runs, names, status):
    assert runs.get("/v1/matrix", params={"runs": names}).status_code == status


def test_a_comparison_may_choose_its_pairs_itself(runs):
    score(runs, "wednesday", answers(QUESTIONS, ids="other-{}"))
    params = {"a": "monday", "b": "wednesday"}
    refused = runs.get("/v1/compare", params=params)
    assert refused.status_code == 400
    assert "--by" not in refused.json()["error"]
    assert runs.get("/v1/compare", params={**params, "by": "auto"}).json()["paired_by"] == "query"
