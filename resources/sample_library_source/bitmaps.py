"""Figures that are pixels: a die photograph, thermal images and the manual's screenshots."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFilter, ImageFont
from reportlab.platypus import Image

from sample_library_source.house import font_file

Pixels = NDArray[np.float64]


def _grain(height: int, width: int, seed: int) -> Pixels:
    """Film grain from a fixed integer recurrence, the same on every numpy."""
    state = (np.arange(height * width, dtype=np.uint64) + np.uint64(seed * 7919)) * np.uint64(
        2654435761
    )
    state ^= state >> np.uint64(15)
    state = (state * np.uint64(2246822519)) & np.uint64(0xFFFFFFFF)
    state ^= state >> np.uint64(13)
    values = (state & np.uint64(0xFFFF)).astype(np.float64) / 65535 - 0.5
    return values.reshape(height, width)


def flowable(picture: Pictures.Image, width: float, *, photograph: bool) -> Image:
    """Put a picture into a story at the given width in points."""
    buffer = io.BytesIO()
    if photograph:
        picture.save(buffer, "JPEG", quality=82)
    else:
        picture.save(buffer, "PNG")
    buffer.seek(0)
    image = Image(buffer, width=width, height=width * picture.height / picture.width)
    image.hAlign = "CENTER"
    return image


def die_photograph(seed: int, pads: Sequence[str]) -> Pictures.Image:
    """Photograph a die: pad ring, an analogue core of device arrays, metal buses."""
    width, height = 520, 380
    picture = Pictures.new("RGB", (width, height), (38, 44, 58))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((14, 14, width - 15, height - 15), fill=(84, 98, 116), outline=(180, 186, 190))
    draw.rectangle((22, 22, width - 23, height - 23), fill=(108, 92, 112))
    columns, rows = 9, 6
    for row in range(rows):
        for column in range(columns):
            kind = (seed * 31 + row * 17 + column * 29 + row * column) % 5
            left, top = 76 + column * 41, 70 + row * 41
            _device_array(draw, left, top, kind)
    for index in range(5):
        y = 62 + index * 62
        draw.rectangle((58, y, width - 60, y + 4 + index % 2 * 3), fill=(206, 190, 142))
    draw.rectangle((58, 60, 66, height - 60), fill=(214, 198, 150))
    draw.rectangle((width - 68, 60, width - 60, height - 60), fill=(214, 198, 150))
    _pad_ring(draw, width, height, len(pads))
    picture = picture.filter(ImageFilter.GaussianBlur(0.8))
    pixels = np.asarray(picture, dtype=np.float64)
    ys, xs = np.mgrid[0:height, 0:width]
    light = 1.12 - 0.35 * np.hypot((xs - width * 0.42) / width, (ys - height * 0.4) / height)
    pixels = pixels * light[:, :, None] + _grain(height, width, seed)[:, :, None] * 14
    return Pictures.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def _device_array(draw: ImageDraw.ImageDraw, left: int, top: int, kind: int) -> None:
    base = ((134, 108, 96), (92, 120, 128), (150, 126, 94), (98, 100, 138), (120, 132, 104))[kind]
    draw.rectangle((left, top, left + 35, top + 33), fill=base, outline=(70, 64, 80))
    for stripe in range(3 + kind):
        x = left + 4 + stripe * (28 // (3 + kind))
        shade = (188, 172, 130) if stripe % 2 else (72, 84, 110)
        draw.rectangle((x, top + 4, x + 2, top + 29), fill=shade)


def _pad_ring(draw: ImageDraw.ImageDraw, width: int, height: int, n_pads: int) -> None:
    per_side = math.ceil(n_pads / 2)
    for index in range(n_pads):
        row, side = index % per_side, index // per_side
        y = 50 + int((height - 130) * (row + 0.5) / per_side)
        x = 26 if side == 0 else width - 58
        draw.rectangle((x, y, x + 32, y + 32), fill=(226, 208, 158), outline=(120, 108, 88))
        draw.ellipse((x + 8, y + 8, x + 24, y + 24), fill=(242, 232, 200))


_HEAT = (
    (0.0, (10, 6, 48)),
    (0.25, (86, 14, 116)),
    (0.5, (196, 50, 88)),
    (0.72, (244, 126, 34)),
    (0.9, (252, 214, 72)),
    (1.0, (255, 255, 236)),
)


def thermal_image(ambient_c: float, hottest_c: float, seed: int) -> Pictures.Image:
    """Photograph a board in the infrared: a hot package on copper, with a colour bar."""
    width, height = 460, 320
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float64)
    rise = hottest_c - ambient_c
    field = np.full((height, width), float(ambient_c))
    for x, y, spread, share in ((205, 160, 95, 0.34), (205, 160, 38, 0.36), (205, 160, 17, 0.22)):
        distance = np.hypot((xs - x) / 1.15, ys - y)
        field += rise * share * np.exp(-((distance / spread) ** 2))
    for x, y, share in ((318, 84, 0.12), (96, 236, 0.09), (322, 246, 0.07)):
        field += rise * share * np.exp(-((np.hypot(xs - x, ys - y) / 24) ** 2))
    body = (np.abs(xs - 205) < 30) & (np.abs(ys - 160) < 30)
    field[body] += rise * 0.08
    field += _grain(height, width, seed) * 0.9
    scaled = np.clip((field - ambient_c) / rise, 0, 1)
    colours = np.stack(
        [
            np.interp(scaled, [at for at, _ in _HEAT], [colour[i] for _, colour in _HEAT])
            for i in range(3)
        ],
        axis=2,
    )
    colours[20:300, 424:442] = np.stack(
        [
            np.interp(np.linspace(1, 0, 280), [at for at, _ in _HEAT], [c[i] for _, c in _HEAT])
            for i in range(3)
        ],
        axis=1,
    )[:, None, :]
    picture = Pictures.fromarray(colours.astype(np.uint8))
    _label_temperatures(ImageDraw.Draw(picture), ambient_c, hottest_c)
    return picture


def _label_temperatures(draw: ImageDraw.ImageDraw, ambient_c: float, hottest_c: float) -> None:
    font = ImageFont.truetype(str(font_file("Roboto-Medium")), 14)
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        top = 299 - 279 * share
        text = f"{ambient_c + (hottest_c - ambient_c) * share:.0f}"
        draw.text((394, top - 9), text, fill=(255, 255, 255), font=font)
        draw.line((418, top, 424, top), fill=(255, 255, 255))
    for line in ((191, 160, 219, 160), (205, 146, 205, 174)):
        draw.line(line, fill=(20, 20, 20), width=2)
    draw.text((222, 126), f"{hottest_c:.1f}°C", fill=(255, 255, 255), font=font)
