"""VideoMAE as its authors publish it: clips, course, weight decay, sharp crops; and weights files that people bring."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn.functional import gelu, layer_norm, linear, scaled_dot_product_attention

from tests.training.methods.test_clip_methods import config, generator, mae
from training.datasets.sequence_feed import SequenceBatch
from training.datasets.sequences import SequenceSampler, SequenceSpan
from training.errors import UserError
from training.models.clip_config import ClipEncoderConfig
from training.models.clip_encoder import ClipEncoder
from training.models.videomae_file import fill_clip_encoder
from training.optimisation.schedule import rate_factor
from training.pretraining.batches import make_optimizer
from training.pretraining.config import PretrainConfig, pretrain_config, stored_config
from training.pretraining.start import pretrain_start
from training.runs.reporter import SilentReporter

SIZES = ClipEncoderConfig(frames=4, input_size=16, cube_size=8, width=12, blocks=2, heads=2)


def published() -> Any:
    return pretrain_config(studies="s", out="o", method="videomae")


def test_clips_and_course_are_those_of_the_published_code() -> None:
    made = published()
    assert (made.encoder_config().frames, made.frame_step, made.sequence_length) == (16, 4, 64)
    assert made.epochs == 800
    steps = 8000
    factors = [rate_factor(made, step, steps, made.final_rate_share) for step in range(steps)]
    assert max(factors) == pytest.approx(1.0, abs=1e-3)
    assert np.argmax(factors) == pytest.approx(0.05 * steps, abs=2)  # 40 of 800 epochs
    assert factors[-1] == pytest.approx(1e-5 / 1.5e-4)


def test_biases_norms_and_the_mask_token_have_no_weight_decay() -> None:
    method = mae(optimizer="adamw", weight_decay=0.05)
    named = {id(weight): name for name, weight in method.network.named_parameters()}
    groups = make_optimizer(method.network, method.settings).param_groups  # type: ignore[arg-type]
    decayed, others = ([named[id(weight)] for weight in group["params"]] for group in groups)
    assert [group["weight_decay"] for group in groups] == [0.05, 0.0]
    assert len(decayed) + len(others) == len(named)
    assert not [name for name in decayed if name.endswith(("bias", "mask_token")) or "norm" in name]
    assert not [name for name in others if not (name.endswith(("bias", "mask_token")) or "norm" in name)]
    assert len(make_optimizer(method.network, config("videomae", decay_all=True)).param_groups) == 1


def test_a_run_folder_of_an_older_version_keeps_its_clips_and_its_weight_decay() -> None:
    fields = published().model_dump(exclude={"frame_step", "decay_all"}) | {"sequence_length": 16}
    old: Any = stored_config(fields)
    assert (old.frame_step, old.decay_all, old.encoder_config().frames) == (1, True, 16)


def test_only_the_frames_of_a_clip_are_read() -> None:
    sampler = SequenceSampler([SequenceSpan(0, 0, 0, 100)], 64, 1, "anywhere", 0, 0, 4)
    (sequence,) = sampler.batch(0)
    assert len(sequence) == 16
    assert set(np.diff(sequence.positions)) == {4}
    assert sequence.request == (0, sequence.start, sequence.start + 64, 4)


def test_crops_are_cut_from_frames_with_more_pixels() -> None:
    method = mae(least_area=0.25, flips=False, rotations="none")
    side = method.settings.read_size
    assert side == 64  # of the input's 32
    stripes = (torch.arange(side) % 4 < 2).to(torch.uint8) * 255
    picture = stripes.view(1, side, 1).expand(side, side, 3)
    count = 4 * 16
    read = SequenceBatch(
        picture.expand(count, -1, -1, -1),
        torch.arange(count),
        torch.zeros(count, dtype=torch.bool),
        torch.full((count, 2), side),
        torch.arange(16).repeat_interleave(4),
    )
    clips, _ = method.clips(read)
    views = method.augmentation(clips, torch.zeros(16, dtype=torch.bool), generator())
    assert views.shape == (16, 4, 3, 32, 32)
    contrast = views.flatten(1).std(1)
    assert contrast.max() > 0.35, "the stripes of two pixels are seen in a small crop"
    assert contrast.min() < 0.25, "and hardly in one of the whole frame, as a frame of 32 px does not show them"


def reference(table: dict[str, Tensor], clips: Tensor, positions: Tensor) -> Tensor:
    """The encoder as VideoMAE's authors write it, on (B, 3, T, S, S); their normalisations add 1e-6, ours 1e-5."""
    tokens = nn.functional.conv3d(
        clips, table["patch_embed.proj.weight"], table["patch_embed.proj.bias"], stride=(2, 8, 8)
    )
    x = tokens.flatten(2).transpose(1, 2) + positions
    for number in range(SIZES.blocks):
        block = {name.removeprefix(f"blocks.{number}."): each for name, each in table.items() if f".{number}." in name}
        y = layer_norm(x, (SIZES.width,), block["norm1.weight"], block["norm1.bias"], 1e-5)
        bias = torch.cat([block["attn.q_bias"], torch.zeros(SIZES.width), block["attn.v_bias"]])
        qkv = linear(y, block["attn.qkv.weight"], bias).reshape(*y.shape[:2], 3, SIZES.heads, -1)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        y = scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(x.shape)
        x = x + linear(y, block["attn.proj.weight"], block["attn.proj.bias"])
        y = layer_norm(x, (SIZES.width,), block["norm2.weight"], block["norm2.bias"], 1e-5)
        y = gelu(linear(y, block["mlp.fc1.weight"], block["mlp.fc1.bias"]))
        x = x + linear(y, block["mlp.fc2.weight"], block["mlp.fc2.bias"])
    return layer_norm(x, (SIZES.width,), table["norm.weight"], table["norm.bias"], 1e-5)


def authors_table() -> dict[str, Tensor]:
    width, hidden = SIZES.width, 4 * SIZES.width
    shapes: dict[str, tuple[int, ...]] = {"patch_embed.proj.weight": (width, 3, 2, 8, 8)}
    shapes |= {"patch_embed.proj.bias": (width,), "norm.weight": (width,), "norm.bias": (width,)}
    for number in range(SIZES.blocks):
        of_block = {
            "attn.qkv.weight": (3 * width, width), "attn.q_bias": (width,), "attn.v_bias": (width,),
            "attn.proj.weight": (width, width), "attn.proj.bias": (width,), "mlp.fc1.weight": (hidden, width),
            "mlp.fc1.bias": (hidden,), "mlp.fc2.weight": (width, hidden), "mlp.fc2.bias": (width,),
            "norm1.weight": (width,), "norm1.bias": (width,), "norm2.weight": (width,), "norm2.bias": (width,),
        }  # fmt: skip
        shapes |= {f"blocks.{number}.{name}": shape for name, shape in of_block.items()}
    return {name: torch.randn(shape, generator=generator(len(name))) * 0.3 for name, shape in shapes.items()}


def transformers_table(table: dict[str, Tensor]) -> dict[str, Tensor]:
    """The same weights under the names of the transformers library."""
    names = {"attn.proj": "attention.output.dense", "mlp.fc1": "intermediate.dense", "mlp.fc2": "output.dense"}
    names |= {"norm1": "layernorm_before", "norm2": "layernorm_after", "attn.q_bias": "attention.attention.q_bias"}
    names |= {"attn.v_bias": "attention.attention.v_bias", "patch_embed.proj": "embeddings.patch_embeddings.projection"}
    result = {}
    for name, tensor in table.items():
        new = name.replace("blocks.", "encoder.layer.")
        new = f"layernorm.{new[5:]}" if new.startswith("norm.") else new
        for theirs, ours in names.items():
            new = new.replace(theirs, ours)
        if name.endswith("qkv.weight"):
            for kind, part in zip(("query", "key", "value"), tensor.chunk(3), strict=True):
                result[new.replace("attn.qkv", f"attention.attention.{kind}")] = part
        else:
            result[new] = tensor
    return {f"videomae.{name}": tensor.contiguous() for name, tensor in result.items()}


@pytest.mark.parametrize("kind", ["authors", "authors, fine-tuned", "transformers"])
def test_an_encoder_of_a_file_computes_what_the_authors_encoder_computes(kind: str, tmp_path: Path) -> None:
    table, path = authors_table(), tmp_path / "videomae.safetensors"
    if kind == "transformers":
        save_file(transformers_table(table), path)
    elif kind == "authors":
        path = path.with_suffix(".pth")
        torch.save(
            {"model": {f"encoder.{name}": each for name, each in table.items()} | {"mask_token": torch.zeros(3)}}, path
        )
    else:
        finetuned = {f"fc_{name}" if name.startswith("norm.") else name: each for name, each in table.items()}
        save_file(finetuned, path)
    encoder = ClipEncoder(SIZES).eval()
    fill_clip_encoder(encoder, path)
    clips = torch.randn(2, 4, 3, 16, 16, generator=generator())
    with torch.inference_mode():
        assert torch.allclose(
            encoder.tokens(clips), reference(table, clips.transpose(1, 2), encoder.positions), atol=1e-5
        )


def started(path: Path, **fields: Any) -> tuple[Any, list[str]]:
    said: list[str] = []

    class Listening(SilentReporter):
        def log(self, line: str) -> None:
            said.append(str(line))

    sizes = {"input_size": 32, "cube_size": 8, "width": 12, "blocks": 2, "heads": 2, "decoder_width": 8}
    asked: PretrainConfig = pretrain_config(
        studies="s", out="o", method="videomae", preset="smoke", init=str(path), **{**sizes, **fields}
    )
    return pretrain_start(asked, Listening()), said


def test_a_start_from_a_file_names_and_checks_its_checksum(tmp_path: Path) -> None:
    path = tmp_path / "k400.safetensors"
    save_file(authors_table(), path)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    start, said = started(path, init_sha256=sha256)
    assert start.lineage == {"init": "file", "file": "k400.safetensors", "sha256": sha256}
    assert f"The weights are those of k400.safetensors, SHA-256 {sha256}." in said
    assert torch.equal(start.network.encoder.blocks.layers[1].linear2.bias, authors_table()["blocks.1.mlp.fc2.bias"])
    with pytest.raises(UserError, match="has another checksum"):
        started(path, init_sha256="0" * 64)
    with pytest.raises(UserError, match=r"embed\.weight is 12 x 384, not 16 x 384"):
        started(path, width=16)
    with pytest.raises(UserError, match="has other sizes"):
        started(path, blocks=1)
    save_file({"weight": torch.zeros(2)}, path)
    with pytest.raises(UserError, match="holds no encoder of VideoMAE"):
        started(path)
