"""A run that asks a system and kills itself at a chosen moment.

    python -m tests.runner.killed_asking

Each line of the input, [URL, QUESTIONS, LEDGER, MOMENT, CALLS], starts a process that works on the
run, and the answer is how it ended. The system writes every question into the LEDGER when it is
put. MOMENT names the function in whose CALLS-th call the process dies, before or after its work;
`never` lets it finish.
"""

import os
import signal

from tests.attempts import serve

from assay.core import Sample
from assay.runner import Job, answer_collector, answer_recorder
from assay.runner.answer_collector import AnswerCollector, TargetCallOptions
from assay.runner.answer_recorder import AnswerRecorder, TargetRecorder
from assay.runner.record import record_run
from assay.runner.stream import run_stream
from assay.store import answers, open_store, run_writer
from assay.targets.protocol import Answer

MOMENTS = ("ask", "answer", "delete", "add_answers", "insert_rows", "record", "read_answers")


class System:
    """Writes down what it is asked, in a file that outlives it."""

    name = "system"

    def __init__(self, ledger):
        self._ledger = os.open(ledger, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    async def ask(self, turns):
        question = turns[-1].content
        os.write(self._ledger, f"{question}\n".encode())
        self.put(question)
        answer = Answer(f"{question}: yes.")
        self.answered(question)
        return answer

    def put(self, question):
        pass

    def answered(self, question):
        pass

    async def close(self):
        os.close(self._ledger)


def main(url, questions, ledger, moment, calls):
    job = Job(("text.safety",))
    plan = job.plan()
    store = open_store(url)
    system = System(ledger)
    left = [calls]
    answer_recorder.GROUP, answer_collector.WINDOW = (
        8,
        32,
    )  # small steps, so that many moments differ

    def dying(function):
        def call(*args):
            left[0] -= 1
            if left[0] == 0 and calls % 2:
                os.kill(os.getpid(), signal.SIGKILL)
            result = function(*args)
            if left[0] <= 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return call

    if moment == "ask":
        system.put = dying(system.put)
    elif moment == "answer":
        system.answered = dying(system.answered)
    elif moment == "delete":  # in the middle of the transaction that keeps answers
        answers.safe = dying(answers.safe)
    elif moment in ("add_answers", "read_answers"):
        setattr(answer_recorder, moment, dying(getattr(answer_recorder, moment)))
    elif moment == "insert_rows":
        run_writer.insert_rows = dying(run_writer.insert_rows)
    writer = record_run(store, "run", plan, resume=True, settings={"seed": 0}, lease=True)
    recorder = TargetRecorder(writer)
    if moment == "record":
        writer.record = dying(writer.record)
    asker = AnswerCollector(system, TargetCallOptions(concurrency=8), keeper=AnswerRecorder(writer))
    items = (Sample(str(n), query=f"question {n}") for n in range(questions))
    summary = run_stream(asker.items(items), job, plan=plan, recorder=recorder, batch_size=16)
    assert recorder.is_whole
    writer.finish(summary.to_json())


if __name__ == "__main__":
    serve(main)
