"""The bases of all requests and answers, and the kinds of text in them."""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeVar

from pydantic import AfterValidator, AliasChoices, BaseModel, ConfigDict, Field

from assay.core.plain import HALVES
from assay.server.uploads import ID

Item = TypeVar("Item")


class ResponseModel(BaseModel):
    """Base of all answers."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


class Body(BaseModel):
    """Base of all request bodies: unknown fields are rejected, so that a typing error shows."""

    model_config = ConfigDict(extra="forbid")


class Error(ResponseModel):
    """Why a request was not answered."""

    error: str
    """What is wrong, for people."""
    code: str
    """What kind of failure it is, such as `not_found`, for programs and other languages."""
    id: str
    """The number under which the server's log knows the request."""


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": Error, "description": words}
    for status, words in {
        400: "The request cannot be understood.",
        401: "A key is needed.",
        403: "The key's role does not allow this.",
        404: "There is no such thing.",
        413: "The request is too large.",
        422: "A field of the request is wrong.",
        429: "Too many wrong keys.",
        500: "The server failed; its log says how.",
        501: "An optional package is not installed.",
    }.items()
}


class Page(ResponseModel, Generic[Item]):
    """A part of a list."""

    items: list[Item]
    total: int
    """Entries of the whole list."""
    limit: int
    offset: int


def _storable(text: str) -> str:
    if "\0" in text:
        raise ValueError("a NUL character cannot be stored")
    return text


Text = Annotated[str, AfterValidator(_storable)]
"""Text that both databases can hold."""


Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_storable)]
"""The name of something stored."""


Ends = tuple[float, float]
"""A lower and an upper end."""


MAX_BATCH = 500
"""Most entries of one batch request, as in the JSON metrics plan."""


def _plain(value: Any) -> Any:
    """Refuse half a surrogate pair: no file and no answer could hold it."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            if HALVES.search(part):
                raise ValueError("holds half a surrogate pair, which is no character")
        elif isinstance(part, dict):
            waiting += [*part, *part.values()]
        elif isinstance(part, list):
            waiting += part
    return value


Json = Annotated[Any, AfterValidator(_plain)]
"""Any JSON value."""


JsonObject = Annotated[dict[str, Any], AfterValidator(_plain)]
"""A JSON object; keys are data and nothing else."""


UploadId = Annotated[str, Field(pattern=f"^{ID}$")]


JobId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]


ConfigName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]
"""The name of a profile, a policy or a set of strategies; never a path."""


RunName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 _.@:+-]{0,119}$")]


Selector = Annotated[Text, Field(min_length=1, max_length=200)]


Label = Annotated[Text, Field(min_length=1, max_length=200)]


Long = Annotated[Text, Field(max_length=1_000_000)]


Strategies = ConfigName | JsonObject
"""The name of a stored set, or strategies as a strategy file has them."""
STRATEGIES = AliasChoices("strategies", "field_strategies")
"""The names of that choice in a request; the second is that of the Qualaris document."""
