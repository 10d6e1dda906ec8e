"""Several judges that decide together: their specifications with blanks between them.

Every judge is asked every question. A question needs a ruling of more than half of them; its
verdicts are those of all judges that gave one, each with the judge's name, so that the mean or the
commonest choice is the panel's. The caps of a run are shared out equally.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from assay.backends.destinations import key_variables
from assay.backends.judge_questions import (
    JudgeQuestion,
    JudgeSpending,
    NoVerdictError,
    Ruling,
    VerdictUsage,
)
from assay.backends.model_settings import ModelSettings
from assay.backends.protocols import Judge, Likeness
from assay.core.errors import ModelError, ProfileError

SEPARATOR = " & "


class PanelJudge:
    """Judges that are asked the same."""

    def __init__(self, judges: Sequence[Judge]) -> None:
        self.judges = tuple(judges)
        self.name = SEPARATOR.join(judge.name for judge in judges)

    @property
    def spent(self) -> JudgeSpending:
        """What all judges were asked so far, and what that took."""
        spent = [getattr(judge, "spent", JudgeSpending()) for judge in self.judges]
        return sum(spent[1:], spent[0])

    def judge(self, questions: Sequence[JudgeQuestion]) -> list[Ruling | ModelError]:
        """The verdicts of all judges on each question, in order."""
        with ThreadPoolExecutor(len(self.judges)) as pool:
            rulings = list(pool.map(lambda judge: judge.judge(questions), self.judges))
        return [self._together(given) for given in zip(*rulings, strict=True)]

    def similarities(
        self, pairs: Sequence[tuple[str, str]], kind: Likeness
    ) -> Sequence[float | ModelError]:
        """The mean of what the judges say of each pair."""
        given = [judge.similarities(pairs, kind) for judge in self.judges]
        return [_mean(numbers) for numbers in zip(*given, strict=True)]

    def support(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float | ModelError]:
        """The mean of what the judges say of each claim and text."""
        given = [judge.support(pairs) for judge in self.judges]  # type: ignore[attr-defined] # judges that can be chosen are verifiers too
        return [_mean(numbers) for numbers in zip(*given, strict=True)]

    def _together(self, given: Sequence[Ruling | ModelError]) -> Ruling | ModelError:
        named = list(zip(self.judges, given, strict=True))
        good = [(judge, ruling) for judge, ruling in named if isinstance(ruling, Ruling)]
        bad = [error for error in given if isinstance(error, ModelError)]
        if 2 * len(good) <= len(given):
            return NoVerdictError(
                f"{len(bad)} of {len(given)} judges gave no verdict; the first: {bad[0]}",
                reply=getattr(bad[0], "reply", ""),
                fault=getattr(bad[0], "fault", "unusable"),
            )
        return Ruling(
            tuple(
                verdict._replace(judge=judge.name)
                for judge, ruling in good
                for verdict in ruling.verdicts
            ),
            sum((ruling.usage for _, ruling in good), VerdictUsage()),
            (*map(str, bad), *(text for _, ruling in good for text in ruling.failures)),
            any(ruling.is_expected for _, ruling in good),
        )


def _mean(numbers: Sequence[float | ModelError]) -> float | ModelError:
    """The mean of the numbers; the first error where half of the judges or more gave none."""
    good = [number for number in numbers if not isinstance(number, ModelError)]
    if 2 * len(good) > len(numbers):
        return sum(good) / len(good)
    return next(number for number in numbers if isinstance(number, ModelError))


def panel_members(spec: str) -> list[str]:
    """The specifications of the judges; a single one is a panel of one."""
    members = spec.split()
    if twice := next((one for one in members if members.count(one) > 1), None):
        raise ProfileError(f"the judge {twice!r} stands twice in a panel; name each once")
    return members


def make_judge(argument: str, settings: ModelSettings) -> PanelJudge:
    """The judges of a panel, each with its share of the caps."""
    from assay.backends.providers import make

    members = panel_members(argument)
    own = settings._replace(judging=settings.judging.share(len(members)))
    judges = [
        make("judge", member, own._replace(key_variable=variable))
        for member, variable in key_variables(argument, os.environ)
    ]
    names = [judge.name for judge in judges]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ProfileError(f"two judges of the panel are the same, {twice!r}; name each once")
    return PanelJudge(judges)


make_verifier = make_comparer = make_judge


def identify(argument: str) -> str:
    """What a signature calls the panel: its judges, and then the prompts."""
    from assay.backends.providers import identify as identify_one

    names = [identify_one("judge", member).partition("+") for member in panel_members(argument)]
    prompts = next((prompts for *_, prompts in names if prompts), "")
    return SEPARATOR.join(name for name, *_ in names) + (f"+{prompts}" if prompts else "")
