from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("onnx")
from assay.backends.minilm import GRAPH, TENSORS, WEIGHTS
from training import minilm_graph

if find_spec(WEIGHTS[0].partition("/")[0]):  # the packaged weights are in another extra

    @pytest.mark.parametrize("file", [GRAPH, TENSORS], ids=["graph", "tensors"])
    def test_the_committed_files_are_what_the_packaged_model_is_made_into(
        file, tmp_path, monkeypatch
    ):
        for name, _ in (GRAPH, TENSORS):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        monkeypatch.setattr(minilm_graph, "FOLDER", tmp_path)
        minilm_graph.main()
        committed = Path(minilm_graph.__file__).parents[1] / "src" / file[0]
        assert (tmp_path / file[0]).read_bytes() == committed.read_bytes()


def test_each_attention_and_each_gelu_is_one_node():
    import onnx

    path = Path(minilm_graph.__file__).parents[1] / "src" / GRAPH[0]
    kinds = [node.op_type for node in onnx.load(path, load_external_data=False).graph.node]
    assert (kinds.count("MultiHeadAttention"), kinds.count("Gelu")) == (6, 6)
    assert not {"Softmax", "Erf", "Transpose"}.intersection(kinds)
