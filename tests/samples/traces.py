"""Traces for tests, written as exporters write them."""

TRACE = "5b8aa5a2d2c872e8321cf37308d69df2"


def value(given):
    """A value of OTLP's JSON."""
    if isinstance(given, bool):
        return {"boolValue": given}
    if isinstance(given, str):
        return {"stringValue": given}
    if isinstance(given, int):
        return {"intValue": str(given)}
    if isinstance(given, float):
        return {"doubleValue": given}
    if isinstance(given, list):
        return {"arrayValue": {"values": [value(part) for part in given]}}
    return {"kvlistValue": {"values": attributes(given)}}


def attributes(given):
    return [{"key": key, "value": value(part)} for key, part in given.items()]


def span(id, found=None, *, parent="", start=1, end=2, trace=TRACE, **more):
    """A span; times are seconds after a moment of 2023."""
    moment = 1_700_000_000_000_000_000
    return {
        "traceId": trace,
        "spanId": id,
        "parentSpanId": parent,
        "name": more.pop("name", id),
        "startTimeUnixNano": str(moment + int(start * 1e9)),
        "endTimeUnixNano": str(moment + int(end * 1e9)),
        "attributes": attributes(found or {}),
        **more,
    }


def export(*spans):
    """What one request or one line of a file holds."""
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": attributes({"service.name": "desk"})},
                "scopeSpans": [{"scope": {"name": "tests"}, "spans": list(spans)}],
            }
        ]
    }
