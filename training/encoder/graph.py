"""Makes an ONNX graph quicker or more exact, after its matrices were quantised."""

from __future__ import annotations

from typing import Any


def without_mask(model: Any) -> None:
    """Take the mask out of every attention, to the same bits: texts are read without padding.

    The mask adds 0 to each score, and what would replace the NaN of a row that is masked as a whole
    replaces nothing. Both are most of the work between the matrix products of attention.
    """
    graph = model.graph
    makers = {output: node for node in graph.node for output in node.output}
    renamed: dict[str, str] = {}
    for node in graph.node:
        if node.op_type == "Softmax" and (scores := _masked(node.input[0], makers)):
            node.input[0] = scores
        if node.op_type == "Where" and (given := _checked(node, makers)):
            renamed[node.output[0]] = given
    for node in graph.node:
        for place, name in enumerate(node.input):
            node.input[place] = renamed.get(name, name)
    prune(graph)


def with_float_products(model: Any) -> None:
    """Multiply with activations as they are, not rounded to bytes; the matrices stay in bytes.

    Rounded activations make a value depend on the processor: where one lies between two bytes, the
    order of a sum decides, and later layers make more of it. A runtime unpacks the matrices when it
    loads the graph.
    """
    from onnx import TensorProto, helper

    graph = model.graph
    makers = {output: node for node in graph.node for output in node.output}
    readers = {name: node for node in graph.node for name in node.input}
    constants = {table.name for table in graph.initializer}
    for node in [node for node in graph.node if node.op_type == "MatMulInteger"]:
        rounded, matrix = node.input[:2]
        as_float = readers[node.output[0]]
        scaled = readers[as_float.output[0]]
        factor = next(name for name in scaled.input if name not in as_float.output)
        scale = next(name for name in makers[factor].input if name in constants)
        parts = [
            helper.make_node("Cast", [matrix], [f"{node.name}_cast"], to=TensorProto.FLOAT),
            helper.make_node("Mul", [f"{node.name}_cast", scale], [f"{node.name}_matrix"]),
            helper.make_node(
                "MatMul", [makers[rounded].input[0], f"{node.name}_matrix"], scaled.output
            ),
        ]
        place = list(graph.node).index(node)
        for old in (node, as_float, scaled):
            graph.node.remove(old)
        for new in reversed(parts):
            graph.node.insert(place, new)
    prune(graph)


def _masked(name: str, makers: dict[str, Any]) -> str | None:
    """The scores to which a mask is added; None where there is none."""
    added = makers.get(name)
    if added is None or added.op_type != "Add":
        return None
    scores, mask = (makers.get(part) for part in added.input)
    is_mask = mask is not None and mask.op_type == "Where"
    return str(added.input[0]) if is_mask and scores is not None else None


def _checked(node: Any, makers: dict[str, Any]) -> str | None:
    """What a test for NaN hands on; None for any other choice."""
    test = makers.get(node.input[0])
    is_same = test is not None and test.op_type == "IsNaN" and test.input[0] == node.input[2]
    return str(node.input[2]) if is_same else None


def prune(graph: Any) -> None:
    """Remove nodes and constants that nothing reads."""
    while True:
        read = {name for node in graph.node for name in node.input}
        read |= {output.name for output in graph.output}
        unread = [node for node in graph.node if not read.intersection(node.output)]
        if not unread:
            break
        for node in unread:
            graph.node.remove(node)
    for table in [table for table in graph.initializer if table.name not in read]:
        graph.initializer.remove(table)
