"""The printed parts: rendered by OpenSCAD where it is installed, and looked at as a printer would."""

import re
import shutil
from pathlib import Path

import pytest

from hardware.enclosure.render import HERE, PETG_G_PER_MM3, Solid, parts, read_stl, render

BED_MM = 220
PARTS = [(part["file"], part["part"], part["grams"]) for part in parts()]
needs_openscad = pytest.mark.skipif(
    shutil.which("openscad") is None, reason="OpenSCAD is not installed: sudo apt install openscad"
)

A, B, C, D = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
TETRAHEDRON = Solid(((A, C, B), (A, B, D), (B, C, D), (A, D, C)))


@needs_openscad
@pytest.mark.parametrize(("file", "part", "grams"), PARTS)
def test_part_is_one_closed_body_that_fits_the_printer(file: str, part: str, grams: int, tmp_path: Path) -> None:
    said = render(file, part, tmp_path / "part.stl")
    assert "WARNING" not in said
    solid = read_stl(tmp_path / "part.stl")
    assert solid.is_closed
    assert solid.pieces == 1
    assert solid.volume_mm3 > 0
    assert max(solid.size_mm) <= BED_MM
    assert solid.volume_mm3 * PETG_G_PER_MM3 == pytest.approx(grams, abs=1)


@needs_openscad
@pytest.mark.parametrize("file", sorted({file for file, _, _ in PARTS}))
def test_assembly_renders(file: str, tmp_path: Path) -> None:
    assert "WARNING" not in render(file, "assembly", tmp_path / "all.csg")


@needs_openscad
def test_a_wrong_measure_is_refused_with_a_sentence(tmp_path: Path) -> None:
    bad = tmp_path / "tray.scad"
    bad.write_text((HERE / "tray.scad").read_text("utf-8").replace("place_pitch = 68", "place_pitch = 60"), "utf-8")
    shutil.copy(HERE / "common.scad", tmp_path)
    with pytest.raises(RuntimeError, match="raise place_pitch"):
        render(str(bad.with_suffix("")), "lid_left", tmp_path / "lid.stl")


@pytest.mark.parametrize("file", sorted({file for file, _, _ in PARTS}))
def test_every_part_of_a_file_is_listed(file: str) -> None:
    offered = re.findall(r'part == "(\w+)"', (HERE / f"{file}.scad").read_text("utf-8"))
    assert offered == [part for name, part, _ in PARTS if name == file]


def test_a_tetrahedron_is_closed_and_has_its_volume() -> None:
    assert TETRAHEDRON.is_closed
    assert TETRAHEDRON.pieces == 1
    assert TETRAHEDRON.volume_mm3 == pytest.approx(1 / 6)
    assert TETRAHEDRON.size_mm == (1, 1, 1)


def test_a_missing_face_is_a_hole() -> None:
    assert not Solid(TETRAHEDRON.triangles[1:]).is_closed


def test_two_bodies_are_two_pieces() -> None:
    moved = tuple(tuple((x + 5, y, z) for x, y, z in corners) for corners in TETRAHEDRON.triangles)
    assert Solid((*TETRAHEDRON.triangles, *moved)).pieces == 2
