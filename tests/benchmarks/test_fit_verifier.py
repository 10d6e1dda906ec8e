import json
import tomllib

import numpy as np
import pytest
from benchmarks.fit_verifier import LEXICAL, SEMANTIC, fit, main, measure, read_sets

from assay.backends import Backends
from assay.data.verifier import verifier_weights

PLACES = ("Cairo", "Oslo", "Lima", "Quito", "Accra", "Delhi", "Paris", "Rome", "Kyiv", "Riga")
SIGNS = [*LEXICAL.values(), 1]


@pytest.fixture
def folder(tmp_path):
    for name in ("begin", "wice_citation"):
        lines = [json.dumps(record) for place in PLACES for record in made_up(place)]
        (tmp_path / f"{name}.dev.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def made_up(place):
    """A response that the context supports, and one that it does not."""
    context = f"The office in {place} opened in 2004. It has 30 desks and a large library."
    right, wrong = (
        f"The {place} office has 30 desks.",
        f"You should visit the zoo of {place} in 1999.",
    )
    for label, response in ((1, right), (0, wrong)):
        yield {
            "id": f"{place}-{label}",
            "response": response,
            "contexts": [context],
            "label": label,
            "meta": {"group": place},
        }


def test_prints_figures_and_tables_that_the_product_can_read(folder, capsys):
    main(["--data", str(folder), "--embedder", "fake"])
    printed = capsys.readouterr().out
    tables = tomllib.loads(printed)
    for kind, signs in (("lexical", LEXICAL), ("semantic", SEMANTIC)):
        assert tables[kind]["weights"].keys() == signs.keys()
        assert all(tables[kind]["weights"][name] * sign >= 0 for name, sign in signs.items())
    assert printed.count("five folds 1.000 [1.000, 1.000], left out 1.000 [1.000, 1.000]") == 4


def test_measures_are_those_of_the_bundled_weights():
    assert verifier_weights("lexical").weights.keys() == LEXICAL.keys()
    assert verifier_weights("semantic").weights.keys() == SEMANTIC.keys()


def test_same_data_gives_the_same_weights_and_one_set_alone_does(folder):
    labelled = read_sets(folder, "dev")
    data = measure(labelled, Backends(embedder=""), [*LEXICAL])
    assert fit(data, SIGNS).weights.tolist() == fit(data, SIGNS).weights.tolist()
    alone = data.part(data.set == 0)
    assert len(alone.label) == 2 * len(PLACES)
    scores = fit(alone, SIGNS).scores(alone)
    assert np.all(scores[alone.label == 1].min() > scores[alone.label == 0].max())
