"""What the network learns from: pictures that can be made again, and labels that say what they show."""

import numpy as np
import pytest

from vision.locate.pose import Camera, Pose, View
from vision.reading.patches import SIZE_PX
from vision.reference import printed_reference
from vision.training import models
from vision.training.clutter import FOREIGN
from vision.training.painter import Canvas, Lamp, Thing, paint
from vision.training.pictures import make
from vision.training.placing import pieces
from vision.training.samples import CELLS, KINDS, Ground, samples_of
from vision.training.shelf import Shelf
from vision.training.solids import box, joined, leaning, moved, placed, striped, toppled


@pytest.fixture(scope="module")
def ground():
    reference = printed_reference("nadaa")
    return Ground(reference.picture, reference.places_mm, len(reference.sites_mm))


def test_the_same_seed_makes_the_same_samples(ground):
    first, again = (samples_of(ground, np.random.default_rng(4)) for _ in range(2))
    assert first.keys() == again.keys()
    assert all((first[key] == again[key]).all() for key in first)


def test_masks_show_what_stands_there_and_nothing_on_empty_places(ground):
    rows = samples_of(ground, np.random.default_rng(5))
    count = len(rows["base"])
    assert rows["seen"].shape == (count, SIZE_PX, SIZE_PX, 3)
    assert rows["masks"].shape == (count, KINDS, CELLS, CELLS)
    for part, key in enumerate(("base", "tiki")):
        assert rows["masks"][rows[key] < 0, part].sum() == 0
        assert (rows["masks"][rows[key] >= 0, part].sum(axis=(1, 2)) > 0).mean() > 0.7  # some are hidden by others
    assert (rows["masks"][:, 0] <= rows["masks"][:, 2]).all()


def test_pieces_are_seen_where_they_stand(ground):
    scene = make(ground.empty, 3.0, ground.places_mm, ground.sites, np.random.default_rng(11))
    feet = np.round(scene.view.project(ground.places_mm)).astype(int)
    for place, state in enumerate(scene.standing):
        mine = np.argwhere((scene.owners == 1 + 2 * place) | (scene.owners == 2 + 2 * place))
        if (state.base >= 0 or state.tiki >= 0) and len(mine) > 20:
            apart = np.linalg.norm(mine.mean(axis=0)[::-1] - feet[place])
            assert apart < 32 * scene.view.scale_at(np.array([[*ground.places_mm[place], 0.0]]))[0]
    assert scene.owners.max() < FOREIGN + 1


def test_pieces_mostly_keep_off_each_other(ground):
    standing, things = pieces(ground.places_mm, ground.sites, np.random.default_rng(3))
    assert len(things) == sum((state.base >= 0) + (state.tiki >= 0) for state in standing)
    middles = np.array([np.mean(thing.mesh.hearts, axis=0)[:2] for thing in things])
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2) + 1e3 * np.eye(len(things))
    assert np.median(apart.min(axis=1)) > 9


@pytest.mark.parametrize("seed", range(6))
def test_a_tiki_is_higher_and_slimmer_than_a_hut(seed):
    rng = np.random.default_rng(seed)
    hut = np.concatenate(models.hut(rng).faces)
    tiki = np.concatenate(models.tiki(rng, *hut[:, [0, 2]].max(axis=0)).faces)
    assert tiki[:, 2].max() > 1.3 * hut[:, 2].max()
    assert np.ptp(tiki[:, 0]) < 0.95 * np.ptp(hut[:, 0])


def test_a_toppled_piece_lies_on_the_ground():
    fallen = np.concatenate(toppled(box(10, 8, 0, 22)).faces)
    assert fallen[:, 2].min() == pytest.approx(0)
    assert np.ptp(fallen[:, 2]) == pytest.approx(8)


def test_a_leaning_piece_rests_on_the_ground_with_its_top_aside():
    upright, lean = box(10, 8, 0, 22), leaning(box(10, 8, 0, 22), 0.15, 0.7)
    corners = np.concatenate(lean.faces)
    assert corners[:, 2].min() == pytest.approx(0)
    tops = [np.concatenate(mesh.faces) for mesh in (upright, lean)]
    aside = [np.linalg.norm(top[top[:, 2] > 0.8 * top[:, 2].max()][:, :2].mean(axis=0)) for top in tops]
    assert aside[0] < 0.1
    assert aside[1] > 1.5


def test_stripes_cut_walls_but_keep_their_outline():
    plain = joined(box(10, 10, 0, 6), moved(box(4, 4, 6, 8), 2, 0))
    ribbed = striped(plain, 3, 0.5)
    assert len(ribbed.faces) == 6 * len(plain.faces)
    assert set(ribbed.tints) == {1.0, 0.5}
    corners = [np.concatenate(mesh.faces) for mesh in (plain, ribbed)]
    assert corners[0].min(axis=0) == pytest.approx(corners[1].min(axis=0))
    assert corners[0].max(axis=0) == pytest.approx(corners[1].max(axis=0))


def test_a_placed_piece_stands_above_the_paper():
    faces = np.concatenate(placed(box(10, 10, 0, 12), (50.0, 60.0), 0.4).faces)
    assert faces[:, 2].min() == pytest.approx(-12)  # the board's frame points into the table
    assert faces[:, :2].mean(axis=0) == pytest.approx((50, 60), abs=0.5)


def _painted(lamp_from, neighbour_mm):
    """Mean light of a low box at (100, 100), seen from straight above, with a high one beside it."""
    view = View(Camera(600.0, (400, 400)), Pose((0.0, 0.0, 0.0), (-100.0, -100.0, 400.0)))
    things = [
        Thing(placed(box(10, 10, 0, high), at, 0.0), np.ones(3), ident)
        for ident, (high, at) in enumerate([(4, (100.0, 100.0)), (25, neighbour_mm)], 1)
    ]
    canvas = Canvas(np.zeros((400, 400, 3), np.float32), np.zeros((400, 400), np.int32))
    lamp = Lamp(np.array([*lamp_from, -0.6]), np.full(3, 0.8), np.full(3, 0.2), 0.0)
    paint(canvas, view, things, lamp, np.random.default_rng(0))
    return canvas.light[canvas.owners == 1].mean()


def test_a_piece_stands_in_the_shadow_of_the_one_between_it_and_the_lamp():
    behind, before = _painted((0.8, 0.0), (115.0, 100.0)), _painted((0.8, 0.0), (85.0, 100.0))
    beside, too_far = _painted((0.8, 0.0), (100.0, 118.0)), _painted((0.8, 0.0), (150.0, 100.0))
    assert behind < 0.6 * before
    assert beside == pytest.approx(before, rel=0.15)
    assert too_far == pytest.approx(before, rel=0.15)


def _shelved(folder, names, count=40):
    for name in names:
        np.savez(folder / name, base=np.zeros(count, np.int8))


def test_every_file_is_shown_before_any_is_shown_again(tmp_path):
    _shelved(tmp_path, ["a.npz", "b.npz", "c.npz", "d.npz"])
    shelf = Shelf(tmp_path, 2, np.random.default_rng(1))
    first, second = shelf.take(), shelf.take()
    assert len({*first.files, *second.files}) == 4
    assert sorted(first.order) == list(range(80))


def test_a_file_that_is_finished_meanwhile_comes_next_and_an_unfinished_one_does_not(tmp_path):
    _shelved(tmp_path, ["a.npz", ".b.npz"])
    shelf = Shelf(tmp_path, 1, np.random.default_rng(1))
    assert [file.name for _ in range(2) for file in shelf.take().files] == ["a.npz", "a.npz"]
    (tmp_path / ".b.npz").rename(tmp_path / "b.npz")
    assert [file.name for file in shelf.take().files] == ["b.npz"]


def test_easy_samples_are_shown_again_more_seldom_and_hard_ones_always(tmp_path):
    _shelved(tmp_path, ["a.npz", "b.npz"], count=500)
    shelf = Shelf(tmp_path, 2, np.random.default_rng(1))
    first = shelf.take()
    shelf.note(first, np.arange(1000) < 500)  # all of the round's first file
    again = shelf.take()
    start = 500 * again.files.index(first.files[0])
    is_easy = (again.order >= start) & (again.order < start + 500)
    assert (~is_easy).sum() == 500
    assert 80 < is_easy.sum() < 250
    assert again.easy[start : start + 500].all()


def test_a_folder_without_samples_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="no samples"):
        Shelf(tmp_path, 2, np.random.default_rng(1)).take()
