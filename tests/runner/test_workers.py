"""A sample that ends the process that scores it."""

import pytest
from tests.poison import PLUGIN

from assay.backends import Backends
from assay.backends.judge_questions import JudgeSpending, VerdictUsage
from assay.backends.judge_settings import JudgeSettings
from assay.core import AssayError, Sample
from assay.runner import Job, workers
from assay.runner.stream import run_stream
from assay.runner.workers import ENDED

METRICS = ("custom.length", "text.safety")


class Kept(list):
    """A sink that keeps what it is given."""

    def write(self, sample, scores):
        self.append(scores.to_json())


@pytest.fixture
def plugin(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(PLUGIN)
    return str(path)


def samples(count, *poison):
    texts = (f"Answer {n}" + (" with poison." if n in poison else ".") for n in range(count))
    return [Sample(id=str(n), response=text) for n, text in enumerate(texts)]


def scored(plugin, count, *poison, workers=2, size=8):
    kept = Kept()
    job = Job(METRICS, plugins=(plugin,))
    summary = run_stream(
        samples(count, *poison), job, sinks=[kept], workers=workers, batch_size=size
    )
    return summary, kept


def test_a_run_goes_on_without_the_samples_that_end_a_process(plugin):
    poison = (0, 5, 43)
    summary, found = scored(plugin, 60, *poison)
    _, plain = scored(plugin, 60, workers=1)
    assert summary.samples == 60
    assert [one["id"] for one in found] == [str(n) for n in range(60)]
    for n, (one, harmless) in enumerate(zip(found, plain, strict=True)):
        if n not in poison:
            assert one == harmless
            continue
        for id in METRICS:
            assert one["scores"][id]["state"] == "error"
            assert one["scores"][id]["explanation"] == ENDED
            assert one["scores"][id]["signature"] == harmless["scores"][id]["signature"]


def test_a_run_ends_when_no_sample_can_be_scored(plugin, monkeypatch):
    monkeypatch.setattr(workers, "MAX_IN_A_ROW", 3)
    with pytest.raises(AssayError, match="for each of 3 samples in a row"):
        scored(plugin, 8, *range(8))


def test_a_run_ends_when_workers_cannot_start(tmp_path):
    plugin = tmp_path / "late.py"
    plugin.write_text(
        "import multiprocessing, os\n"
        "if multiprocessing.parent_process():\n    os._exit(1)\n" + PLUGIN
    )
    with pytest.raises(AssayError, match="before it scored anything"):
        scored(str(plugin), 8)


def test_processes_that_come_later_get_what_is_left_of_the_judges_caps(plugin):
    caps = JudgeSettings(max_calls=10, max_tokens=100, max_spend=1.0)
    spent = JudgeSpending(calls=4, usage=VerdictUsage(30, 20), usd=0.25)
    left = workers._left(caps, spent)
    assert (left.max_calls, left.max_tokens, left.max_spend) == (6, 50, 0.75)
    assert workers._left(caps, JudgeSpending()) == caps
    used_up = workers._left(caps, JudgeSpending(20, 0, VerdictUsage(300, 0), 2.0))
    assert (used_up.max_calls, used_up.max_tokens) == (1, 1)
    assert 0 < used_up.max_spend < 0.01
    assert workers._left(JudgeSettings(), spent) == JudgeSettings() == Backends().judging
