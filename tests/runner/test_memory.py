"""Records stream: memory does not grow with their number."""

import json
import subprocess
import sys

RUN = """
import resource, sys
sys.argv = ["assay", "run", sys.argv[1], "-m", "text.safety,text.cost", "-o", sys.argv[2], "-q"]
from assay.cli import main
try:
    main()
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak(folder, records):
    """Peak memory of a run over so many records, in the system's unit."""
    data = folder / f"{records}.jsonl"
    with data.open("w") as file:
        for number in range(records):
            line = {"id": f"id-{number}", "response": f"The answer number {number} is here. " * 8}
            file.write(json.dumps(line) + "\n")
    call = [sys.executable, "-c", RUN, data, folder / f"{records}.out.jsonl"]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    return int(done.stdout)


def test_ten_times_the_records_need_no_more_memory(tmp_path):
    assert peak(tmp_path, 30_000) <= 1.15 * peak(tmp_path, 3_000)
