from assay.backends.fake import FakeModel
from assay.features.translations import translations_embeddings


def test_each_translation_has_the_vector_of_its_normal_text():
    tea, arabic = FakeModel().embed(["tea", "شاي"])
    listed = [{"en": "tea", "ar": "شَاي"}, {}, {"ar": "شاي"}]
    first, none, last = translations_embeddings(listed, FakeModel())
    assert (sorted(first), none, sorted(last)) == (["ar", "en"], {}, ["ar"])
    assert (first["en"] == tea).all()
    assert (first["ar"] == arabic).all()
    assert (last["ar"] == arabic).all()
