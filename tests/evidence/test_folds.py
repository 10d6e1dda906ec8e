import hashlib
import json

import pytest

from assay.core import DataError
from assay.evidence.folds import fold_of, read_folds
from assay.linear import measure_model, models_from


def write_model(folder, bias):
    folder.mkdir(parents=True)
    text = json.dumps({"bias": bias, "weights": {}})
    (folder / "step_correctness.json").write_text(text)
    hashes = {"step_correctness.json": hashlib.sha256(text.encode()).hexdigest()}
    (folder / "sha256.json").write_text(json.dumps(hashes))


def test_a_group_has_one_fold_on_any_machine():
    assert [fold_of(group, 3) for group in ("a", "b", "c", "d")] == [1, 2, 1, 1]


def test_models_of_a_fold_replace_the_bundled_ones_for_a_while(tmp_path):
    write_model(tmp_path / "0", 7.0)
    write_model(tmp_path / "1", 8.0)
    folds = read_folds(tmp_path)
    bundled = measure_model("step_correctness").bias
    with models_from(folds.models(1)):
        assert measure_model("step_correctness").bias == 8.0
        with pytest.raises(DataError, match=r"no model 'correctness.json'"):
            measure_model("correctness")
    with models_from(folds.models(1), falls_back=True):
        assert measure_model("correctness").weights
    with models_from(folds.models(0)):
        assert measure_model("step_correctness").bias == 7.0
    assert measure_model("step_correctness").bias == bundled


def test_a_folder_without_folds_is_refused(tmp_path):
    write_model(tmp_path / "0", 7.0)
    with pytest.raises(DataError, match="has models of 1 folds"):
        read_folds(tmp_path)
