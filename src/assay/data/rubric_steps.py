"""Rubrics of several questions: checklists, whose answers add up, and decision trees.

[[items]]                             # a checklist: yes or no to each
id = "steps"
question = "Does the response name the steps?"
weight = 2                            # 1 unless given
required = true                       # without it the score is 0
optional = true                       # "not applicable" is an answer too

start = "declines"                    # a decision tree: the first question
[nodes.declines]
question = "Does the response decline?"
answers = { yes = "explains", no = 1.0 }   # the next question, or the score
[nodes.explains]
question = "Does it say why?"
answers = { yes = 0.5, no = 0.0 }
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from assay.core.errors import ProfileError

YES, NO, NOT_APPLICABLE = "yes", "no", "not applicable"
MOST_STEPS = 50
"""A judge is asked one question a step."""


class ChecklistItem(NamedTuple):
    """One question of a checklist."""

    id: str
    question: str
    weight: float = 1.0
    is_required: bool = False
    is_optional: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """The answers, the worse ones first."""
        return (NO, NOT_APPLICABLE, YES) if self.is_optional else (NO, YES)


class Checklist(NamedTuple):
    """Questions whose answers add up to a share from 0 to 1."""

    items: tuple[ChecklistItem, ...]


class TreeNode(NamedTuple):
    """One question of a decision tree."""

    id: str
    question: str
    targets: tuple[tuple[str, str | float], ...]
    """Answer → the next question's id, or the score."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The answers."""
        return tuple(label for label, _ in self.targets)


class DecisionTree(NamedTuple):
    """Questions of which each decides what comes next."""

    start: str
    nodes: tuple[TreeNode, ...]

    def node(self, id: str) -> TreeNode:
        """The question of that id."""
        return next(node for node in self.nodes if node.id == id)

    @property
    def scores(self) -> list[float]:
        """All scores that can come out."""
        targets = (target for node in self.nodes for _, target in node.targets)
        return [target for target in targets if isinstance(target, float)]


RubricSteps = Checklist | DecisionTree
Step = ChecklistItem | TreeNode


def steps_of(steps: RubricSteps) -> Sequence[Step]:
    """All questions that may be asked."""
    return steps.items if isinstance(steps, Checklist) else steps.nodes


def read_checklist(given: Sequence[Any], where: str) -> Checklist:
    """Read `[[items]]`; a mistake is refused with the reason."""
    items = tuple(_item(entry, where) for entry in given)
    ids = [item.id for item in items]
    if not 1 <= len(items) <= MOST_STEPS or len({*ids}) < len(ids):
        raise ProfileError(f"{where}: expected 1 to {MOST_STEPS} 'items' with ids of their own")
    return Checklist(items)


def _item(entry: Any, where: str) -> ChecklistItem:
    known = {"id", "question", "weight", "required", "optional"}
    if not isinstance(entry, dict) or entry.keys() - known:
        raise ProfileError(f"{where}: an item is {entry!r}; expected {', '.join(sorted(known))}")
    weight = entry.get("weight", 1)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < 1e6:
        raise ProfileError(f"{where}: the weight {weight!r} of an item is no number above 0")
    flags = [entry.get(name, False) for name in ("required", "optional")]
    if not all(isinstance(flag, bool) for flag in flags):
        raise ProfileError(f"{where}: 'required' and 'optional' of an item are true or false")
    return ChecklistItem(
        _id(entry.get("id"), where), _question(entry, where), float(weight), *flags
    )


def read_tree(start: Any, given: Mapping[str, Any], where: str) -> DecisionTree:
    """Read `start` and `[nodes]`; a tree that does not end, or has loose ends, is refused."""
    nodes = tuple(_node(id, entry, where) for id, entry in given.items())
    if not 1 <= len(nodes) <= MOST_STEPS or start not in given:
        raise ProfileError(
            f"{where}: 'start' is {start!r}; expected one of 1 to {MOST_STEPS} nodes"
        )
    tree = DecisionTree(start, nodes)
    reached: set[str] = set()
    _check_path(tree, start, (), reached, where)
    if lost := [node.id for node in nodes if node.id not in reached]:
        raise ProfileError(f"{where}: no answer leads to the node {lost[0]!r}")
    if len({*tree.scores}) < 2:
        raise ProfileError(f"{where}: all answers of the tree lead to the same score")
    return tree


def _check_path(
    tree: DecisionTree, id: str, path: tuple[str, ...], reached: set[str], where: str
) -> None:
    if id in path:
        raise ProfileError(f"{where}: the nodes {' → '.join((*path, id))} go round in a circle")
    if id in reached:
        return
    for label, target in tree.node(id).targets:
        if isinstance(target, str):
            if all(node.id != target for node in tree.nodes):
                raise ProfileError(
                    f"{where}: the answer {label!r} of {id!r} leads to {target!r}, which is no node"
                )
            _check_path(tree, target, (*path, id), reached, where)
    reached.add(id)


def _node(id: str, entry: Any, where: str) -> TreeNode:
    if not isinstance(entry, dict) or entry.keys() != {"question", "answers"}:
        raise ProfileError(f"{where}: the node {id!r} is {entry!r}; expected question and answers")
    answers = entry["answers"]
    if not isinstance(answers, dict) or len(answers) < 2:
        raise ProfileError(f"{where}: the node {id!r} needs two answers or more")
    targets = tuple(
        (label.strip(), _target(target, id, where)) for label, target in answers.items()
    )
    return TreeNode(_id(id, where), _question(entry, where), targets)


def _target(target: Any, id: str, where: str) -> str | float:
    if isinstance(target, str):
        return target
    if isinstance(target, bool) or not isinstance(target, int | float) or not isfinite(target):
        raise ProfileError(
            f"{where}: an answer of {id!r} leads to {target!r}; expected a node's id or a score"
        )
    return float(target)


def _id(given: Any, where: str) -> str:
    if not isinstance(given, str) or not given.strip():
        raise ProfileError(f"{where}: a step has the id {given!r}; expected a text")
    return given.strip()


def _question(entry: Mapping[str, Any], where: str) -> str:
    question = entry.get("question")
    if not isinstance(question, str) or not question.strip():
        raise ProfileError(f"{where}: a step has the question {question!r}; expected a text")
    return " ".join(question.split())
