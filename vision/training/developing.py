"""From light to a picture: glare, haze, blur, exposure, white balance, noise, sharpening and JPEG."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np

from vision.locate.pose import Picture
from vision.training.painter import Light

_STEPS = 4096  # of the tone curve


def room(shape: tuple[int, ...], rng: np.random.Generator) -> Light:
    """(H, W, 3) uneven light: slopes, shadows of things outside the picture, a second lamp's colour, a dark rim."""
    height, width = shape[:2]
    x = np.arange(width, dtype=np.float32)[None, :, None] / max(shape[:2]) - 0.5
    y = np.arange(height, dtype=np.float32)[:, None, None] / max(shape[:2]) - 0.4
    tint = np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)  # a window on one side, a lamp on the other
    slope = [float(value) for value in rng.normal(0, 0.5, 2)]
    field = np.exp(np.float32(slope[0]) * x * tint) * np.exp(np.float32(slope[1]) * y)
    field = field * (1 - np.float32(rng.uniform(0, 0.5)) * (x * x + y * y))
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        edge = np.zeros((height, width), np.float32)
        corners = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * (width, height)
        cv2.fillPoly(edge, [np.round(corners).astype(np.int32)], 1.0)
        soft = np.asarray(cv2.GaussianBlur(edge, (0, 0), float(rng.choice([1.0, 4.0, 20.0]))), np.float32)
        dark = rng.uniform(0.12, 0.8) * np.exp(rng.normal(0, 0.1, 3))
        field = field * (1 - soft[..., None] * (1 - dark).astype(np.float32))
    return cast(Light, field)


def lensed(light: Light, rng: np.random.Generator) -> Light:
    """Glare, haze and blur."""
    height, width = light.shape[:2]
    for _ in range(int(rng.choice([0, 0, 1, 3]))):
        spot = np.zeros((height, width), np.float32)
        axes = (int(rng.uniform(5, 140)), int(rng.uniform(5, 70)))
        centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        cv2.ellipse(spot, centre, axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
        soft = cv2.GaussianBlur(spot, (0, 0), rng.uniform(3, 40))
        light = light + soft[..., None] * np.float32(rng.uniform(0.1, 1.5))
    if rng.random() < 0.25:
        light = light + np.float32(rng.uniform(0, 0.1))
    sigma = float(rng.choice([0.4, 0.7, 1.0, 1.6, 2.2], p=[0.25, 0.25, 0.25, 0.18, 0.07]))
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), sigma), np.float32)
    if rng.random() < 0.15:
        kernel = np.zeros((13, 13), np.float32)
        angle, length = rng.uniform(0, 6.3), rng.uniform(1, 5)
        across, along = round(np.cos(angle) * length), round(np.sin(angle) * length)
        cv2.line(kernel, (6 - across, 6 - along), (6 + across, 6 + along), 1.0)
        light = np.asarray(cv2.filter2D(light, -1, kernel / kernel.sum()), np.float32)
    return light


def developed(light: Light, rng: np.random.Generator) -> Picture:
    """Exposure, white balance, tone curve, noise, sharpening and JPEG."""
    small = light[::16, ::16].reshape(-1, 3)
    level = float(np.percentile(small.max(axis=1), 90))
    balance = small.mean(axis=0) / small.mean()
    brightness = rng.uniform(0.4, 1.3) if rng.random() < 0.88 else rng.uniform(1.3, 2.2)  # some are overexposed
    gain = brightness / max(level, 1e-4) / balance ** rng.uniform(0, 1)
    exposed = light * gain.astype(np.float32)
    noise = float(rng.choice([0.002, 0.006, 0.015]))
    repeats = (exposed.shape[0] // 200 + 1, exposed.shape[1] // 200 + 1, 1)
    dice = np.tile(rng.standard_normal((200, 200, 3), np.float32), repeats)[: exposed.shape[0], : exposed.shape[1]]
    sensed = exposed + dice * np.sqrt(np.maximum(exposed, 0) * np.float32(noise * 0.3) + np.float32(noise**2))
    picture = _tones(rng)[np.clip(sensed * (_STEPS - 1), 0, _STEPS - 1).astype(np.int16)]
    if rng.random() < 0.3:
        strength = rng.uniform(0.2, 0.9)
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = np.asarray(cv2.addWeighted(picture, 1 + strength, soft, -strength, 0), np.uint8)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(50, 97))])
    return cast(Picture, cv2.imdecode(packed, cv2.IMREAD_COLOR))


def _tones(rng: np.random.Generator) -> Picture:
    """(_STEPS,) the camera's value for each step of light."""
    tone = np.linspace(0, 1, _STEPS) ** rng.uniform(0.38, 0.55)
    curve = rng.uniform(0, 0.6)
    tone = tone * (1 - curve) + (tone * tone * (3 - 2 * tone)) * curve
    return np.asarray(np.clip(tone * 255, 0, 255), np.uint8)
