"""Personal data of private persons: forms, check digits, and the words beside them.

A form alone is weak evidence. The nearest label ("passport number", "tracking number") decides
what a number is; the sentence decides whose it is: a private person's, or that of an institution.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from ipaddress import ip_address, ip_network
from itertools import islice
from typing import NamedTuple

from assay.safety.checksums import CHECKS, is_example
from assay.safety.marks import MAX_MARKS, Mark, overlaps, sentence_ends, sentence_of, within
from assay.safety.persons import PersonName, is_given_name

PHONES = frozenset(("international phone", "phone", "landline", "mobile", "spoken phone"))
PLACES = frozenset(
    ("address", "residence", "european address", "arabic address", "arabic street", "postal box")
)
UNLABELLED = frozenset(("number", "code", "mixed code", "plate"))
ACCOUNTS = frozenset(("iban", "bank account"))
EXACT = frozenset(("card", "iban", "emirates id", "aadhaar", "pan", "chinese id", "spanish id"))
"""Kinds whose form or check digit few other numbers have."""
REACH = 60
"""Characters before a number in which its label is looked for."""
AFTER = 30
"""Characters behind a number in which its label is looked for."""
NAMED = 0.7
"""How sure a name must be for a fact beside it to be about a person: a known given name is."""
OLDEST = 1925
"""Nobody born before this year is taken for a living private person."""
_ROLES = re.compile(
    r"^(?:info|support|service|services|sales|contact|hello|help|helpdesk|admin|office|press|media"
    r"|jobs|careers|career|hr|recruiting|billing|accounts|accounting|invoices?|no-?reply"
    r"|do-?not-?reply|webmaster|postmaster|team|customers?|customer[._-]?(?:service|care|support)"
    r"|feedback|enquir(?:y|ies)|inquir(?:y|ies)|reservations?|bookings?|newsletter|privacy|dpo"
    r"|security|abuse|legal|compliance|marketing|orders?|shop|store|reception|mail|post|general"
    r"|editor|editorial|events|education|members(?:hip)?|donations?|returns|shipping|partners"
    r"|partnerships|community|library|tickets|it|ops|dev|api|root|complaints|news|web|kontakt"
    r"|anfrage|ventas|contacto|ayuda|soporte|atencion|secretariat|secretary|registrar|archive)"
    r"(?:[._+-].*|\d*)?$"
)
_EXAMPLE_DOMAIN = re.compile(
    r"@(?:[^@]*\.)?(?:example|test|invalid|localhost|domain|yourdomain|company|yourcompany|email)"
    r"\.[a-z.]+$|@(?:[^@]*\.)?(?:example|test|invalid)$|(?:^|[._-])(?:your|name|user|username)[._-]?"
    r"(?:name|email)?@"
)
_DOCUMENTED = tuple(
    ip_network(net)
    for net in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "0.0.0.0/8", "255.0.0.0/8")
)
_PUBLIC_RESOLVERS = frozenset(("8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9"))
_AT = re.compile(r" ?[\[({<] ?(?:at|@) ?[\])}>] ?")
_DOT = re.compile(r" ?[\[({<] ?(?:dot|\.) ?[\])}>] ?")
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:18|19|20)\d{2}")
_DATE = re.compile(r"\d{1,2}([./-])\d{1,2}\1(?:18|19|20)\d{2}")
_TOLL_FREE = re.compile(r"(?:\+?1[ .-]?)?\(?8(?:00|88|77|66|55|44|33)\)?[ .-]|0800|00800")
"""Numbers that nobody has at home."""
_ADJUNCT = re.compile(
    r"\b(?:after|before|above|below|behind|near|beside|opposite|next to|during|since|until|at)"
    r"(?: (?:the|our|a|her|his|their|my))?(?: [A-Z][a-z]+)? $"
)
"""What stands before a place or a time, not before somebody who has a number."""
_NAMED_LINE = re.compile(
    r"(?:full name|name|customer|client|recipient|patient|tenant|guest|buyer"
    r"|الاسم|الاسم الكامل|اسم \w+|العميل|المستلم|المريض|المشتري|الضيف)\W{0,4}:",
    re.IGNORECASE,
)
_ADDRESS_LINE = re.compile(r"(?:address|(?:ال)?عنوان)\W{0,4}:", re.IGNORECASE)
"""Lines of a form: who somebody is, and where."""
_NAMING = re.compile(
    r"(?: (?:numbers?|nos?\.?|nr\.?|id|code)\b(?:,? (?:of|for|on)(?: [\w']+){1,4})?| لل?\w+)?"
    r"[ .:#,(=]*(?:(?:is|was|are|reads|هو|هي)\b[ :#]*)?"
)
"""What stands between the name of a number and the number: "serial number of the pump is"."""
_NAMED_AFTER = re.compile(
    r"[\d -]*(?: ?\(|,? (?:is|was|as) (?:(?:the|our|your|its|an?) )?(?:\w+ )?)"
)
"""What stands between a number and its name: "is the consignment number"."""
_MEMBERS = re.compile(
    r"(?:patients|employees|tenants|customers|clients|students|pupils|residents|neighbou?rs|victims"
    r"|passengers|guests|members|subscribers|nurses|drivers)"
)
"""Private persons whom an organisation speaks of in general."""
_SUM_BEFORE = re.compile(r"(?:\d[.,]|[$€£=*<>×÷])$")
_SUM_AFTER = re.compile(r"[.,]\d|[=*<>%€×÷]")


class PersonalDatum(NamedTuple):
    """A piece of personal data and how likely it is one, from 0 to 1."""

    kind: str
    start: int
    end: int
    probability: float


class Surroundings(NamedTuple):
    """What a text says about whose data it holds."""

    text: str
    context: Sequence[Mark]
    names: Sequence[PersonName]
    ends: Sequence[int]

    def sentence(self, place: int) -> tuple[int, int]:
        """The sentence around a place."""
        return sentence_of(self.ends, place)

    def has(self, name: str, start: int, end: int) -> bool:
        """Whether a kind of context word stands in a stretch."""
        return any(m.name.startswith(name) for m in within(self.context, start, end))

    def person(self, start: int, end: int) -> float:
        """How sure a private person is named in a stretch, from 0 to 1."""
        inside = [n for n in self.names if start <= n.start and n.end <= end]
        return max((n.strength for n in inside if not n.is_public), default=0.0)

    def person_beside(self, mark: Mark) -> float:
        """The same in the sentence of an address, but for names of streets inside of it."""
        start, end = self.sentence(mark.start)
        names = [n for n in self.names if not (mark.start <= n.start and n.end <= mark.end)]
        return self._replace(names=names).person(start, end)

    def is_public(self, start: int, end: int) -> bool:
        """Whether the stretch is about a public figure."""
        known = any(n.is_public and start <= n.start and n.end <= end for n in self.names)
        return known or self.has("public figure", start, end)


def personal_data(
    text: str,
    forms: Iterable[Mark],
    weights: Mapping[str, float],
    context: Sequence[Mark],
    names: Sequence[PersonName],
) -> list[PersonalDatum]:
    """The personal data of a text, each kind of form once per place, the surest first."""
    context = _owners(text, context[: 5 * MAX_MARKS], names)
    around = Surroundings(text, context, names, sentence_ends(text))
    result: list[PersonalDatum] = []
    marks = list(islice(forms, MAX_MARKS))
    accounts = [mark for mark in marks if mark.name == "iban"]
    for mark in marks:
        if mark.name != "iban" and overlaps(mark, accounts):
            continue  # the digits of an account may pass for a card's or a telephone's
        finding = _judge(mark, weights[mark.name], around)
        if finding and finding.probability > 0.02:
            result.append(finding)
    result += _facts(around)
    result += [
        PersonalDatum("name", n.start, n.end, 0.05 + 0.32 * n.strength)
        for n in names
        if not n.is_public
    ]
    return _distinct(result)


def _owners(text: str, context: Sequence[Mark], names: Sequence[PersonName]) -> list[Mark]:
    """The context without institutions that only say where or when: "my son, after school"."""
    is_personal = any(m.name.startswith("private") for m in context)
    if not is_personal and all(n.is_public or n.strength < NAMED for n in names):
        return list(context)
    return [
        m
        for m in context
        if not (m.name.startswith("institution") and _ADJUNCT.search(text, 0, m.start))
    ]


def value_of(findings: Sequence[PersonalDatum]) -> float:
    """The probability of the surest finding, a little more for each further kind."""
    best: dict[str, float] = {}
    for finding in findings:
        best[finding.kind] = max(best.get(finding.kind, 0.0), finding.probability)
    ordered = sorted(best.values(), reverse=True)
    if not ordered:
        return 0.0
    missing = 1.0 - ordered[0]
    for further in ordered[1:4]:
        missing *= 1.0 - 0.1 * further
    return round(1.0 - missing, 4)


def _judge(mark: Mark, weight: float, around: Surroundings) -> PersonalDatum | None:
    """What a form is, given the words beside it."""
    text = around.text[mark.start : mark.end]
    start, end = around.sentence(mark.start)
    if mark.name == "date":
        return _birth(mark, start, end, around)
    if mark.name == "ip address":
        return _address_of_host(mark, text, start, end, around)
    if mark.name in ("email", "masked email"):
        return _email(mark, text, start, end, around)
    if mark.name in PLACES:
        return _home(mark, weight, start, end, around)
    if _is_part_of_sum(mark, around.text):
        return None
    if around.has("placeholder", max(start, mark.start - REACH), mark.start):
        return None
    if mark.name == "card" and _is_of_goods(mark, start, end, around):
        return None
    label = number_label(mark, start, end, around)
    if is_example(text) and not (label and around.has("private", start, end)):
        return None
    if label == "reference" and mark.name not in EXACT:
        return None
    if mark.name in CHECKS and not CHECKS[mark.name](text):
        return _labelled(mark, label, start, end, around)
    if mark.name in UNLABELLED:
        return _labelled(mark, label, start, end, around)
    if mark.name in PHONES or (label == "phone" and mark.name not in EXACT):
        return _phone(mark, weight, label, start, end, around)
    kind = mark.name
    probability = weight
    if label and label != "reference":
        probability = 0.95
    elif label == "reference":
        probability = weight - 0.3
    elif around.person(start, end) >= 0.5 or around.has("private", start, end):
        probability = min(0.95, weight + 0.25)
    if kind in ACCOUNTS and _is_shared(start, end, around):
        probability = 0.2
    elif around.has("institution", start, end) and not around.has("private", start, end):
        is_own = kind in ACCOUNTS and around.person(start, end) < 0.7
        probability = 0.3 if is_own else probability - (0.1 if label else 0.3)
    return PersonalDatum(kind, mark.start, mark.end, max(0.0, probability))


def _is_part_of_sum(mark: Mark, text: str) -> bool:
    """Whether a number is an amount, a decimal or a term of a sum."""
    before = _SUM_BEFORE.search(text[max(0, mark.start - 2) : mark.start])
    return bool(before or _SUM_AFTER.match(text, mark.end))


def _is_of_goods(mark: Mark, start: int, end: int, around: Surroundings) -> bool:
    """Whether a number is said to be that of a parcel, a serial or an order, and of no card."""
    if around.has("payment card", start, end):
        return False
    text, names = around.text, [m for m in around.context if m.name.startswith("reference: goods")]
    before = within(names, max(start, mark.start - REACH), mark.start)
    behind = within(names, mark.end, min(end, mark.end + AFTER))
    return any(_NAMING.fullmatch(text, m.end, mark.start) for m in before) or any(
        _NAMED_AFTER.fullmatch(text, mark.end, m.start) for m in behind
    )


def _is_shared(start: int, end: int, around: Surroundings) -> bool:
    """Whether an account takes donations or is an organisation's: "our account"."""
    near = around.sentence(max(0, start - 1))[0] if start else start
    private = [
        m
        for m in within(around.context, near, end)
        if m.name.startswith("private")
        and not _MEMBERS.fullmatch(around.text[m.start : m.end].lower())
    ]
    return (
        not private and around.has("shared account", near, end) and around.person(near, end) < NAMED
    )


def number_label(mark: Mark, start: int, end: int, around: Surroundings) -> str:
    """The nearest label of a number: "reference", a kind of personal number, or nothing."""
    before = [
        (mark.start - m.end, m.name)
        for m in within(around.context, max(start, mark.start - REACH), mark.start)
        if _is_number_label(m.name)
    ]
    behind = [
        (5 + m.start - mark.end, m.name)
        for m in within(around.context, mark.end, min(end, mark.end + AFTER))
        if _is_number_label(m.name)
    ]
    if not before and not behind:
        return ""
    _, name = min(before or behind)
    if name.startswith("reference"):
        nearest = min(before or behind)[0]
        labels = [d for d, n in before if n.startswith("label") and "phone" not in n]
        # "article number of the passport": the label right before the number wins
        return "reference" if not labels or min(labels) > nearest else "id"
    return name.removeprefix("label: ").removesuffix(" (ar)")


def _is_number_label(name: str) -> bool:
    is_other = name.startswith(("label: home", "label: birth"))
    return name.startswith(("label", "reference")) and not is_other


def _labelled(
    mark: Mark, label: str, start: int, end: int, around: Surroundings
) -> PersonalDatum | None:
    """A number that only its label makes personal."""
    if label in ("", "reference", "birth", "home"):
        return None
    if mark.name == "plate" and label != "licence":
        return None  # "at 123": only its label makes it a plate
    if label == "phone":
        return _phone(mark, 0.3, label, start, end, around)
    probability = 0.85
    is_private = around.has("private", start, end) or around.person(start, end) >= 0.5
    if label == "weak" and around.person(start, end) < NAMED:
        return None  # an account or a card may be anybody's
    if around.has("institution", start, end) and not is_private:
        probability = 0.45
    return PersonalDatum(label, mark.start, mark.end, probability)


def _phone(
    mark: Mark, weight: float, label: str, start: int, end: int, around: Surroundings
) -> PersonalDatum | None:
    """A telephone number: private, of an institution, or unknown."""
    if label and label != "phone" and mark.name in ("mobile", "phone", "landline"):
        return _labelled(mark, label, start, end, around)
    written = around.text[mark.start : mark.end]
    if sum(map(str.isdigit, written)) < 7 and mark.name != "spoken phone":
        return None
    if _DATE.fullmatch(written):
        return None
    if _TOLL_FREE.match(written):
        return PersonalDatum("telephone number", mark.start, mark.end, 0.1)
    is_private = around.has("private", start, end)
    person = around.person(start, end)
    is_institution = around.has("institution", start, end)
    if is_private and (person >= 0.5 or not is_institution):
        probability = 0.92
    elif person >= 0.5 and not is_institution:
        probability = 0.85
    elif is_institution:
        probability = 0.15
    else:
        probability = weight + (0.2 if label == "phone" else 0.0)
        earlier = around.sentence(max(0, start - 1)) if start else (0, 0)
        if start and around.has("institution", *earlier) and not around.has("private", *earlier):
            probability -= 0.3
        elif start and (around.has("private", *earlier) or around.person(*earlier) >= 0.7):
            probability = max(probability, 0.8)
    return PersonalDatum("telephone number", mark.start, mark.end, probability)


def _email(
    mark: Mark, text: str, start: int, end: int, around: Surroundings
) -> PersonalDatum | None:
    """An e-mail address: of a role, an example, or of a person."""
    address = _DOT.sub(".", _AT.sub("@", text.lower()))
    local = address.partition("@")[0]
    if _EXAMPLE_DOMAIN.search(address):
        return PersonalDatum("email", mark.start, mark.end, 0.3)
    is_private = around.has("private", start, end)
    if _ROLES.match(local):
        return PersonalDatum("email", mark.start, mark.end, 0.1)
    if is_private or around.person(start, end) >= 0.5:
        return PersonalDatum("email", mark.start, mark.end, 0.95)
    if around.has("institution", start, end):
        probability = 0.55 if re.search(r"(?<![a-z])[a-z]{2,}[._][a-z]{2}", local) else 0.35
        return PersonalDatum("email", mark.start, mark.end, probability)
    is_word = local.isalpha() and len(local) > 3 and not is_given_name(local)
    is_business = "-" in address.partition("@")[2]
    probability = 0.4 if is_word and is_business else 0.8
    return PersonalDatum("email", mark.start, mark.end, probability)


def _birth(mark: Mark, start: int, end: int, around: Surroundings) -> PersonalDatum | None:
    """A date of birth: a date with a label, of somebody who is no public figure."""
    near = [
        m
        for m in within(around.context, max(start, mark.start - REACH), min(end, mark.end + 20))
        if m.name.startswith("label: birth")
    ]
    near = [
        m for m in near if m.start > mark.start or not _DIGIT.search(around.text, m.end, mark.start)
    ]
    if not near or around.has("placeholder", start, end):
        return None
    year = _YEAR.search(around.text, mark.start, mark.end)
    if year and int(year.group()) < OLDEST:
        return None
    is_private = around.has("private", start, end)
    if around.is_public(start, end) and not is_private:
        return None
    person = around.person(start, end)
    word = around.text[near[0].start : near[0].end].lower()
    if is_private or "birth" in word or "dob" in word.replace(".", "") or "ميلاد" in word:
        probability = 0.9
    elif person >= 0.5:
        probability = 0.75
    else:
        probability = 0.55
    if around.has("institution", start, end) and person < 0.5 and not is_private:
        probability -= 0.3
    return PersonalDatum("date of birth", mark.start, mark.end, probability)


def _home(
    mark: Mark, weight: float, start: int, end: int, around: Surroundings
) -> PersonalDatum | None:
    """A postal address: somebody's home, or a public place."""
    if around.has("placeholder", max(start, mark.start - REACH), mark.start):
        return None
    is_home = around.has("label: home", start, end)
    if mark.name == "arabic street" and not (is_home or _is_of_form(start, end, around)):
        return None  # "in Roses Street 12" may be a town hall
    if not is_home and _YEAR.match(around.text, mark.start, mark.start + 4):
        return None  # "in 2021, Margaret Court": a year before a name
    is_private = around.has("private", start, end) or around.person_beside(mark) >= NAMED
    is_private |= _is_of_form(start, end, around)
    is_institution = around.has("institution", start, mark.start)
    is_institution |= around.has("institution", mark.end, end)
    if is_home and not (is_institution and not is_private):
        probability = 0.9
    elif is_private and not is_institution:
        probability = 0.85
    elif is_institution:
        probability = 0.2
    else:
        probability = weight
    return PersonalDatum("postal address", mark.start, mark.end, probability)


def _is_of_form(start: int, end: int, around: Surroundings) -> bool:
    """Whether an address stands in a form below the line that names a private person."""
    if not start or not _ADDRESS_LINE.search(around.text, start, end):
        return False
    above = around.sentence(start - 1)
    is_named = _NAMED_LINE.search(around.text, *above) is not None
    return is_named and around.person(*above) >= 0.5 and not around.has("institution", *above)


def _address_of_host(
    mark: Mark, text: str, start: int, end: int, around: Surroundings
) -> PersonalDatum | None:
    """An IP address of a person; private networks and documentation ranges are none."""
    address = ip_address(".".join(str(int(part)) for part in text.split(".")))
    is_reserved = address.is_private or address.is_multicast or address.is_loopback
    if is_reserved or text in _PUBLIC_RESOLVERS or any(address in net for net in _DOCUMENTED):
        return None
    lower = around.text[start:end].lower()
    if re.search(r"\bversion|\brelease|\bbuild|\bv\d|\bsection|\bchapter", lower):
        return None
    is_private = around.has("private", start, end) or around.person(start, end) >= 0.5
    return PersonalDatum("ip address", mark.start, mark.end, 0.85 if is_private else 0.45)


def _facts(around: Surroundings) -> list[PersonalDatum]:
    """A private person's name beside health, money or a criminal record."""
    facts = []
    for mark in around.context:
        if not mark.name.startswith("sensitive fact"):
            continue
        start, end = around.sentence(mark.start)
        if around.is_public(start, end) or around.has("placeholder", start, end):
            continue
        if around.person(start, end) >= NAMED:
            facts.append(PersonalDatum("personal fact", mark.start, mark.end, 0.8))
    return facts


def _distinct(result: list[PersonalDatum]) -> list[PersonalDatum]:
    """The surest finding of each place."""
    kept: list[PersonalDatum] = []
    for finding in sorted(result, key=lambda f: (-f.probability, f.start)):
        mark = Mark(finding.kind, finding.start, finding.end)
        if not overlaps(mark, [Mark(k.kind, k.start, k.end) for k in kept]):
            kept.append(finding)
    return kept
