"""a* against OpenCV's conversion in floats, for colours of the whole cube."""

import cv2
import numpy as np
import torch

from training.transforms.prior_view import a_star


def test_every_eighth_colour_has_opencvs_a_star() -> None:
    values = np.arange(0, 256, 8, dtype=np.uint8)
    cube = np.stack(np.meshgrid(values, values, values), -1).reshape(1, 1024, 32, 3)
    theirs = cv2.cvtColor(cube[0].astype(np.float32) / 255.0, cv2.COLOR_RGB2LAB)[..., 1]
    ours = a_star(torch.from_numpy(cube))[0].numpy()
    # OpenCV reads its curves from tables, in steps of 1/64: it is the less exact of the two; see the next test.
    assert np.abs(ours - theirs).max() < 0.5
    assert np.abs(ours - theirs).mean() < 0.1


def test_dark_colours_against_the_formula_number_by_number() -> None:
    for colour in ((3, 1, 2), (10, 0, 0), (0, 12, 3), (255, 0, 0), (17, 17, 16)):
        frame = torch.tensor(colour, dtype=torch.uint8).view(1, 1, 1, 3)
        assert abs(float(a_star(frame)) - slow_a_star(*colour)) < 0.01


def slow_a_star(*rgb: int) -> float:
    """CIE 1976 as it is written, D65."""
    light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (value / 255 for value in rgb)]
    x = (0.412453 * light[0] + 0.357580 * light[1] + 0.180423 * light[2]) / 0.950456
    y = 0.212671 * light[0] + 0.715160 * light[1] + 0.072169 * light[2]
    fx, fy = (t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in (x, y))
    return 500 * (fx - fy)


def test_greys_are_not_red_and_equal_colours_are_equal_wherever_they_stand() -> None:
    greys = torch.arange(256, dtype=torch.uint8).view(1, 16, 16, 1).expand(1, 16, 16, 3)
    assert float(a_star(greys).abs().max()) < 0.1
    stain = torch.tensor([201, 43, 37], dtype=torch.uint8).expand(3, 31, 31, 3)
    assert len(torch.unique(a_star(stain))) == 1
