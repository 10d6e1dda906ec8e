"""Writes the graph of the embedder `minilm`: `python -m training.minilm_graph` (needs onnx).

The packaged model keeps its matrices in bytes and computes with them as floats. Ours quantises the
activations too and multiplies bytes, and attention and GELU are one node each, which takes a third
of the time. It holds no weights: the JSON file beside it says where each tensor stands in the
packaged file, out of which `assay.backends.minilm` reads them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assay.backends.minilm import GRAPH, INSTALL, TENSORS, WEIGHTS
from assay.backends.weights import packaged
from training.encoder.graph import prune, without_mask

SMALLEST = 1000
"""Bytes from which on a tensor is read out of the packaged file."""
FOLDER = Path(__file__).parents[1] / "src"
HEADS, HEAD_WIDTH = 12, 32
CONTRIBUTED = "com.microsoft"
"""The domain of the nodes that only onnxruntime knows."""
MATRIX, TABLE = "matrix", "table"
"""What a tensor is for: matrices are halved to seven bits, see `minilm`."""


def main() -> None:
    import onnx

    raw = packaged(*WEIGHTS, INSTALL).read_bytes()
    model = onnx.load_from_string(raw)
    scaled = _scaled(model.graph)
    _multiply_bytes(model.graph, scaled, onnx)
    without_mask(model)
    _fuse(model, onnx)
    for given in [one for one in model.graph.input if one.name == "attention_mask"]:
        model.graph.input.remove(given)
    matrices = {n.input[1] for n in model.graph.node if n.op_type == "MatMulInteger"}
    factors = {factor for bytes_, factor in scaled.values() if bytes_ in matrices}
    tensors = {
        tensor.name: _moved(tensor, raw, tensor.name in matrices | factors, onnx)
        for tensor in model.graph.initializer
        if len(tensor.raw_data) >= SMALLEST
    }
    (FOLDER / GRAPH[0]).write_bytes(model.SerializeToString(deterministic=True))
    text = json.dumps(tensors, indent=0, sort_keys=True)
    (FOLDER / TENSORS[0]).write_text(f"{text}\n", encoding="utf-8")


def _scaled(graph: Any) -> dict[str, tuple[str, str]]:
    """Tensor of floats → the bytes and the factors that it is the product of."""
    makers = {node.output[0]: node for node in graph.node}
    return {
        node.output[0]: (makers[node.input[0]].input[0], node.input[1])
        for node in graph.node
        if node.op_type == "Mul" and node.input[0].endswith("_f") and node.input[0] in makers
    }


def _multiply_bytes(graph: Any, scaled: dict[str, tuple[str, str]], onnx: Any) -> None:
    """Replace products with floats by products of bytes, and tables of floats by rows of bytes."""
    make = onnx.helper.make_node
    nodes: list[Any] = []
    known: set[str] = set()
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in scaled:
            (given, table), (out,) = node.input, node.output
            values, factors = scaled[table]
            if given not in known:
                known.add(given)
                outputs = [f"{given}_{part}" for part in ("u8", "u8_factor", "u8_zero")]
                nodes.append(make("DynamicQuantizeLinear", [given], outputs))
            nodes += [
                make("MatMulInteger", [f"{given}_u8", values, f"{given}_u8_zero"], [f"{out}_i32"]),
                make("Cast", [f"{out}_i32"], [f"{out}_f32"], to=onnx.TensorProto.FLOAT),
                make("Mul", [f"{given}_u8_factor", factors], [f"{out}_factor"]),
                make("Mul", [f"{out}_f32", f"{out}_factor"], [out]),
            ]
        elif node.op_type == "Gather" and node.input[0] in scaled:
            (table, rows), (out,) = node.input, node.output
            values, factors = scaled[table]
            nodes += [
                make("Gather", [values, rows], [f"{out}_i8"]),
                make("Cast", [f"{out}_i8"], [f"{out}_f32"], to=onnx.TensorProto.FLOAT),
                make("Gather", [factors, rows], [f"{out}_factor"]),
                make("Mul", [f"{out}_f32", f"{out}_factor"], [out]),
            ]
        else:
            nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)


def _fuse(model: Any, onnx: Any) -> None:
    """Make one node of each attention and of each GELU, which the packaged graph spells out."""
    make = onnx.helper.make_node
    makers = {output: node for node in model.graph.node for output in node.output}
    for place, node in enumerate(model.graph.node):
        out = node.output[0]
        if node.op_type == "Mul" and _kinds(out, makers, 1, 5) == _GELU:
            fused = make("Gelu", [node.input[0]], [out], domain=CONTRIBUTED)
        elif node.op_type == "Reshape" and _kinds(out, makers, 0, 4) == _ATTENTION:
            mixed = makers[makers[node.input[0]].input[0]]
            scores = makers[makers[mixed.input[0]].input[0]]
            given = (*scores.input, mixed.input[1])
            fused = make(
                "MultiHeadAttention",
                [_projected(name, makers) for name in given],
                [out],
                domain=CONTRIBUTED,
                num_heads=HEADS,
                scale=HEAD_WIDTH**-0.5,
            )
        else:
            continue
        model.graph.node[place].CopyFrom(fused)
    prune(model.graph)
    model.opset_import.append(onnx.helper.make_opsetid(CONTRIBUTED, 1))


_GELU = ["Mul", "Mul", "Add", "Erf", "Div"]
_ATTENTION = ["Reshape", "Transpose", "MatMul", "Softmax"]


def _kinds(name: str, makers: dict[str, Any], place: int, count: int) -> list[str]:
    """The kinds of the nodes that lead to a tensor, the last first, up to so many.

    The second input of a product is followed where `place` is 1, else always the first one.
    """
    kinds: list[str] = []
    while name in makers and len(kinds) < count:
        node = makers[name]
        kinds.append(node.op_type)
        name = node.input[place if node.op_type == "Mul" else 0]
    return kinds


def _projected(name: str, makers: dict[str, Any]) -> str:
    """The query, key or value before it is divided among the heads."""
    while makers[name].op_type != "Add":
        name = makers[name].input[0]
    return name


def _moved(tensor: Any, raw: bytes, is_matrix: bool, onnx: Any) -> dict[str, Any]:
    """Take the contents out of a tensor; says where they are in the packaged file."""
    start = raw.find(tensor.raw_data)
    assert start > 0
    kind = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    place = tensor.external_data.add()
    place.key, place.value = "location", "model.onnx"
    return {
        "kind": str(kind),
        "shape": list(tensor.dims),
        "start": start,
        "use": MATRIX if is_matrix else TABLE,
    }


if __name__ == "__main__":
    main()
