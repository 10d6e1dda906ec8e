"""The encoder learns, goes on where it stopped, and says in ONNX what it says in torch."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from training.encoder import examples, packing

torch = pytest.importorskip("torch", reason="torch is not installed")
from training.encoder import exporting, learning, network, schedule, teacher  # noqa: E402

WIDTH, LAYERS, WORDS = 24, 2, 40
TOWERS = {
    "pairs": network.Tower(2, {"support": 3, "correctness": 1, "relevance": 1, "refusal": 1}),
    "texts": network.Tower(1, {"toxicity": 1, "injection": 1, "bias": 1, "harm": 1}),
}


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """A network of a few thousand parameters."""
    for module in (network, exporting):
        monkeypatch.setattr(module, "WIDTH", WIDTH, raising=False)
        monkeypatch.setattr(module, "VOCABULARY", WORDS, raising=False)
    monkeypatch.setattr(network, "PARTS", 2)
    monkeypatch.setattr(network, "SMALL", 100)
    for module in (network, learning, exporting, teacher):
        monkeypatch.setattr(module, "TOWERS", TOWERS)
    for name, value in {"WIDTH": 24, "LAYERS": 2, "PARTS": 2, "VOCABULARY": WORDS + 4}.items():
        monkeypatch.setattr(teacher, name, value)
    monkeypatch.setattr(schedule, "CLS", 1)
    monkeypatch.setattr(schedule, "SEP", 2)
    monkeypatch.setattr(schedule, "TOKENS", 400)


def set_plan(monkeypatch, name, values):
    """Other epochs or rates for some towers."""
    for module in (schedule, learning):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, {**getattr(schedule, name), **values})


@pytest.fixture
def base(tmp_path) -> Path:
    torch.manual_seed(0)
    model = network.Encoder(network.Tower(LAYERS, {}))
    state = model.state_dict()
    arrays = {theirs: state[ours].numpy() for ours, theirs in network.OUTSIDE.items()}
    for number in range(LAYERS):
        for theirs, ours in network.NAMES.items():
            for kind in ("weight", "bias"):
                key = f"encoder.layer.{number}.{theirs}.{kind}"
                arrays[key] = state[f"layers.{number}.{ours}.{kind}"].numpy()
    words = arrays.pop(exporting.WORDS)
    scale = np.abs(words).max(1, keepdims=True) / 127
    arrays[f"{exporting.WORDS}#q"] = np.round(words / scale).astype(np.int8)
    arrays[f"{exporting.WORDS}#s"] = scale
    np.savez(tmp_path / "base.npz", **arrays)
    return tmp_path / "base.npz"


@pytest.fixture
def work(tmp_path) -> Path:
    """Examples that are easy: the label is whether word 7 is there."""
    folder = tmp_path / "work"
    folder.mkdir()
    chance = np.random.default_rng(0)
    count = 240
    texts = [chance.integers(8, WORDS, 6) for _ in range(count)]
    has_word = chance.random(count) < 0.5
    for text, has in zip(texts, has_word, strict=True):
        text[0] = 7 if has else text[0]
    heads = np.arange(count) % len(examples.HEADS)
    second = np.where(heads < len(TOWERS["pairs"].outputs), np.arange(count), count)
    np.savez(
        folder / "data.npz",
        tokens=np.concatenate([*texts, []]).astype(np.uint16),
        ends=np.cumsum([*(len(text) for text in texts), 0]),
        first=np.arange(count),
        second=second,
        head=heads,
        label=np.where(heads == 0, 2 * ~has_word, has_word).astype(np.int8),
        weight=np.ones(count, np.float32),
        fold=np.where(np.arange(count) < 80, 0, -1),
        source=heads,
    )
    table = {"heads": list(examples.HEADS), "sources": [f"{head}:own" for head in examples.HEADS]}
    table |= {"sha256": {}, "examples": count}
    (folder / "prepared.json").write_text(json.dumps(table))
    return folder


def weights(folder: Path) -> dict[str, np.ndarray]:
    with np.load(folder / "weights.npz") as file:
        return {name: file[name] for name in file.files}


def test_it_learns_and_the_left_out_fold_is_measured(work, base, tmp_path, monkeypatch):
    set_plan(monkeypatch, "EPOCHS", {"texts": 60})
    set_plan(monkeypatch, "RATE", {"texts": 5e-3})
    assert learning.learn(work, tmp_path / "out", base, "texts", without=0)
    figures = json.loads((tmp_path / "out" / "learnt.json").read_text())["figures"]
    assert figures["toxicity:own"][0] == 10
    assert np.mean([value for _, value in figures.values()]) > 0.9


def test_a_step_goes_on_where_the_last_one_stopped(work, base, tmp_path, monkeypatch):
    monkeypatch.setattr(network, "DROPOUT", 0.0)
    set_plan(monkeypatch, "EPOCHS", {"pairs": 2})
    assert learning.learn(work, tmp_path / "whole", base, "pairs")
    assert not learning.learn(work, tmp_path / "parts", base, "pairs", minutes=-1)
    assert learning.learn(work, tmp_path / "parts", base, "pairs")
    whole, parts = weights(tmp_path / "whole"), weights(tmp_path / "parts")
    assert whole.keys() == parts.keys()
    for name, values in whole.items():
        assert np.allclose(values, parts[name], atol=1), name


@pytest.fixture
def teacher_base(tmp_path) -> Path:
    torch.manual_seed(1)
    state = teacher.Teacher().state_dict()
    arrays = {name: value.numpy() for name, value in state.items() if "heads." not in name}
    np.savez(tmp_path / "teacher.npz", **arrays)
    return tmp_path / "teacher.npz"


def test_the_teacher_answers_all_examples_and_learns_from_no_labelled_set(
    work, teacher_base, tmp_path, monkeypatch
):
    set_plan(monkeypatch, "EPOCHS", {"teacher": 30})
    set_plan(monkeypatch, "OWN_EPOCHS", {"teacher": 1})
    set_plan(monkeypatch, "RATE", {"teacher": 3e-3})
    assert learning.learn(work, tmp_path / "out", teacher_base, "teacher")
    data, _ = schedule.read_data(work)
    with np.load(tmp_path / "out" / "held.npz") as held:
        assert np.array_equal(held["place"], np.flatnonzero(data.fold >= 0))
    with np.load(tmp_path / "out" / "answers.npz") as answers:
        logits = answers["logits"].astype(float)
    own = data.head != 0
    says = logits[:, 0] > 0
    assert np.mean((says == (data.label == 1))[own & (data.fold < 0)]) > 0.9
    assert not logits[own, 1:].any(), "one number for a head with one"


def test_a_tower_learns_from_the_teacher_where_labels_say_nothing(
    work, base, tmp_path, monkeypatch
):
    """All labels are exchanged by chance; the teacher says what is right."""
    set_plan(monkeypatch, "EPOCHS", {"texts": 60})
    set_plan(monkeypatch, "RATE", {"texts": 5e-3})
    with np.load(work / "data.npz") as file:
        given = {name: file[name] for name in file.files}
    right = given["label"].copy()
    given["label"] = np.random.default_rng(3).permutation(right % 2).astype(np.int8)
    np.savez(work / "data.npz", **given)
    folder = tmp_path / "teacher"
    folder.mkdir()
    logits = np.zeros((len(right), 3), np.float16)
    logits[:, 0] = np.where(right == 1, 6, -6)
    np.savez(folder / "answers.npz", logits=logits)
    assert learning.learn(work, tmp_path / "out", base, "texts", without=0, teacher=folder)
    with np.load(tmp_path / "out" / "held.npz") as held:
        places = held["place"]
        found = {head: held[head][:, 0] > 0 for head in TOWERS["texts"].outputs}
    heads = [examples.HEADS[number] for number in given["head"][places]]
    says = np.array([found[head][row] for row, head in enumerate(heads)])
    assert np.mean(says == (right[places] == 1)) > 0.85


def test_labels_alone_count_in_labelled_sets_and_the_teacher_alone_where_there_are_none(tmp_path):
    np.savez(tmp_path / "answers.npz", logits=np.zeros((3, 3), np.float16))
    unknown = np.array([0, 1, schedule.UNKNOWN])
    data = schedule.Data(*[unknown] * len(schedule.Data._fields))
    _, shares = learning._soft(tmp_path, data, np.array([True, False, False]))
    assert shares.tolist() == pytest.approx([0.0, learning.SOFT, 1.0])


def test_the_teacher_reads_as_mpnet_does(tmp_path):
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    config = transformers.MPNetConfig(
        vocab_size=teacher.VOCABULARY,
        hidden_size=teacher.WIDTH,
        num_hidden_layers=teacher.LAYERS,
        num_attention_heads=teacher.PARTS,
        intermediate_size=4 * teacher.WIDTH,
        max_position_embeddings=teacher.PLACES,
        layer_norm_eps=teacher.EPSILON,
    )
    torch.manual_seed(0)
    theirs = transformers.MPNetModel(config, add_pooling_layer=False).eval()
    theirs.save_pretrained(tmp_path)
    teacher.pack_base(tmp_path, tmp_path / "base.npz")
    ours = teacher.Teacher().eval()
    ours.load_state_dict(teacher.teacher_state(str(tmp_path / "base.npz")), strict=False)
    ids = torch.randint(5, WORDS, (2, 200))
    ids[1, 120:] = teacher.PAD
    mask = (ids != teacher.PAD).long()
    own = torch.where(mask == 1, ids + teacher.SHIFT, teacher.SPECIAL[teacher.PAD])
    with torch.no_grad():
        states = theirs(input_ids=own, attention_mask=mask).last_hidden_state
        wanted = (states * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        assert torch.allclose(ours(ids, mask, None), wanted, atol=2e-2)


@pytest.mark.filterwarnings("ignore:You are using the legacy:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:The feature will be removed:DeprecationWarning")
def test_onnx_says_what_torch_says(work, base, tmp_path, monkeypatch):
    onnxruntime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    set_plan(monkeypatch, "EPOCHS", dict.fromkeys(TOWERS, 1))
    given = {}
    for name in TOWERS:
        learning.learn(work, tmp_path / name, base, name, without=0)
        given[name] = [tmp_path / name / "weights.npz"]
    (tmp_path / "tokenizer.json").write_text('{"model": {}}')
    out = tmp_path / "exported"
    exporting.export(work, base, given, tmp_path / "tokenizer.json", out)
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["heads"]["support"]["file"] == "pairs.onnx"
    data, _ = schedule.read_data(work)
    for name in TOWERS:
        session = onnxruntime.InferenceSession(out / f"{name}.onnx")
        with np.load(tmp_path / name / "held.npz") as held:
            for row, place in enumerate(held["place"][:12]):
                ids, second = data.ids(int(place))
                feed = {
                    "input_ids": ids[None].astype(np.int64),
                    "attention_mask": np.ones((1, len(ids)), np.int64),
                    "token_type_ids": (np.arange(len(ids)) >= second)[None].astype(np.int64),
                }
                for head in TOWERS[name].outputs:
                    said = session.run([head], feed)[0][0]
                    assert np.allclose(said, held[head][row], atol=0.05)


def test_trainings_that_differ_in_their_seed_are_averaged(tmp_path):
    paths = [tmp_path / name for name in ("one.npz", "two.npz")]
    for path, value in zip(paths, (1.0, 4.0), strict=True):
        np.savez(path, **{"norm.bias": np.full(3, value, np.float32)})
    assert learning.mean_weights(paths)["norm.bias"].tolist() == [2.5, 2.5, 2.5]


def test_examples_keep_their_fold_and_long_contexts_their_best_part():
    far = " ".join(f"word{n}" for n in range(400))
    context = f"{far} The museum opens at nine."
    window = examples.best_window("The museum opens at ten.", context)
    assert window.endswith("The museum opens at nine.")
    assert len(window.split()) <= examples.WINDOW


def test_packing_cuts_texts_and_keeps_every_example(tmp_path, monkeypatch):
    tokenizers = pytest.importorskip("tokenizers")
    words = {"[UNK]": 0} | {f"w{n}": n + 1 for n in range(50)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "base.npz").write_bytes(b"base")
    long = " ".join(f"w{number % 50}" for number in range(500))
    made = [
        examples.Example("support", "w1 w2", "w3", 0, "own", 1.0, 2),
        examples.Example("toxicity", long, "", 1, "own"),
    ]
    monkeypatch.setattr(packing, "examples", lambda data, evidence, exams: iter(made))
    packing.pack(
        tmp_path, tmp_path, tmp_path / "base.npz", tmp_path / "tokenizer.json", tmp_path / "out"
    )
    data, table = schedule.read_data(tmp_path / "out")
    assert table["examples"] == 2
    assert data.fold.tolist() == [2, -1]
    assert data.text(data.first[0]).tolist() == [2, 3]
    assert len(data.text(data.first[1])) == packing.PAIR_TOKENS
    ids, second = data.ids(0)
    assert (len(ids), second) == (6, 4)


def test_the_records_of_a_set_become_examples_of_their_heads(tmp_path):
    rows = [
        {"text": "You are dust", "label": 1, "kind": "insult", "lang": "en", "source": "a"},
        {"text": "نص", "label": 1, "kind": "insult", "lang": "ar", "source": "a"},
    ]
    with gzip.open(tmp_path / "toxicity.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    for name in ("davidson_offensive", "openai_moderation", *examples.ORDINARY):
        row = {"id": "x", "response": "Hello", "label": 0, "meta": {"group": name}}
        with gzip.open(tmp_path / f"{name}.dev.jsonl.gz", "wt", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
    found = [*examples._toxicity(tmp_path, tmp_path)]
    assert [one.first for one in found if one.source == "a"] == ["You are dust"]
    own = [one for one in found if one.source == "davidson_offensive"]
    assert [(one.label, one.fold in range(examples.FOLDS)) for one in own] == [(0, True)]
