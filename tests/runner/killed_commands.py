"""A command of `assay` that kills itself at a chosen moment.

    python -m tests.runner.killed_commands

Each line of the input, [FOLDER, WORDS, MOMENT, CALLS], starts a process that runs the command in
the folder, with its output in the file `shown` there, and the answer is how it ended. MOMENT names
the function in whose CALLS-th call the process dies, before or after its work; `never` lets it
finish.
"""

import os
import signal
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path

from tests.attempts import dies_in, serve

from assay.backends import judge
from assay.cli import app, rank, simulate
from assay.core.jsontext import dumps
from assay.runner.transcript_journal import TranscriptJournal

LEDGER = Path("ledger")


def put(side, conversation):
    """A moment to die in: the question is on its way."""


def answered(side, conversation):
    """A moment to die in: the answer is there, and not yet kept."""


def _reply(side, conversation, text):
    with LEDGER.open("a", encoding="utf-8") as ledger:
        ledger.write(f"{side} {conversation[-1]['content']}\n")
    put(side, conversation)
    answered(side, conversation)
    return text


def shop(conversation):
    """A system: it names the last message of the user."""
    return _reply("shop", conversation, f"answer to {conversation[-1]['content']}")


def customer(conversation):
    """A model that plays the user: it names its goal and how much was said, and stops in time."""
    said = len(conversation) - 2
    goal = conversation[0]["content"].partition("order ")[2].partition(".")[0]
    return _reply("customer", conversation, f"{goal} {said}" + " ###STOP###" * (said >= 6))


def _write_half(journal, record):
    line = dumps(record).encode()
    os.write(journal._file.fileno(), line[: len(line) // 2])
    os.kill(os.getpid(), signal.SIGKILL)


MOMENTS = {
    "request": (judge.EndpointJudge, "_request"),
    "read_verdict": (judge, "read_verdict"),
    "keep": (judge, "keep"),
    "read_kept": (judge, "read_kept"),
    "write_pairs": (rank, "write_file"),
    "put": (sys.modules[__name__], "put"),
    "answered": (sys.modules[__name__], "answered"),
    "journal": (TranscriptJournal, "_write"),
    "write_transcripts": (simulate, "write_file"),
}


def main(folder, words, moment, calls):
    os.chdir(folder)
    if moment == "half a line":
        whole, left = TranscriptJournal._write, iter(range(calls))
        TranscriptJournal._write = lambda journal, record: (
            whole(journal, record) if next(left, None) is not None else _write_half(journal, record)
        )
    elif moment != "never":
        dies_in(*MOMENTS[moment], calls)
    with (
        Path("shown").open("w", encoding="utf-8") as shown,
        Path("errors").open("w", encoding="utf-8") as errors,
        redirect_stdout(shown),
        redirect_stderr(errors),
    ):
        assert not app(words, standalone_mode=False)


if __name__ == "__main__":
    for module in ("judge_panel", "pairwise", "answered_systems", "simulation"):
        import_module(f"assay.runner.{module}")  # once, before the processes part
    from tests.runner import killed_commands  # so that targets meet the functions that die

    serve(killed_commands.main)
