"""A model behind an address that takes and gives JSON, as OpenAI's endpoints do.

How it is contacted is the wire's affair: clocks, caps, repetitions, rest after failure, and no
secret in any message.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import urlsplit, urlunsplit

from assay.core.errors import ModelError, UsageError
from assay.core.jsontext import dumps
from assay.core.secrets import address_secrets
from assay.wire.address import check_address
from assay.wire.call_errors import CallError, Fault
from assay.wire.exchange import Request
from assay.wire.limits import CallLimits
from assay.wire.sync_calls import Calls

MAX_BYTES = 64 * 2**20
"""A longer answer is refused: vectors of many texts are long."""


class EndpointRefusedError(ModelError):
    """The endpoint has no good answer to this request, whenever it is asked."""

    def __init__(self, message: str, status: int | None) -> None:
        super().__init__(message)
        self.status = status


class EndpointModel:
    """A model behind an address; asked for the first time when somebody needs an answer."""

    path: ClassVar[str]
    """What follows the address."""
    gives: ClassVar[str]
    """What an answer holds, in a word."""
    advice: ClassVar[str]
    """What to check when there is no answer."""

    def __init__(
        self, model: str, url: str, key: str = "", *, limits: CallLimits | None = None, **calls: Any
    ) -> None:
        """`limits` and `calls` go to the wire: clocks and caps, pace and budget."""
        self.name = address_name(model, url)
        self._model = model
        self._key = key
        self._url = joined(url, self.path)
        secrets = [key, *address_secrets(url)]
        self._calls = Calls(limits or CallLimits(max_bytes=MAX_BYTES), secrets=secrets, **calls)

    def _request(self, body: Mapping[str, Any]) -> Request:
        headers = {"content-type": "application/json"}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        return Request("POST", self._url, headers, dumps(body).encode())

    def _post(self, body: Mapping[str, Any]) -> str:
        """The text of the answer to one request; raises `ModelError`."""
        (reply,) = self._calls.ask_all([self._request(body)])
        if isinstance(reply, CallError):
            message = self._failed(reply)
            if reply.fault is Fault.REFUSED:
                raise EndpointRefusedError(message, reply.status)
            raise ModelError(message)
        return reply.text

    def _failed(self, error: CallError) -> str:
        """A message with model, reason and remedy."""
        if error.fault is Fault.BUDGET:
            return f"the model {self.name!r} was not asked ({error})"
        return f"the model {self.name!r} gave no {self.gives} ({error}); {self.advice}"


def joined(url: str, path: str) -> str:
    """The address with a further path; what stands behind a question mark stays there."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{path}"))


def address_name(model: str, url: str, provider: str = "openai") -> str:
    """Model and address; nothing that may be secret, such as a query, is part of it."""
    try:
        parts = urlsplit(url)
        place = f"{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}"
    except ValueError:  # no address at all; whoever makes the model refuses it
        place = ""
    return f"{provider}:{model}@{place.rstrip('/')}"


def is_address(url: str) -> bool:
    """Whether a text is an address without a password in it."""
    try:
        check_address(url)
    except UsageError:
        return False
    return True
