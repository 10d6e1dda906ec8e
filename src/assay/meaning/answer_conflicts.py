"""What a response says against the question, the accepted answer or itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations, pairwise

from assay.data.meaning import meaning_words
from assay.meaning.answer_polarity import SAID_TWICE, asks_yes_or_no, says_unknown
from assay.meaning.changes import tells_change
from assay.meaning.comparisons import measured_by
from assay.meaning.event_order import has_other_order
from assay.meaning.figures import Figure
from assay.meaning.parts import parts_of
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import alike, synonyms
from assay.meaning.word_relations import converses, refuting
from assay.meaning.words import Word

MANY_DENIALS = 20
"""With more negations a text is not searched for one of the accepted answer: time stays linear."""
LOOKED_AT = 60
"""A longer text is not searched for sentences that contradict each other."""
OTHER_COMPARISON = "compares the other way round"
OTHER_ORDER = "tells the other order"


def answer_conflicts(
    query: TextReading | None, response: TextReading, accepted: TextReading
) -> Iterator[str]:
    """What speaks against a response, each the rest of a sentence that begins with "it"."""
    if query is not None and compares_right(query, response, accepted) is False:
        yield OTHER_COMPARISON
    if has_other_order(response, accepted):
        yield OTHER_ORDER
    if query is not None and _takes_back(query, response):
        yield "takes back its answer"
    if _contradicts_itself(response):
        yield "contradicts itself"
    if tells_change(response, accepted) is False:
        yield "has the change the other way round"
    if _excludes_item(response, accepted):
        yield "says that only a part of the expected answer is so"
    if query is not None and _reports_error(query, response, accepted):
        yield "gives the expected answer as an error of others"
    if query is not None and _names_relative(query, response, accepted):
        yield "names somebody related to the expected person"
    if query is not None and _has_figure_elsewhere(query, response, accepted):
        yield "gives the expected figure for something else"
    if query is not None and _has_figure_of_other_day(query, response, accepted):
        yield "gives the expected figure for other days"
    if query is not None and _turns_limit(query, response, accepted):
        yield "gives the expected limit the other way round"


def _has_figure_of_other_day(
    query: TextReading, response: TextReading, accepted: TextReading
) -> bool:
    """Whether a response gives another figure than the expected one for the weekday asked about.

    "On Fridays it closes at 8, on other days at 6" does not answer "When does it close on Fridays?"
    by 6.
    """
    days = {figure.value for figure in query.stated_figures if figure.kind == "weekday"}
    if not days or len(response.words) > LOOKED_AT:
        return False
    wanted = [figure for figure in accepted.stated_figures if figure.kind != "weekday"]
    if len(wanted) != 1:
        return False
    is_other = False
    for part in parts_of(response):
        own = {figure.value for figure in part.figures if figure.kind == "weekday"}
        is_named = not days.isdisjoint(own)
        if is_named and any(map(wanted[0].equals, part.figures)):
            return False
        rivals = (f for f in part.figures if f.unit == wanted[0].unit and f.rivals(wanted[0]))
        is_other |= is_named and not part.is_denied and any(rivals) and _takes_up(query, part.keys)
    return is_other


def _takes_up(query: TextReading, keys: AbstractSet[str]) -> bool:
    """Whether words hold the last one of a question that says something: "close"."""
    plain = [word for word in query.content.values() if not word.is_capital]
    asked = max(plain, key=lambda word: word.start, default=None)
    return asked is not None and not (
        {asked.key} | synonyms().get(asked.key, frozenset())
    ).isdisjoint(keys)


def _turns_limit(query: TextReading, response: TextReading, accepted: TextReading) -> bool:
    """Whether a response demands more than the expected maximum, or less than the minimum.

    "Files must be larger than 25 MB" does not answer "What is the maximum size?".
    """
    lists = meaning_words().lists
    is_upper = not lists["maximum"].isdisjoint(query.spellings)
    is_lower = not lists["minimum"].isdisjoint(query.spellings)
    wanted = [figure for figure in accepted.stated_figures if figure.kind == "number"]
    if is_upper == is_lower or len(wanted) != 1 or wanted[0].limit:
        return False
    turned = "least" if is_upper else "most"
    own = [figure for figure in response.stated_figures if wanted[0].equals(figure)]
    return bool(own) and all(
        figure.limit == turned and _is_demanded(response, figure) for figure in own
    )


def _is_demanded(response: TextReading, figure: Figure) -> bool:
    """Whether a word such as "must" stands before a figure in its clause."""
    must = meaning_words().lists["demanding"]
    first = next(word for word in response.words if word.start >= figure.start)
    before = (w for w in response.words if w.clause == first.clause and w.start < figure.start)
    return any(word.text in must for word in before)


def _has_figure_elsewhere(query: TextReading, response: TextReading, accepted: TextReading) -> bool:
    """Whether a response gives what is asked for another figure than the expected one.

    "Founded in 1998, it moved to Graz in 2004" does not answer "When did it move?" by 1998.
    """
    if len(accepted.stated_figures) != 1 or accepted.content:
        return False
    wanted = accepted.stated_figures[0]
    if len(response.stated_figures) < 2 or len(response.words) > LOOKED_AT:
        return False
    plain = [word for word in query.content.values() if not word.is_capital]
    asked = max(plain, key=lambda word: word.start, default=None)
    if asked is None:
        return False
    own, others = [], []
    for part in parts_of(response):
        keys = {word.key for word in response.words if part.start <= word.start < part.end}
        if any(map(wanted.equals, part.figures)):
            own.append(keys)
        elif any(one.unit == wanted.unit and one.rivals(wanted) for one in part.figures):
            others.append(keys)
    named = {asked.key} | synonyms().get(asked.key, frozenset())
    is_elsewhere = all(
        keys & response.content.keys() - query.keys and named.isdisjoint(keys) for keys in own
    )
    return bool(own) and is_elsewhere and any(asked.key in keys for keys in others)


def leaves_open(query: TextReading | None, response: TextReading, accepted: TextReading) -> bool:
    """Whether a response says "either A or B" where A alone is expected, or "A or B, no idea"."""
    lists = meaning_words().lists
    given = query.spellings if query else frozenset[str]()
    is_choice = not lists["or"].isdisjoint(response.spellings)
    if (
        not is_choice
        or not lists["or"].isdisjoint(accepted.spellings | given)
        or len(response.words) > LOOKED_AT
    ):
        return False
    if says_unknown(response):
        return True
    if lists["either"].isdisjoint(response.spellings):
        return False
    words = response.words
    for place, word in enumerate(words):
        if word.text not in lists["or"] or not place or place + 1 == len(words):
            continue
        first = max((n for n in range(place) if words[n].text in lists["either"]), default=place)
        one = {w.key for w in words[first + 1 : place] if not w.is_empty}
        behind = words[place + 1 : place + 1 + max(1, place - first - 1)]
        other = {w.key for w in behind if not w.is_empty and w.clause == words[place + 1].clause}
        wanted = {w.key for w in accepted.words if not w.is_empty}
        if one and other and (wanted <= one) != (wanted <= other):
            return True
    return False


def _excludes_item(response: TextReading, accepted: TextReading) -> bool:
    """Whether a response has one of several items, and says that it is the only one.

    "They take cash only" excludes the card of "by card or in cash".
    """
    lists = meaning_words().lists
    if lists["only"].isdisjoint(response.spellings):
        return False
    if not lists["only"].isdisjoint(accepted.spellings) or len(response.words) > LOOKED_AT:
        return False
    items = _items(accepted)
    said = [item <= response.asserted.keys() for item in items]
    absent = [
        not any(key in response.keys or alike(key, response.keys) for key in i) for i in items
    ]
    return len(items) > 1 and any(said) and any(absent)


def _items(accepted: TextReading) -> list[set[str]]:
    """The keys of what "and", "or" and the like part; yes and no are no items."""
    items: list[set[str]] = [set()]
    for word in accepted.words:
        if word.text.startswith("و") and word.text != word.bare:  # "and" is part of the word
            items.append({word.key})
        elif word.text in meaning_words().lists["item_joints"]:
            items.append(set())
        elif not word.is_empty and word.text not in meaning_words().answers:
            items[-1].add(word.key)
    return [item for item in items if item]


def _reports_error(query: TextReading, response: TextReading, accepted: TextReading) -> bool:
    """Whether the answer stands only in what people think.

    "Many think it is A, but it is B", and "B, although some say A".
    """
    lists = meaning_words().lists
    wanted = accepted.content.keys() - query.content.keys()
    if not wanted or lists["believing"].isdisjoint(response.texts):
        return False
    words = response.words
    marks = lists["turning"] | lists["conceding"]
    turn = next((n for n, w in enumerate(words) if n and w.text in marks), None)
    if turn is None:
        return False
    parts = words[:turn], words[turn:]
    told, thought = parts if words[turn].text in lists["conceding"] else reversed(parts)
    if lists["believing"].isdisjoint(w.text for w in thought):
        return False
    said, believed = ({w.key for w in part} for part in (told, thought))
    return wanted <= believed and wanted.isdisjoint(said) and bool(said & response.names.keys())


def _names_relative(query: TextReading, response: TextReading, accepted: TextReading) -> bool:
    """Whether an expected name stands only before a relative: "Susan Park's brother, Daniel"."""
    relatives = meaning_words().lists["relatives"]
    words = response.words
    if relatives.isdisjoint(response.texts) or not relatives.isdisjoint(query.texts):
        return False
    if not accepted.names or accepted.names.keys() != accepted.content.keys():
        return False
    last = [*accepted.content][-1]
    places = [place for place, word in enumerate(words) if word.key == last]
    behind = [words[place + 1 : place + 3] for place in places]
    is_other = bool(places) and all(
        (words[place].text.endswith("'s") and _opens(two[:1], relatives))
        or (_opens(two, frozenset("s")) and _opens(two[1:], relatives))
        for place, two in zip(places, behind, strict=True)
    )
    return is_other and "whose" not in query.texts


def _opens(words: Sequence[Word], known: frozenset[str]) -> bool:
    return bool(words) and words[0].text in known


def denies_answer(query: TextReading, response: TextReading, accepted: TextReading) -> bool:
    """Whether every sentence with the accepted answer denies of it what the question asks for.

    "Ottawa is not the capital of Canada" denies the answer "Ottawa" to "What is the capital …?".
    """
    if not response.scopes or query.scopes or asks_yes_or_no(query):
        return False
    if len(response.scopes) > MANY_DENIALS:
        return False
    wanted = accepted.asserted.keys() - query.content.keys()
    if not wanted:
        return False
    result = query.content.keys()
    denying: set[int] = set()
    for scope in response.scopes:
        word = response.words[scope.place]
        denied = response.scope_keys(scope).keys()
        before = {w.key for w in response.words if w.clause == word.clause and w.start < word.start}
        if denied and denied <= result and wanted <= before:
            denying.add(word.sentence)
    saying = {w.sentence for w in response.words if w.key in wanted}
    return bool(denying) and saying <= denying


def compares_right(query: TextReading, response: TextReading, accepted: TextReading) -> bool | None:
    """Whether "A is bigger than B" makes A the accepted answer of a choice; None without one."""
    words = response.words
    for place, word in enumerate(words):
        is_as = word.text == "as" and place > 2 and words[place - 2].text == "as"
        if (word.text not in ("than", "من") and not is_as) or place < 2:
            continue
        compared = words[place - 1]
        if is_as and place - 1 not in response.denied:
            continue
        is_same = _is_same_way(query, words, place - 1, is_as=is_as)
        if is_same is None:
            continue
        own = [w for w in words if w.sentence == word.sentence]
        left = {w.key for w in own if w.end <= compared.start}
        right = {w.key for w in own if w.start > word.start}
        wanted = accepted.content.keys() - {compared.key}
        is_left, is_right = not wanted.isdisjoint(left), not wanted.isdisjoint(right)
        if is_left != is_right:
            is_denied = response.words.index(compared) in response.denied
            return (is_left == is_same) != is_denied
    return None


def _is_same_way(
    query: TextReading, words: Sequence[Word], place: int, *, is_as: bool
) -> bool | None:
    """Whether a word compares the way that a question does; None where it compares another way.

    "Weighs less" is the other way of "heavier".
    """
    compared = words[place]
    others = converses().get(compared.key, frozenset())
    is_same = compared.key in query.keys or (
        is_as and any(w.text.startswith(compared.text) for w in query.words)
    )
    if (others or is_as) and (is_same or not others.isdisjoint(query.keys)):
        return is_same
    own = measured_by(words, place)
    asked = [measured_by(query.words, number) for number in range(len(query.words))] if own else []
    return next((one[m] == own[m] for one in asked for m in own if m in one), None)


def _takes_back(query: TextReading, response: TextReading) -> bool:
    """Whether a response says yes, and then what answers the question with no."""
    if response.answer is not True or not asks_yes_or_no(query):
        return False
    known = refuting()
    return any(
        not known[key].isdisjoint(query.content) for key in response.asserted if key in known
    )


def _contradicts_itself(reading: TextReading) -> bool:
    """Whether one sentence denies what another one says in much the same words."""
    if len(reading.words) > LOOKED_AT:
        return False
    sentences: dict[int, set[str]] = {}
    for word in reading.words:
        if not word.is_empty:
            sentences.setdefault(word.sentence, set()).add(word.key)
    denying = {reading.words[scope.place].sentence for scope in reading.scopes}
    for scope in reading.scopes:
        own = sentences.get(reading.words[scope.place].sentence, set())
        denied = reading.scope_keys(scope).keys()
        for number, other in sentences.items():
            if number in denying or len(other) < 2 or denied.isdisjoint(other):
                continue
            if len(own & other) >= 2 and len(own & other) >= SAID_TWICE * min(len(own), len(other)):
                return True
    return (
        _counts_twice(reading, sentences)
        or _corrects_itself(reading)
        or _restates_otherwise(reading)
    )


def _restates_otherwise(reading: TextReading) -> bool:
    """Whether "that is" stands between two amounts that differ: "0 °C, that is, 32 °C"."""
    restating = meaning_words().lists["restating"]
    for one, two in pairwise(reading.stated_figures):
        is_same = one.kind == two.kind and one.unit == two.unit and bool(one.unit.dimension)
        between = [w.text for w in reading.words if one.end <= w.start < two.start]
        if is_same and " ".join(between[:2]) in restating and not one.equals(two):
            return True
    return False


def _corrects_itself(reading: TextReading) -> bool:
    """Whether a sentence takes back a figure of one before: "Actually, no: they have six"."""
    words = reading.words
    correcting = meaning_words().lists["correcting"]
    firsts = {word.sentence: word for word in reversed(words)}
    later = [w for w in firsts.values() if w.sentence and w.text in correcting]
    for word in later:
        new = [f for f in reading.stated_figures if f.start >= word.start]
        old = [f for f in reading.stated_figures if f.start < word.start]
        if any(
            one.rivals(two) and one.unit.dimension == two.unit.dimension and not one.equals(two)
            for one in new[:1]
            for two in old
        ):
            return True
    return False


def _counts_twice(reading: TextReading, sentences: Mapping[int, set[str]]) -> bool:
    """Whether two sentences say the same with different figures."""
    figures: dict[int, list[Figure]] = {}
    places = {word.start: word.sentence for word in reading.words}
    for figure in reading.stated_figures:
        figures.setdefault(places.get(figure.start, -1), []).append(figure)
    single = [(number, own[0]) for number, own in figures.items() if len(own) == 1]
    for (one, figure), (two, other) in combinations(single, 2):
        a, b = (sentences.get(number, set()) - _figure_words(reading) for number in (one, two))
        is_same = len(a) >= 2 and len(b) >= 2 and (a <= b or b <= a)
        is_rival = figure.rivals(other) and figure.unit.dimension == other.unit.dimension
        if is_same and is_rival and not figure.equals(other):
            return True
    return False


def _figure_words(reading: TextReading) -> set[str]:
    return {
        word.key
        for word in reading.words
        if any(figure.start <= word.start < figure.end for figure in reading.figures)
    }
