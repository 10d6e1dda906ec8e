"""A grid that kills itself at a chosen moment.

    python -m tests.runner.killed_grid

Each line of the input, [URL, QUESTIONS, LEDGER, MOMENT, CALLS], starts a process that works on the
experiment, and the answer is how it ended. MOMENT names the function in whose CALLS-th call, over
all cells, the process dies, before or after its work; `never` lets it finish.
"""

from tests.attempts import dies_in, serve
from tests.runner.grid_systems import System, request

from assay.runner import answer_collector, answer_recorder, record
from assay.runner.grid_run import CellCallers, run_grid
from assay.store import answers, run_writer

MOMENTS = {
    "start_run": (record, "start_run"),
    "delete": (answers, "safe"),  # in the middle of the transaction that keeps answers
    "add_answers": (answer_recorder, "add_answers"),
    "read_answers": (answer_recorder, "read_answers"),
    "insert_rows": (run_writer, "insert_rows"),
    "record": (run_writer.RunWriter, "record"),
    "finish": (run_writer.RunWriter, "finish"),
    "put": (System, "put"),
    "answered": (System, "answered"),
}


def main(url, questions, ledger, moment, calls):
    answer_recorder.GROUP, answer_collector.WINDOW = 8, 48  # small steps: many moments differ
    if moment != "never":
        dies_in(*MOMENTS[moment], calls)
    asked = request(url, questions, lambda cell: System(cell, ledger), resume=True)
    results = run_grid(asked, asked.grid.cells, CellCallers())
    assert all(result.is_whole for result in results.values())


if __name__ == "__main__":
    serve(main)
