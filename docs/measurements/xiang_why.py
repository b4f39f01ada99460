"""What clip encoders learn on phantom patients whose places are known: `python xiang_why.py FOLDER RUN...`.

A run is NAME:STEPS:SEED, where NAME is a key of `RUNS`. Encoders train on 12 patients of two passes each (seed 71) and
are measured on ten others. Figures are appended to FOLDER/why.jsonl, weights are kept in FOLDER, where the runs that
start from others' find them (float32). "untrained" measures ImageNet features and colours, "heads" linear layers on
the features; "table" writes FOLDER/xiang-why.csv.
"""

import csv
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn.functional import normalize

from training.datasets.manifest import load_manifest
from training.losses.info_nce import KeyQueue, nce_of_similarities, similarities
from training.losses.masked_reconstruction import masked_reconstruction_loss, normalised_cubes
from training.metrics.retrieval import mean_interval
from training.models import clip_encoder
from training.models.clip_config import ClipEncoderConfig
from training.phantom.dataset import write_studies
from training.phantom.motion import make_motion
from training.phantom.patient import PhantomConfig, make_anatomy, make_patient
from training.retrieval.evaluation import PairVectors, colour_histogram, evaluate, open_pairs
from training.retrieval.paired_clips import ClipSettings
from training.runs.reporter import SilentReporter
from training.transforms.augment import ClipAugmentation
from training.video import prepare_frame, study_field_of_view

FRAMES, LENGTH, CLIPS = 400, 8, 16
LOOKS: dict[str, Any] = {
    "frames": FRAMES, "seed": 71, "size_px": 64, "passes": 2, "positive_share": 0.3, "frames_per_second": 5,
    "alike": True, "places": True,
}  # fmt: skip
SAME, OTHER = 0.5, 2.0
"""Two clips show one place where they are at most so far apart, in radii of the small bowel, and others from there."""
ENCODER = ClipEncoderConfig(frames=8, input_size=32, cube_size=8, width=32, blocks=2, heads=2)
HEAD_RATE = 1e-4
"""Learning rate of the linear layers; 1e-3 was tried first."""
MEASURED = (0, 250, 1000, 2000, 4000)


@dataclass(frozen=True)
class Run:
    """How an encoder is trained."""

    positives: str
    """views: of one clip (the paper's); place: of the other pass, at the same place; masked: none, VideoMAE."""
    rate: float = 3e-4
    is_cleaned: bool = False
    """Keys of the same place are no negatives."""
    start: str = ""
    """The run whose last weights it starts from."""
    queue: int = 1024


RUNS = {
    "mae": Run("masked", rate=1.5e-4 * 64 / 256),
    "mae-fast": Run("masked", rate=1e-3),
    "crl": Run("views"),
    "crl-after-mae": Run("views", start="mae-fast"),
    "place": Run("place", is_cleaned=True),
    "place-fast": Run("place", rate=1e-3, is_cleaned=True),
    "crl-fast": Run("views", rate=1e-3),
}


@dataclass(frozen=True, eq=False)
class Patient:
    """Both passes: (2, F, S, S, 3) uint8 frames, and (2, F) float64 depths."""

    name: str
    frames: np.ndarray
    depth: np.ndarray

    def clips(self, which: int, starts: np.ndarray) -> np.ndarray:
        """(n, 8, S, S, 3) from these starts (n,)."""
        return self.frames[which][starts[:, None] + np.arange(LENGTH)]

    def places(self, which: int, starts: np.ndarray) -> np.ndarray:
        """(n,) the mean depth of each clip."""
        return self.depth[which][starts[:, None] + np.arange(LENGTH)].mean(1)


def rendered(folder: Path, patients: int, first: int) -> Path:
    """The folder of a set, rendered where it is not there."""
    place = folder / f"patients-{first}"
    if not (place / "labels.csv").is_file():
        write_studies(place, studies=2 * patients, first_patient=first, reporter=SilentReporter(), **LOOKS)
    return place


def read(folder: Path, patients: int, first: int, side: int) -> list[Patient]:
    """The patients with frames of `side` px."""
    kept = folder / f"frames-{first}-{side}.npy"
    manifest = load_manifest(rendered(folder, patients, first) / "manifest.json")
    if not kept.is_file():
        every = np.empty((2 * patients, FRAMES, side, side, 3), np.uint8)
        for number, study in enumerate(manifest.studies):
            with study.open_source() as source:
                view = study_field_of_view(source)
                for index, frame in source.iterate(0, FRAMES):
                    every[number, index] = prepare_frame(frame, view, side)
        np.save(kept, every)
    frames = np.load(kept).reshape(patients, 2, FRAMES, side, side, 3)
    return [Patient(f"P{first + at + 1:02d}", frames[at], depths(first + at)) for at in range(patients)]


def depths(patient: int) -> np.ndarray:
    """(2, F) where the capsule is in each frame of both passes."""
    configs = [PhantomConfig(patient=patient, pass_index=which, **LOOKS) for which in (0, 1)]
    return np.stack([make_motion(c, make_anatomy(c), make_patient(c).fluid_share).depth for c in configs])


def batches(run: Run, patients: list[Patient], seed: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """(16, 2, 8, S, S, 3) pairs of clips, (16,) patient and (16,) place of the second, without end."""
    random = np.random.default_rng(seed)
    last = FRAMES - LENGTH
    starts = np.arange(last + 1)
    places = [[patient.places(which, starts) for which in (0, 1)] for patient in patients]
    while True:
        pairs, whose, where = [], [], []
        while len(pairs) < CLIPS:
            number, which, first = random.integers(len(patients)), random.integers(2), random.integers(last + 1)
            patient, second, other = patients[number], first, which
            if run.positives == "place":
                other = 1 - which
                same = np.flatnonzero(np.abs(places[number][other] - places[number][which][first]) < SAME / 2)
                second = random.choice(same) if len(same) else -1
            if not 0 <= second <= last:
                continue
            pairs.append(np.stack([patient.clips(w, np.array([s]))[0] for w, s in ((which, first), (other, second))]))
            whose.append(number)
            where.append(places[number][other][second])
        yield np.stack(pairs), np.array(whose), np.array(where)


def augmentation(run: Run) -> ClipAugmentation:
    """That of the budget `small`."""
    colours = {} if run.positives == "masked" else {
        "brightness": 0.1, "contrast": 0.1, "saturation": 0.1, "hue": 0.02, "blur": 0.5, "rotations": "free",
        "least_area": 0.3,
    }  # fmt: skip
    return ClipAugmentation(ENCODER.input_size, **colours)


def views(run: Run, clips: np.ndarray, encoder: Any, generator: torch.Generator) -> torch.Tensor:
    """A view of each clip (n, 8, S, S, 3), normalised."""
    changed = augmentation(run)(torch.from_numpy(clips), torch.ones(len(clips), dtype=torch.bool), generator)
    return (changed - encoder.mean) / encoder.std


class Masked:
    """VideoMAE with the sizes of the preset `small`."""

    def __init__(self, run: Run, steps: int) -> None:
        self.run, self.steps, self.config = run, steps, ENCODER
        self.network = clip_encoder.MaskedAutoencoder(self.config, 64, 1, 2)
        self.encoder = self.network.encoder
        weights = list(self.network.parameters())
        self.optimizer = torch.optim.AdamW(
            [{"params": [w for w in weights if w.ndim > 1], "weight_decay": 0.05},
             {"params": [w for w in weights if w.ndim == 1], "weight_decay": 0.0}], run.rate, (0.9, 0.95),
        )  # fmt: skip

    def loss(self, clips: np.ndarray, generator: torch.Generator) -> torch.Tensor:
        """Eq. 1 of these clips."""
        images = augmentation(self.run)(torch.from_numpy(clips), torch.ones(len(clips), dtype=torch.bool), generator)
        hidden = clip_encoder.tube_masks(len(clips), self.config.places, 0.9, generator)
        cubes = clip_encoder.cubes_of_clips(images, self.config)
        targets = normalised_cubes(clip_encoder.rows_of(cubes, clip_encoder.tube_numbers(hidden, self.config.times)))
        result = self.network((images - self.encoder.mean) / self.encoder.std, hidden)
        return masked_reconstruction_loss(result.reconstruction, targets)

    def step(self, batch: tuple[np.ndarray, np.ndarray, np.ndarray], at: int, generator: torch.Generator) -> None:
        """One step; the rate climbs for 5 % of the steps and falls to a fifteenth."""
        climb = max(1, round(0.05 * self.steps))
        along = max(0, at - climb + 1) / max(1, self.steps - climb)
        factor = (at + 1) / climb if at < climb else 1 / 15 + (14 / 15) * 0.5 * (1 + np.cos(np.pi * along))
        for group in self.optimizer.param_groups:
            group["lr"] = self.run.rate * factor
        self.optimizer.zero_grad()
        self.loss(batch[0][:, 0], generator).backward()
        self.optimizer.step()

    @torch.no_grad()
    def objective(self, patients: list[Patient]) -> dict[str, float]:
        """Loss on the clips of others; 1 where each cube is reconstructed as its mean colour."""
        generator = torch.Generator().manual_seed(1)
        starts = np.arange(0, FRAMES - LENGTH + 1, LENGTH)
        losses = [[float(self.loss(p.clips(0, starts), generator))] for p in patients]
        return {p.name: value[0] for p, value in zip(patients, losses, strict=True)}


class Contrast:
    """The contrast of the budget `small`, with positives and negatives of a run."""

    def __init__(self, run: Run, seed: int) -> None:
        self.run = run
        self.network = clip_encoder.ClipContrast(ENCODER, (128, 64), KeyQueue(run.queue, 64, seed))
        self.encoder = self.network.encoder
        self.optimizer = torch.optim.Adam(self.network.query.parameters(), run.rate, weight_decay=1e-5)
        self.ahead: list[float] = []  # of each step, the share of queries whose positive is before all keys
        self.whose, self.where = torch.full((run.queue,), -1), torch.zeros(run.queue, dtype=torch.float64)

    def step(self, batch: tuple[np.ndarray, np.ndarray, np.ndarray], at: int, generator: torch.Generator) -> None:
        """One step; the rate is constant."""
        pairs, whose, where = batch[0], torch.from_numpy(batch[1]), torch.from_numpy(batch[2])
        first, second = (views(self.run, pairs[:, side], self.encoder, generator) for side in (0, 1))
        queue = self.network.queue
        query = self.network.query(first)
        with torch.no_grad():
            key = self.network.key(second)
        own, others = similarities(query, key, queue.keys)
        if self.run.is_cleaned:
            same = (self.whose == whose[:, None]) & ((self.where - where[:, None]).abs() < 2 * SAME)
            others = others.masked_fill(same, float("-inf"))
        self.optimizer.zero_grad()
        loss = nce_of_similarities(own, others, 0.07).mean()
        loss.backward()
        self.optimizer.step()
        self.ahead.append(float((own > others.max(1).values).float().mean()))
        rows = (int(queue.place) + torch.arange(CLIPS)) % self.run.queue
        self.whose[rows], self.where[rows] = whose, where
        queue.push_(key)
        self.network.follow_(0.99)

    @torch.no_grad()
    def objective(self, patients: list[Patient]) -> dict[str, float]:
        """Share of the clips of others whose second view is the most alike among all these clips' (chance 1 of n)."""
        embed = (self.network.query, self.network.key)
        mean, std = self.encoder.mean, self.encoder.std
        return recognised_views(self.run, patients, lambda which, seen: embed[which]((seen - mean) / std))


def recognised_views(run: Run, patients: list[Patient], embed: Any) -> dict[str, float]:
    """Of each patient's first pass, the share of clips whose second view is more alike than that of every other clip.

    `embed` makes unit vectors (n, D) of first (0) and second (1) views (n, 8, 3, S, S) in [0, 1].
    """
    generator = torch.Generator().manual_seed(1)
    starts = np.arange(0, FRAMES - LENGTH + 1, LENGTH)
    both: list[list[torch.Tensor]] = [[], []]
    for patient in patients:
        clips = torch.from_numpy(patient.clips(0, starts))
        for which, result in enumerate(both):
            seen = augmentation(run)(clips, torch.ones(len(clips), dtype=torch.bool), generator)
            result.append(embed(which, seen))
    query, key = (torch.cat(each) for each in both)
    hits = (query @ key.T).argmax(1) == torch.arange(len(query))
    return {p.name: float(h.float().mean()) for p, h in zip(patients, hits.split(len(starts)), strict=True)}


def auc(alike: np.ndarray, positive: np.ndarray, negative: np.ndarray) -> float | None:
    """How often a positive is more alike than a negative, mean over the rows that have both."""
    values = []
    for row, yes, no in zip(alike, positive, negative, strict=True):
        if yes.any() and no.any():
            others = np.sort(row[no])
            below = np.searchsorted(others, row[yes], "left") + np.searchsorted(others, row[yes], "right")
            values.append(below.mean() / (2 * len(others)))
    return float(np.mean(values)) if values else None


def alike_at_places(vectors: list[np.ndarray], patient: Patient, starts: np.ndarray) -> dict[str, float | None]:
    """How the similarity of clips follows place and pass; 0.5 is chance."""
    here, there = (patient.places(which, starts) for which in (0, 1))
    within, across = vectors[0] @ vectors[0].T, vectors[0] @ vectors[1].T
    gap, apart = np.abs(starts[:, None] - starts), np.abs(here[:, None] - here)
    # Returned: the capsule had left the place for at least one radius in between.
    left = np.zeros_like(apart, dtype=bool)
    for i, j in zip(*np.nonzero(gap >= 3 * LENGTH), strict=True):
        way = here[min(i, j) : max(i, j) + 1]
        left[i, j] = np.abs(way - here[i]).max() > 1
    other, elsewhere = (apart > OTHER) & (gap >= LENGTH), np.abs(here[:, None] - there) > OTHER
    both, is_here = np.hstack([within, across]), np.hstack([other, np.zeros_like(elsewhere)])
    return {
        "next": auc(within, gap == LENGTH, other),
        "returned": auc(within, left & (apart < SAME), other),
        "other pass": auc(across, np.abs(here[:, None] - there) < SAME, elsewhere),
        "pass": auc(both, is_here, np.hstack([np.zeros_like(other), elsewhere])),
    }


def measure(embed: Any, folder: Path, size: int) -> dict[str, Any]:
    """All figures of what embeds clips (n, 8, S, S, 3): of each patient, and the average precision of each query."""
    starts = np.arange(0, FRAMES - LENGTH + 1, 4)
    result: dict[str, Any] = {name: {} for name in ("next", "returned", "other pass", "pass", "trained")}
    for patient in read(folder, 10, 0, size):
        vectors = [normalised(embed(patient.clips(which, starts))) for which in (0, 1)]
        for name, value in alike_at_places(vectors, patient, starts).items():
            result[name][patient.name] = value
    for patient in read(folder, 12, 200, size)[:6]:
        vectors = [normalised(embed(patient.clips(which, starts[::2]))) for which in (0, 1)]
        result["trained"][patient.name] = alike_at_places(vectors, patient, starts[::2])["other pass"]
    pairs, by_name = queries(folder), {patient.name: patient for patient in read(folder, 10, 0, size)}
    vectors = [
        PairVectors(*(embed(by_name[p.patient].clips(w, s)) for w, s in ((0, p.query_starts), (1, p.gallery_starts))))
        for p in pairs
        if len(p.query_starts)
    ]
    figures = evaluate([p for p in pairs if len(p.query_starts)], vectors)
    return result | {"mAP": figures.figures.values()["mAP"].tolist(), "patients": figures.patients.tolist()}


@cache
def queries(folder: Path) -> list[Any]:
    """The queries and galleries of the measured patients."""
    place = rendered(folder, 10, 0)
    return open_pairs(place / "manifest.json", place / "labels.csv", ClipSettings(length=LENGTH, stride=4))


def normalised(vectors: np.ndarray) -> np.ndarray:
    """(n, D) of length 1."""
    return normalize(torch.from_numpy(np.asarray(vectors, np.float64)), dim=1).numpy()


def embedding(encoder: Any) -> Any:
    """What embeds clips by an encoder."""

    @torch.inference_mode()
    def embed(clips: np.ndarray) -> np.ndarray:
        return encoder(encoder.normalise(torch.from_numpy(clips))).numpy()

    return embed


def train(folder: Path, name: str, steps: int, seed: int) -> None:
    """Train and measure a run."""
    run, started = RUNS[name], time.process_time()
    torch.manual_seed(seed)
    model: Any = Masked(run, steps) if run.positives == "masked" else Contrast(run, seed)
    if run.start:
        encoder = clip_encoder.ClipEncoder(ENCODER)
        kept = max(folder.glob(f"{run.start}-*-{seed}.pt"), key=lambda path: int(path.stem.split("-")[-2]))
        encoder.load_state_dict(torch.load(kept))
        model.network.load_encoder(encoder)
    size = ENCODER.input_size
    source = read(folder, 12, 200, 59)  # crops are cut from frames with more pixels
    others, pairs = read(folder, 10, 0, 59), batches(run, source, seed)
    generator = torch.Generator().manual_seed(seed)
    for step in range(steps + 1):
        if step in MEASURED or step == steps:
            figures = {"objective": model.objective(others), **measure(embedding(model.encoder), folder, size)}
            write(folder, {"run": name, "of": steps, "seed": seed, "step": step, **figures})
            ahead = np.mean(getattr(model, "ahead", [0])[-100:] or [0])
            print(name, steps, seed, step, f"cpu {time.process_time() - started:.0f} s, ahead {ahead:.3f}", flush=True)
        if step < steps:
            model.step(next(pairs), step, generator)
    torch.save(model.encoder.state_dict(), folder / f"{name}-{steps}-{seed}.pt")


def write(folder: Path, figures: dict[str, Any]) -> None:
    """Append the figures of one measurement."""
    with (folder / "why.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(figures) + "\n")
    means = {key: mean(value.values()) for key, value in figures.items() if isinstance(value, dict)}
    print({key: round(value, 3) for key, value in means.items()}, f"mAP {np.mean(figures['mAP']):.3f}", flush=True)


def mean(values: Any) -> float:
    """Of the values that there are."""
    return float(np.mean([value for value in values if value is not None]))


def imagenet() -> Any:
    """What embeds clips as the mean ImageNet features of every fourth frame; vectors of the same clips are kept."""
    from training.models.backbones import DEFAULT_BACKBONE
    from training.models.imagenet import fill_trunk, imagenet_state
    from training.reidentification.config import EncoderConfig
    from training.reidentification.encoder import SingleFrameEncoder
    from training.reidentification.training import frame_embeddings

    network = SingleFrameEncoder(EncoderConfig(backbone=DEFAULT_BACKBONE))
    cache_folder = Path.home() / ".cache/wce-desktop/weights"
    state = imagenet_state(DEFAULT_BACKBONE, cache_folder, download_consented=False, reporter=SilentReporter())
    fill_trunk(network.trunk, state, DEFAULT_BACKBONE, "ImageNet")
    network.head = torch.nn.Sequential()
    network.eval()
    kept: dict[bytes, np.ndarray] = {}

    @torch.inference_mode()
    def embed(clips: np.ndarray) -> np.ndarray:
        keys = [clip.tobytes() for clip in clips[:, ::4]]
        new = [at for at, key in enumerate(keys) if key not in kept]
        if new:
            (vectors,) = frame_embeddings(network, [np.concatenate(clips[new, ::4])])
            kept.update(
                zip([keys[at] for at in new], vectors.reshape(len(new), -1, vectors.shape[1]).mean(1), strict=True)
            )
        return np.stack([kept[key] for key in keys])

    return embed


def untrained(folder: Path, embed_imagenet: Any) -> None:
    """ImageNet features and the colour histogram."""

    def histogram(clips: np.ndarray) -> np.ndarray:
        return np.stack([colour_histogram(clip) for clip in clips])

    for name, embed in (("imagenet", embed_imagenet), ("histogram", histogram)):
        figures = {"objective": recognised(embed, folder), **measure(embed, folder, 32)}
        write(folder, {"run": name, "of": 0, "seed": 0, "step": 0, **figures})


def heads(folder: Path, embed: Any) -> None:
    """A linear layer on ImageNet features, trained by the same contrast with the positives of each kind."""
    starts, generator = np.arange(0, FRAMES - LENGTH + 1, LENGTH), torch.Generator().manual_seed(0)
    seen, whose, where, of_pass, source = [], [], [], [], read(folder, 12, 200, 59)
    for number, patient in enumerate(source):
        for which in (0, 1):
            clips, is_round = torch.from_numpy(patient.clips(which, starts)), torch.ones(len(starts), dtype=torch.bool)
            views = [augmentation(RUNS["crl"])(clips, is_round, generator) for _ in range(3)]
            seen.append(np.stack([embed(as_bytes(each)) for each in views], 1))
            whose += [number] * len(starts)
            of_pass += [which] * len(starts)
            where.append(patient.places(which, starts))
    vectors, place = torch.from_numpy(np.concatenate(seen)).float(), torch.from_numpy(np.concatenate(where))
    person, passes = torch.tensor(whose), torch.tensor(of_pass)
    mean, deviation = vectors.mean((0, 1)), vectors.std((0, 1)) + 1e-6
    vectors = (vectors - mean) / deviation
    near = (person[:, None] == person) & ((place[:, None] - place).abs() < 2 * SAME)
    same = near & ((place[:, None] - place).abs() < SAME) & (passes[:, None] != passes)
    for kind in ("views", "place"):
        for seed in range(3):
            torch.manual_seed(seed)
            head = torch.nn.Linear(vectors.shape[2], 64)
            optimizer = torch.optim.AdamW(head.parameters(), HEAD_RATE, weight_decay=1e-2)

            def embed_by(clips: np.ndarray, layer: torch.nn.Linear = head) -> np.ndarray:
                with torch.no_grad():
                    return layer((torch.from_numpy(embed(clips)).float() - mean) / deviation).numpy()

            for step in range(501):
                if step in (0, 500):
                    figures = {"objective": recognised(embed_by, folder), **measure(embed_by, folder, 32)}
                    with torch.no_grad():
                        shown = head(vectors[:, 0]).numpy().reshape(-1, 2, len(starts), 64)
                    figures["trained, views"] = {
                        patient.name: alike_at_places([normalised(each) for each in both], patient, starts)[
                            "other pass"
                        ]
                        for both, patient in zip(shown, source, strict=True)
                    }
                    write(folder, {"run": f"head-{kind}", "of": 500, "seed": seed, "step": step, **figures})
                rows = torch.randperm(len(vectors))[:256]
                if kind == "place":
                    rows = rows[same[rows].any(1)]
                    others = torch.multinomial(same[rows].float(), 1)[:, 0]
                else:
                    others = rows
                first, second = torch.randint(3, (len(rows),)), torch.randint(1, 3, (len(rows),))
                query, key = head(vectors[rows, first]), head(vectors[others, (first + second) % 3])
                alike = normalize(query, dim=1) @ normalize(key, dim=1).T
                if kind == "place":
                    alike = alike.masked_fill(near[rows][:, others] & ~torch.eye(len(rows), dtype=torch.bool), -1e4)
                optimizer.zero_grad()
                torch.nn.functional.cross_entropy(alike / 0.07, torch.arange(len(rows))).backward()
                optimizer.step()


def as_bytes(clips: torch.Tensor) -> np.ndarray:
    """(n, 8, 3, S, S) float in [0, 1] -> (n, 8, S, S, 3) uint8."""
    return (clips * 255).round().byte().permute(0, 1, 3, 4, 2).numpy()


def recognised(embed: Any, folder: Path) -> dict[str, float]:
    """`recognised_views` of what embeds clips of uint8."""

    def vectors(_: int, seen: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(normalised(embed(as_bytes(seen))))

    return recognised_views(RUNS["crl"], read(folder, 10, 0, 59), vectors)


def table(folder: Path) -> None:
    """Means over the seeds, and their differences from the start, with 95 % intervals from drawing whole patients."""
    groups: dict[tuple[str, int, int], list[Any]] = {}
    for text in (folder / "why.jsonl").read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        groups.setdefault((line["run"], line["of"], line["step"]), []).append(line)
    names = ("objective", "next", "returned", "other pass", "pass", "trained", "trained, views", "mAP")
    with (folder / "xiang-why.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            ("run", "steps planned", "steps done", "seeds", *names, *(f"{name} less start" for name in names))
        )
        for (run, planned, step), lines in groups.items():
            starts = [line for line in groups[run, planned, 0] if line["seed"] in {each["seed"] for each in lines}]
            values, before = ([of_patients(each, name) for name in names] for each in (lines, starts))
            less = [
                interval((now[0] - then[0], now[1]), is_signed=True) if step else "-"
                for now, then in zip(values, before, strict=True)
            ]
            writer.writerow((run, planned, step, len(lines), *map(interval, values), *less))


def of_patients(lines: list[Any], name: str) -> tuple[np.ndarray, np.ndarray]:
    """A figure as the mean over the seeds, and whose it is: of each query for mAP, else of each patient that has it."""
    if name == "mAP":
        return np.mean([line["mAP"] for line in lines], axis=0), np.array(lines[0]["patients"], np.str_)
    there = [key for key in lines[0].get(name, ()) if all(line[name][key] is not None for line in lines)]
    return np.array([np.mean([line[name][key] for line in lines]) for key in there]), np.array(there, np.str_)


def interval(values: tuple[np.ndarray, np.ndarray], *, is_signed: bool = False) -> str:
    """ "0.512 [0.498 to 0.530]"."""
    found, sign = mean_interval(*values), "+" if is_signed else ""
    if found.value is None:
        return "-"
    return f"{found.value:{sign}.3f} [{found.low:{sign}.3f} to {found.high:{sign}.3f}]"


if __name__ == "__main__":
    torch.set_num_threads(1)
    place = Path(sys.argv[1])
    place.mkdir(parents=True, exist_ok=True)
    for argument in sys.argv[2:]:
        if argument == "table":
            table(place)
        elif argument == "untrained":
            untrained(place, imagenet())
        elif argument == "heads":
            heads(place, imagenet())
        else:
            run_name, run_steps, run_seed = argument.split(":")
            train(place, run_name, int(run_steps), int(run_seed))
