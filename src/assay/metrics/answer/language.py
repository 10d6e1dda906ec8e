from assay.core import Result, metric
from assay.meaning.reading import TextReading
from assay.textproc.asked_language import asked_language
from assay.textproc.language import FEW, is_latin_text

UNDETERMINED = "und"


@metric(
    id="answer.language",
    inputs=("query", "response"),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    unit="bool",
    version=4,
    tags=("exact",),
    aliases=("language_match", "response_language", "answer_language"),
)
def language(
    query_language: str,
    response_language: str,
    query_reading: TextReading,
    response_reading: TextReading,
) -> Result:
    """Whether the response is in the language of the query, or in the one that the query asks for.

        value = 1 when the response is in that language, else 0

    "Translate … into Spanish", "answer in French" and their like, in English and Arabic, ask for
    another language than the query's own; "how do you say … in Italian" may be answered in both.
    The script decides, and in Latin script the function words of twelve languages. A text without
    letters has no language. Of two languages in Latin script, a text of fewer than three words
    does not tell: there is no value then, because a name or a code belongs to all of them.

    Blind spots: a wish for another language in other words, or in the system prompt; dialects and
    languages of one script other than Latin, such as Arabic and Dari, are told by a few letters.
    """
    if UNDETERMINED in (query_language, response_language):
        return Result.missing("One of the texts has no letters.")
    asked = asked_language(query_reading.text)
    if asked and asked.code == UNDETERMINED:
        return Result.missing("The query asks for a language that is not told by its words.")
    is_wording = asked is not None and asked.purpose == "wording"
    if (
        asked
        and asked.code != query_language
        and not (is_wording and response_language == query_language)
    ):
        return _as_asked(asked.code, response_language, response_reading)
    if query_language == response_language:
        return Result(1.0, f"Query and response are both in {query_language!r}.")
    texts = (query_reading, response_reading)
    if all(is_latin_text(one.text) for one in texts) and any(len(one.words) < FEW for one in texts):
        return Result.missing("One of the texts is too short to tell its language.")
    explanation = f"The query is in {query_language!r} and the response in {response_language!r}."
    return Result(0.0, explanation)


def _as_asked(code: str, response_language: str, response: TextReading) -> Result:
    """Whether the response is in the language that the query asks for."""
    if code == response_language:
        return Result(1.0, f"The response is in {code!r}, as the query asks.")
    if is_latin_text(response.text) and len(response.words) < FEW:
        return Result.missing("The response is too short to tell its language.")
    return Result(0.0, f"The query asks for {code!r} and the response is in {response_language!r}.")
