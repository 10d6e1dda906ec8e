"""The page of the public Python names, made from their signatures and docstrings."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import assay
from assay.report.markdown import table

PAGE = "reference/python.md"
INTRODUCTION = """# Python

What `import assay` gives. Functions first, then the values that they take and return. Names that
are not here may change in any release."""
_ARGUMENT = re.compile(r"^    (\w+): ", re.MULTILINE)
_ANNOTATION = re.compile(r"ForwardRef\('([^']*)'\)|'([^']*)'")


def python_page() -> str:
    """Every public name with its signature and what it is."""
    values = {name: getattr(assay, name) for name in assay.__all__ if name != "__version__"}
    functions = [_function(n, v) for n, v in values.items() if inspect.isfunction(v)]
    classes = [_class(n, v) for n, v in values.items() if inspect.isclass(v)]
    return "\n\n".join([INTRODUCTION, *functions, *classes]) + "\n"


def _function(name: str, function: Any) -> str:
    parts = [f"## assay.{name}", f"```text\n{_signature(name, function)}\n```"]
    text, _, arguments = (inspect.getdoc(function) or "").partition("\nArgs:\n")
    parts.append(text.strip())
    if arguments:
        parts.append(table(("argument", "what it is"), _arguments(arguments)))
    return "\n\n".join(parts)


def _signature(name: str, function: Any) -> str:
    """One parameter a line, with annotations as they stand in the code."""
    lines, is_keyword_only = [], False
    signature = inspect.signature(function)
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not is_keyword_only:
            is_keyword_only = True
            lines.append("*")
        lines.append(_plain(str(parameter)))
    result = _plain(str(signature.return_annotation))
    inside = "".join(f"    {line},\n" for line in lines)
    return f"assay.{name}(\n{inside}) -> {result}"


def _plain(text: str) -> str:
    """A parameter without the quotes around its annotation."""
    annotation, equals, default = text.partition(" = ")
    return _ANNOTATION.sub(lambda m: m[1] or m[2], annotation) + equals + default


def _arguments(text: str) -> list[tuple[str, str]]:
    names = _ARGUMENT.split(textwrap.indent(textwrap.dedent(text), "    "))[1:]
    return [
        (_code(name), _cell(" ".join(words.split())))
        for name, words in zip(names[::2], names[1::2], strict=True)
    ]


def _class(name: str, of: type) -> str:
    parts = [f"## assay.{name}", inspect.getdoc(of) or ""]
    documented = dict(_attributes(of))
    if rows := [
        (_code(field), _code(kind), _cell(documented.get(field, ""))) for field, kind in _fields(of)
    ]:
        parts.append(table(("field", "type", "what it is"), rows))
    if members := list(_members(of, documented)):
        parts.append(table(("member", "what it is"), members))
    return "\n\n".join(part for part in parts if part)


def _fields(of: type) -> list[tuple[str, str]]:
    declared = inspect.get_annotations(of)
    return [
        (name, _plain(str(kind)).removeprefix("ForwardRef(").strip("'"))
        for name, kind in declared.items()
        if not name.startswith("_") and "ClassVar" not in str(kind)
    ]


def _attributes(of: type) -> Iterator[tuple[str, str]]:
    """The texts that stand below the fields of a class."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(of)))
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    for field, below in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
            constant = below.value
            if isinstance(constant, ast.Constant) and isinstance(field.target, ast.Name):
                text = " ".join(inspect.cleandoc(str(constant.value)).split())
                yield field.target.id, text


def _members(of: type, documented: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Methods and properties that the class itself documents."""
    for name, member in vars(of).items():
        function = getattr(member, "fget", None) or getattr(member, "func", None) or member
        function = getattr(function, "__func__", function)
        text = inspect.getdoc(function) if inspect.isfunction(function) else None
        if name.startswith("_") or name in documented or not text:
            continue
        is_called = function is member or isinstance(member, classmethod | staticmethod)
        first = " ".join(text.partition("\n\n")[0].split())
        yield _code(f"{name}()" if is_called else name), _cell(first)


def _code(text: str) -> str:
    """Code in a cell of a table, where a bar would end the cell."""
    return f"<code>{_cell(text.replace('<', '&lt;'))}</code>" if "|" in text else f"`{text}`"


def _cell(text: str) -> str:
    return text.replace("|", "&#124;")
