"""Walls whose places differ in texture and hardly in colour, and passes that differ in all that is not the wall."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.training.phantom.studies import rendered
from training.phantom.motion import make_steps
from training.phantom.patient import PhantomConfig, make_anatomy, make_patient
from training.phantom.plan import make_plan
from training.phantom.sheet import Sheet
from training.phantom.texture import WAY_AROUND, PlaceTextures, vessel_branches

PLACES = PhantomConfig(frames=120, seed=3, size_px=48, passes=2, positive_share=0.3, alike=True, places=True)
ROWS, COLUMNS = 120, 192


def likeness(first: NDArray[np.generic], second: NDArray[np.generic]) -> float:
    return float(np.corrcoef(first.ravel().astype(float), second.ravel().astype(float))[0, 1])


def fine_slopes(config: PhantomConfig) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Of two successive pieces of wall."""
    sheet = Sheet(make_patient(config), make_anatomy(config), (), 5, config.size_px)
    slopes = sheet.window(10.0).slopes
    rows = len(slopes) // 4
    return slopes[:rows], slopes[rows : 2 * rows]


def test_fine_texture_repeats_only_where_places_are_alike() -> None:
    usual = fine_slopes(replace(PLACES, places=False))
    assert likeness(*usual) > 0.8  # roughness differs between regions
    assert abs(likeness(*fine_slopes(PLACES))) < 0.1


def test_texture_goes_on_from_piece_to_piece_and_around() -> None:
    textures = PlaceTextures(7, ROWS, COLUMNS)
    first, second = textures.texture(-1), textures.texture(0)
    inner = np.abs(np.diff(first.grains, axis=0)).max()
    assert np.abs(second.grains[0] - first.grains[-1]).max() <= 1.5 * inner
    assert np.abs(first.slopes[-1, :, 1] - second.slopes[0, :, 1]).max() <= 1.5 * inner
    assert first.grains.std() == pytest.approx(0.8, abs=0.3)


def reference_vessels(seed: int, pieces: range) -> NDArray[np.uint8]:
    """Each line drawn alone on a sheet of all pieces, and folded column by column around the tube."""
    sheet = np.zeros((ROWS * len(pieces), 5 * COLUMNS), np.uint8)
    for number in pieces:
        for points, width in vessel_branches(seed, number):
            rows = (points[:, 0] + number - pieces.start) * ROWS
            columns = points[:, 1] / WAY_AROUND * COLUMNS + 2 * COLUMNS
            for start in range(len(points) - 1):
                ends = [(round(float(columns[at]) * 16), round(float(rows[at]) * 16)) for at in (start, start + 1)]
                cv2.line(sheet, ends[0], ends[1], (255,), max(1, round(width * ROWS)), cv2.LINE_AA, 4)
    folded = np.zeros((len(sheet), COLUMNS), np.uint8)
    for column in range(sheet.shape[1]):
        folded[:, column % COLUMNS] = np.maximum(folded[:, column % COLUMNS], sheet[:, column])
    return folded


def test_vessels_are_those_of_a_sheet_drawn_at_once() -> None:
    expected = reference_vessels(11, range(-2, 4))
    textures = PlaceTextures(11, ROWS, COLUMNS)
    drawn = np.concatenate([textures.vessels(number) for number in (-1, 0, 1, 2)])
    inner = expected[ROWS : 5 * ROWS] / 255
    assert 0.02 < inner.mean() < 0.4
    assert np.abs(drawn - inner).mean() < 0.002  # where lines meet, a joint is smoothed once or twice
    assert likeness(drawn, inner) > 0.99


def test_no_tree_reaches_beyond_the_next_piece() -> None:
    for number in range(-20, 20):
        for points, _ in vessel_branches(5, number):
            assert points[:, 0].min() >= -1
            assert points[:, 0].max() <= 2
            assert points[:, 1].min() >= -WAY_AROUND
            assert points[:, 1].max() <= 2 * WAY_AROUND


def test_walls_of_a_patient_have_one_colour() -> None:
    assert len(set(make_patient(PLACES).mucosa)) == 1
    assert len({make_patient(replace(PLACES, patient=number)).mucosa for number in range(5)}) == 5
    assert len(set(make_patient(replace(PLACES, places=False)).mucosa)) == 3


def test_passes_have_the_same_wall_in_another_light_and_pace() -> None:
    first, second = (make_plan(replace(PLACES, pass_index=index)) for index in (0, 1))
    assert first.lesions == second.lesions
    assert first.sheet_seed == second.sheet_seed
    for name in ("mucosa", "fold_spacing", "vessels", "villi"):
        assert getattr(first.patient, name) == getattr(second.patient, name)
    for name in ("exposure", "bluish", "collapse", "stains"):
        assert getattr(first.patient, name) != getattr(second.patient, name)
    usual = [make_plan(replace(PLACES, places=False, pass_index=index)).patient for index in (0, 1)]
    assert usual[0] == usual[1]


def test_a_place_comes_at_another_time_of_each_pass() -> None:
    def lateness(*, places: bool) -> float:
        """Of the places along the tube, mean difference of the passes in when they come, as a share of the study."""
        shares = []
        for patient in range(8):
            times = []
            for index in (0, 1):
                config = replace(PLACES, frames=400, patient=patient, pass_index=index, places=places)
                anatomy = make_anatomy(config)
                depth = make_steps(config, anatomy, 0.1).depth
                marks = np.linspace(anatomy.borders[0] + 1, anatomy.borders[3] - 1, 20)
                times.append([int(np.argmax(depth >= mark)) / len(depth) for mark in marks])
            shares.append(np.abs(np.array(times[0]) - np.array(times[1])).mean())
        return float(np.mean(shares))

    assert lateness(places=True) > 2 * lateness(places=False)


def test_frames_are_those_that_rendered_sets_are_stored_with() -> None:
    """A change of these means another `RENDERER` in `experiments.reproduce.data`."""
    frames, _ = rendered(replace(PLACES, frames=40))
    assert frames.reshape(4, 10, -1).mean(axis=(1, 2)) == pytest.approx(PLACES_MEANS, abs=0.05)


PLACES_MEANS = [85.782, 80.485, 76.151, 79.241]
