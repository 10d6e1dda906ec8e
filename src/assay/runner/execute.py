"""The one way in which a run happens: plan, record, score, write, finish.

The command line, the server's jobs, its collector and live endpoints, the pytest plugin, the MCP
server and the Python calls all build a `RunRequest` and hand it to `execute`. So settings,
profiles, thresholds, models, redaction and resuming mean the same wherever a run is started.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from time import monotonic, sleep, time
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.core import DataError, Metric, Sample, Summary, UsageError
from assay.core.errors import RunBusyError
from assay.core.result_records import Declaration, Detail
from assay.data import Profile
from assay.engine import Plan, Tally
from assay.engine.problems import Problems
from assay.report import About, check_outputs, open_writers
from assay.runner.escalation import Escalation, EscalationCounts, EscalationRequest
from assay.runner.gating import GateRequest, RunGates, with_controls
from assay.runner.job import DEFAULT_PROFILE, Job, default_selection
from assay.runner.redaction import mask_item
from assay.runner.rows import Row, Rows
from assay.runner.stream import Item, Recorder, Sink, run_stream
from assay.samples.reader import SampleStream
from assay.settings import Settings

if TYPE_CHECKING:  # what needs extras, or is needed where a system is asked
    from assay.runner.answer_collector import AnswerCollector, TargetCallOptions
    from assay.runner.block_run import BlockRequest
    from assay.runner.call_pool import CallPool
    from assay.runner.prompt_template import PromptTemplate
    from assay.runner.record import OpenRunRecorder, RunName
    from assay.store import Store
    from assay.store.row_codec import Outcome
    from assay.store.run_writer import RunWriter
    from assay.targets.protocol import Target

MAX_UNUSABLE = 10_000
"""Records without a usable one among them, after which a run is given up before it begins."""
FIRST_SAMPLES = 256
"""Records that are looked at to choose metrics by the fields of the data."""


POLL = 1.0
"""Seconds between two looks whether another program still writes the run."""


@dataclass(frozen=True, kw_only=True)
class RecordRequest:
    """Where a run is kept."""

    store: Store | str
    """The store, or its URL."""
    name: RunName = None
    resume: bool = False
    """Whether a run of that name goes on where it stopped."""
    wait: float = 0.0
    """Seconds to wait, at most, for another program that writes the run."""
    stays_open: bool = False
    """Whether the samples are added to what the run holds, and the run is not finished."""
    tags: tuple[str, ...] = ()
    decided_by: Mapping[str, Any] = field(default_factory=dict)
    """What decides the outcome beside the plan and the settings: a resumed run must agree."""
    now: Callable[[], float] = time
    outcomes: tuple[Outcome, ...] = ()
    """How the tests of a run that stays open went, where they were reported with their outcome."""


@dataclass(frozen=True, kw_only=True)
class TargetRequest:
    """The system whose answers are scored."""

    target: Target
    options: TargetCallOptions
    prompt: PromptTemplate | None = None
    """What is told around each question; None: the question as it is."""
    pool: CallPool | None = None
    """Where the calls are made, where runs that go on side by side share their limits."""
    fields: frozenset[str] | None = None
    """What answers may fill beside the response, where the metrics are chosen by it; None: as the
    target says."""


class RunPart(NamedTuple):
    """Where the samples stand that are scored on their own, but belong to a larger run."""

    first: int = 0
    """How many records stand before."""


class Observer:
    """Is told how a run goes; does nothing by itself."""

    def planned(self, plan: Plan) -> None:
        """The run is planned; nothing is scored or written yet."""

    def waiting(self, reason: str) -> None:
        """Another program writes the run; called again and again until it does not."""

    def scoring(self) -> AbstractContextManager[None]:
        """Surrounds the scoring."""
        return nullcontext()

    def asking(self, asker: AnswerCollector) -> AbstractContextManager[None]:
        """Surrounds the scoring where a system is asked."""
        return nullcontext()

    def scored(self, tally: Tally) -> None:
        """A batch is scored and, where the run is recorded, safe."""


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """All that decides a run: what is scored, how, and where results go."""

    items: Iterable[Item]
    """Samples, or questions where there is a target."""
    job: Job
    """Metrics, profile and models, as `make_job` puts them together."""
    settings: Settings
    """Workers, batches, seed, imputed values and redaction."""
    own_metrics: tuple[Metric, ...] = ()
    """Metrics that live in this process only; they are scored in it."""
    source: str = ""
    """Where the samples came from, for reports and the store."""
    total: int | None = None
    """How many records there are, where that is known."""
    out: tuple[str, ...] = ()
    """Files for the results; the ending chooses the format."""
    detail: Detail = "full"
    """Which scores of a JSON file have their reasons."""
    sinks: Sequence[Sink] = ()
    """What else takes the scored samples."""
    blocks: BlockRequest | None = None
    """Set where Parquet is scored block by block; `items` are then looked at, not scored."""
    part: RunPart | None = None
    """Set where this is a part of a run, in which no record need be usable."""
    gates: GateRequest | None = None
    record: RecordRequest | None = None
    target: TargetRequest | None = None
    score_repeats: bool = False
    """Whether each of several answers to a question is scored as a sample of its own."""
    escalation: EscalationRequest | None = None
    """Whether what is unsure goes to the judge, or waits for people."""
    redact: bool | None = None
    """Whether personal data is masked; None: as the settings say. False only where nothing of the
    samples leaves the caller."""
    observer: Observer = field(default_factory=Observer)
    begun: str = ""
    """When it began, as reports say it."""
    command: str = ""
    """The command line, for reports; without secrets."""


class RunResult(NamedTuple):
    """The outcome of a run."""

    summary: Summary
    plan: Plan
    run: str | None = None
    """The name of the stored run."""
    store: str | None = None
    """Where it is kept."""
    test_ids: Sequence[int] = ()
    """The tests that were added to a run that stays open."""
    ended_early: str = ""
    """Why not every question was put to the target, where that is so."""
    was_stopped: bool = False
    """Whether calling the target was interrupted."""
    is_whole: bool = True
    """Whether nothing is left to resume."""
    escalated: EscalationCounts | None = None
    """What became of unsure verdicts, where the run escalates."""


def execute(request: RunRequest) -> RunResult:
    """Do a run: plan it, record it, score it, write the results and finish it."""
    redact = request.settings.redact if request.redact is None else request.redact
    source = request.items if isinstance(request.items, SampleStream) else None
    if request.target or request.score_repeats:  # then samples are made of the records
        source = None
    request = _with_repeats(request) if request.score_repeats else request
    if not (request.part or (request.record and request.record.stays_open)):
        request = replace(request, items=_usable(iter(request.items), redact=redact))
    job, items = _settled(request)
    plan = job.plan(request.own_metrics)
    wanted = with_controls(request.gates, request.source, plan)
    gates = RunGates(wanted, request.settings, plan) if wanted else None
    request.observer.planned(plan)
    settings = request.settings
    if request.blocks:
        return _execute_blocks(request, request.blocks, plan, job, gates, redact=redact)
    escalation = _escalation(request, plan, job, redact=redact)
    with ExitStack() as stack:
        stack.callback(plan.foreign.close)
        kept = _Recording.of(request, plan, stack, redact=redact)
        asker = _asker(request, kept.writer, redact=redact) if request.target else None
        about = About(
            kept.name or Path(request.source).stem,
            request.source,
            created=request.begun,
            command=request.command,
            profile=_profile_name(job, plan),
        )
        writers = stack.enter_context(
            open_writers(request.out, about, request.detail, declarations(plan))
        )
        stack.enter_context(request.observer.scoring())
        if asker:
            stack.enter_context(request.observer.asking(asker))
            items = stack.enter_context(closing(asker.items(items)))
        summary = run_stream(
            items,
            job,
            plan=plan,
            sinks=[*request.sinks, *writers, *(gates.sinks if gates else ())],
            recorder=kept.recorder,
            workers=1 if request.own_metrics else settings.workers,
            batch_size=settings.batch_size,
            include_imputed=settings.include_imputed,
            seed=settings.seed,
            first=request.part.first if request.part else 0,
            source=source,
            redact=redact,
            on_batch=request.observer.scored,
            escalation=escalation,
        )
        summary = gates.judged(summary) if gates else summary
        is_whole = kept.is_whole and not (asker and asker.reason)
        if kept.writer and is_whole:
            kept.writer.finish(summary.to_json())
        for writer in writers:
            writer.close(summary)
    return RunResult(
        summary,
        plan,
        kept.name,
        kept.writer.url if kept.writer else None,
        kept.added.test_ids if kept.added else (),
        asker.reason if asker else "",
        asker.was_stopped if asker else False,
        is_whole,
        escalation.counts if escalation else None,
    )


def _execute_blocks(
    request: RunRequest,
    blocks: BlockRequest,
    plan: Plan,
    job: Job,
    gates: RunGates | None,
    *,
    redact: bool,
) -> RunResult:
    """Do a run by blocks, which keeps its results in a folder of its own."""
    from assay.runner.block_run import BlockRun, claimed_folder

    _check_blocks(request)
    with ExitStack() as stack:
        stack.enter_context(claimed_folder(blocks.out))
        kept = _Recording.of(request, plan, stack, redact=redact)
        run = BlockRun(
            blocks, plan, job, request.settings, request.detail, redact=redact, writer=kept.writer
        )
        name = kept.name or Path(request.source).stem
        about = About(name, request.source, profile=_profile_name(job, plan))
        writers = stack.enter_context(open_writers(request.out, about))
        tally = Tally(plan)
        with request.observer.scoring():
            for tally in run.tallies():
                request.observer.scored(tally)
        summary = tally.summary()
        if gates:
            gates.count(tally)
            summary = gates.judged(summary)
        run.finish(summary)
        for writer in writers:
            writer.close(summary)
    return RunResult(summary, plan, kept.name, kept.writer.url if kept.writer else None)


def _check_blocks(request: RunRequest) -> None:
    """Refuse what only a run in one process can do."""
    unable = {
        "a target": request.target,
        "--escalate": request.escalation,
        "--score-repeats": request.score_repeats,
        "metrics of the calling program": request.own_metrics,
        "a baseline": request.gates and request.gates.baseline,
        "a gate on a group of samples": request.gates and any(g.group for g in request.gates.gates),
        "an output file with samples": [p for p in request.out if not p.endswith((".md", ".prom"))],
    }
    if first := next((name for name, given in unable.items() if given), None):
        raise UsageError(f"a run by blocks cannot have {first}; leave it out")


def _with_repeats(request: RunRequest) -> RunRequest:
    """The request in which every answer is a sample of its own."""
    from assay.runner.repeats import answered_each, asked_each

    if request.target is None:
        return replace(request, items=answered_each(request.items), total=None)
    times = request.target.options.repeat
    once = replace(request.target, options=replace(request.target.options, repeat=1))
    total = None if request.total is None else request.total * times
    return replace(request, items=asked_each(request.items, times), target=once, total=total)


def declarations(plan: Plan) -> dict[str, Declaration]:
    """What holds for all scores of each metric of a run."""
    return {
        step.metric.id: Declaration(
            step.signature, step.threshold, step.gates, step.metric.range, step.metric.polarity
        )
        for step in plan.shown
    }


def _profile_name(job: Job, plan: Plan) -> str:
    """What chose metrics and thresholds; empty where people named the metrics."""
    if job.profile.name != Profile().name:
        return job.profile.name
    return DEFAULT_PROFILE if plan.selection else ""


def _escalation(request: RunRequest, plan: Plan, job: Job, *, redact: bool) -> Escalation | None:
    if request.escalation is None:
        return None
    return Escalation(request.escalation, plan, job.backends, redact=redact)


def execute_one(request: RunRequest) -> tuple[Row, RunResult]:
    """Do a run of a single sample; gives the sample and its scores as they leave the run."""
    rows = Rows()
    alone = request.settings.override({"workers": 1})
    result = execute(replace(request, settings=alone, sinks=[*request.sinks, rows]))
    return Row(rows.samples[0], rows.scores[0]), result


def _usable(items: Iterator[Item], *, redact: bool) -> Iterator[Item]:
    """The items, unless all of them, or so many of the first, are records that cannot be used.

    A run of nothing is an error, and nothing of it is stored.
    """
    first: list[Item] = []
    for item in items:
        first.append(item)
        if isinstance(item, Sample):
            return chain(first, items)
        if len(first) == MAX_UNUSABLE:
            break
    if not first:
        return items
    problems = Problems()
    for item in first:
        problems.add(str(mask_item(item) if redact else item))
    which = f"the first {len(first):,} records" if len(first) == MAX_UNUSABLE else "the records"
    raise DataError(f"nothing to score: none of {which} can be used: {'; '.join(problems.lines())}")


def _settled(request: RunRequest) -> tuple[Job, Iterator[Item]]:
    """The job with its metrics settled, and all items; the first are looked at only if needed."""
    items, job = iter(request.items), request.job
    if job.names_metrics() or request.own_metrics:
        return job, items
    gated = [gate.metric for gate in request.gates.gates] if request.gates else []
    if request.record and request.record.stays_open:  # what comes later may have other fields
        return default_selection(job, None, gated), items
    first = list(islice(items, FIRST_SAMPLES))
    samples = [item for item in first if isinstance(item, Sample)]
    if request.target:  # the plan is stored before anything is asked
        from assay.runner.questions import with_possible_fields
        from assay.targets.protocol import returned_fields

        fields = request.target.fields
        if fields is None:
            fields = returned_fields(request.target.target)
        samples = [with_possible_fields(sample, fields) for sample in samples]
    return default_selection(job, samples or None, gated), chain(first, items)


class _Recording(NamedTuple):
    """The recording of a run, where it is recorded."""

    writer: RunWriter | None = None
    recorder: Recorder | None = None
    added: OpenRunRecorder | None = None

    @property
    def name(self) -> str | None:
        return self.writer.name if self.writer else None

    @property
    def is_whole(self) -> bool:
        """Whether all that was asked is recorded."""
        return getattr(self.recorder, "is_whole", True)

    @classmethod
    def of(cls, request: RunRequest, plan: Plan, stack: ExitStack, *, redact: bool) -> _Recording:
        """Begin or resume the stored run."""
        record = request.record
        if record is None:
            return cls()
        check_outputs(request.out)
        from assay.runner.record import OpenRunRecorder, record_run
        from assay.store import open_store

        store = record.store
        if isinstance(store, str):
            store = open_store(store)
            stack.callback(store.close)
        decided = {
            "include_imputed": request.settings.include_imputed,
            "seed": request.settings.seed,
            "redact": redact,
            **record.decided_by,
        }
        start = partial(
            record_run,
            store,
            record.name,
            plan,
            resume=record.resume or record.stays_open,
            source=request.source,
            total=request.total,
            tags=record.tags,
            settings=decided,
            lease=not record.stays_open,
            now=record.now,
        )
        if record.stays_open:
            added = OpenRunRecorder(start, record.outcomes)
            return cls(None, added, added)
        writer = _started(start, record.wait, request.observer)
        stack.callback(writer.release)
        if request.target is None:
            return cls(writer, writer)
        from assay.runner.answer_recorder import TargetRecorder

        return cls(writer, TargetRecorder(writer))


def _started(start: Callable[[], RunWriter], wait: float, observer: Observer) -> RunWriter:
    """The writer, as soon as no other program writes the run."""
    end = monotonic() + wait
    while True:
        try:
            return start()
        except RunBusyError as error:
            if monotonic() >= end:
                raise
            observer.waiting(str(error))
            sleep(POLL)


def _asker(request: RunRequest, writer: RunWriter | None, *, redact: bool) -> AnswerCollector:
    """What asks the system, and keeps the answers where the run is kept."""
    from assay.runner.answer_collector import AnswerCollector
    from assay.runner.answer_recorder import AnswerRecorder
    from assay.runner.questions import question_of

    call = request.target
    assert call is not None
    return AnswerCollector(
        call.target,
        call.options,
        keeper=AnswerRecorder(writer, redact=redact) if writer else None,
        pool=call.pool,
        question_of=call.prompt.question_of if call.prompt else question_of,
    )
