"""The Python calls: evaluate, aevaluate, score, Report."""

import asyncio

import pytest

import assay
from assay.core import SampleError, UsageError
from assay.data import Profile

SAMPLES = [
    {
        "id": "a",
        "query": "Where?",
        "response": "In the town hall.",
        "expected": "In the town hall.",
    },
    {
        "id": "b",
        "query": "Who?",
        "response": "Write to john@example.com.",
        "expected": "The mayor.",
    },
]


def test_evaluate_gives_scores_summary_and_failures():
    report = assay.evaluate(SAMPLES, metrics=["text.safety", "text.factuality"])
    assert [scores.id for scores in report.scores] == ["a", "b"]
    assert report.overall == pytest.approx((1.0 + (0.85 + 0.0) / 2) / 2)
    assert report.pass_rate == 0.5
    assert [(s.id, r.metric) for s, r in report.failures] == [
        ("b", "text.factuality"),
        ("b", "text.safety"),
    ]
    assert report.metrics["text.safety"].mean == pytest.approx(0.925)


def test_auto_chooses_when_nothing_is_named():
    summary = assay.evaluate(SAMPLES).summary
    assert summary.selection.startswith("auto chose ")
    assert not any(id.startswith("text.") for id in summary.metrics)


def test_a_profile_chooses_metrics_thresholds_and_weights():
    profile = Profile(
        metrics=("text.safety", "text.cost"),
        thresholds={"text.safety": 0.5},
        weights={"text.safety": 3.0},
    )
    report = assay.evaluate(SAMPLES[1:], profile=profile)
    assert set(report.metrics) == {"text.safety", "text.cost"}
    assert report.pass_rate == 1.0
    assert report.overall == pytest.approx((3 * 0.85 + 1.0) / 4)


def test_files_and_golden_datasets_are_samples_too(tmp_path):
    dataset = assay.GoldenDataset("g", examples=tuple(map(_sample, SAMPLES)))
    path = tmp_path / "g.json"
    dataset.save(path)
    from_memory = assay.evaluate(dataset, metrics=["text.safety"])
    from_file = assay.evaluate(path, metrics=["text.safety"])
    assert from_memory.summary.to_json() == from_file.summary.to_json()


def _sample(fields):
    return assay.Sample(**fields)


def test_a_bad_mapping_raises_and_a_bad_line_is_counted(tmp_path):
    with pytest.raises(SampleError, match="'response' is a list"):
        assay.evaluate([{"response": ["x"]}])
    path = tmp_path / "a.jsonl"
    path.write_text('{"response": "Fine."}\n{"response": ["x"]}\n')
    summary = assay.evaluate(path).summary
    assert (summary.samples, summary.unread) == (1, 1)
    assert "line 2" in summary.problems[0]


@assay.metric(id="custom.length", inputs=("response",), range=(0, None), polarity="neutral")
def length(response: str, *, scale: float = 1.0) -> assay.Result:
    """How long the response is."""
    return assay.Result(len(response) * scale, f"{len(response)} characters.")


def test_custom_metrics_stand_beside_selectors_and_take_options():
    profile = Profile(options={"custom.length": {"scale": 2.0}})
    report = assay.evaluate(SAMPLES[:1], metrics=[length, "text.safety"], profile=profile)
    result = report.scores[0]["custom.length"]
    assert (result.value, result.quality, result.passed) == (34.0, None, None)
    assert "scale:2.0" in result.signature


def test_a_custom_metric_can_be_part_of_a_composite():
    @assay.metric(id="text.custom.calm", inputs=("response",), range=(0, 1), polarity="lower")
    def calm(response: str) -> assay.Result:
        return assay.Result(0.25, "Always the same.")

    options = {"text.overall": {"metrics": ["text.safety", "text.custom.calm"]}}
    report = assay.evaluate(
        SAMPLES[:1], metrics=["text.overall", calm], profile=Profile(options=options)
    )
    assert report.scores[0]["text.overall"].value == pytest.approx((1.0 + 0.75) / 2)


def test_weights_of_a_composite():
    options = {
        "text.overall": {
            "metrics": ["text.safety", "text.factuality"],
            "weights": {"text.safety": 3.0},
        }
    }
    scores = assay.score(**SAMPLES[1], metrics=["text.overall"], profile=Profile(options=options))
    assert scores["text.overall"].value == pytest.approx((3 * 0.85 + 0.0) / 4)
    assert scores["text.overall"].passed is None
    assert scores["text.overall"].details["all_passed"] is False
    assert set(scores.results) == {"text.overall"}


def test_score_has_the_fields_of_the_evaluator_contract():
    scores = assay.score(**SAMPLES[1], metrics=["text.safety", "text.factuality"])
    assert scores.score == pytest.approx(0.425)
    assert scores.passed is False
    assert scores.details == (
        "0 of 1 claims are supported by the expected answer.; 1 violation: email (1)."
    )
    assert scores.metric_scores["text.safety"] == ("text.safety", 0.85, 0.9, False)


def test_score_refuses_unknown_metrics():
    with pytest.raises(UsageError, match=r"did you mean 'text\.safety'"):
        assay.score(response="x", metrics=["text.saftey"])


def test_the_asynchronous_call_gives_the_same_and_leaves_the_loop_alone():
    async def work():
        loop = asyncio.get_running_loop()
        report = await assay.aevaluate(SAMPLES, metrics=["text"])
        assert asyncio.get_running_loop() is loop
        return report

    expected = assay.evaluate(SAMPLES, metrics=["text"])
    assert asyncio.run(work()).summary.to_json() == expected.summary.to_json()


def test_the_plain_call_works_inside_a_running_loop():
    async def work():
        return assay.evaluate(SAMPLES, metrics=["text.safety"])

    assert asyncio.run(work()).overall == pytest.approx(0.925)


def test_to_pandas_and_save(tmp_path):
    report = assay.evaluate(SAMPLES, metrics=["text.safety"])
    frame = report.to_pandas()
    assert list(frame.index) == ["a", "b"]
    assert frame["text.safety"].tolist() == [1.0, 0.85]
    report.save(tmp_path / "r.html")
    assert "text.safety" in (tmp_path / "r.html").read_text()


def test_workers_and_batches_do_not_change_a_report():
    samples = [
        {"response": f"Answer {i} is {'not ' * (i % 3)}right. Damn." * (i % 4)} for i in range(30)
    ]
    plain = assay.evaluate(samples)
    for workers, size in [(2, 4), (1, 1), (3, 100)]:
        other = assay.evaluate(samples, workers=workers, batch_size=size)
        assert other.scores == plain.scores
        assert other.summary.to_json() == plain.summary.to_json()


SHEET = [
    {"Question": "Capital of France?", "Model Answer": "Paris.", "Correct Answer": "Paris"},
    {"Question": "Capital of Spain?", "Model Answer": "Lisbon.", "Correct Answer": "Madrid"},
]


def test_mappings_are_read_by_their_words() -> None:
    report = assay.evaluate(SHEET, settings=None)
    assert [scores.status for scores in report.scores] == ["passed", "failed"]
    assert report.columns.endswith(
        "read as: query = Question, response = Model Answer, expected = Correct Answer"
    )


def test_a_map_names_columns() -> None:
    records = [{"q": "Capital of France?", "col b": "Paris."}]
    with pytest.raises(assay.AssayError, match="no column gives the response"):
        assay.evaluate(records, settings=None)
    report = assay.evaluate(records, map={"response": "col b"}, settings=None)
    assert report.samples[0].response == "Paris."


def test_evaluate_works_twice_inside_a_running_event_loop() -> None:
    """As in a notebook, whose cells run inside one."""

    async def bot(query: str) -> str:
        await asyncio.sleep(0)
        return "Paris."

    async def cells() -> list[float | None]:
        question = {"query": "Capital of France?", "expected": "Paris"}
        answered = [{**question, "response": "Paris."}]
        reports = [assay.evaluate(answered, settings=None) for _ in range(2)]
        reports += [assay.evaluate([question], target=bot, settings=None) for _ in range(2)]
        reports.append(await assay.aevaluate([question], target=bot, settings=None))
        assert assay.score(response="Paris.", expected="Paris", settings=None).verdict == "pass"
        return [report.pass_rate for report in reports]

    assert asyncio.run(cells()) == [1.0] * 5


def test_a_map_of_the_settings_counts_where_its_columns_are(tmp_path, monkeypatch) -> None:
    (tmp_path / "assay.toml").write_text('[map]\nresponse = "col b"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    report = assay.evaluate([{"q": "Capital of France?", "col b": "Paris."}])
    assert report.samples[0].response == "Paris."
    assert assay.evaluate([{"response": "Rome."}]).samples[0].response == "Rome."
    with pytest.raises(assay.AssayError, match="no column 'x'"):
        assay.evaluate([{"response": "Rome."}], map={"response": "x"})
