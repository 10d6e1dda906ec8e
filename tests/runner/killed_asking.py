"""A run that asks a system and kills itself at a chosen moment.

    python -m tests.runner.killed_asking

Each line of the input, [URL, QUESTIONS, LEDGER, MOMENT, CALLS], starts a process that works on the
run, and the answer is how it ended. The system writes every question into the LEDGER when it is
put. MOMENT names the function in whose CALLS-th call the process dies, before or after its work;
`never` lets it finish.
"""

from tests.attempts import dies_in, serve
from tests.runner.ledger_system import LedgerSystem

from assay.core import Sample
from assay.runner import Job, answer_collector, answer_recorder
from assay.runner.answer_collector import AnswerCollector, TargetCallOptions
from assay.runner.answer_recorder import AnswerRecorder, TargetRecorder
from assay.runner.record import record_run
from assay.runner.stream import run_stream
from assay.store import answers, open_store, run_writer

MOMENTS = {
    "put": (LedgerSystem, "put"),
    "answered": (LedgerSystem, "answered"),
    "delete": (answers, "safe"),  # in the middle of the transaction that keeps answers
    "add_answers": (answer_recorder, "add_answers"),
    "insert_rows": (run_writer, "insert_rows"),
    "record": (run_writer.RunWriter, "record"),
    "read_answers": (answer_recorder, "read_answers"),
}


def main(url, questions, ledger, moment, calls):
    answer_recorder.GROUP, answer_collector.WINDOW = 8, 32  # small steps: many moments differ
    job = Job(("text.safety",))
    plan = job.plan()
    store = open_store(url)
    system = LedgerSystem("system", ledger)
    if moment != "never":
        dies_in(*MOMENTS[moment], calls)
    writer = record_run(store, "run", plan, resume=True, settings={"seed": 0}, lease=True)
    recorder = TargetRecorder(writer)
    asker = AnswerCollector(system, TargetCallOptions(concurrency=8), keeper=AnswerRecorder(writer))
    items = (Sample(str(n), query=f"question {n}") for n in range(questions))
    summary = run_stream(asker.items(items), job, plan=plan, recorder=recorder, batch_size=16)
    assert recorder.is_whole
    writer.finish(summary.to_json())


if __name__ == "__main__":
    serve(main)
