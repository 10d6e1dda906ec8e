"""Which models a run uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from threading import RLock
from typing import Any

from assay.backends.encoder_files import is_installed
from assay.backends.judge_questions import JudgeSpending
from assay.backends.judge_settings import JudgeSettings
from assay.backends.model_settings import ModelSettings
from assay.backends.providers import (
    ENDPOINT_JUDGES,
    JUDGED,
    PROVIDERS,
    identify,
    is_panel,
    make,
)
from assay.core.errors import ProfileError


@dataclass(frozen=True)
class Backends:
    """The chosen models, as plain data that can be sent to another process.

    Each is a provider's name, with what it needs after a colon: `use`, `minilm`, `hf:FOLDER`.
    An empty name, or `none`, means that there is none.
    """

    embedder: str = "use"
    token_embedder: str = "minilm"
    classifier: str = ""
    encoder: str = ""
    """`onnx` for the installed encoder, a folder for one of your own, `auto` for the installed one
    where there is one; none: rules alone."""
    judge: str = ""
    verifier: str = ""
    """`judge` for the judge itself."""
    comparer: str = ""
    """`judge` for the judge itself."""
    threads: int = 0
    """Threads of one model; 0: one, and for `minilm` as many as processors are idle. Vectors do not
    depend on it; speed on a busy machine does."""
    cache: bool = True
    """Whether vectors and verdicts are kept on disk for the next run."""
    downloads: bool = False
    """Whether a model that is not on this machine may be fetched by its name."""
    judging: JudgeSettings = field(default_factory=JudgeSettings)
    """How the judge is asked, and what it may cost."""

    def identity(self, kind: str) -> str:
        """What a signature says of a back-end; no model is loaded for it."""
        spec = self._spec(kind)
        if not spec:
            return "none"
        own = self.judging.identity if _is_judge(kind, spec) else ""
        return identify(kind, spec) + (f"~{own}" if own else "")

    def get(self, kind: str) -> Any:
        """The back-end of that kind; it is loaded when it is first used."""
        return self.open([kind])[kind]

    def open(
        self, kinds: Iterable[str], mask: Callable[[str], str] | None = None
    ) -> dict[str, Any]:
        """The back-ends of one run, by kind; wherever it is the same judge, it is asked as one.

        Models are loaded once a process. A judge is made for each run, because its caps are the
        run's; where texts are redacted, they go through the `mask` before it sees them.
        """
        usual = ModelSettings(self.threads, self.cache, self.downloads)
        judges: dict[str, _Lazy] = {}
        opened: dict[str, Any] = {}
        for kind in kinds:
            spec = self._spec(kind)
            if _is_judge(kind, spec):
                shown = mask if self.judging.redact else None
                own = usual._replace(judging=self.judging, mask=shown)
                opened[kind] = judges.setdefault(spec, _Lazy("judge", spec, own, is_shared=False))
            else:
                opened[kind] = _Lazy(kind, spec, usual)
        return opened

    def _spec(self, kind: str) -> str:
        """The words that choose a back-end."""
        spec: str = getattr(self, kind)
        if spec == "judge" and kind in JUDGED[1:]:
            if not self.judge:
                raise ProfileError(f"the {kind} is 'judge' but there is none; set 'judge'")
            return self.judge
        if spec == "none":
            return ""
        return encoder_spec(spec) if kind == "encoder" else spec


class _Lazy:
    """Loads a back-end on first use, so that what goes wrong concerns only those who ask it."""

    def __init__(
        self, kind: str, spec: str, settings: ModelSettings, *, is_shared: bool = True
    ) -> None:
        self._kind = kind
        self._spec = spec
        self._settings = settings
        self._is_shared = is_shared
        self._own: Any = None

    def __getattr__(self, name: str) -> Any:
        with _LOADING:
            backend = self._own
            if backend is None:
                load = _load if self._is_shared else make
                backend = load(self._kind, self._spec, self._settings)
                self._own = None if self._is_shared else backend
        return getattr(backend, name)


def _is_judge(kind: str, spec: str) -> bool:
    """Whether the words choose an endpoint that gives verdicts."""
    return is_panel(kind, spec) or (kind in JUDGED and spec.partition(":")[0] in ENDPOINT_JUDGES)


def judge_spent(backends: Iterable[Any]) -> JudgeSpending:
    """What the judges among the back-ends of a run were asked, and what that took."""
    lazy = {id(one): one for one in backends if isinstance(one, _Lazy)}
    made = [vars(one)["_own"] for one in lazy.values()]
    return sum((judge.spent for judge in made if judge is not None), JudgeSpending())


def encoder_spec(chosen: str) -> str:
    """The provider and folder that the words of the setting `encoder` choose; empty for none."""
    if chosen == "auto":
        return "onnx" if is_installed() else ""
    if chosen in ("", "none"):
        return ""
    return chosen if chosen.partition(":")[0] in PROVIDERS["encoder"] else f"onnx:{chosen}"


def is_configured(backend: object) -> bool:
    """Whether there is a model behind what `Backends.get` gave; nothing is loaded for it."""
    return not isinstance(backend, _Lazy) or bool(vars(backend)["_spec"])


_LOADING = RLock()
"""Held while a model is loaded, so that two threads do not load it twice."""


@cache
def _load(kind: str, spec: str, settings: ModelSettings) -> Any:
    """Make a back-end; the same one for the same words. A failure is tried again when asked."""
    return make(kind, spec, settings)
