"""Work in processes of their own, which may be killed: one line of words in, how it ended out."""

import json
import os
import sys
import traceback


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
