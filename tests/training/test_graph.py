"""Attention without a mask gives the same bits."""

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

from training.encoder.graph import without_mask  # noqa: E402

TensorProto, helper, numpy_helper = onnx.TensorProto, onnx.helper, onnx.numpy_helper


def attention():
    """Scores, a mask that is added, softmax with its test for NaN, and values."""
    constants = [
        numpy_helper.from_array(np.array(value, np.float32), name)
        for name, value in (("zero", 0.0), ("low", -np.inf), ("none", 0.0))
    ]
    nodes = [
        helper.make_node("Cast", ["mask"], ["seen"], to=TensorProto.BOOL),
        helper.make_node("Where", ["seen", "zero", "low"], ["added"]),
        helper.make_node("MatMul", ["x", "x"], ["scores"]),
        helper.make_node("Add", ["scores", "added"], ["masked"]),
        helper.make_node("Softmax", ["masked"], ["shares"], axis=-1),
        helper.make_node("IsNaN", ["shares"], ["empty"]),
        helper.make_node("Where", ["empty", "none", "shares"], ["filled"]),
        helper.make_node("MatMul", ["filled", "x"], ["out"]),
    ]
    inputs = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [4, 4]),
        helper.make_tensor_value_info("mask", TensorProto.INT64, [1, 4]),
    ]
    output = helper.make_tensor_value_info("out", TensorProto.FLOAT, [4, 4])
    graph = helper.make_graph(nodes, "attention", inputs, [output], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def run(model, x):
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return session.run(None, {"x": x, "mask": np.ones((1, 4), np.int64)})[0]


def test_the_same_bits_with_fewer_nodes():
    model, x = attention(), np.random.default_rng(3).normal(size=(4, 4)).astype(np.float32)
    before = run(model, x)
    without_mask(model)
    assert [node.op_type for node in model.graph.node] == ["MatMul", "Softmax", "MatMul"]
    assert not model.graph.initializer
    assert run(model, x).tobytes() == before.tobytes()


def test_other_sums_and_choices_stay():
    model = attention()
    model.graph.node[3].input[1] = "x"  # no mask
    model.graph.node[5].input[0] = "scores"  # another test
    kinds = [node.op_type for node in model.graph.node]
    without_mask(model)
    assert [node.op_type for node in model.graph.node] == kinds[2:]
