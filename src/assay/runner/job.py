"""What is to be scored, as plain data that can be sent to another process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assay import registry
from assay.backends import Backends
from assay.core import Metric, ProfileError, Sample
from assay.data import Profile
from assay.data import profile as read_profile
from assay.data.json_options import parse_strategies, read_strategies
from assay.data.rubrics import Rubric
from assay.data.rubrics import rubric as read_rubric
from assay.engine import Plan, make_plan
from assay.engine.foreign import ForeignCalls
from assay.engine.metric_process import MetricProcess
from assay.metrics.judge.rubric import rubric_metric
from assay.runner.choosing import FieldChoice, choose
from assay.runner.judge_cost import priced
from assay.settings import Settings

DEFAULT_PROFILE = "auto"
"""The profile whose rules choose when neither the call, the settings nor the profile do."""


@dataclass(frozen=True, slots=True)
class Job:
    """Selectors, a profile, the plugins that bring further metrics, and the chosen models."""

    metrics: tuple[str, ...] = ()
    profile: Profile = field(default_factory=Profile)
    plugins: tuple[str, ...] = ()
    backends: Backends = field(default_factory=Backends)

    plugin_memory: int = 0
    """Megabytes of a process of their own for metrics of plugins; 0 for none."""
    choice: FieldChoice | None = None
    """What the rules of the profile chose, once the data is known."""

    def names_metrics(self) -> bool:
        """Whether people or a choice say what is scored, so that no default is needed."""
        return bool(self.metrics or self.profile.metrics or self.profile.rubrics or self.choice)

    def plan(self, extra: Iterable[Metric] = ()) -> Plan:
        """Plan the run; `extra` metrics are scored too, and so are the profile's rubrics."""
        rubrics = [rubric_metric(rubric) for rubric in self.profile.rubrics]
        own = {metric.id: metric for metric in (*extra, *rubrics)}
        if not own and not self.names_metrics():
            return default_selection(self, None).plan()
        known = self._known(rubrics) | own
        if self.choice:
            return make_plan(
                registry.select([*self.choice.metrics, *own], known),
                self.profile,
                known,
                backends=priced(self.backends),
                gating=self.choice.gating | own.keys(),
                informational=self.choice.informational,
                selection=self.choice.line,
                foreign=self._foreign(known.keys() - own.keys()),
            )
        selectors = self.metrics
        if not selectors and (rubrics or not own):
            selectors = self.profile.metrics
        unasked = () if self.backends.judge else {m.id for m in known.values() if m.rubric}
        return make_plan(
            registry.select([*selectors, *own], known, unasked=unasked),
            self.profile,
            known,
            backends=priced(self.backends),
            gating=registry.chosen_ids(selectors, known) | own.keys(),
            foreign=self._foreign(known.keys() - own.keys()),
        )

    def _foreign(self, isolated: Iterable[str]) -> ForeignCalls | None:
        """How metrics of plugins are called, where they are to have a process of their own."""
        if not self.plugin_memory:
            return None
        return ForeignCalls(MetricProcess(self.plugins, self.plugin_memory), frozenset(isolated))

    def known(self) -> dict[str, Metric]:
        """All metrics that there are to choose from."""
        return self._known([])

    def _known(self, rubrics: Iterable[Metric]) -> dict[str, Metric]:
        known = dict(registry.metrics())
        for plugin in self.plugins:
            known |= registry.load_plugin(plugin)
        for metric in rubrics:
            if metric.id in known:
                raise ProfileError(f"there is a rubric {metric.name!r} already; rename the file")
        return known


def default_selection(job: Job, first: Sequence[Sample] | None, gated: Iterable[str] = ()) -> Job:
    """The job with the choice of a run that names no metrics anywhere: the one place for it.

    The rules of the profile choose, else those of `auto` under the profile's own choices. `first`
    are the first samples of the run, or None where it is planned before any is read; `gated` are
    metrics that gates name.
    """
    profile = job.profile
    if not profile.rules:
        auto = read_profile(DEFAULT_PROFILE)
        thresholds = {**auto.thresholds, **profile.thresholds}
        rules = replace(profile, rules=auto.rules, thresholds=thresholds)
        chosen = choose(replace(rules, name=auto.name), first, job.known(), gated)
        return replace(job, profile=rules, choice=chosen)
    return replace(job, choice=choose(profile, first, job.known(), gated))


def make_job(
    settings: Settings,
    *,
    profile: Profile | None = None,
    rubrics: str | Rubric | Iterable[str | Rubric] = (),
    strategies: Mapping[str, Any] | str | None = None,
    repair: bool = False,
    plugins: Iterable[str] = (),
    backends: Backends | None = None,
) -> Job:
    """The job that settings ask for: the one way from settings to what is scored.

    Args:
        settings: What is set, with what the call itself says over it.
        profile: A profile that the call gives; without one, the profile that is set.
        rubrics: Further rubrics: read already, or files to read.
        strategies: How JSON fields are compared, before the profile's own; a file or a table.
        repair: Whether damaged JSON is read as well as it can be.
        plugins: Modules with further metrics.
        backends: The models, instead of those that are set.

    """
    chosen = settings.chosen_profile() if profile is None else settings.apply(profile)
    chosen = _with_json(with_rubrics(chosen, rubrics), strategies, repair=repair)
    is_chosen = profile is not None or settings.is_explicit("profile")
    metrics = settings.metrics
    if is_chosen and chosen.metrics and not settings.is_explicit("metrics"):
        metrics = ()  # the profile that the call names goes before the metrics of a file
    models = _redacting(backends, settings)
    return Job(metrics, chosen, tuple(plugins), models, settings.plugin_memory)


def with_rubrics(profile: Profile, rubrics: str | Rubric | Iterable[str | Rubric]) -> Profile:
    """The profile with further rubrics: read already, or files to read."""
    given = [rubrics] if isinstance(rubrics, str | Rubric) else rubrics
    read = tuple(one if isinstance(one, Rubric) else read_rubric(one) for one in given)
    return replace(profile, rubrics=profile.rubrics + read) if read else profile


def _with_json(
    profile: Profile, strategies: Mapping[str, Any] | str | None, *, repair: bool
) -> Profile:
    """The profile with the call's own choices for the comparison of JSON."""
    options = profile.json_options
    if strategies:
        own = (
            read_strategies(strategies)
            if isinstance(strategies, str)
            else parse_strategies(strategies, "strategies")
        )
        options = replace(options, strategies={**options.strategies, **own})
    if repair:
        options = replace(options, repair=True)
    return profile if options is profile.json_options else replace(profile, json_options=options)


def _redacting(backends: Backends | None, settings: Settings) -> Backends:
    """The models; a judge sees masked texts where results are to be redacted."""
    if backends is None:
        return settings.backends()
    if not settings.redact or backends.judging.redact:
        return backends
    return replace(backends, judging=replace(backends.judging, redact=True))
