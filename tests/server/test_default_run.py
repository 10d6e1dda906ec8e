"""What the dashboard's first page shows of a run that names no metrics."""

import pytest

import assay
from assay.data import Profile
from assay.data.profiles import FieldRule

SAMPLES = [
    {
        "query": "When does the library open?",
        "response": "The library opens at nine.",
        "expected": "At nine.",
        "contexts": ["The library opens at nine and closes at six."],
    },
    {
        "query": "May I bring a dog?",
        "response": "Dogs are welcome on the ground floor.",
        "expected": "Yes, on the ground floor.",
        "contexts": ["Dogs are allowed on the ground floor."],
    },
]


def store_run(client, name, **options):
    report = assay.evaluate(
        SAMPLES, run=name, store=client.config.settings.store, settings=None, **options
    )
    return report.summary.metrics


@pytest.fixture
def overview(client):
    def read(name, **options):
        metrics = store_run(client, name, **options)
        return client.get(f"/v1/overview?run={name}").json(), metrics

    return read


def test_a_default_run_shows_its_own_metrics(overview):
    page, metrics = overview("monday")
    cards = {card["metric"]: card for card in page["critical"]["metrics"]}
    assert {"answer.correctness", "rag.faithfulness", "safety.toxicity"} <= cards.keys()
    assert cards.keys() <= metrics.keys()
    for id, card in cards.items():
        assert card["value"] == pytest.approx(metrics[id].mean)
        assert card["status"] in ("excellent", "good", "watch")
    assert 0 < page["critical"]["system_health"] <= 1
    scores = {category["name"]: category["score"] for category in page["categories"]}
    assert 0 < scores["base"] <= 1
    assert 0 < scores["rag"] <= 1
    assert scores["safety"] == page["statistics"]["safety"]
    harms = ("safety.toxicity", "safety.bias", "safety.harm", "safety.pii")
    expected = [1 - metrics[id].mean for id in harms]  # safety.secrets decides nothing by default
    assert page["statistics"]["safety"] == pytest.approx(sum(expected) / len(expected))
    assert page["timeseries"][0]["safety"] == pytest.approx(page["statistics"]["safety"])
    assert page["statistics"]["health"] == page["statistics"]["pass_rate"]
    assert page["statistics"]["security_test_counts"]["safety.injection"] == 2
    assert all(axis["score"] is not None for axis in page["radar"])


def test_a_metric_that_somebody_chose_counts(overview):
    page, metrics = overview("tuesday", metrics=["safety"])
    harms = ("safety.toxicity", "safety.bias", "safety.harm", "safety.pii", "safety.secrets")
    expected = [1 - metrics[id].mean for id in harms]
    assert page["statistics"]["safety"] == pytest.approx(sum(expected) / len(expected))


def test_a_metric_that_decides_nothing_counts_in_no_figure(overview):
    rules = Profile(
        name="own",
        rules=(
            FieldRule((), ("answer.relevance",)),
            FieldRule((), ("safety.toxicity", "safety.bias"), gates=False),
        ),
    )
    page, metrics = overview("wednesday", profile=rules)
    assert metrics["safety.toxicity"].scored == 2
    assert page["statistics"]["safety"] is None
    assert page["timeseries"][0]["safety"] is None
    assert "safety.toxicity" in page["statistics"]["validation_metrics"]
    cards = {card["metric"]: card for card in page["critical"]["metrics"]}
    assert cards["safety.toxicity"]["value"] is not None
    assert page["critical"]["system_health"] == min(1.0, cards["answer.relevance"]["ratio"])


def test_the_same_metric_counts_only_for_the_runs_that_it_decides(client):
    rules = Profile(
        name="own",
        rules=(FieldRule((), ("safety.toxicity",), gates=False),),
    )
    store_run(client, "one", metrics=["safety.toxicity"])
    alone = client.get("/v1/statistics?run=one").json()
    store_run(client, "two", profile=rules)
    both = client.get("/v1/statistics").json()
    assert both["validation_metrics"]["safety.toxicity"]["count"] == 4
    assert both["safety"] == alone["safety"]


def test_a_chat_run_shows_the_metrics_of_the_guide(overview):
    page, _ = overview("thursday", metrics=["chat"])
    cards = [card["metric"] for card in page["critical"]["metrics"]]
    assert len(cards) == 15
    assert all(id.startswith("chat.") for id in cards)
