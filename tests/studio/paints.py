"""Materials: wood, paint, plastic, glass, cloth, skin, and the printed sheet."""

from __future__ import annotations

import random
from pathlib import Path

import bpy

# By name: hue, saturation, value that makers of toys choose from.
COLOURS = {
    "violet": (0.76, 0.72, 0.42),
    "pink": (0.93, 0.55, 0.85),
    "yellow": (0.145, 0.88, 0.88),
    "blue": (0.61, 0.82, 0.6),
    "green": (0.37, 0.78, 0.42),
    "orange": (0.062, 0.9, 0.88),
}
PLAYERS = tuple(COLOURS)
WOODS = (
    (0.36, 0.2, 0.1),
    (0.55, 0.36, 0.2),
    (0.16, 0.08, 0.045),
    (0.7, 0.6, 0.48),
    (0.62, 0.62, 0.6),
    (0.1, 0.1, 0.11),
)
SKINS = ((0.62, 0.38, 0.28), (0.42, 0.24, 0.16), (0.74, 0.5, 0.4), (0.2, 0.11, 0.075))


class Finish:
    """How one box of pieces is made: all of its pieces share it."""

    def __init__(self, rng: random.Random) -> None:
        self.kind = rng.choice(["paint", "paint", "plastic", "wood", "wood", "glass"])
        self.roughness = {
            "paint": rng.uniform(0.35, 0.7),
            "plastic": rng.uniform(0.12, 0.35),
            "wood": rng.uniform(0.5, 0.8),
            "glass": 0.08,
        }[self.kind]
        self.grain = rng.uniform(0, 0.5) if self.kind != "glass" else 0.0
        self.tones = {name: _near(tone, rng) for name, tone in COLOURS.items()}


def _near(tone: tuple[float, float, float], rng: random.Random) -> tuple[float, float, float]:
    hue, saturation, value = tone
    return (
        (hue + rng.gauss(0, 0.008)) % 1,
        min(1, saturation * rng.uniform(0.8, 1.08)),
        min(1, value * rng.uniform(0.75, 1.1)),
    )


def linear(hue: float, saturation: float, value: float) -> tuple[float, float, float, float]:
    from mathutils import Color

    colour = Color()
    colour.hsv = hue, saturation, value
    return (*(colour.from_srgb_to_scene_linear()), 1.0)


def principled(
    name: str, colour: tuple[float, ...], roughness: float
) -> tuple[bpy.types.Material, bpy.types.ShaderNode]:
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = colour
    shader.inputs["Roughness"].default_value = roughness
    return material, shader


def piece(finish: Finish, colour: str, rng: random.Random) -> bpy.types.Material:
    hue, saturation, value = finish.tones[colour]
    tone = linear((hue + rng.gauss(0, 0.004)) % 1, saturation, min(1, value * rng.uniform(0.92, 1.06)))
    material, shader = principled(colour, tone, finish.roughness)
    if finish.kind == "glass":
        shader.inputs["Transmission Weight"].default_value = 0.75
        shader.inputs["IOR"].default_value = 1.45
    if finish.grain:
        _bumpy(material, shader, 900 if finish.kind == "wood" else 400, finish.grain)
    return material


def _bumpy(material: bpy.types.Material, shader: bpy.types.ShaderNode, scale: float, strength: float) -> None:
    nodes, links = material.node_tree.nodes, material.node_tree.links
    where, noise, bump = (nodes.new(f"ShaderNode{kind}") for kind in ("TexCoord", "TexNoise", "Bump"))
    stretched = nodes.new("ShaderNodeMapping")
    stretched.inputs["Scale"].default_value = (1, 1, 0.15)
    noise.inputs["Scale"].default_value = scale / 1000
    bump.inputs["Strength"].default_value = strength
    bump.inputs["Distance"].default_value = 1.0
    links.new(where.outputs["Object"], stretched.inputs["Vector"])
    links.new(stretched.outputs["Vector"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], bump.inputs["Height"])
    links.new(bump.outputs["Normal"], shader.inputs["Normal"])


def plain(colour: tuple[float, float, float], roughness: float) -> bpy.types.Material:
    return principled("plain", (*colour, 1), roughness)[0]


def table(rng: random.Random) -> bpy.types.Material:
    """Planks, or cloth of one colour."""
    tone = rng.choice(WOODS)
    material, shader = principled("table", (*tone, 1), rng.uniform(0.25, 0.7))
    nodes, links = material.node_tree.nodes, material.node_tree.links
    where, stretched, noise, ramp = (
        nodes.new(f"ShaderNode{kind}") for kind in ("TexCoord", "Mapping", "TexNoise", "ValToRGB")
    )
    stretched.inputs["Scale"].default_value = (0.0015, 0.02, 1) if rng.random() < 0.75 else (0.3, 0.3, 1)
    noise.inputs["Scale"].default_value = 3.0
    noise.inputs["Detail"].default_value = 8.0
    contrast = rng.uniform(0.1, 0.5)
    ramp.color_ramp.elements[0].color = (*(c * (1 - contrast) for c in tone), 1)
    ramp.color_ramp.elements[1].color = (*(min(1, c * (1 + contrast)) for c in tone), 1)
    links.new(where.outputs["Object"], stretched.inputs["Vector"])
    links.new(stretched.outputs["Vector"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    return material


def sheet(picture: Path, rng: random.Random, gloss: float) -> bpy.types.Material:
    """The printed board; `gloss` from 0, plain paper, to 1, varnish."""
    material, shader = principled("sheet", (1, 1, 1, 1), 0.75 - 0.55 * gloss)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shown, ink = nodes.new("ShaderNodeTexImage"), nodes.new("ShaderNodeHueSaturation")
    shown.image = bpy.data.images.load(str(picture))
    shown.interpolation = "Cubic"
    ink.inputs["Saturation"].default_value = rng.uniform(0.8, 1.1)
    ink.inputs["Value"].default_value = rng.uniform(0.75, 0.95)
    links.new(shown.outputs["Color"], ink.inputs["Color"])
    links.new(ink.outputs["Color"], shader.inputs["Base Color"])
    shader.inputs["Specular IOR Level"].default_value = 0.2 + 0.4 * gloss
    return material
