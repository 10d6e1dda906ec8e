"""Records go to workers and come back as text: nothing in them is ever unpickled."""

import datetime
import json
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from tests.metrics.test_cases import CASES, FAKES
from tests.runner.test_unparsed_lines import encoded, records, written
from tests.store.test_row_codec import samples

from assay import registry
from assay.core import Sample
from assay.core.jsontext import dumps, loads
from assay.core.score_digest import ScoreDigest
from assay.data import Profile
from assay.engine import make_plan, score_batch
from assay.runner import evaluate
from assay.runner.worker_messages import read_samples, read_scores, sample_texts, score_texts
from assay.samples import to_sample

PLUGIN = """
import sys
from multiprocessing import parent_process

import assay

def note(event, arguments):
    if event == "pickle.find_class":
        with open({path!r}, "a", encoding="utf-8") as file:
            file.write(".".join(arguments) + "\\n")

if parent_process():
    sys.addaudithook(note)

@assay.metric(id="custom.length", inputs=("response",), range=(0, None), polarity="higher")
def length(response: str) -> float:
    '''How long the response is.'''
    return len(response)
"""
MESSAGES = {
    "assay.runner.workers._BatchTask",
    "assay.runner.workers._score_batch",
    "assay.runner.workers.WorkerResult",
    "assay.backends.judge_questions.JudgeSpending",
    "assay.backends.judge_questions.VerdictUsage",
}
"""Classes of ours that messages to and from workers are made of."""
HEARD = []
"""Classes that pickles named in this process, while it is a list that somebody reads."""


def note(event, arguments):
    if event == "pickle.find_class":
        HEARD.append(".".join(arguments))


def test_no_pickle_holds_a_record_or_its_scores(tmp_path):
    path = tmp_path / "classes"
    plugin = tmp_path / "mine.py"
    plugin.write_text(PLUGIN.format(path=str(path)), encoding="utf-8")
    answers = [{"id": str(n), "response": f"Answer {n}, bob@example.com."} for n in range(40)]
    sys.addaudithook(note)
    HEARD.clear()
    given = {"metrics": ["custom.length", "text"], "plugins": [str(plugin)], "settings": None}
    report = evaluate(answers, **given, workers=2, batch_size=10)
    names = {*path.read_text(encoding="utf-8").splitlines(), *HEARD}
    assert "assay.runner.workers._BatchTask" in names
    assert {name for name in names if name.startswith("assay.")} <= MESSAGES
    plain = evaluate(answers, **given)
    assert [s.to_json() for s in report.scores] == [s.to_json() for s in plain.scores]


def test_no_pickle_holds_a_line_or_its_scores(tmp_path):
    """Where workers parse the lines of a file themselves, counts come back beside the texts."""
    path, plugin = tmp_path / "classes", tmp_path / "mine.py"
    plugin.write_text(PLUGIN.format(path=str(path)), encoding="utf-8")
    sys.addaudithook(note)
    HEARD.clear()
    given = {"metrics": ("custom.length", "text"), "plugin": str(plugin)}
    files, _, _ = written(tmp_path, encoded(records()), 2, **given)
    names = {*path.read_text(encoding="utf-8").splitlines(), *HEARD}
    assert "assay.engine.batch_counts.BatchCounts" in names
    assert {name for name in names if name.startswith("assay.")} <= MESSAGES | {
        "assay.engine.batch_counts.BatchCounts",
        "assay.engine.batch_counts.MetricColumn",
        "assay.samples.reader.RecordReading",
    }
    plain, _, _ = written(tmp_path, encoded(records()), 1, **given)
    assert files == plain


@given(samples)
def test_a_sample_arrives_as_it_was(sample):
    texts = sample_texts([sample])
    assert read_samples(texts) == [sample]


@pytest.mark.parametrize("family", sorted({metric.family for metric, _ in CASES}))
def test_scores_arrive_as_a_file_would_hold_them(family):
    for metric, case in CASES:
        if metric.family != family:
            continue
        sample = to_sample(case.fields, "case", needs_content=False)
        profile = Profile(options={metric.id: case.options})
        backends = replace(FAKES, judge="fake") if family == "judge" else FAKES
        plan = make_plan(registry.select([metric.id]), profile, backends=backends)
        (scores,) = score_batch(plan, [sample])
        (again,) = read_scores(score_texts([scores]))
        assert dumps(again.to_json()) == dumps(scores.to_json())
        assert {id: result._replace(details={}) for id, result in again.results.items()} == {
            id: result._replace(details={}, evidence=tuple(result.evidence))
            for id, result in scores.results.items()
        }
        assert replace(again, results={}) == replace(scores, results={})
        (digest,) = read_scores(score_texts([ScoreDigest.of(scores)]))
        assert loads(dumps([*digest])) == loads(dumps([*ScoreDigest.of(scores)]))


@pytest.mark.parametrize(
    "metadata",
    [
        {"when": datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)},
        {"x": float("nan")},
        {"deep": json.loads("[" * 600 + "]" * 600)},
    ],
)
def test_what_is_no_plain_data_is_scored_here(metadata):
    sample = Sample(id="a", response="Yes.", metadata=metadata)
    assert sample_texts([sample]) is None
    answers = [{"id": "a", "response": "Yes.", "metadata": metadata}, {"response": "No."}]
    given = {"metrics": ["text.safety"], "settings": None}
    found, plain = (evaluate(answers, **given, workers=count) for count in (2, 1))
    assert [s.to_json() for s in found.scores] == [s.to_json() for s in plain.scores]
