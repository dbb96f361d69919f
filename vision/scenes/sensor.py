"""From light to a picture file: lens, sensor, the camera's own processing, and JPEG."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from vision.scenes.arrays import Bytes, Floats, Rgb, Xy, between, chosen, floats, happens, srgb_of_linear

_BLACK = 2048.0  # pedestal of the raw picture, so that noise below zero survives
_WHITE = 62000.0


class Sensor(NamedTuple):
    """A camera's electronics and its mistakes. Blurs are in pixels of a 1600 px wide picture."""

    exposure: float  # 1 is well exposed
    white_balance: Rgb  # errors of the gains
    adaptation: float  # how much of the lamps' colour the camera takes out
    electrons: float  # at full well: fewer is noisier
    read_noise: float  # in electrons
    defocus_px: float
    motion_px: Xy
    bloom: float
    denoise: float
    sharpen: float
    contrast: float
    saturation: float
    jpeg: int
    shrink: float  # the picture was this much smaller on its way


def clean_sensor(rng: np.random.Generator) -> Sensor:
    """A good camera in good light."""
    return Sensor(
        exposure=between(rng, 0.85, 1.05),
        white_balance=_gains(rng, 0.015),
        adaptation=between(rng, 0.85, 1.0),
        electrons=between(rng, 9000, 20000),
        read_noise=3.0,
        defocus_px=between(rng, 0.3, 0.6),
        motion_px=(0.0, 0.0),
        bloom=0.01,
        denoise=0.2,
        sharpen=between(rng, 0.2, 0.5),
        contrast=between(rng, 0.0, 0.2),
        saturation=between(rng, 0.98, 1.1),
        jpeg=int(rng.integers(88, 97)),
        shrink=1.0,
    )


def usual_sensor(rng: np.random.Generator) -> Sensor:
    """A phone in the evening."""
    return Sensor(
        exposure=between(rng, 0.72, 1.05),
        white_balance=_gains(rng, 0.04),
        adaptation=between(rng, 0.65, 1.0),
        electrons=between(rng, 2500, 8000),
        read_noise=4.0,
        defocus_px=between(rng, 0.4, 0.9),
        motion_px=_motion(rng, 0.6),
        bloom=between(rng, 0.01, 0.04),
        denoise=between(rng, 0.2, 0.6),
        sharpen=between(rng, 0.2, 0.8),
        contrast=between(rng, 0.0, 0.35),
        saturation=between(rng, 0.95, 1.2),
        jpeg=int(rng.integers(80, 91)),
        shrink=1.0,
    )


def poor_sensor(rng: np.random.Generator) -> Sensor:
    """An old webcam, or a shaky hand and a messenger that shrinks pictures."""
    return Sensor(
        exposure=between(rng, 0.55, 1.4),
        white_balance=_gains(rng, 0.07),
        adaptation=between(rng, 0.4, 1.0),
        electrons=between(rng, 500, 2500),
        read_noise=6.0,
        defocus_px=between(rng, 0.5, 1.8),
        motion_px=_motion(rng, 3.0) if happens(rng, 0.5) else (0.0, 0.0),
        bloom=between(rng, 0.02, 0.1),
        denoise=between(rng, 0.3, 1.0),
        sharpen=between(rng, 0.2, 1.2),
        contrast=between(rng, 0.0, 0.5),
        saturation=between(rng, 0.85, 1.3),
        jpeg=int(chosen(rng, (45, 60, 70, 80))),
        shrink=between(rng, 0.6, 0.9) if happens(rng, 0.35) else 1.0,
    )


def _gains(rng: np.random.Generator, error: float) -> Rgb:
    red, green, blue = np.exp(rng.normal(0, (error, error * 0.3, error)))
    return float(red), float(green), float(blue)


def _motion(rng: np.random.Generator, most_px: float) -> Xy:
    angle, length = between(rng, 0, 2 * np.pi), between(rng, 0, most_px)
    return float(length * np.cos(angle)), float(length * np.sin(angle))


def develop(radiance: Floats, sensor: Sensor, lamps: Rgb, vignette: float, rng: np.random.Generator) -> Bytes:
    """The finished picture (rows, columns, 3), BGR. `radiance` is linear RGB of the scene, `lamps` the colour of its
    light."""
    scale = radiance.shape[1] / 1600.0
    gains = _balance(lamps, sensor)
    light = floats(radiance * (sensor.exposure * _metered(floats(radiance * gains))))
    light = _through_lens(light, sensor, scale)
    light *= _fall_off(light.shape[:2], vignette)[..., None]
    # The sensor sees lamps as they are; it clips before the gains make white white.
    raw = np.clip(_with_noise(_mosaic(floats(light)), sensor, rng), -0.02, 1.0)
    colour = np.minimum(_demosaiced(floats(raw)) * gains, 1.0)
    colour = _processed(floats(colour), sensor)
    return _stored(_shown(colour, sensor), sensor)


def _metered(radiance: Floats) -> float:
    """Exposure by the mean of the picture, the middle counting more, as cameras do."""
    small = cv2.resize(radiance, (48, 36), interpolation=cv2.INTER_AREA)
    weight = np.outer(np.hanning(38)[1:-1] + 0.3, np.hanning(50)[1:-1] + 0.3)
    level = small @ floats([0.25, 0.6, 0.15])
    bright = float(np.quantile(level, 0.95))
    mean = float((np.minimum(level, bright) * weight).sum() / weight.sum())
    return min(0.5 / max(mean, 1e-4), 0.92 / max(bright, 1e-4))


def _through_lens(light: Floats, sensor: Sensor, scale: float) -> Floats:
    if sensor.bloom > 0:
        rows, columns = light.shape[:2]
        small = cv2.resize(np.minimum(light, 12.0), (columns // 8, rows // 8), interpolation=cv2.INTER_AREA)
        glow = (
            cv2.GaussianBlur(small, (0, 0), columns / 8 / 28) * 0.7
            + cv2.GaussianBlur(small, (0, 0), columns / 8 / 7) * 0.3
        )
        light = floats(
            light * (1 - sensor.bloom)
            + sensor.bloom * cv2.resize(glow, (columns, rows), interpolation=cv2.INTER_LINEAR)
        )
    light = floats(cv2.GaussianBlur(light, (0, 0), max(0.25, sensor.defocus_px * scale)))
    length = float(np.hypot(*sensor.motion_px)) * scale
    if length > 0.7:
        light = floats(cv2.filter2D(light, -1, _smear(sensor.motion_px, scale)))
    return light


def _smear(motion_px: Xy, scale: float) -> Floats:
    """The kernel of a straight shake."""
    reach = int(np.ceil(np.hypot(*motion_px) * scale / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for share in np.linspace(-0.5, 0.5, 8 * reach + 1):
        x, y = reach + share * motion_px[0] * scale, reach + share * motion_px[1] * scale
        column, row = int(x), int(y)
        for down, across in ((0, 0), (0, 1), (1, 0), (1, 1)):
            kernel[row + down, column + across] += abs(1 - down - (y - row)) * abs(1 - across - (x - column))
    return floats(kernel / kernel.sum())


def _fall_off(shape: tuple[int, ...], vignette: float) -> Floats:
    rows, columns = shape[:2]
    y, x = np.linspace(-1, 1, rows)[:, None], np.linspace(-1, 1, columns)[None]
    far = (x**2 * columns**2 + y**2 * rows**2) / (columns**2 + rows**2)
    return floats(1 - vignette * far * (0.6 + 0.4 * far))


def _balance(lamps: Rgb, sensor: Sensor) -> Floats:
    """Gains that make the lamps' light neutral, as far as this camera goes."""
    neutral = (floats(lamps)[1] / floats(lamps)) ** sensor.adaptation
    gains = neutral * floats(sensor.white_balance)
    # No gain below 1, or what clips on the sensor would come out coloured.
    return floats(gains / gains.min())


def _mosaic(light: Floats) -> Floats:
    """What the red, green and blue pixels of a Bayer sensor (RGGB) catch: (rows, columns)."""
    raw = light[..., 1].copy()
    raw[0::2, 0::2] = light[0::2, 0::2, 0]
    raw[1::2, 1::2] = light[1::2, 1::2, 2]
    return raw


def _with_noise(raw: Floats, sensor: Sensor, rng: np.random.Generator) -> Floats:
    full = sensor.electrons
    clipped = np.clip(raw, 0, 1)
    spread = np.sqrt(clipped / full + (sensor.read_noise / full) ** 2)
    return floats(clipped + spread * rng.standard_normal(raw.shape, dtype=np.float32))


def _demosaiced(raw: Floats) -> Floats:
    packed = np.clip(raw * (_WHITE - _BLACK) + _BLACK, 0, 65535).astype(np.uint16)
    # OpenCV names the pattern by its second row, so RGGB is its BayerBG.
    colour = cv2.cvtColor(packed, cv2.COLOR_BayerBG2RGB)
    return floats((colour.astype(np.float32) - _BLACK) / (_WHITE - _BLACK))


def _processed(colour: Floats, sensor: Sensor) -> Floats:
    """Noise reduction, strongest on colour, then sharpening."""
    grey = floats(colour @ floats([0.25, 0.6, 0.15]))[..., None]
    tint = colour - grey
    if sensor.denoise > 0:
        tint = floats(cv2.GaussianBlur(tint, (0, 0), 0.4 + 1.6 * sensor.denoise))
        soft = cv2.GaussianBlur(grey, (0, 0), 1.0)[..., None]
        grey = grey + (soft - grey) * 0.45 * sensor.denoise
    if sensor.sharpen > 0:
        soft = cv2.GaussianBlur(grey, (0, 0), 1.3)[..., None]
        grey = grey + sensor.sharpen * (grey - soft)
    return floats(grey + tint * sensor.saturation)


def _shown(colour: Floats, sensor: Sensor) -> Bytes:
    """Display values, BGR: a shoulder in the lights, sRGB, and the contrast that makers like."""
    steps = np.linspace(0, 2.0, 8192, dtype=np.float32)
    knee = np.where(steps > 0.7, 0.7 + 0.3 * (1 - np.exp(-(steps - 0.7) / 0.3)), steps)
    shown = srgb_of_linear(floats(knee / knee.max()))
    curve = shown + sensor.contrast * 0.5 * (shown - 0.5) * shown * (1 - shown) * 4
    table = np.clip(curve * 255 + 0.5, 0, 255).astype(np.uint8)
    index = (np.clip(colour[..., ::-1], 0, 2.0) * (8191 / 2.0)).astype(np.int32)
    return np.asarray(table[index])


def _stored(picture: Bytes, sensor: Sensor) -> Bytes:
    """Through a smaller size, if it was sent that way, and through JPEG."""
    rows, columns = picture.shape[:2]
    if sensor.shrink >= 1:
        return _through_jpeg(picture, sensor.jpeg)
    small = cv2.resize(picture, None, fx=sensor.shrink, fy=sensor.shrink, interpolation=cv2.INTER_AREA)
    sent = _through_jpeg(np.asarray(small, dtype=np.uint8), sensor.jpeg)
    return np.asarray(cv2.resize(sent, (columns, rows), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def _through_jpeg(picture: Bytes, quality: int) -> Bytes:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
