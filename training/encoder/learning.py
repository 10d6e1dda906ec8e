"""Trains the encoder on packed examples: AdamW, one cycle, bf16, batches of like lengths.

Needs torch and NumPy alone. A step ends at its time limit and leaves a checkpoint from which the
next one goes on. The word vectors of the base stay as they are; what is kept is an average over
the last part of the training.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from training.encoder.network import TOWERS, Encoder, base_state, packed

Array = Any
EPOCHS = {"pairs": 3, "texts": 4}
RATE = {"pairs": 1.8e-4, "texts": 1.5e-4}
WARM = 0.06
"""Part of the steps in which the rate rises."""
DECAY = 0.01
TOKENS = 20_000
"""Of a batch, padding included."""
LARGEST = 256
"""Examples of a batch at most."""
POOL = 60
"""Batches among which examples are sorted by length."""
AVERAGED = 0.05
"""The last part of the training, over which parameters are averaged."""
SHARES = {
    "support": 0.64,
    "correctness": 0.18,
    "relevance": 0.1,
    "refusal": 0.08,
    "toxicity": 0.5,
    "injection": 0.2,
    "bias": 0.15,
    "harm": 0.15,
}
"""What each head's examples together weigh in its tower."""
NOT_ENTAILED = 3
UNSEEN, NO_FOLD = -2, -3
CLS, SEP = 101, 102
PAIR, LONG_PAIR, TEXT, TAIL, FIRST = 192, 320, 192, 62, 128


class Data(NamedTuple):
    """The packed examples."""

    tokens: Array
    ends: Array
    first: Array
    second: Array
    head: Array
    label: Array
    weight: Array
    fold: Array
    source: Array

    def text(self, number: int) -> Array:
        """The token ids of a text."""
        start = self.ends[number - 1] if number else 0
        return self.tokens[start : self.ends[number]]

    def ids(self, place: int) -> tuple[Array, int]:
        """The token ids of an example, and where its second text begins."""
        first, second = self.text(self.first[place]), self.text(self.second[place])
        limit = LONG_PAIR if self.head[place] == 0 else PAIR
        if len(second) == 0:
            if len(first) > TEXT - 2:
                first = np.concatenate([first[: TEXT - 2 - TAIL], first[-TAIL:]])
            return np.concatenate([[CLS], first, [SEP]]), len(first) + 2
        if len(first) + len(second) > limit - 3:
            first = first[: max(FIRST, limit - 3 - len(second))]
            second = second[: limit - 3 - len(first)]
        return np.concatenate([[CLS], first, [SEP], second, [SEP]]), len(first) + 2


def read_data(folder: Path) -> tuple[Data, dict[str, Any]]:
    """The packed examples and what they are."""
    table = json.loads((folder / "prepared.json").read_text(encoding="utf-8"))
    with np.load(folder / "data.npz", allow_pickle=False) as file:
        return Data(**{name: file[name] for name in file.files}), table


def learn(
    work: Path,
    result: Path,
    base: Path,
    tower_name: str,
    without: int | None = None,
    seed: int = 1,
    minutes: float = 9.0,
) -> bool:
    """Train a tower, or go on training it; whether it came to its end."""
    torch.manual_seed(seed)
    data, table = read_data(work)
    tower, epochs, top_rate = TOWERS[tower_name], EPOCHS[tower_name], RATE[tower_name]
    heads = {table["heads"].index(head): head for head in tower.outputs}
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_float32_matmul_precision("high")
    result.mkdir(parents=True, exist_ok=True)
    model = Encoder(tower)
    missing = model.load_state_dict(base_state(str(base), tower.layers), strict=False)
    assert all(name.startswith("heads.") for name in missing.missing_keys), missing
    model.words.weight.requires_grad_(False)
    model.to(device)
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=top_rate, weight_decay=DECAY, fused=device == "cuda")
    own = np.isin(data.head, list(heads))
    prepared = {int(place): data.ids(place) for place in np.flatnonzero(own)}
    lengths = np.zeros(len(data.head), np.int64)
    lengths[list(prepared)] = [len(ids) for ids, _ in prepared.values()]
    is_held = (data.fold == UNSEEN) | (data.fold == (NO_FOLD if without is None else without))
    learnt, held = np.flatnonzero(own & ~is_held), np.flatnonzero(own & is_held)
    batches = [
        batch
        for epoch in range(epochs)
        for batch in _batches(learnt, lengths, np.random.default_rng(seed * 100 + epoch))
    ]
    weights = _weights(data, learnt, heads)
    average = {name: p.detach().clone() for name, p in model.named_parameters() if p.requires_grad}
    begun = _resumed(result, model, optimizer, average, device)
    end = time.monotonic() + 60 * minutes
    model.train()
    started, shown = time.monotonic(), 0.0
    for step in range(begun, len(batches)):
        rate = top_rate * _share_of_rate(step / len(batches))
        for group in optimizer.param_groups:
            group["lr"] = rate
        batch = batches[step]
        ids, mask, types = _padded(prepared, batch, device)
        with torch.autocast(device, torch.bfloat16):
            states = model(ids, mask, types)
        loss = _loss(model, states.float(), heads, data, batch, weights)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        with torch.no_grad():
            kept = min(1 - 1 / max(1.0, AVERAGED * len(batches)), (step + 1) / (step + 10))
            names = list(average)
            parameters = dict(model.named_parameters())
            torch._foreach_lerp_(
                [average[name] for name in names], [parameters[name] for name in names], 1 - kept
            )
        if step % 100 == 0:
            shown = 0.7 * shown + 0.3 * loss.item()
            passed = time.monotonic() - started
            print(f"step {step}/{len(batches)} loss {shown:.4f} {passed:.0f} s", flush=True)
        if time.monotonic() > end:
            _save_checkpoint(result, step + 1, model, optimizer, average)
            return False
    with torch.no_grad():
        for name, p in model.named_parameters():
            if name in average:
                p.copy_(average[name])
    _save(result, model)
    logits = predict(model, prepared, held, lengths, device)
    np.savez_compressed(result / "held.npz", place=held, **logits)
    settings: dict[str, Any] = {"tower": tower_name, "seed": seed, "without": without}
    settings |= {"epochs": epochs, "rate": top_rate}
    settings |= {"steps": len(batches), "seconds": round(time.monotonic() - started, 1)}
    settings["device"] = torch.cuda.get_device_name() if device == "cuda" else "cpu"
    settings["figures"] = figures(data, table, held, logits)
    (result / "learnt.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(settings))
    return True


def _batches(chosen: Array, lengths: Array, chance: Any) -> Iterator[Array]:
    """Batches of about TOKENS tokens; like lengths stand together, in an order of chance."""
    order = chance.permutation(chosen)
    size = POOL * TOKENS // 80
    found = []
    for start in range(0, len(order), size):
        pool = order[start : start + size]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        at = 0
        while at < len(pool):
            count = 1
            while (
                at + count < len(pool)
                and count < LARGEST
                and (count + 1) * int(lengths[pool[at + count]]) <= TOKENS
            ):
                count += 1
            found.append(pool[at : at + count])
            at += count
    for number in chance.permutation(len(found)):
        yield found[number]


def _weights(data: Data, learnt: Array, heads: dict[int, str]) -> Array:
    """Each example's weight, so that a head's examples together have the head's share."""
    weights = data.weight.astype(np.float64).copy()
    for number, name in heads.items():
        own = learnt[data.head[learnt] == number]
        weights[own] *= SHARES[name] * len(learnt) / weights[own].sum()
    return weights.astype(np.float32)


def _share_of_rate(done: float) -> float:
    if done < WARM:
        return done / WARM
    return 0.5 * (1 + float(np.cos(np.pi * (done - WARM) / (1 - WARM)))) * 0.98 + 0.02


def _padded(prepared: dict[int, Any], batch: Array, device: str) -> tuple[Tensor, Tensor, Tensor]:
    longest = max(len(prepared[int(place)][0]) for place in batch)
    longest = -(-longest // 8) * 8
    ids = np.zeros((len(batch), longest), np.int64)
    mask, types = np.zeros_like(ids), np.zeros_like(ids)
    for row, place in enumerate(batch):
        found, second = prepared[int(place)]
        ids[row, : len(found)] = found
        mask[row, : len(found)] = 1
        types[row, second : len(found)] = 1
    moved = (torch.from_numpy(x).to(device, non_blocking=True) for x in (ids, mask, types))
    return tuple(moved)  # type: ignore[return-value]


def _loss(
    model: Encoder,
    states: Tensor,
    heads: dict[int, str],
    data: Data,
    batch: Array,
    weights: Array,
) -> Tensor:
    scale, head, wanted = (
        torch.from_numpy(values[batch]).to(states.device, non_blocking=True)
        for values in (weights, data.head, data.label)
    )
    wanted = wanted.long()
    total = torch.zeros((), device=states.device)
    for (
        number,
        name,
    ) in heads.items():  # rows of other heads count nothing; choosing rows would wait
        logits = model.heads[name](states)
        losses = _support_loss(logits, wanted) if name == "support" else _binary(logits, wanted)
        total = total + (losses * scale * (head == number)).sum()
    return total / len(batch)


def _support_loss(logits: Tensor, wanted: Tensor) -> Tensor:
    chances = functional.log_softmax(logits, -1)
    known = functional.nll_loss(chances, wanted.clamp(max=2), reduction="none")
    either = -torch.logsumexp(chances[:, 1:], -1)
    return torch.where(wanted == NOT_ENTAILED, either, known)


def _binary(logits: Tensor, wanted: Tensor) -> Tensor:
    smooth = wanted.float() * 0.96 + 0.02
    return functional.binary_cross_entropy_with_logits(logits[:, 0], smooth, reduction="none")


@torch.no_grad()
def predict(
    model: Encoder, prepared: dict[int, Any], places: Array, lengths: Array, device: str
) -> dict[str, Array]:
    """Logits of all heads for some examples, in their order."""
    model.eval()
    order = places[np.argsort(lengths[places], kind="stable")]
    rank = {int(place): number for number, place in enumerate(places)}
    found = {
        name: np.zeros((len(places), head.out_features), np.float32)
        for name, head in model.heads.items()
    }
    for start in range(0, len(order), 256):
        batch = order[start : start + 256]
        ids, mask, types = _padded(prepared, batch, device)
        with torch.autocast(device, torch.bfloat16):
            states = model(ids, mask, types).float()
        rows = [rank[int(place)] for place in batch]
        for name, head in model.heads.items():
            found[name][rows] = head(states).cpu().numpy()
    return found


def figures(
    data: Data, table: dict[str, Any], held: Array, logits: dict[str, Array]
) -> dict[str, Any]:
    """AUROC of each source that was left out."""
    found: dict[str, Any] = {}
    for number in np.unique(data.source[held]):
        own = data.source[held] == number
        name = table["sources"][number]
        head = name.partition(":")[0]
        wanted = data.label[held][own]
        right = (wanted == 0) if head == "support" else (wanted == 1)
        given = logits[head][own]
        value = given[:, 0]
        if head == "support":
            value = given[:, 0] - np.logaddexp(given[:, 1], given[:, 2])
        if right.any() and not right.all():
            found[name] = [int(own.sum()), round(_auroc(value, right), 4)]
    return found


def _auroc(values: Array, right: Array) -> float:
    """The chance that a right one ranks above a wrong one; ties count half."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks = (ends - (counts - 1) / 2)[inverse]
    n = int(right.sum())
    return float((ranks[right].sum() - n * (n + 1) / 2) / (n * (len(right) - n)))


def _save(result: Path, model: Encoder) -> None:
    """The trained parameters in bytes; the word vectors are the base's."""
    arrays = {
        name: p.detach().float().cpu().numpy()
        for name, p in model.named_parameters()
        if p.requires_grad
    }
    np.savez(result / "weights.npz", **packed(arrays))


def _save_checkpoint(
    result: Path, step: int, model: Encoder, optimizer: Any, average: dict[str, Tensor]
) -> None:
    arrays = {"step": np.array(step)}
    for name, p in model.named_parameters():
        if p.requires_grad:
            state = optimizer.state[p]  # empty where no example of a head came yet
            arrays[f"p {name}"] = p.detach().cpu().numpy()
            arrays[f"a {name}"] = average[name].cpu().numpy()
            arrays[f"m {name}"] = state.get("exp_avg", torch.zeros_like(p)).cpu().numpy()
            arrays[f"v {name}"] = state.get("exp_avg_sq", torch.zeros_like(p)).cpu().numpy()
    np.savez(result / "checkpoint.npz", **arrays)
    print(f"stopped before step {step}; run it again to go on")


def _resumed(
    result: Path, model: Encoder, optimizer: Any, average: dict[str, Tensor], device: str
) -> int:
    """The step to begin with; everything is put back as the checkpoint has it."""
    path = result / "checkpoint.npz"
    if not path.is_file():
        return 0
    with np.load(path, allow_pickle=False) as file:
        step = int(file["step"])
        for name, p in model.named_parameters():
            if p.requires_grad:
                with torch.no_grad():
                    p.copy_(torch.from_numpy(file[f"p {name}"]))
                    average[name].copy_(torch.from_numpy(file[f"a {name}"]))
                optimizer.state[p] = {
                    "step": torch.tensor(float(step), device=device),
                    "exp_avg": torch.from_numpy(file[f"m {name}"]).to(device),
                    "exp_avg_sq": torch.from_numpy(file[f"v {name}"]).to(device),
                }
    return step
