from assay.backends import Backends
from assay.backends.fake import FakeModel
from assay.features.facts import known_facts_bertscores
from assay.features.normal import normal


def test_each_response_is_scored_against_its_own_facts():
    responses = [normal.feature(text) for text in ("hot tea", "cold tea", "no tea")]
    facts = [("hot tea", "cold"), (), ("no tea",)]
    found = known_facts_bertscores(responses, ["en"] * 3, facts, FakeModel())
    assert [[round(score.f1, 3) for score in scores][:1] for scores in found] == [[1.0], [], [1.0]]
    assert len(found[0]) == 2
    assert found[0][1].f1 < 1


def test_without_facts_no_model_is_asked():
    none = Backends(token_embedder="").get("token_embedder")
    assert known_facts_bertscores([normal.feature("tea")], ["en"], [()], none) == [()]
