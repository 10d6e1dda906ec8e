"""Ordinary texts for fitting."""

import gzip
import json

import pytest
from training.ordinary import EACH, LONG, ordinary_texts


@pytest.fixture
def data(tmp_path):
    """Training records of three files, some of them too short or hostile."""
    tables = {
        "support": [
            {"source": "captions", "a": f"A dog runs past house number {n}.", "b": "Short."}
            for n in range(EACH + 50)
        ],
        "correctness": [{"source": "pupils", "response": "The bulb is not in a closed path."}],
        "toxicity": [
            {"source": "convabuse", "label": 0, "text": "tell me about the weather today"},
            {
                "source": "convabuse",
                "label": 1,
                "text": "an insult that nobody should learn as ordinary",
            },
            {"source": "forum", "label": 0, "text": "a rude forum that was not cleared of it"},
        ],
    }
    for name, records in tables.items():
        with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt", encoding="utf-8") as lines:
            lines.writelines(json.dumps(record) + "\n" for record in records)
    return tmp_path


def test_sources_are_even_and_long_texts_are_made_of_them(data):
    texts = ordinary_texts(data)

    single = [text for text in texts if text.startswith("A dog") and text.count("house") == 1]
    assert len(single) == EACH
    assert EACH < len(texts) <= EACH + 2 + LONG
    assert any(text.count("house") > 5 for text in texts)
    assert "The bulb is not in a closed path." in texts


def test_only_what_people_cleared_is_ordinary(data):
    everything = "\n".join(ordinary_texts(data))

    assert "weather" in everything
    assert "insult" not in everything
    assert "rude forum" not in everything
    assert "Short." not in everything


def test_the_same_texts_are_chosen_every_time(data):
    assert ordinary_texts(data) == ordinary_texts(data)
