"""The settings of a training of re-identification on one's own studies. Importing this module does not import torch.

Records a training of re-identification while it runs: one curve for each encoder, over steps counted through.

The run folder of a training of re-identification: starting and resuming a run in it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from training.datasets.manifest import load_manifest, save_manifest
from training.files.marks import LogToField, OutputFolder, RecordHostField, WeightsCacheField
from training.metrics.events import MAX_GAP_FRAMES, THRESHOLD
from training.models.backbones import DEFAULT_BACKBONE
from training.reidentification.config import EncoderConfig, EncoderTraining, TrackletFilter
from training.runs.folder import CsvLog, Point
from training.runs.reporter import Reporter
from training.runs.resume import StartedFolder, copied, run_folder_check
from training.settings import MAX_THREADS, Only, preset_values

COMMAND = "train-reid"
_CAPSULE: Mapping[str, Any] = {
    "backbone": DEFAULT_BACKBONE,
    "crop_px": 64,
    # Ours: LARS is for batches of thousands. A library has some dozens of patients.
    "optimizer": "adamw",
    "learning_rate": 3e-4,
    "shortest_seconds": 0.0,
    "fewest_detections": 3,
    "longest_only": False,
}
PRESETS: dict[str, dict[str, Any]] = {
    "paper": {},
    # Ours: some minutes on two cores. A capsule of 2 frames a second has a finding in view for some 5 frames, of which
    # the paper's filter would leave nothing; three frames are the fewest that can be cut in three.
    "small": {**_CAPSULE, "procedures": 32, "frame_steps": 300, "tracklet_steps": 200},
    # Ours: to check that everything works; the result is not useful.
    "smoke": {**_CAPSULE, "procedures": 12, "frame_steps": 10, "tracklet_steps": 5},
}
"""Preset -> settings that differ from the defaults, which are the paper's; explicit settings override the preset."""


class ReidConfig(EncoderConfig, EncoderTraining, TrackletFilter):
    """What to train on, how tracklets are made, and the settings of both encoders."""

    what = "setting of re-identification"
    only = (
        Only("scored_by,threshold,max_gap", "embeddings"),
        Only("download", "init", ("auto", "imagenet")),
    )

    studies: Path = Field(description="Manifest of the studies (JSON).")
    out: Annotated[Path, OutputFolder("run folder", run_folder_check(COMMAND, "training of re-identification"))] = (
        Field(description="Run folder to write.")
    )
    method: Literal["intrator"] = Field("intrator", description="Method: that of Intrator et al. 2023.")
    preset: str = Field("paper", description="Preset; explicit settings override it.")
    labels: Path | None = Field(None, description="Labels (CSV): which tracklets show the same finding.")
    boxes: Path | None = Field(
        None,
        description="Boxes (CSV): a finding's labelled frames with boxes are tracklets; of a study without such "
        "findings, what ByteTrack makes of its boxes.",
    )
    links: Path | None = Field(
        None,
        description="Links (CSV): what they say is the same trains as one finding; empty: links.csv beside the labels.",
    )
    embeddings: Path | None = Field(None, description="Folder of embedding files: events of studies without boxes.")
    scored_by: str = Field("", description="SHA-256 of the weights of the model whose scores count; empty: any.")
    init: Literal["auto", "imagenet", "random"] = Field(
        "auto", description="imagenet, random, or auto: ImageNet weights if they are here, else random."
    )
    download: bool = Field(False, description="Allow the download of ImageNet weights if needed.")
    weights_cache: WeightsCacheField

    threshold: float = Field(THRESHOLD, ge=0, le=1, description="Frames with at least this score are flagged (ours).")
    max_gap: int = Field(MAX_GAP_FRAMES, ge=0, description="Unflagged frames that do not end an event (ours).")
    crop_px: int = Field(
        224, ge=16, le=1024, description="Side of the crops in px (ours: the paper does not state it)."
    )
    context: float = Field(
        1.5, ge=1, le=10, description="Side of a crop, as a multiple of its box's longer side (ours)."
    )
    most_crops: int = Field(
        64, ge=3, le=10_000, description="Frames that are taken of a longer tracklet, spread over its length (ours)."
    )
    held_out_share: float = Field(
        0.2, ge=0, lt=1, description="Share of the patients that do not train and fix the limit of merging (ours)."
    )
    false_positives: float = Field(
        0.05, gt=0, lt=1, description="Share of the pairs of different findings that merging may join."
    )
    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Device to train on.")
    threads: int | None = Field(None, ge=1, le=MAX_THREADS, description="CPU threads; empty: chosen by torch.")
    gradient_cache_chunk: int | None = Field(
        None, ge=1, description="Frames per forward pass; the gradient is that of the whole batch."
    )
    checkpoint_seconds: float = Field(120.0, ge=0, description="Time between two checkpoints.")
    log_to: LogToField = "none"
    record_host: RecordHostField = False
    resume: bool = Field(False, description="Resume the unfinished run in the run folder.")

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, given: Any) -> Any:
        return {**preset_values(PRESETS, given.get("preset", "paper")), **given} if isinstance(given, dict) else given

    @model_validator(mode="after")
    def _check_source(self) -> "ReidConfig":
        if self.embeddings is None and self.boxes is None:
            raise ValueError("give boxes, with the labels of their findings where there are any, or embeddings")
        return self

    @property
    def links_file(self) -> Path | None:
        """The links: those that were given, or those beside the labels, if there are any."""
        beside = self.labels.with_name("links.csv") if self.labels is not None else None
        return self.links or (beside if beside is not None and beside.is_file() else None)

    @property
    def steps(self) -> int:
        """Steps of both encoders."""
        return self.frame_steps + self.tracklet_steps

    @property
    def encoder(self) -> EncoderConfig:
        """The sizes of the encoders alone."""
        return EncoderConfig(**self.model_dump(include=set(EncoderConfig.model_fields)))


class ReidFolder(StartedFolder[ReidConfig]):
    """Paths and small files of one run."""

    command = COMMAND
    what = "training of re-identification"
    named_starts = ("auto", "imagenet", "random")
    free_to_change = frozenset(
        {
            "resume", "device", "out", "studies", "labels", "boxes", "links", "embeddings", "checkpoint_seconds",
            "threads", "gradient_cache_chunk", "download", "weights_cache", "log_to", "record_host",
        }
    )  # fmt: skip
    taken_over = ("threads", "gradient_cache_chunk", "download", "embeddings", "log_to", "record_host")

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.model = path / "model"

    def copy_inputs(self, config: ReidConfig) -> dict[str, Path]:
        """Manifest, labels, boxes and links; embeddings stay where they are."""
        save_manifest(self.manifest, load_manifest(config.studies))
        files = {"labels": config.labels, "boxes": config.boxes, "links": config.links_file}
        where = {name: copied(file, self.labels.with_name(f"{name}.csv")) for name, file in files.items() if file}
        if config.embeddings:
            where["embeddings"] = config.embeddings.resolve()
        return {**where, "studies": self.manifest.resolve()}

    def config_of(self, fields: Mapping[str, Any]) -> ReidConfig:
        """The settings of a config.json."""
        return ReidConfig.checked(**fields)


SINGLE_FRAME, MULTI_VIEW = "single_frame_loss", "multi_view_loss"
COLUMNS = (
    "step", SINGLE_FRAME, MULTI_VIEW, "negatives_ahead", "learning_rate", "embedding_norm", "images_per_second",
)  # fmt: skip


class ReidRecorder:
    """Writes metrics.csv and reports the points; the file of a resumed run is like that of an uninterrupted one."""

    def __init__(self, metrics: Path, frame_steps: int, first_step: int, reporter: Reporter) -> None:
        """`frame_steps`: of the single-frame encoder, which come first; `first_step`: steps that are done."""
        self._frame_steps, self._reporter = frame_steps, reporter
        self._metrics = CsvLog(metrics, COLUMNS, first_step)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._metrics.close()

    def add(self, point: Point) -> None:
        """Record one step."""
        figures = point.figures
        figures[SINGLE_FRAME if point.step <= self._frame_steps else MULTI_VIEW] = figures.pop("loss")
        self._metrics.append([tuple(figures.get(name, "") for name in COLUMNS)])
        self._reporter.partial("curve", figures)
