"""Trains the encoder on packed examples: AdamW, bf16, batches of like lengths.

A larger network learns first, from everything but the labelled sets. The towers learn from the
labels and from its answers: first from all examples, then from the labelled sets and from what we
wrote. Needs torch and NumPy alone. A step ends at its time limit and leaves a checkpoint from which
the next one goes on. The word vectors of the base stay as they are; what is kept is an average over
the last steps.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from training.encoder.network import TOWERS, Encoder, Tower, base_state, packed, unpacked
from training.encoder.schedule import (
    EPOCHS,
    OWN_EPOCHS,
    SETTLED,
    TEACHER,
    UNKNOWN,
    Data,
    Stage,
    is_labelled,
    places_of,
    read_data,
    settling,
    share_of_rate,
    stages_of,
)
from training.encoder.teacher import Teacher, teacher_state

Array = Any
DECAY = 0.01
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
TOWER_SHARES = {"pairs": 0.75, "texts": 0.25}
"""What each tower's heads weigh in the teacher."""
SOFT, WARMTH = 0.7, 2.0
"""What the answers of the teacher weigh beside the labels, and its temperature."""
NOT_ENTAILED = 3
ANSWERS = "answers.npz"
"""What the teacher says of every example."""


class Training(NamedTuple):
    """What changes from step to step, and what the steps read."""

    model: Any
    optimizer: Any
    average: dict[str, Tensor]
    """The parameters that are kept: a mean over the last steps."""
    data: Data
    heads: dict[int, str]
    prepared: dict[int, Any]
    """Example → its token ids, and where its second text begins."""
    soft: tuple[Array, Array] | None
    """What the teacher says of every example, and what that weighs."""
    device: str


def learn(
    work: Path,
    result: Path,
    base: Path,
    tower_name: str,
    without: int | None = None,
    seed: int = 1,
    minutes: float = 9.0,
    teacher: Path | None = None,
    trained: Sequence[Path] = (),
) -> bool:
    """Train a tower or the teacher, or go on training it; whether it came to its end.

    With `trained`, weights that differ in their seed, their mean is trained for a short while: what
    lies between good parameters is not as good by itself.
    """
    torch.manual_seed(seed)
    torch.set_float32_matmul_precision("high")
    data, table = read_data(work)
    result.mkdir(parents=True, exist_ok=True)
    model, shares = _network(tower_name, base)
    if trained:
        model.load_state_dict(mean_weights(trained), strict=False)
    numbers = {head: table["heads"].index(head) for head in shares}
    own = np.isin(data.head, [*numbers.values()])
    training = _training(model, numbers, data, np.flatnonzero(own))
    if teacher:
        training = training._replace(soft=_soft(teacher, data, is_labelled(data, table)))
    learnt, held = places_of(data, table, own, tower_name, without, teacher is not None)
    lengths = np.zeros(len(data.head), np.int64)
    lengths[own] = [len(ids) for ids, _ in training.prepared.values()]
    weighed = {number: shares[head] for head, number in numbers.items()}
    arguments = (learnt, data, lengths, weighed, seed)
    stages = [settling(*arguments)] if trained else stages_of(tower_name, *arguments)
    steps = [(stage, number) for stage in stages for number in range(len(stage.batches))]
    begun = _resumed(result, training)
    started = time.monotonic()
    done = _run(training, steps, begun, started + 60 * minutes)
    if done < len(steps):
        _save_checkpoint(result, done, training)
        return False
    _keep_average(training)
    if tower_name == TEACHER:
        every = np.flatnonzero(own)
        np.savez_compressed(result / ANSWERS, logits=_answers(training, every, lengths))
    else:
        _save(result, model)
    logits = predict(model, training.prepared, held, lengths, training.device)
    np.savez_compressed(result / "held.npz", place=held, **logits)
    settings: dict[str, Any] = {"tower": tower_name, "seed": seed, "without": without}
    epochs = {"epochs": EPOCHS[tower_name], "own epochs": OWN_EPOCHS[tower_name]}
    settings |= {"epochs": 0, "own epochs": SETTLED} if trained else epochs
    settings |= {"rate": stages[0].rate, "taught": teacher is not None}
    settings |= {"steps": len(steps), "seconds": round(time.monotonic() - started, 1)}
    settings["device"] = torch.cuda.get_device_name() if training.device == "cuda" else "CPU"
    settings["figures"] = figures(data, table, held, logits)
    settings["from"] = [learnt_of(path) for path in trained]
    (result / "learnt.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(settings))
    return True


def _training(model: Any, numbers: dict[str, int], data: Data, own: Array) -> Training:
    """A training at its first step."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model.to(device)
    parameters = {name: p for name, p in model.named_parameters() if p.requires_grad}
    optimizer = torch.optim.AdamW(parameters.values(), weight_decay=DECAY, fused=device == "cuda")
    average = {name: p.detach().clone() for name, p in parameters.items()}
    heads = {number: head for head, number in numbers.items()}
    prepared = {int(place): data.ids(place) for place in own}
    return Training(model, optimizer, average, data, heads, prepared, None, device)


def _run(training: Training, steps: Sequence[tuple[Stage, int]], begun: int, end: float) -> int:
    """Take the steps from one on until a time; how many are taken."""
    training.model.train()
    started, shown = time.monotonic(), 0.0
    for step in range(begun, len(steps)):
        stage, number = steps[step]
        for group in training.optimizer.param_groups:
            group["lr"] = stage.rate * share_of_rate(number / len(stage.batches))
        loss = _step(training, stage, number)
        _take_in(training, min(1 - 1 / max(1.0, AVERAGED * len(steps)), (step + 1) / (step + 10)))
        if step % 100 == 0:
            shown = 0.7 * shown + 0.3 * loss.item()
            passed = time.monotonic() - started
            print(f"step {step}/{len(steps)} loss {shown:.4f} {passed:.0f} s", flush=True)
        if time.monotonic() > end:
            return step + 1
    return len(steps)


def _step(training: Training, stage: Stage, number: int) -> Tensor:
    """Learn from one batch; the loss."""
    batch, model = stage.batches[number], training.model
    ids, mask, types = _padded(training.prepared, batch, training.device)
    with torch.autocast(training.device, torch.bfloat16):
        states = model(ids, mask, types)
    loss = _loss(training, states.float(), batch, stage.weights)
    training.optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], 1.0)
    training.optimizer.step()
    return loss


@torch.no_grad()
def _take_in(training: Training, kept: float) -> None:
    """Move the average towards the parameters."""
    parameters = dict(training.model.named_parameters())
    names = list(training.average)
    torch._foreach_lerp_(
        [training.average[name] for name in names], [parameters[name] for name in names], 1 - kept
    )


@torch.no_grad()
def _keep_average(training: Training) -> None:
    """Let the average be the parameters."""
    for name, p in training.model.named_parameters():
        if name in training.average:
            p.copy_(training.average[name])


def _network(name: str, base: Path) -> tuple[Any, dict[str, float]]:
    """A tower or the teacher as its base has it, and what each of its heads weighs."""
    if name == TEACHER:
        model: Any = Teacher()
        state = teacher_state(str(base))
        shares = {
            head: TOWER_SHARES[own] * SHARES[head]
            for own, tower in TOWERS.items()
            for head in tower.outputs
        }
    else:
        tower: Tower = TOWERS[name]
        model = Encoder(tower)
        state = base_state(str(base), tower.layers)
        shares = {head: SHARES[head] for head in tower.outputs}
    missing = model.load_state_dict(state, strict=False)
    assert all(key.startswith("heads.") for key in missing.missing_keys), missing
    model.words.weight.requires_grad_(False)
    return model, shares


def mean_weights(paths: Sequence[Path]) -> dict[str, Tensor]:
    """The mean parameters of trainings that differ in their seed."""
    results = []
    for path in paths:
        with np.load(path, allow_pickle=False) as file:
            results.append(unpacked({key: file[key] for key in file.files}))
    return {
        key: torch.from_numpy(np.mean([result[key] for result in results], axis=0))
        for key in results[0]
    }


def learnt_of(weights: Path) -> dict[str, Any]:
    """How some weights were trained."""
    settings: dict[str, Any] = json.loads((weights.parent / "learnt.json").read_text("utf-8"))
    return settings


def _soft(teacher: Path, data: Data, labelled: Array) -> tuple[Array, Array]:
    """What the teacher says of each example, and what that weighs beside the label.

    Nothing in the labelled sets, which it does not know; all where there is no label.
    """
    with np.load(teacher / ANSWERS, allow_pickle=False) as file:
        logits = file["logits"].astype(np.float32)
    assert len(logits) == len(labelled), "the teacher has learnt from other examples"
    share = np.where(data.label == UNKNOWN, 1.0, np.where(labelled, 0.0, SOFT))
    return logits, share.astype(np.float32)


def _answers(training: Training, places: Array, lengths: Array) -> Array:
    """The logits of each example's own head, one row an example."""
    data = training.data
    logits = predict(training.model, training.prepared, places, lengths, training.device)
    found = np.zeros((len(data.head), 3), np.float16)
    for number, name in training.heads.items():
        own = data.head[places] == number
        found[places[own], : logits[name].shape[1]] = logits[name][own]
    return found


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


def _loss(training: Training, states: Tensor, batch: Array, weights: Array) -> Tensor:
    data = training.data
    chosen = (weights, data.head, data.label, *(training.soft or ()))
    scale, head, wanted, *answers = (
        torch.from_numpy(values[batch]).to(states.device, non_blocking=True) for values in chosen
    )
    wanted = wanted.long()
    total = torch.zeros((), device=states.device)
    for number, name in training.heads.items():  # choosing a head's rows would wait
        logits = training.model.heads[name](states)
        losses = _support_loss(logits, wanted) if name == "support" else _binary(logits, wanted)
        if answers:
            given, share = answers
            taught = _soft_loss(logits, given[:, : logits.shape[1]])
            losses = (1 - share) * losses + share * taught
        total = total + (losses * scale * (head == number)).sum()
    return total / len(batch)


def _soft_loss(logits: Tensor, given: Tensor) -> Tensor:
    """How far the answer is from the teacher's, at the same temperature."""
    if logits.shape[1] == 1:
        logits, given = (torch.cat([x, torch.zeros_like(x)], 1) for x in (logits, given))
    wanted = functional.softmax(given / WARMTH, -1)
    return -(wanted * functional.log_softmax(logits / WARMTH, -1)).sum(-1) * WARMTH**2


def _support_loss(logits: Tensor, wanted: Tensor) -> Tensor:
    chances = functional.log_softmax(logits, -1)
    known = functional.nll_loss(chances, wanted.clamp(0, 2), reduction="none")
    either = -torch.logsumexp(chances[:, 1:], -1)
    return torch.where(wanted == NOT_ENTAILED, either, known)


def _binary(logits: Tensor, wanted: Tensor) -> Tensor:
    smooth = wanted.float() * 0.96 + 0.02
    return functional.binary_cross_entropy_with_logits(logits[:, 0], smooth, reduction="none")


@torch.no_grad()
def predict(
    model: Any, prepared: dict[int, Any], places: Array, lengths: Array, device: str
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


def _save_checkpoint(result: Path, step: int, training: Training) -> None:
    arrays = {"step": np.array(step)}
    for name, p in training.model.named_parameters():
        if p.requires_grad:
            state = training.optimizer.state[p]  # empty where no example of a head came yet
            arrays[f"p {name}"] = p.detach().cpu().numpy()
            arrays[f"a {name}"] = training.average[name].cpu().numpy()
            arrays[f"m {name}"] = state.get("exp_avg", torch.zeros_like(p)).cpu().numpy()
            arrays[f"v {name}"] = state.get("exp_avg_sq", torch.zeros_like(p)).cpu().numpy()
    np.savez(result / "checkpoint.npz", **arrays)
    print(f"stopped before step {step}; run it again to go on")


def _resumed(result: Path, training: Training) -> int:
    """The step to begin with; everything is put back as the checkpoint has it."""
    path, device = result / "checkpoint.npz", training.device
    if not path.is_file():
        return 0
    with np.load(path, allow_pickle=False) as file:
        step = int(file["step"])
        for name, p in training.model.named_parameters():
            if p.requires_grad:
                with torch.no_grad():
                    p.copy_(torch.from_numpy(file[f"p {name}"]))
                training.average[name] = torch.from_numpy(file[f"a {name}"]).to(device)
                training.optimizer.state[p] = {
                    "step": torch.tensor(float(step), device=device),
                    "exp_avg": torch.from_numpy(file[f"m {name}"]).to(device),
                    "exp_avg_sq": torch.from_numpy(file[f"v {name}"]).to(device),
                }
    return step
