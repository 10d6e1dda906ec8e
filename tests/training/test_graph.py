"""Graphs without masks give the same bits, and those with float products exact ones."""

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

from training.encoder.graph import with_float_products, without_mask  # noqa: E402

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


def quantised(folder):
    """A product of a matrix in bytes with activations that are rounded, and the float product."""
    quantization = pytest.importorskip("onnxruntime.quantization")
    matrix = np.random.default_rng(5).normal(size=(8, 6)).astype(np.float32)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "matrix"], ["out"], name="product")],
        "product",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4, 8])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, [4, 6])],
        [numpy_helper.from_array(matrix, "matrix")],
    )
    opset = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=8), folder / "whole.onnx")
    quantization.quantize_dynamic(
        folder / "whole.onnx",
        folder / "bytes.onnx",
        per_channel=True,
        reduce_range=True,
        weight_type=quantization.QuantType.QInt8,
    )
    return onnx.load(folder / "bytes.onnx"), matrix


def test_float_products_do_not_round_activations(tmp_path):
    model, matrix = quantised(tmp_path)
    tables = {table.name: numpy_helper.to_array(table) for table in model.graph.initializer}
    scale = next(value for name, value in tables.items() if name.endswith("_scale"))
    stored = next(value for name, value in tables.items() if name.endswith("_quantized")) * scale
    with_float_products(model)
    assert [node.op_type for node in model.graph.node] == ["Cast", "Mul", "MatMul"]
    x = np.random.default_rng(7).normal(size=(4, 8)).astype(np.float32)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    np.testing.assert_allclose(session.run(None, {"x": x})[0], x @ stored, atol=1e-5)
    assert np.abs(stored - matrix).max() < 0.05  # seven bits of what it was
