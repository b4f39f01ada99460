"""Kept maps of the little study, made without a job."""

from pathlib import Path

import numpy as np

from tests.wce_desktop.sessions import FRAMES
from training.projection.map_file import ProjectionFile, ProjectionModel
from wce_desktop.features.embedding_map.map_sources import map_sources
from wce_desktop.features.embedding_map.maps import MapRequest, MapStore, SavedMap
from wce_desktop.session.session import Session


def make_request(session: Session, title: str = "First", **changes: object) -> MapRequest:
    """A map of everything that the model in use has scored."""
    source = map_sources(session)[0]
    wish = {"title": title, "model_id": source.model_id, "space": source.space, "paths": source.paths}
    return MapRequest(**{**wish, "method": "pca", **changes})  # type: ignore[arg-type]


def write_points(path: Path, study_ids: tuple[str, ...], *, is_complete: bool = True, seed: int = 0) -> ProjectionFile:
    """Points for all frames of these studies: the frame number to the right, noise upwards."""
    count = FRAMES * len(study_ids)
    frames = np.tile(np.arange(FRAMES), len(study_ids))
    up = np.random.default_rng(seed).random(count)
    file = ProjectionFile(
        study_ids=study_ids,
        patient_ids=study_ids,
        study=np.repeat(np.arange(len(study_ids), dtype=np.int32), FRAMES),
        frame_index=frames.astype(np.int64),
        video_seconds=frames / 25,
        coordinates=np.stack([frames, up], axis=1).astype(np.float32),
        method="tsne",
        model=ProjectionModel("m1", "0" * 64, "backbone", False),
        parameters={"seed": seed, "perplexity": 30.0},
        iteration=750 if is_complete else 250,
        iterations=750,
        is_complete=is_complete,
        notes=("2 frames that do not decode are left out.",),
    )
    file.save(path)
    return file


def keep_map(session: Session, title: str = "First", *, is_complete: bool = True) -> SavedMap:
    """A map in the library, with its points."""
    kept = MapStore(session.library.folder).add(make_request(session, title))
    write_points(kept.points_path, tuple(kept.request.paths), is_complete=is_complete)
    return kept
