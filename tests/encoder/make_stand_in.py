"""Writes `stand_in.onnx`: two random layers of width 32 with the inputs and outputs of the encoder.

Run once, where torch, transformers and onnx are installed: `python tests/encoder/make_stand_in.py`.
Token ids are taken modulo 256, so that the file stays small.
"""

from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from transformers import BertConfig, BertModel

HEADS = {
    "support": 3,
    "correctness": 1,
    "relevance": 1,
    "toxicity": 1,
    "refusal": 1,
    "injection": 1,
    "bias": 1,
    "harm": 1,
}
INPUTS = ["input_ids", "attention_mask", "token_type_ids"]
TOKENS = 256
WIDTH = 32


class StandIn(torch.nn.Module):
    def __init__(self):
        super().__init__()
        config = BertConfig(
            vocab_size=TOKENS,
            hidden_size=WIDTH,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            initializer_range=0.3,
            attn_implementation="eager",
        )
        self.layers = BertModel(config, add_pooling_layer=False)
        self.heads = torch.nn.ModuleList([torch.nn.Linear(WIDTH, n) for n in HEADS.values()])

    def forward(self, input_ids, attention_mask, token_type_ids):
        states = self.layers(input_ids % TOKENS, attention_mask, token_type_ids).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(states.dtype)
        mean = (states * mask).sum(1) / mask.sum(1)
        return tuple(head(mean) for head in self.heads)


def main():
    torch.manual_seed(1)
    folder = Path(__file__).parent
    exact = folder / "stand_in.fp32.onnx"
    ids = torch.randint(0, TOKENS, (2, 16))
    axes = {name: {0: "batch", 1: "length"} for name in INPUTS}
    torch.onnx.export(
        StandIn().eval(),
        (ids, torch.ones_like(ids), torch.zeros_like(ids)),
        str(exact),
        input_names=INPUTS,
        output_names=[*HEADS],
        dynamic_axes=axes | {name: {0: "batch"} for name in HEADS},
        opset_version=17,
        dynamo=False,
    )
    quantize_dynamic(exact, folder / "stand_in.onnx", weight_type=QuantType.QInt8)
    exact.unlink()


if __name__ == "__main__":
    main()
