"""Models of tikis, about 10 x 10 x 22 mm, standing on z = 0 about the origin and looking towards -y. White, to be
painted."""

from __future__ import annotations

import numpy as np

from vision.scenes.arrays import Rgb, floats
from vision.scenes.mesh import (
    Mesh,
    box,
    circle,
    extruded,
    loft,
    merged,
    moved,
    painted,
    prism,
    rectangle,
    ring,
    scaled,
    transformed,
    turn_about,
    turned,
)

HOLLOW: Rgb = (0.35, 0.33, 0.32)


def totem() -> Mesh:
    """Blocks of alternating width: feet, belly, mouth, brow and crown, with a face carved into them."""
    steps = [
        (9.6, 0.0, 3.2),
        (8.0, 3.0, 8.2),
        (9.2, 8.0, 10.0),
        (7.6, 9.8, 14.2),
        (9.8, 14.0, 16.4),
        (8.4, 16.2, 20.0),
        (6.4, 19.8, 22.0),
    ]
    blocks = [moved(box(side, side * 0.94, top - low, 0.45), (0.0, 0.0, low)) for side, low, top in steps]
    eyes = [moved(box(2.0, 1.0, 1.4, 0.2), (x, -4.0, 11.6)) for x in (-2.1, 2.1)]
    nose = moved(box(1.7, 2.0, 3.4, 0.3), (0.0, -3.7, 10.2))
    mouth = moved(painted(box(5.2, 0.6, 1.4), HOLLOW), (0.0, -3.7, 5.4))
    return merged([*blocks, *eyes, nose, mouth])


def stacked() -> Mesh:
    """Turned on a lathe: rings and grooves."""
    profile = [
        (4.6, 0.0),
        (5.0, 0.5),
        (5.0, 3.6),
        (3.7, 4.2),
        (3.7, 5.0),
        (4.7, 5.6),
        (4.7, 10.4),
        (3.5, 11.0),
        (3.5, 11.8),
    ]
    profile += [(4.5, 12.4), (4.5, 17.2), (3.3, 17.8), (3.3, 18.4), (4.9, 19.0), (4.9, 20.8), (4.0, 22.0)]
    eyes = [
        moved(transformed(prism(circle(1.1, 8), 0.0, 0.7, 0.1), turn_about("x", 90.0)), (x, -4.1, 15.2))
        for x in (-1.8, 1.8)
    ]
    return merged([turned(profile, 18), *[painted(eye, HOLLOW) for eye in eyes]])


def tapered() -> Mesh:
    """Four sides that widen towards the head, with grooves for brow, mouth and chest."""
    square = rectangle(2.0, 2.0, 0.35)
    levels = [
        (0.0, 3.0),
        (0.5, 3.4),
        (5.8, 3.6),
        (6.1, 3.1),
        (6.9, 3.1),
        (7.2, 3.9),
        (11.0, 4.2),
        (11.3, 3.6),
        (12.3, 3.6),
        (12.6, 4.4),
    ]
    levels += [(15.6, 4.6), (15.9, 3.8), (17.2, 3.8), (17.5, 5.0), (20.6, 5.1), (22.0, 3.4)]
    body = loft(np.stack([ring(square, height, half) for height, half in levels]))
    nose = moved(box(1.6, 1.6, 3.6, 0.3), (0.0, -4.6, 12.2))
    return merged([body, nose])


def moai() -> Mesh:
    """A long face in profile: chin, nose and heavy brow."""
    profile = floats(
        [(-4.2, 0.0), (4.4, 0.0), (4.6, 6.0), (3.9, 8.0), (4.4, 14.0), (4.2, 21.0), (3.2, 22.2), (-2.6, 22.2),
         (-4.4, 20.6), (-4.9, 18.0), (-3.2, 16.8), (-5.3, 11.8), (-3.8, 11.0), (-4.1, 9.2), (-3.4, 8.6),
         (-4.4, 6.6), (-3.6, 5.2)]
    )  # fmt: skip
    head = transformed(extruded(profile, 7.6, 0.7), turn_about("z", 90.0))
    ears = [moved(box(0.9, 2.0, 7.0, 0.2), (x, 0.6, 10.0)) for x in (-4.1, 4.1)]
    return merged([head, *ears])


def masked() -> Mesh:
    """A post whose face is cut out: eyes, teeth and a headdress of five leaves."""
    post = scaled(prism(circle(4.8, 12), 0.0, 18.4, 0.5, around=True), (1.0, 0.92, 1.0))
    plate = moved(box(9.2, 1.6, 13.0, 0.5), (0.0, -4.0, 4.6))
    eyes = [moved(painted(box(2.3, 0.5, 2.6), HOLLOW), (x, -4.75, 12.4)) for x in (-2.2, 2.2)]
    mouth = moved(painted(box(5.6, 0.5, 2.4), HOLLOW), (0.0, -4.75, 7.0))
    teeth = [moved(box(0.8, 0.7, 1.0), (x, -4.8, 8.3)) for x in (-1.6, 0.0, 1.6)]
    leaves = [
        moved(transformed(box(1.7, 2.2, 5.0, 0.4), turn_about("y", 6.0 * at)), (1.75 * at, 0.0, 17.4 - 0.35 * at * at))
        for at in (-2, -1, 0, 1, 2)
    ]
    return merged([post, plate, *eyes, mouth, *teeth, *leaves])


TIKIS = {"totem": totem, "stacked": stacked, "tapered": tapered, "moai": moai, "masked": masked}
