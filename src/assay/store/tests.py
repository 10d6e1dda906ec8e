"""Finds stored tests: lists with filters and pages, one test whole, patterns of failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from assay.core import NotFoundError, Sample, Scores
from assay.core.jsontext import loads
from assay.store import schema
from assay.store.block_tests import BlockTests, open_block_tests
from assay.store.connect import Store
from assay.store.packed_scores import FAILS
from assay.store.row_codec import safe
from assay.store.score_columns import MetricColumns, state_of
from assay.store.statistics import iso
from assay.store.test_filter import ORDERS, TestFilter
from assay.store.test_reader import read_blocks, read_scored
from assay.store.text_search import found_in, with_text

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

MAX_PAGE = 1000
"""Most tests of one page."""
SHOWN_TEXT = 400
"""Characters of a text that a list shows."""


def shown_id(test_id: int) -> str:
    """A test's id as people see it: 16 hexadecimal digits."""
    return f"{test_id:016x}"


def parse_test_id(text: str) -> int:
    """The id behind 16 hexadecimal digits."""
    try:
        number = int(text, 16)
    except ValueError:
        number = -1
    if not 0 <= number < 1 << 63:
        raise NotFoundError(f"{text!r} is no id of a test; expected 16 hexadecimal digits")
    return number


def list_tests(
    store: Store, chosen: TestFilter, limit: int = 100, offset: int = 0
) -> tuple[list[dict[str, Any]], int]:
    """A page of tests, and how many there are in all.

    The worst come first within one run, the newest first over all runs.
    """
    limit = min(limit, MAX_PAGE)
    if blocks := open_block_tests(store, chosen.run):
        places, total = blocks.page(chosen, limit, offset)
        return _shown_of_blocks(blocks, places, chosen), total

    def work(connection: Connection) -> tuple[list[dict[str, Any]], int]:
        ids, total = _page_of_ids(connection, chosen, limit, offset)
        shown = _entries(connection, ids, chosen.metric)
        failing = _failing(connection, ids)
        for id, test in shown.items():
            test["fails"] = failing.get(id, [])
            test["found_in"] = []
        for id, places in (found_in(connection, ids, chosen.text) if chosen.text else {}).items():
            shown[id]["found_in"] = places
        return [shown[test] for test in ids], total

    return store.read(work)


def _shown_of_blocks(
    blocks: BlockTests, places: Sequence[int], chosen: TestFilter
) -> list[dict[str, Any]]:
    """What a list shows of tests that lie in Parquet."""
    rows = blocks.entries(places, chosen.metric)
    more = blocks.further(rows, chosen.metric, chosen.text)
    for test in more.values():
        if "explanation" in test:
            test["explanation"] = cut(test["explanation"])
    return [{**_listed_in_block(blocks, rows[place]), **more[place]} for place in places]


def _listed_in_block(blocks: BlockTests, row: Any) -> dict[str, Any]:
    columns = {
        "test_id": schema.test_id(blocks.run, row.place),
        "run": blocks.name,
        "test_name": row.id,
        "timestamp": blocks.written(row.place),
        "language": row.test_language,
        "actual_response": row.response,
    }
    return _listed(SimpleNamespace(**vars(row), **columns))


def entries_of(store: Store, ids: Sequence[int], metric: str) -> dict[int, dict[str, Any]]:
    """What a list shows of some tests that have a result of a metric, by their ids."""

    def work(connection: Connection) -> dict[int, dict[str, Any]]:
        return _entries(connection, ids, metric)

    return store.read(work)


def _page_of_ids(
    connection: Connection, chosen: TestFilter, limit: int, offset: int
) -> tuple[list[int], int]:
    """The ids of a page in their order, and the count of all.

    Nothing is read but what decides: the texts of a large run are many times as much.
    """
    from sqlalchemy import func, select

    scores = MetricColumns(chosen.metric) if chosen.metric else None
    tests = schema.test_results
    read = scores.joined(tests) if scores else tests
    conditions = _conditions(chosen, scores)
    ids = select(tests.c.test_id).select_from(read).where(*conditions)
    ids = ids.order_by(*_order(chosen, scores))
    if chosen.text:
        every = with_text(connection, ids, chosen.text)
        return every[offset : offset + limit], len(every)
    count = select(func.count()).select_from(read).where(*conditions)
    ids_on_page = connection.execute(ids.limit(limit).offset(offset)).scalars()
    return list(ids_on_page), connection.execute(count).scalar_one()


def _order(chosen: TestFilter, scores: MetricColumns | None) -> list[Any]:
    tests = schema.test_results
    name = chosen.order.removeprefix("-")
    if name in ORDERS and (scores or name != "value"):
        column = scores.value if scores and name == "value" else tests.c[ORDERS[name]]
        is_down = chosen.order.startswith("-")
        return [column.is_(None), column.desc() if is_down else column, tests.c.test_id]
    if scores:
        return [scores.quality.is_(None), scores.quality, tests.c.test_id]
    if chosen.run is None:
        return [tests.c.test_id.desc()]
    return [tests.c.score.is_(None), tests.c.score, tests.c.test_id]


def _failing(connection: Connection, ids: Sequence[int]) -> dict[int, list[str]]:
    """Test → the metrics that it fails because of, in the order of their names."""
    from sqlalchemy import select

    packed, metrics = schema.test_scores, schema.run_metrics
    names: dict[int, list[str]] = {}
    runs = {id // schema.PLACES for id in ids}
    plan = select(metrics.c.run_id, metrics.c.metric_name).where(metrics.c.run_id.in_(runs))
    for run, metric in connection.execute(plan.order_by(metrics.c.run_id, metrics.c.position)):
        names.setdefault(run, []).append(metric)
    failing: dict[int, list[str]] = {}
    for start in range(0, len(ids), MAX_PAGE):
        part = list(ids[start : start + MAX_PAGE])
        query = select(packed.c.test_id, packed.c.outcomes).where(packed.c.test_id.in_(part))
        for id, outcomes in connection.execute(query):
            own = zip(names.get(id // schema.PLACES, ()), outcomes, strict=False)
            if fails := sorted(metric for metric, code in own if code in FAILS):
                failing[id] = fails
    return failing


def _entries(
    connection: Connection, ids: Sequence[int], metric: str | None
) -> dict[int, dict[str, Any]]:
    """What a list shows of these tests, by id; with a metric those that have a result of it."""
    from sqlalchemy import select

    tests, texts, runs = schema.test_results, schema.validation_details, schema.runs
    read = tests.join(texts, texts.c.test_id == tests.c.test_id)
    read = read.join(runs, runs.c.id == tests.c.run_id)
    columns: list[Any] = [tests, texts.c.query, texts.c.actual_response, runs.c.name.label("run")]
    conditions = [tests.c.test_id.in_(list(ids))]
    if not metric:
        query = select(*columns).select_from(read).where(*conditions)
        return {row.test_id: _listed(row) for row in connection.execute(query)}
    scores = MetricColumns(metric)
    columns += [
        scores.value.label("value"),
        scores.code.label("code"),
        *(scores.position, scores.block, scores.entry),
    ]
    query = select(*columns).select_from(scores.joined(read)).where(*conditions, scores.is_there)
    rows = connection.execute(query).all()
    blocks = read_blocks(connection, {row.block for row in rows}, "explanations")
    return {
        row.test_id: {
            **_listed(row),
            "value": row.value,
            "state": state_of(row.code),
            "explanation": cut(safe(blocks[row.block].explanations(row.entry)[row.position])),
        }
        for row in rows
    }


def _conditions(
    chosen: TestFilter, scores: MetricColumns | None = None
) -> list[ColumnElement[bool]]:
    from sqlalchemy import select

    tests = schema.test_results
    conditions: list[ColumnElement[bool]] = []
    if scores:
        conditions += [scores.is_there, *_ranges(chosen, scores)]
    if chosen.run is not None and chosen.metric:
        # by id, so that scores are read in the order in which they lie
        first = chosen.run * schema.PLACES
        conditions += [tests.c.test_id >= first, tests.c.test_id < first + schema.PLACES]
    elif chosen.run is not None:
        conditions.append(tests.c.run_id == chosen.run)
    if chosen.status:
        conditions.append(tests.c.status == chosen.status)
    if chosen.language:
        conditions.append(tests.c.language == chosen.language)
    if chosen.since is not None:
        conditions.append(tests.c.timestamp >= chosen.since)
    if chosen.tag:
        tagged = select(schema.test_tags.c.test_id).where(schema.test_tags.c.tag == chosen.tag)
        if chosen.run is not None:
            tagged = tagged.where(schema.test_tags.c.run_id == chosen.run)
        conditions.append(tests.c.test_id.in_(tagged))
    if chosen.fails:
        failing = MetricColumns(chosen.fails)
        own = schema.test_results.alias()
        matches = select(own.c.test_id).select_from(failing.joined(own, own)).where(failing.fails)
        if chosen.run is not None:
            first, end = schema.tests_of(chosen.run)
            matches = matches.where(own.c.test_id >= first, own.c.test_id < end)
        conditions.append(tests.c.test_id.in_(matches))
    return conditions


def _ranges(chosen: TestFilter, scores: MetricColumns) -> list[ColumnElement[bool]]:
    """The parts of the metric's scale that are meant."""
    conditions: list[ColumnElement[bool]] = []
    (low, high), (worst, best) = chosen.value, chosen.quality
    if low is not None:
        conditions.append(scores.value >= low)
    if high is not None:
        conditions.append(scores.value <= high)
    if worst is not None:
        conditions.append(scores.quality >= worst)
    if best is not None:
        conditions.append(scores.quality <= best if best >= 1 else scores.quality < best)
    return conditions


def _listed(row: Any) -> dict[str, Any]:
    return {
        "test_id": shown_id(row.test_id),
        "run": row.run,
        "test_name": row.test_name,
        "timestamp": iso(row.timestamp),
        "status": row.status,
        "duration": row.duration,
        "language": row.language,
        "test_type": row.test_type,
        "error_message": row.error_message,
        "score": row.score,
        "query": cut(row.query),
        "response": cut(row.actual_response),
    }


def cut(text: str | None) -> str | None:
    """A text as a list shows it."""
    return text if text is None or len(text) <= SHOWN_TEXT else text[: SHOWN_TEXT - 1] + "…"


@dataclass(frozen=True, slots=True)
class StoredTest:
    """One test with all that is known of it."""

    test_id: int
    run: str
    timestamp: float
    status: str
    sample: Sample
    scores: Scores


def find_test(store: Store, test_id: int) -> StoredTest:
    """One test whole."""
    run, place = divmod(test_id, schema.PLACES)
    if blocks := open_block_tests(store, run):
        sample, scores, found = blocks.whole(place)
        written = blocks.written(place)
        return StoredTest(test_id, blocks.name, written, found.status, sample, scores)

    def work(connection: Connection) -> StoredTest:
        from sqlalchemy import select

        tests, runs = schema.test_results, schema.runs
        row = connection.execute(
            select(tests, runs.c.name.label("run"))
            .join(runs, runs.c.id == tests.c.run_id)
            .where(tests.c.test_id == test_id)
        ).one_or_none()
        if row is None:
            raise NotFoundError(f"there is no test {shown_id(test_id)!r} in the store")
        samples, scores = read_scored(connection, row.run_id, test_id, test_id + 1)
        return StoredTest(
            test_id,
            row.run,
            row.timestamp,
            row.status,
            samples[test_id],
            scores[test_id],
        )

    return store.read(work)


def failure_patterns(store: Store, chosen: TestFilter) -> list[dict[str, Any]]:
    """The kinds of failure with their counts, the commonest first; each cause is a kind."""
    if blocks := open_block_tests(store, chosen.run):
        return [_pattern(*kind) for kind in blocks.patterns(chosen)]

    def work(connection: Connection) -> list[dict[str, Any]]:
        from sqlalchemy import select

        tests, failed = schema.test_results, schema.failure_analysis
        read = failed.join(tests, tests.c.test_id == failed.c.test_id)
        scores = MetricColumns(chosen.metric) if chosen.metric else None
        conditions = _conditions(chosen, scores)
        read = scores.joined(read) if scores else read
        if chosen.text:
            ids = select(tests.c.test_id).select_from(read).where(*conditions)
            return _patterns_of(connection, with_text(connection, ids, chosen.text))
        columns, order = _pattern_columns()
        query = select(*columns).select_from(read).where(*conditions)
        query = query.group_by(failed.c.category, failed.c.root_cause).order_by(*order)
        return [_pattern(*row) for row in connection.execute(query)]

    return store.read(work)


def _pattern_columns() -> tuple[list[Any], list[Any]]:
    """What is read of a kind of failure, and the order of kinds."""
    from sqlalchemy import func

    failed = schema.failure_analysis
    kind = [failed.c.category, failed.c.root_cause]
    return [*kind, func.count(), func.min(failed.c.recommendations)], [func.count().desc(), *kind]


def _patterns_of(connection: Connection, ids: Sequence[int]) -> list[dict[str, Any]]:
    """The kinds of failure of these tests, the commonest first."""
    failed = schema.failure_analysis
    counts: Counter[tuple[str, str]] = Counter()
    advice: dict[tuple[str, str], str] = {}
    for start in range(0, len(ids), MAX_PAGE):
        part = list(ids[start : start + MAX_PAGE])
        for row in connection.execute(failed.select().where(failed.c.test_id.in_(part))):
            kind = row.category, row.root_cause
            counts[kind] += 1
            advice[kind] = min(advice.get(kind, row.recommendations), row.recommendations)
    commonest = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return [_pattern(*kind, count, advice[kind]) for kind, count in commonest]


def _pattern(category: str, root_cause: str, count: int, recommendations: str) -> dict[str, Any]:
    return {
        "category": category,
        "count": count,
        "root_cause": root_cause,
        "recommendations": loads(recommendations),
    }


GROUPED = 5000
"""Failed tests that are sorted into groups, the newest or worst."""
COMPARED = 100
"""Tests of a group whose texts are read, so that those alike can be found."""


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """Failed tests that fail because of the same metrics, and share a tag."""

    metrics: tuple[str, ...]
    tag: str
    """Empty where no tag is shared by enough of them."""
    count: int
    tests: tuple[dict[str, Any], ...]
    """The first of them, as a list shows them."""


def failure_groups(store: Store, chosen: TestFilter, most: int) -> list[FailureGroup]:
    """Failed tests by the metrics that they fail because of and by their commonest tag.

    A tag makes a group of its own where at least two tests have it; the largest come first, and
    at most so many.
    """
    failed = replace(chosen, status="failed")
    if blocks := open_block_tests(store, chosen.run):
        return _groups_of_blocks(blocks, failed, most)

    def work(connection: Connection) -> list[FailureGroup]:
        from sqlalchemy import select

        ids, _ = _page_of_ids(connection, failed, GROUPED, 0)
        failing = _failing(connection, ids)
        tags: dict[int, list[str]] = {}
        table = schema.test_tags
        for start in range(0, len(ids), MAX_PAGE):
            part = ids[start : start + MAX_PAGE]
            query = select(table.c.test_id, table.c.tag).where(table.c.test_id.in_(part))
            for id, tag in connection.execute(query.order_by(table.c.test_id, table.c.tag)):
                tags.setdefault(id, []).append(tag)
        return [
            FailureGroup(metrics, tag, len(own), tuple(_first_of(connection, own)))
            for (metrics, tag), own in _grouped(ids, failing, tags, most)
        ]

    return store.read(work)


def _groups_of_blocks(blocks: BlockTests, failed: TestFilter, most: int) -> list[FailureGroup]:
    places, _ = blocks.page(failed, GROUPED, 0)
    known = blocks.failing(places)
    failing = {place: metrics for place, (metrics, _) in known.items()}
    tags = {place: own for place, (_, own) in known.items()}
    groups = []
    for (metrics, tag), own in _grouped(places, failing, tags, most):
        rows = blocks.entries(own[:COMPARED])
        tests = tuple(_listed_in_block(blocks, rows[place]) for place in own[:COMPARED])
        groups.append(FailureGroup(metrics, tag, len(own), tests))
    return groups


def _grouped(
    ids: Sequence[int],
    failing: Mapping[int, list[str]],
    tags: Mapping[int, list[str]],
    most: int,
) -> list[tuple[tuple[tuple[str, ...], str], list[int]]]:
    """The largest groups of tests: failing metrics and tag, and the tests of each."""
    members: dict[tuple[tuple[str, ...], str], list[int]] = {}
    for metrics, own in _by_metrics(ids, failing).items():
        common = Counter(tag for id in own for tag in tags.get(id, ()))
        for id in own:
            best = max(tags.get(id, ()), key=lambda tag: (common[tag], tag), default="")
            members.setdefault((metrics, best if common[best] > 1 else ""), []).append(id)
    return sorted(members.items(), key=lambda group: (-len(group[1]), group[0]))[:most]


def _first_of(connection: Connection, ids: Sequence[int]) -> list[dict[str, Any]]:
    first = list(ids[:COMPARED])
    rows = _entries(connection, first, None)
    return [rows[id] for id in first]


def _by_metrics(
    ids: Sequence[int], failing: Mapping[int, list[str]]
) -> dict[tuple[str, ...], list[int]]:
    groups: dict[tuple[str, ...], list[int]] = {}
    for id in ids:
        groups.setdefault(tuple(failing.get(id, ())), []).append(id)
    return groups


def worst_tests(store: Store, run: int, count: int) -> list[tuple[Sample, Scores]]:
    """The tests of a run with the lowest scores, the lowest first."""
    if blocks := open_block_tests(store, run):
        return blocks.worst(count)

    def work(connection: Connection) -> list[tuple[Sample, Scores]]:
        from sqlalchemy import select

        tests = schema.test_results
        query = (
            select(tests.c.test_id)
            .where(tests.c.run_id == run, tests.c.score.is_not(None))
            .order_by(tests.c.score, tests.c.test_id)
            .limit(count)
        )
        worst = []
        for id in connection.execute(query).scalars().all():
            samples, scores = read_scored(connection, run, id, id + 1)
            worst.append((samples[id], scores[id]))
        return worst

    return store.read(work)
