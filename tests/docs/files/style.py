"""A metric of a reader's own, as the page of the evidence names it."""

import assay


@assay.metric(id="my.style", inputs=("response",), range=(0, None), polarity="lower")
def style(response: str) -> assay.Result:
    """How many words the response has.

    Blind spots: everything but length.
    """
    return assay.Result(value=len(response.split()))
