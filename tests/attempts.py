"""Work in processes of their own, which may be killed: one line of words in, how it ended out."""

import json
import os
import signal
import subprocess
import sys
import traceback
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]


def attempt(work, words):
    """Do the work in a process of its own; gives how it ended, as `subprocess` would."""
    if (child := os.fork()) == 0:
        ended = 1
        try:
            work(*words)
            ended = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(ended)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def serve(work):
    """Do the work for each line of words on standard input."""
    for line in sys.stdin:
        print(attempt(work, json.loads(line)), flush=True)  # noqa: T201 -- its answer


@contextmanager
def attempts(module):
    """A function that hands a line of words to a module that serves, and gives how it ended."""
    words = [sys.executable, "-m", module]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(words, cwd=ROOT, text=True, **pipes) as serving:

        def ended(*line):
            serving.stdin.write(json.dumps(line) + "\n")
            serving.stdin.flush()
            return int(serving.stdout.readline())

        yield ended


def dying(function, calls):
    """The function, in whose CALLS-th call the process dies: before its work, or after if even."""
    left = [calls]

    def call(*args, **named):
        left[0] -= 1
        if left[0] == 0 and calls % 2:
            os.kill(os.getpid(), signal.SIGKILL)
        result = function(*args, **named)
        if left[0] <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    return call


def dies_in(place, name, calls):
    """Let the process die in the CALLS-th call of a function of a module or class."""
    setattr(place, name, dying(getattr(place, name), calls))
