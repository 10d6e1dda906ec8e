"""What tests call: assert the quality of an answer, or score it and keep the scores as signals."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.backends import Backends
from assay.core import Sample, Scores, UsageError
from assay.data import Profile
from assay.runner.arguments import (
    Metrics,
    SettingsChoice,
    call_settings,
    sort_keywords,
    split_metrics,
)
from assay.runner.event_loops import in_thread
from assay.runner.execute import RunRequest, execute_one
from assay.runner.job import make_job
from assay.runner.rows import Row
from assay.samples import to_sample
from assay.samples.write import to_record
from assay.testing.answer_check import Check, keep, without_verdict
from assay.testing.message import QualityViolation, message

if TYPE_CHECKING:
    import pytest

_ORDER = ("failed", "error", "imputed", "missing")
"""The kinds of violation, the most telling first."""
_ARGUMENTS = ("metrics", "profile", "at_least", "allow_missing", "backends", "settings")
"""Arguments that are neither a setting nor a field."""


class QualityError(AssertionError):
    """Read the message: it names what failed, why, and the words that caused it."""

    __module__ = "assay.testing"

    def __init__(
        self, sample: Sample, scores: Scores, violations: Iterable[QualityViolation]
    ) -> None:
        self.sample = sample
        self.scores = scores
        self.violations = tuple(violations)
        super().__init__(message(sample, scores, self.violations))


class Quality:
    """What the fixture `assay` gives: scores are kept with the test that asks for them."""

    def __init__(self, test: pytest.Item | None = None) -> None:
        self._test = test

    def __repr__(self) -> str:
        return "<assay>"

    def assert_quality(
        self,
        sample: Sample | Mapping[str, Any] | None = None,
        /,
        *,
        metrics: Metrics = None,
        thresholds: Mapping[str, float] | None = None,
        profile: str | Profile | None = None,
        at_least: float | None = None,
        allow_missing: bool = False,
        backends: Backends | None = None,
        settings: SettingsChoice = "auto",
        **given: Any,
    ) -> Scores:
        """Assert that an answer holds every threshold of the metrics; its scores otherwise.

        The answer is given by the fields of a sample: `assert_quality(query="…", response="…")`;
        a whole sample may stand first, and fields then replace its own. What is set in `assay.toml`
        and in the environment counts as for `assay run`; an argument goes before it, and every
        setting is an argument too: `embedder="none"`.

        Args:
            sample: A sample, or a record under any name that sample files may use.
            metrics: Ids, families (`"text"`), tags (`"@rules"`) and metrics of your own. Default:
                those that are set or that the profile names, and those that have one of the
                `thresholds`; where nothing is named, what `auto` chooses by the fields.
            thresholds: Metric → what it must reach (or stay below, where lower is better), instead
                of its own threshold.
            profile: A bundled name, a `.toml` file or a `Profile`.
            at_least: What the mean quality of all scores must reach besides.
            allow_missing: Let metrics pass that lack an input or gave a substitute value. Errors
                fail all the same, and so does a check in which nothing could be computed.
            backends: The models that metrics may ask, instead of those that are set.
            settings: `"auto"`; None for the defaults alone; a file in place of `assay.toml`; or
                `Settings`.
            given: Fields of the sample, and settings.

        Raises:
            QualityError: Something does not hold; an `AssertionError` that says what and why.

        """
        __tracebackhide__ = True
        if at_least is not None and not 0 <= at_least <= 1:  # NaN is refused too: nothing is below
            raise UsageError(f"at_least is {at_least!r}; expected a mean quality from 0 to 1")
        call = _Call("assert_quality", sample, {"thresholds": thresholds, **given})
        request = call.request(metrics, profile, backends, settings, self._folder)
        result, scores = _executed(_asserting(request, thresholds))
        violations = _violations(scores, at_least, allow_missing)
        self._keep(Check(result, scores, not violations))
        if violations:
            raise QualityError(result, scores, violations)
        return scores

    async def aassert_quality(self, *args: Any, **kwargs: Any) -> Scores:
        """`assert_quality` in a thread: the event loop of the test stays free meanwhile."""
        __tracebackhide__ = True
        try:
            return await in_thread("assert_quality", self.assert_quality, *args, **kwargs)
        except QualityError as error:
            raise error.with_traceback(None) from None  # how threads work explains nothing

    def record(
        self,
        sample: Sample | Mapping[str, Any] | None = None,
        /,
        *,
        metrics: Metrics = None,
        profile: str | Profile | None = None,
        backends: Backends | None = None,
        settings: SettingsChoice = "auto",
        **given: Any,
    ) -> Scores:
        """Score an answer and keep the scores as signals, which no test fails by."""
        call = _Call("record", sample, given)
        request = call.request(metrics, profile, backends, settings, self._folder)
        result, scores = _executed(request)
        self._keep(Check(result, without_verdict(scores), None))
        return scores

    def score(
        self,
        sample: Sample | Mapping[str, Any] | None = None,
        /,
        *,
        metrics: Metrics = None,
        profile: str | Profile | None = None,
        backends: Backends | None = None,
        settings: SettingsChoice = "auto",
        **given: Any,
    ) -> Scores:
        """Score an answer and keep nothing; for tests that look at the scores themselves."""
        call = _Call("score", sample, given)
        request = call.request(metrics, profile, backends, settings, self._folder)
        return _executed(request).scores

    @property
    def _folder(self) -> Path | None:
        """Where the search for `assay.toml` starts: where pytest was called, wherever a test is."""
        return None if self._test is None else self._test.config.invocation_params.dir

    def _keep(self, check: Check) -> None:
        if self._test is not None:
            keep(self._test, check)


def assert_quality(*args: Any, **kwargs: Any) -> Scores:
    """`Quality.assert_quality` without the fixture; outside of pytest nothing is kept."""
    __tracebackhide__ = True
    return Quality(_running_test()).assert_quality(*args, **kwargs)


async def aassert_quality(*args: Any, **kwargs: Any) -> Scores:
    """`assert_quality` in a thread: the event loop stays free meanwhile."""
    __tracebackhide__ = True
    return await Quality(_running_test()).aassert_quality(*args, **kwargs)


def _running_test() -> pytest.Item | None:
    """The test that runs now; none where pytest, or our part of it, is not loaded."""
    plugin = sys.modules.get("assay.testing.plugin")
    return plugin.running_test() if plugin else None


class _Call:
    """The arguments of a call: the answer by its fields, and settings."""

    def __init__(
        self, name: str, sample: Sample | Mapping[str, Any] | None, given: Mapping[str, Any]
    ) -> None:
        keywords = sort_keywords(name, given, _ARGUMENTS)
        record = to_record(sample) if isinstance(sample, Sample) else dict(sample or {})
        self._sample = to_sample({**record, **keywords.fields}, "", needs_content=False)
        self._settings = keywords.settings

    def request(
        self,
        metrics: Metrics,
        profile: str | Profile | None,
        backends: Backends | None,
        settings: SettingsChoice,
        folder: Path | None,
    ) -> RunRequest:
        """The request to score the answer."""
        selectors, own = split_metrics(metrics)
        chosen = call_settings(
            settings, self._settings, metrics=selectors, profile=profile, folder=folder
        )
        given = profile if isinstance(profile, Profile) else None
        job = make_job(chosen, profile=given, backends=backends)
        return RunRequest(items=[self._sample], job=job, settings=chosen, own_metrics=own)


def _executed(request: RunRequest) -> Row:
    __tracebackhide__ = True
    return execute_one(request)[0]


def _asserting(request: RunRequest, thresholds: Mapping[str, float] | None) -> RunRequest:
    """What is scored to assert: what was asked for, and all that has a threshold of this call."""
    job, own = request.job, {metric.id for metric in request.own_metrics}
    chosen = job.metrics or (() if own else job.profile.metrics)
    chosen += tuple(id for id in thresholds or () if id not in own)
    return replace(request, job=replace(job, metrics=chosen))


def _violations(
    scores: Scores, at_least: float | None, allow_missing: bool
) -> list[QualityViolation]:
    """What does not hold; no score does not hold either, unless that is allowed."""
    violations = [
        QualityViolation(id, result.state if result.state != "ok" else "failed")
        for id, result in scores.results.items()
        if result.gates
        and (
            result.state == "error"
            or (result.state in ("missing", "imputed") and result.threshold is not None)
            or (result.state == "ok" and result.verdict in ("fail", "unsure"))
        )
    ]
    held = any(r.gates and r.state == "ok" and r.passed for r in scores.results.values())
    if at_least is None and not violations and not held:
        raise UsageError(
            f"none of {', '.join(scores.results)} decides passes, so nothing is asserted; give "
            "thresholds={…}, or use record(…) to keep the scores as signals"
        )
    if allow_missing:
        known = [v for v in violations if v.state not in ("missing", "imputed")]
        violations = known if known or held else violations
    if at_least is not None and (scores.score is None or scores.score < at_least):
        violations.append(QualityViolation("", "failed", at_least))
    return sorted(violations, key=lambda violation: _ORDER.index(violation.state))
