"""A pretraining of one fold's own: on the studies of everybody but those whom the fold holds out."""

from pathlib import Path

from training.datasets.folds import Fold
from training.datasets.manifest import Manifest, load_manifest, save_manifest
from training.datasets.video_runs import read_labelled_images, read_video_frames, video_run_manifest
from training.errors import UserError
from training.evaluation.evaluate_config import EvaluateConfig
from training.pretraining.config import PretrainConfig, pretrain_config
from training.runs.reporter import Reporter


def pretraining_manifest(config: EvaluateConfig) -> Manifest:
    """The studies that folds pretrain on, before anybody is held out.

    Raises:
        UserError: unusable files, or a split without patients.
    """
    if not config.needs_patients:
        raise UserError(
            "A pretraining in each fold needs patients, to leave out the held-out ones.",
            "Split by patients, or pretrain on other studies and give that run as --init.",
        )
    source = config.pretrain_studies or config.studies
    assert source is not None  # checked by the config
    if source.suffix.lower() != ".csv":
        return load_manifest(source)
    video = config.pretrain_video or source.with_name("video.mp4")
    if not video.is_file():
        raise UserError("There is no video {video}.", "Name it: --set pretrain_video=FILE.", video)
    group_of = {row.filename: row.group for row in read_labelled_images(config.labels)}
    return video_run_manifest(video.resolve(), read_video_frames(source), group_of)


def fold_pretraining(config: EvaluateConfig, fold: Fold, manifest: Manifest, out: Path, seed: int) -> PretrainConfig:
    """The settings of one fold's pretraining; its manifest is written into the report folder, beside `out`.

    Args:
        config: method, preset and further settings.
        fold: who is held out; their studies are taken out of the manifest, and the run checks it once more.
        manifest: all studies.
        out: run folder.
        seed: of the pretraining.

    Raises:
        UserError: nobody is left, or a setting cannot be used.
    """
    left = tuple(study for study in manifest.studies if study.patient_id not in fold.held_out_patients)
    if not left:
        raise UserError(
            "Fold {number} leaves no study to pretrain on.", "Take more folds or more studies.", fold.number + 1
        )
    out.parent.mkdir(parents=True, exist_ok=True)
    path = out.with_name(f"{out.name}-studies.json")
    save_manifest(path, Manifest(studies=left))
    given = {"each_span_is_a_study": _is_video_runs(config), **config.pretrain_settings}
    return pretrain_config(
        **given,
        studies=path,
        out=out,
        method=config.pretrain,
        preset=config.pretrain_preset,
        held_out_patients=tuple(sorted(fold.held_out_patients)),
        device=config.device,
        precision=config.precision,
        seed=seed,
        resume=True,
    )


def run_fold_pretraining(
    config: EvaluateConfig, fold: Fold, manifest: Manifest, out: Path, seed: int, reporter: Reporter
) -> Path:
    """Pretrain for one fold, or resume it; returns the run folder to start from."""
    from training.pretraining.run import pretrain

    pretrain(fold_pretraining(config, fold, manifest, out, seed), reporter)
    return out


def _is_video_runs(config: EvaluateConfig) -> bool:
    return bool(config.pretrain_studies and config.pretrain_studies.suffix.lower() == ".csv")
