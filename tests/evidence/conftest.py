import gzip
import json

import pytest

from assay.data.experiments import read_experiment

EXPERIMENT = """
title = "Is it grounded?"
positive = [1]
[fields]
query = "query"
response = "response"
expected = "contexts"
contexts = "contexts"
[metrics]
"text.hallucination" = "higher"
"text.factuality" = "higher"
[probes]
json_fuzzy = "higher"
[baselines]
token_overlap = "higher"
whole_response_embedding = "higher"
[[set]]
name = "tiny"
label = "1 = grounded, 0 = not"
labelled_by = "people"
[[set]]
name = "other"
label = "1 = grounded, 0 = not"
"""


@pytest.fixture
def experiment():
    return read_experiment("grounded", EXPERIMENT)


def record(number, label, response):
    return {
        "id": f"r{number}",
        "response": response,
        "contexts": ["Cats sleep all day.", "Dogs run in the park."],
        "label": label,
        "meta": {"group": f"g{number // 2}"},
    }


@pytest.fixture
def records():
    """Ten grounded and ten other answers, two a group."""
    good = [record(n, 1, f"Cats sleep all day and dogs run {'on ' * n}") for n in range(10)]
    bad = [record(n, 0, f"Birds fly over cats {'far ' * (n % 3)}") for n in range(10, 20)]
    return good + bad


@pytest.fixture
def write(tmp_path):
    """Writes records to a file of a folder, and gives the folder."""
    folder = tmp_path / "data"
    folder.mkdir()

    def to(name, lines):
        text = "\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines) + "\n"
        opener = gzip.open if name.endswith(".gz") else open
        with opener(folder / name, "wt", encoding="utf-8") as file:
            file.write(text)
        return folder

    return to
