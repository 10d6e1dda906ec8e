"""What is blacked out where a run redacts, and what only looks like it."""

import pytest

from assay.safety.pii_masking import BLACK, masked
from assay.textproc.patterns import MAX_HITS

PERSONAL = (
    ("020 7946 0958", "a national number, with blanks"),
    ("06 39 98 41 57", "pairs of figures"),
    ("06.39.98.41.57", "the first of which would be a date"),
    ("030/2841 0093", "a slash"),
    ("(03) 5327 5996", "brackets"),
    ("04-234 5678", "a hyphen"),
    ("0171 2345678", "a mobile number"),
    ("0554137728", "without anything between"),
    ("98765 43210", "five and five"),
    ("٠٥٥ ٤١٣ ٧٧٢٨", "Arabic figures"),
    ("212-555-0147", "a number of the United States"),
    ("+966554137728", "an international one"),
    ("0044 20 7946 0958", "an international one without its sign"),
    ("192.168.0.1", "an address of a host"),
    ("4111111111111111", "a card"),
    ("811228-9874", "a Swedish number whose sum holds"),
    ("bob@example.com", "an address, also of an example"),
)
LABELLED = (
    "call 9876543210",
    "Call me: 2125550147",
    "رقم جواله 554137728",
    "SSN 123 45 6789",
    "my passport number is K8203941",
    "her bank account number 20415331",
    "Dial 1.2.3.4567890",
)
OTHERS = (
    ("1.2.3.4-5678", "a version with a build"),
    ("version 1.2.3.4", "a version of four parts"),
    ("v10.4.2.1", "the same, short"),
    ("build 10.4.2.1-rc1", "a candidate"),
    ("1.2.3+20261116123", "a version with its build's moment"),
    ("2026-11-16T18:02:01.123456+00:00", "a timestamp"),
    ("20261116180201", "a compact one"),
    ("20261116-1802", "one with a hyphen"),
    ("1731780121", "seconds since 1970"),
    ("1731780121000", "milliseconds"),
    ("16-11-2026 10:20:30", "a date and a time"),
    ("2026-05-12 1030 2200", "a date and two times"),
    ("01/02/2026", "a date that begins with a nought"),
    ("05-10", "pages"),
    ("4821736590", "an id of ten figures"),
    ("0012345678", "one with noughts before it"),
    ("1234567890123456789", "one of nineteen"),
    ("2341 2341 2347", "no Aadhaar number: its sum does not hold"),
    ("12345678-1234-1234-1234-123456789012", "a UUID of figures"),
    ("SKU 020-7946-0958", "a reference"),
    ("ticket 123 456 7890", "another"),
    ("order 0123456789", "another"),
    ("invoice 2026-0012345", "another"),
    ("9783161484100", "an ISBN"),
    ("100 200 3000 boxes", "a list of amounts"),
    ("10 000 000 000 people", "a large amount"),
    ("25.2048493, 55.2707828", "a place on Earth"),
    ("chr1:123456789-987654321", "a place on a chromosome"),
)


@pytest.mark.parametrize(("text", "why"), PERSONAL, ids=[why for _, why in PERSONAL])
@pytest.mark.parametrize("around", ["{}", "It is {}, she said.", "a,{},b", "tel:{}"])
def test_personal_data_is_blacked_out(text, why, around):
    assert masked(around.format(text)) == around.format(BLACK * len(text))


@pytest.mark.parametrize("text", LABELLED)
def test_a_label_makes_a_number_personal(text):
    found = masked(text)
    assert len(found) == len(text)
    assert BLACK in found
    assert not any(char.isdigit() for char in found)


@pytest.mark.parametrize(("text", "why"), OTHERS, ids=[why for _, why in OTHERS])
@pytest.mark.parametrize("around", ["{}", "See {} for more.", "a,{},b", "({})"])
def test_what_only_looks_like_it_stays(text, why, around):
    assert masked(around.format(text)) == around.format(text)


def test_a_range_of_addresses_is_blacked_out_at_both_ends():
    assert masked("10.0.0.1-10.0.0.5") == f"{BLACK * 8}-{BLACK * 8}"


def test_no_mark_of_many_stays():
    count = MAX_HITS + 50
    found = masked(" ".join(f"user{number}@example.org" for number in range(count)))
    assert set(found) == {BLACK, " "}
    assert found.count(" ") == count - 1
