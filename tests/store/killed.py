"""A run that kills itself at a chosen moment, as a power cut or the memory guard would.

    python -m tests.store.killed

Each line of the input, [URL, RECORDS, SIZE, OUT, MOMENT, CALLS], starts a process that works on the
run, and the answer is how it ended. SIZE is that of a batch; MOMENT names the function in whose
CALLS-th call the process dies; `never` lets it finish, and `unstored` does so without a store.
"""

import os
import signal

from tests.attempts import serve

from assay.core import Sample
from assay.report import open_writers
from assay.runner import Job
from assay.runner.record import record_run
from assay.runner.stream import run_stream
from assay.store import open_store, run_writer

MOMENTS = ("insert_rows", "add_rollups", "record", "replay")


def main(url, records, size, out, moment, calls):
    job = Job(("text.safety",))
    plan = job.plan()
    recorder = None
    if moment != "unstored":
        recorder = record_run(
            open_store(url), "run", plan, resume=True, settings={"seed": 0}, lease=True
        )
    left = [calls]

    def dying(function):
        def call(*args):
            left[0] -= 1
            result = function(*args)
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return call

    if moment in ("insert_rows", "add_rollups"):  # in the middle of a transaction
        setattr(run_writer, moment, dying(getattr(run_writer, moment)))
    elif moment == "record":  # after a commit that nobody has heard of yet
        recorder.record = dying(recorder.record)
    elif moment == "replay":
        run_writer.read_places = dying(run_writer.read_places)
    items = (Sample(id=str(n), response=f"Call 555-0{n:05} now, idiot.") for n in range(records))
    with open_writers([out]) as writers:
        summary = run_stream(
            items, job, plan=plan, sinks=writers, recorder=recorder, batch_size=size
        )
        if recorder:
            recorder.finish(summary.to_json())
        for writer in writers:
            writer.close(summary)


if __name__ == "__main__":
    serve(main)
