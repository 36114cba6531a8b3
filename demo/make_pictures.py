"""Draw every picture of the demo site.

Answers for the files in ``site/pictures``, all but the hand-written ``harbours-trust.svg``. It draws
with Pillow alone, takes no photograph and no font from anywhere, and seeds its own randomness, so a
rebuild with the same Pillow changes nothing.

    python demo/make_pictures.py

The tones matter: some captions on the site lie on these pictures, and ``truth.json`` says which of
them can be read. Skies and sands are kept pale (white text on them fails), seas and dusk are kept
dark (white text on them passes), with a wide margin on both sides.
"""

from __future__ import annotations

import math
import random
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFilter

Colour = tuple[int, int, int]

OUT = Path(__file__).parent / "site" / "pictures"
SCALE = 2  # drawn at twice the size and reduced, for smooth edges


def fade(size: tuple[int, int], top: Colour, bottom: Colour) -> Image.Image:
    """A vertical blend from ``top`` to ``bottom``."""
    ramp = Image.linear_gradient("L").resize(size)
    return Image.composite(Image.new("RGB", size, bottom), Image.new("RGB", size, top), ramp)


def hills(
    picture: Image.Image, base: float, height: float, colour: Colour, seed: int, *, start: float = 0.0, end: float = 1.0
) -> None:
    """A line of hills standing on ``base`` (share of the height) between two shares of the width."""
    width, tall = picture.size
    rng = random.Random(seed)
    waves = [(rng.uniform(1.5, 9.0), rng.uniform(0, math.tau), rng.uniform(0.2, 1.0)) for _ in range(5)]
    total = sum(weight for _, _, weight in waves)
    points: list[tuple[float, float]] = []
    for step in range(241):
        share = step / 240
        x = start + (end - start) * share
        rise = sum(w * (0.5 + 0.5 * math.sin(f * share * 3.2 + p)) for f, p, w in waves) / total
        rise *= math.sin(math.pi * share) ** 0.55
        points.append((x * width, (base - height * rise) * tall))
    points += [(end * width, base * tall), (start * width, base * tall)]
    ImageDraw.Draw(picture).polygon(points, fill=colour)


def ripples(picture: Image.Image, top: float, colour: Colour, seed: int, *, count: int, strength: float = 0.35) -> None:
    """Short flat strokes below ``top``, longer towards the viewer."""
    width, tall = picture.size
    rng = random.Random(seed)
    layer = picture.copy()
    pen = ImageDraw.Draw(layer)
    for _ in range(count):
        depth = rng.random() ** 1.6
        y = (top + (1 - top) * depth) * tall
        half = width * (0.008 + 0.05 * depth) * rng.uniform(0.5, 1.3)
        x = rng.uniform(-0.05, 1.05) * width
        thick = max(1, round(tall * (0.0015 + 0.004 * depth)))
        pen.line([(x - half, y), (x + half, y)], fill=colour, width=thick)
    picture.paste(Image.blend(picture, layer, strength))


def glow(picture: Image.Image, centre: tuple[float, float], radius: float, colour: Colour, strength: float) -> None:
    """A soft round light."""
    width, tall = picture.size
    mask = Image.new("L", picture.size, 0)
    x, y, r = centre[0] * width, centre[1] * tall, radius * width
    ImageDraw.Draw(mask).ellipse([x - r, y - r, x + r, y + r], fill=round(255 * strength))
    mask = mask.filter(ImageFilter.GaussianBlur(r * 0.6))
    picture.paste(Image.new("RGB", picture.size, colour), (0, 0), mask)


def ferry(
    picture: Image.Image,
    left: float,
    water: float,
    length: float,
    *,
    hull: Colour,
    band: Colour = (236, 240, 240),
    house: Colour = (240, 242, 240),
    funnel: Colour = (176, 52, 36),
    small: bool = False,
) -> None:
    """A car ferry seen from the side; ``length`` and ``left`` are shares of the picture's width."""
    width, tall = picture.size
    pen = ImageDraw.Draw(picture)
    x0, y0, size = left * width, water * tall, length * width

    def at(x: float, y: float) -> tuple[float, float]:
        return x0 + x * size, y0 - y * size

    def box(x1: float, y1: float, x2: float, y2: float, colour: Colour, radius: float = 0.0) -> None:
        (ax, ay), (bx, by) = at(x1, y2), at(x2, y1)
        pen.rounded_rectangle([ax, ay, bx, by], radius=radius * size, fill=colour)

    pen.polygon(
        [at(0.02, -0.005), at(0.95, -0.005), at(1.0, 0.105), at(0.93, 0.105), at(0.9, 0.088), at(0.0, 0.088)], fill=hull
    )
    pen.polygon([at(0.004, 0.066), at(0.98, 0.066), at(0.984, 0.076), at(0.003, 0.076)], fill=band)
    glass: Colour = (58, 84, 98)
    if small:
        box(0.34, 0.086, 0.72, 0.16, house, 0.008)
        box(0.44, 0.16, 0.62, 0.22, house, 0.008)
        for i in range(5):
            box(0.37 + i * 0.066, 0.113, 0.41 + i * 0.066, 0.14, glass, 0.004)
        box(0.465, 0.18, 0.6, 0.205, glass, 0.004)
        box(0.37, 0.16, 0.41, 0.215, funnel, 0.003)
        pen.line([at(0.53, 0.22), at(0.53, 0.31)], fill=(90, 98, 102), width=max(1, round(size * 0.006)))
    else:
        box(0.16, 0.086, 0.8, 0.145, house, 0.006)
        box(0.22, 0.145, 0.76, 0.195, house, 0.006)
        box(0.56, 0.195, 0.74, 0.25, house, 0.008)
        for i in range(14):
            box(0.185 + i * 0.043, 0.108, 0.209 + i * 0.043, 0.127, glass, 0.003)
        for i in range(11):
            box(0.245 + i * 0.046, 0.16, 0.272 + i * 0.046, 0.18, glass, 0.003)
        box(0.58, 0.213, 0.725, 0.236, glass, 0.003)
        pen.polygon([at(0.3, 0.195), at(0.42, 0.195), at(0.4, 0.29), at(0.31, 0.29)], fill=funnel)
        pen.polygon([at(0.306, 0.262), at(0.406, 0.262), at(0.4, 0.29), at(0.31, 0.29)], fill=(38, 48, 54))
        pen.line([at(0.66, 0.25), at(0.66, 0.35)], fill=(90, 98, 102), width=max(1, round(size * 0.005)))
    pen.line([at(0.01, 0.104), at(0.16, 0.104)], fill=house, width=max(1, round(size * 0.004)))
    layer = picture.copy()
    ImageDraw.Draw(layer).ellipse([*at(-0.06, 0.006), *at(1.04, -0.03)], fill=(226, 236, 238))
    picture.paste(Image.blend(picture, layer, 0.38))
    pen = ImageDraw.Draw(picture)
    pen.polygon([at(0.012, 0.014), at(0.958, 0.014), at(0.95, -0.004), at(0.02, -0.004)], fill=hull)


def canvas(width: int, height: int) -> tuple[int, int]:
    return width * SCALE, height * SCALE


def save(picture: Image.Image, name: str) -> None:
    small = picture.resize((picture.width // SCALE, picture.height // SCALE), Image.Resampling.LANCZOS)
    if name.endswith(".png"):
        small.quantize(96).save(OUT / name, optimize=True)
    else:
        small.save(OUT / name, quality=84, optimize=True, progressive=True)


def sea_scene(
    size: tuple[int, int], horizon: float, sky: tuple[Colour, Colour], sea: tuple[Colour, Colour]
) -> Image.Image:
    """A sky over a sea, nothing on it yet."""
    picture = fade(size, *sky)
    line = round(horizon * size[1])
    picture.paste(fade((size[0], size[1] - line), *sea), (0, line))
    return picture


def hero() -> None:
    """Pale morning sky above, dark water below."""
    picture = sea_scene(canvas(1600, 800), 0.47, ((196, 216, 224), (226, 234, 234)), ((24, 82, 100), (8, 38, 52)))
    glow(picture, (0.78, 0.2), 0.09, (250, 246, 228), 0.7)
    hills(picture, 0.475, 0.17, (148, 176, 184), 3, start=0.02, end=0.7)
    hills(picture, 0.475, 0.11, (104, 142, 150), 8, start=0.36, end=1.06)
    hills(picture, 0.478, 0.05, (66, 104, 108), 5, start=-0.1, end=0.34)
    ripples(picture, 0.49, (64, 124, 140), 21, count=420, strength=0.3)
    ferry(picture, 0.64, 0.535, 0.25, hull=(20, 44, 62))
    save(picture, "hero.jpg")


def guillemot() -> None:
    picture = sea_scene(canvas(960, 600), 0.6, ((158, 194, 210), (222, 232, 230)), ((40, 104, 122), (16, 62, 80)))
    hills(picture, 0.605, 0.2, (132, 164, 166), 11, start=-0.1, end=0.8)
    hills(picture, 0.605, 0.12, (92, 132, 122), 14, start=0.4, end=1.2)
    ripples(picture, 0.61, (110, 164, 176), 31, count=260)
    ferry(picture, 0.14, 0.74, 0.7, hull=(20, 44, 62))
    save(picture, "guillemot.jpg")


def sandpiper() -> None:
    picture = sea_scene(canvas(960, 600), 0.56, ((214, 206, 196), (240, 226, 204)), ((96, 134, 138), (40, 86, 98)))
    hills(picture, 0.565, 0.14, (152, 156, 150), 41, start=0.2, end=1.1)
    hills(picture, 0.565, 0.07, (114, 128, 118), 44, start=-0.1, end=0.5)
    ripples(picture, 0.58, (176, 198, 194), 51, count=240)
    ferry(picture, 0.2, 0.72, 0.56, hull=(122, 40, 34), funnel=(22, 66, 84), small=True)
    save(picture, "sandpiper.jpg")


def harbour() -> None:
    """Low tide: pale sand fills the lower half."""
    picture = sea_scene(canvas(960, 600), 0.42, ((176, 206, 218), (224, 232, 230)), ((226, 220, 202), (236, 228, 206)))
    hills(picture, 0.425, 0.16, (140, 168, 160), 61, start=-0.05, end=1.05)
    pen = ImageDraw.Draw(picture)
    wide, tall = picture.size
    for i in range(7):
        x = (0.06 + i * 0.135) * wide
        w = 0.085 * wide
        top = (0.3 + 0.012 * (i % 3)) * tall
        wall = [(238, 236, 228), (214, 196, 176), (206, 216, 216)][i % 3]
        pen.rectangle([x, top, x + w, 0.425 * tall], fill=wall)
        pen.polygon([(x - w * 0.06, top), (x + w / 2, top - 0.055 * tall), (x + w * 1.06, top)], fill=(108, 116, 120))
        for k in range(2):
            pen.rectangle(
                [x + w * (0.18 + 0.42 * k), top + 0.03 * tall, x + w * (0.38 + 0.42 * k), top + 0.07 * tall],
                fill=(82, 102, 112),
            )
    pen.rectangle([0, 0.42 * tall, wide, 0.45 * tall], fill=(168, 164, 152))
    pen.polygon(
        [(0, 0.5 * tall), (0.62 * wide, 0.46 * tall), (wide, 0.5 * tall), (wide, 0.56 * tall), (0, 0.58 * tall)],
        fill=(178, 204, 206),
    )
    ripples(picture, 0.62, (216, 208, 186), 71, count=120, strength=0.5)
    save(picture, "harbour.jpg")


def dusk() -> None:
    """After sunset: everything below the sky is dark."""
    picture = sea_scene(canvas(960, 600), 0.5, ((40, 52, 84), (206, 132, 98)), ((58, 58, 84), (12, 22, 38)))
    glow(picture, (0.32, 0.48), 0.05, (252, 214, 160), 0.9)
    hills(picture, 0.505, 0.17, (44, 46, 68), 81, start=0.4, end=1.1)
    hills(picture, 0.51, 0.06, (28, 32, 50), 84, start=-0.1, end=0.3)
    ripples(picture, 0.52, (150, 108, 100), 91, count=150, strength=0.28)
    ferry(
        picture,
        0.42,
        0.6,
        0.22,
        hull=(14, 18, 30),
        house=(120, 112, 118),
        band=(150, 140, 140),
        funnel=(80, 36, 40),
        small=True,
    )
    save(picture, "dusk.jpg")


def fog() -> None:
    """A foggy morning: almost one grey, and meant to be."""
    picture = fade(canvas(960, 600), (214, 220, 222), (202, 210, 213))
    hills(picture, 0.56, 0.1, (206, 213, 216), 101, start=0.3, end=1.1)
    ferry(
        picture,
        0.3,
        0.6,
        0.3,
        hull=(190, 199, 203),
        house=(205, 212, 214),
        band=(200, 207, 210),
        funnel=(192, 198, 201),
    )
    veil = fade(picture.size, (212, 218, 220), (204, 211, 214))
    save(Image.blend(picture, veil, 0.45).filter(ImageFilter.GaussianBlur(3)), "fog.jpg")


def landing() -> None:
    picture = sea_scene(canvas(960, 600), 0.45, ((182, 206, 212), (226, 232, 226)), ((52, 112, 124), (24, 76, 90)))
    hills(picture, 0.455, 0.2, (112, 146, 128), 111, start=-0.2, end=0.9)
    ripples(picture, 0.47, (118, 168, 176), 121, count=220)
    pen = ImageDraw.Draw(picture)
    wide, tall = picture.size
    pen.polygon(
        [(0.52 * wide, tall), (0.6 * wide, 0.53 * tall), (0.68 * wide, 0.53 * tall), (0.98 * wide, tall)],
        fill=(176, 158, 132),
    )
    for i in range(14):
        y = 0.54 + 0.46 * (i / 14) ** 1.5
        t = (y - 0.53) / 0.47
        pen.line(
            [((0.6 - 0.08 * t) * wide, y * tall), ((0.68 + 0.3 * t) * wide, y * tall)],
            fill=(140, 122, 98),
            width=round(2 + 5 * t),
        )
    for i in range(5):
        t = (i / 4) ** 1.4
        for edge in (0.6 - 0.08 * t, 0.68 + 0.3 * t):
            x, y = edge * wide, (0.53 + 0.45 * t) * tall
            h = (0.06 + 0.13 * t) * tall
            pen.rectangle([x - (3 + 9 * t), y - h, x + (3 + 9 * t), y + 0.03 * tall], fill=(92, 80, 66))
    save(picture, "landing.jpg")


def panorama() -> None:
    picture = sea_scene(canvas(1800, 300), 0.62, ((186, 208, 216), (228, 234, 230)), ((60, 118, 132), (34, 88, 104)))
    for seed, colour, height, start, end in (
        (131, (158, 182, 186), 0.34, -0.02, 0.46),
        (133, (142, 170, 170), 0.28, 0.38, 0.8),
        (135, (156, 180, 182), 0.36, 0.66, 1.04),
        (137, (100, 134, 122), 0.16, 0.08, 0.36),
        (139, (92, 128, 116), 0.2, 0.5, 0.94),
    ):
        hills(picture, 0.63, height, colour, seed, start=start, end=end)
    ripples(picture, 0.65, (122, 170, 180), 141, count=260)
    ferry(picture, 0.33, 0.76, 0.1, hull=(20, 44, 62))
    ferry(picture, 0.76, 0.72, 0.055, hull=(122, 40, 34), funnel=(22, 66, 84), small=True)
    save(picture, "panorama.jpg")


def chart() -> None:
    """The sound from above: depth bands round two shores, and the two routes."""
    size = canvas(1520, 640)
    picture = Image.new("RGB", size, (198, 222, 230))
    wide, tall = size

    def blob(cx: float, cy: float, rx: float, ry: float, seed: int, grow: float) -> list[tuple[float, float]]:
        rng = random.Random(seed)
        waves = [(k, rng.uniform(0, math.tau), rng.uniform(0.02, 0.16) / k**0.5) for k in range(2, 8)]
        points = []
        for step in range(180):
            a = math.tau * step / 180
            r = 1 + sum(w * math.sin(k * a + p) for k, p, w in waves)
            points.append(
                ((cx + (rx * r + grow) * math.cos(a)) * wide, (cy + (ry * r + grow * 2) * math.sin(a)) * tall)
            )
        return points

    land = [
        (-0.02, 0.42, 0.2, 0.62, 151),
        (0.74, 0.38, 0.16, 0.25, 153),
        (0.5, 0.9, 0.06, 0.08, 157),
        (1.04, 0.98, 0.12, 0.24, 159),
    ]
    for grow, colour in (
        (0.06, (176, 209, 222)),
        (0.035, (154, 195, 212)),
        (0.014, (218, 226, 212)),
        (0.0, (236, 226, 190)),
    ):
        layer = ImageDraw.Draw(picture)
        for cx, cy, rx, ry, seed in land:
            layer.polygon(blob(cx, cy, rx, ry, seed, grow), fill=colour)
    pen = ImageDraw.Draw(picture)
    for cx, cy, rx, ry, seed in land:
        pen.line([*blob(cx, cy, rx, ry, seed, 0.0)], fill=(120, 108, 76), width=5, joint="curve")

    def route(start: tuple[float, float], end: tuple[float, float], bend: float, colour: Colour) -> None:
        for step in range(0, 60, 2):
            ends = []
            for s in (step / 60, (step + 1.1) / 60):
                x = start[0] + (end[0] - start[0]) * s
                y = start[1] + (end[1] - start[1]) * s + bend * math.sin(math.pi * s)
                ends.append((x * wide, y * tall))
            pen.line(ends, fill=colour, width=8)

    route((0.2, 0.46), (0.595, 0.4), -0.09, (158, 38, 28))
    route((0.2, 0.52), (0.47, 0.86), 0.06, (24, 70, 92))
    for x, y in ((0.197, 0.47), (0.2, 0.52), (0.597, 0.4), (0.468, 0.86)):
        pen.ellipse(
            [x * wide - 14, y * tall - 14, x * wide + 14, y * tall + 14],
            fill=(255, 255, 255),
            outline=(30, 44, 52),
            width=5,
        )
    cx, cy, r = 0.36 * wide, 0.22 * tall, 0.05 * wide
    for k in range(8):
        a = math.tau * k / 8 - math.pi / 2
        reach = r if k % 2 == 0 else r * 0.55
        left, right = a - 0.3, a + 0.3
        base = r * 0.2
        pen.polygon(
            [
                (cx + reach * math.cos(a), cy + reach * math.sin(a)),
                (cx + base * math.cos(left), cy + base * math.sin(left)),
                (cx, cy),
                (cx + base * math.cos(right), cy + base * math.sin(right)),
            ],
            fill=(46, 84, 104) if k % 2 == 0 else (110, 146, 162),
        )
    pen.rectangle([10, 10, wide - 11, tall - 11], outline=(70, 92, 104), width=6)
    save(picture, "chart.png")


def favicon() -> None:
    picture = Image.new("RGB", canvas(64, 64), (13, 71, 87))
    ferry(
        picture,
        0.08,
        0.66,
        0.84,
        hull=(242, 246, 246),
        band=(176, 52, 36),
        house=(226, 234, 236),
        funnel=(214, 92, 66),
        small=True,
    )
    pen = ImageDraw.Draw(picture)
    pen.rectangle([0, 88, 128, 128], fill=(98, 168, 186))
    mask = Image.new("L", picture.size, 0)
    ImageDraw.Draw(mask).rounded_rectangle([0, 0, 127, 127], radius=24, fill=255)
    picture = picture.convert("RGBA")
    picture.putalpha(ImageChops.multiply(mask, Image.new("L", picture.size, 255)))
    picture.resize((64, 64), Image.Resampling.LANCZOS).save(OUT / "favicon.png", optimize=True)


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    for draw in (hero, guillemot, sandpiper, harbour, dusk, fog, landing, panorama, chart, favicon):
        draw()


if __name__ == "__main__":
    main()
