"""Renders the printed parts: `python -m hardware.enclosure.render OUT` writes one STL per part into the folder OUT.

Needs OpenSCAD (2021.01 or newer), but no screen.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
PETG_G_PER_MM3 = 1.27e-3

Vertex = tuple[float, float, float]
Triangle = tuple[Vertex, Vertex, Vertex]


class Solid(NamedTuple):
    """What an STL file holds."""

    triangles: tuple[Triangle, ...]

    @property
    def is_closed(self) -> bool:
        """Whether every edge is met by exactly one neighbour going the other way: no hole, no inside-out face."""
        edges = Counter((corners[i], corners[(i + 1) % 3]) for corners in self.triangles for i in range(3))
        return all(edges[b, a] == count for (a, b), count in edges.items())

    @property
    def pieces(self) -> int:
        """How many bodies there are that do not touch."""
        group: dict[Vertex, Vertex] = {}

        def root(vertex: Vertex) -> Vertex:
            while group.setdefault(vertex, vertex) != vertex:
                vertex = group[vertex]
            return vertex

        for a, b, c in self.triangles:
            group[root(b)] = group[root(c)] = root(a)
        return len({root(vertex) for vertex in group})

    @property
    def volume_mm3(self) -> float:
        return sum(_signed_volume(*corners) for corners in self.triangles)

    @property
    def size_mm(self) -> Vertex:
        axes = list(zip(*(corner for corners in self.triangles for corner in corners), strict=True))
        return tuple(max(axis) - min(axis) for axis in axes)  # type: ignore[return-value]


def _signed_volume(a: Vertex, b: Vertex, c: Vertex) -> float:
    cross = (b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0])
    return sum(one * other for one, other in zip(a, cross, strict=True)) / 6


def parts() -> list[dict[str, Any]]:
    return tomllib.loads((HERE / "parts.toml").read_text("utf-8"))["part"]


def render(file: str, part: str, out: Path) -> str:
    """Writes one part as STL. Gives what OpenSCAD said; raises with it when that was an error."""
    command = ["openscad", "-o", str(out), "-D", f'part="{part}"', str(HERE / f"{file}.scad")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"OpenSCAD could not render {part} of {file}.scad:\n{done.stderr}")
    return done.stderr


def read_stl(path: Path) -> Solid:
    numbers = [float(number) for number in re.findall(r"(?<=[\s])-?[\d.]+(?:e[-+]?\d+)?(?=\s)", _vertices(path))]
    corners = list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))
    return Solid(tuple(zip(corners[::3], corners[1::3], corners[2::3], strict=True)))


def _vertices(path: Path) -> str:
    lines = path.read_text("utf-8").splitlines()
    return " \n ".join(line.replace("vertex", "") + " " for line in lines if "vertex" in line)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("Name the folder for the STL files: python -m hardware.enclosure.render OUT")
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for entry in parts():
        path = out / f"{entry['file']}-{entry['part']}.stl"
        render(entry["file"], entry["part"], path)
        solid = read_stl(path)
        grams, size = solid.volume_mm3 * PETG_G_PER_MM3, " x ".join(f"{side:.0f}" for side in solid.size_mm)
        sys.stdout.write(f"{entry['count']} x {path.name}: {grams:.0f} g each, {size} mm, closed: {solid.is_closed}\n")


if __name__ == "__main__":
    main()
