from assay.core import Result, metric
from assay.meaning.reading import TextReading
from assay.textproc.language import FEW, is_latin_text

UNDETERMINED = "und"


@metric(
    id="answer.language",
    inputs=("query", "response"),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    unit="bool",
    tags=("exact",),
    aliases=("language_match", "response_language", "answer_language"),
)
def language(
    query_language: str,
    response_language: str,
    query_reading: TextReading,
    response_reading: TextReading,
) -> Result:
    """Whether the response is in the language of the query.

        value = 1 when both texts are in the same language, else 0

    The script decides, and in Latin script the function words of twelve languages. A text without
    letters has no language. Of two languages in Latin script, a text of fewer than three words
    does not tell: there is no value then, because a name or a code belongs to all of them.

    Blind spots: a query that asks for a translation wants another language; dialects and languages
    of one script other than Latin, such as Arabic and Dari, are told by a few letters.
    """
    if UNDETERMINED in (query_language, response_language):
        return Result.missing("One of the texts has no letters.")
    if query_language == response_language:
        return Result(1.0, f"Query and response are both in {query_language!r}.")
    texts = (query_reading, response_reading)
    if all(is_latin_text(one.text) for one in texts) and any(len(one.words) < FEW for one in texts):
        return Result.missing("One of the texts is too short to tell its language.")
    explanation = f"The query is in {query_language!r} and the response in {response_language!r}."
    return Result(0.0, explanation)
