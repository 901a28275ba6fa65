# SPDX-License-Identifier: Apache-2.0
"""What happens to a bar code before somebody imports it. All chance comes from a seeded source."""

import io

from PIL import Image, ImageDraw, ImageFilter, ImageOps


def paper(picture, chance, room=60):
    """On a sheet that is a little grey."""
    return ImageOps.expand(picture, border=room, fill=255)


def resized(picture, factor):
    size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
    return picture.resize(size, Image.BICUBIC)


def jpeg(picture, quality):
    file = io.BytesIO()
    picture.save(file, 'JPEG', quality=quality)
    return Image.open(file).convert('L')


def noisy(picture, chance, strength):
    """Every pixel lighter or darker by chance, by `strength` of 255 at most."""
    dots = Image.frombytes('L', picture.size, chance.randbytes(picture.width * picture.height))
    return Image.blend(picture, dots, strength)


def surface(size, chance):
    """A table or a floor: soft patches, and edges of things that lie about."""
    small = Image.frombytes('L', (48, 36), bytes(chance.randrange(60, 200) for _ in range(48 * 36)))
    ground = small.resize(size, Image.BICUBIC)
    draw = ImageDraw.Draw(ground)
    for _ in range(25):
        x, y = chance.randrange(size[0]), chance.randrange(size[1])
        w, h = chance.randrange(20, size[0] // 4), chance.randrange(20, size[1] // 6)
        draw.rectangle((x, y, x + w, y + h), fill=chance.randrange(30, 230))
    return ground


def rotated(picture, chance):
    angle = chance.choice([chance.uniform(-45, 45), chance.uniform(0, 360)])
    return paper(picture, chance).rotate(angle, Image.BICUBIC, expand=True, fillcolor=255)


def pressed(picture, chance):
    """On paper only: the file is a JPEG of quality 15."""
    return paper(picture, chance)


def blurred(picture, chance):
    return paper(picture, chance).filter(ImageFilter.GaussianBlur(chance.uniform(1.0, 1.8)))


def spotted(picture, chance):
    return noisy(paper(picture, chance), chance, chance.uniform(0.25, 0.45))


def projection(corners, width, height):
    """What takes a picture to a square whose corners (from the upper left, clockwise) lie at
    `corners` of this one: the eight numbers that Image.PERSPECTIVE wants (Heckbert 1989)."""
    (px, py), (qx, qy), (rx, ry), (sx, sy) = corners
    dx, dy = px - qx + rx - sx, py - qy + ry - sy
    ax, ay, bx, by = qx - rx, qy - ry, sx - rx, sy - ry
    across = ax * by - bx * ay
    g, h = (dx * by - bx * dy) / across, (ax * dy - dx * ay) / across
    numbers = (qx - px + g * qx, sx - px + h * sx, px, qy - py + g * qy, sy - py + h * sy, py, g, h)
    sizes = (width, height, 1, width, height, 1, width, height)
    return [number / size for number, size in zip(numbers, sizes)]


def slanted(picture, chance):
    """Seen from the side."""
    picture = paper(picture, chance)
    w, h = picture.size

    def corner(x, y):
        return x + chance.uniform(-0.12, 0.12) * w, y + chance.uniform(-0.12, 0.12) * h

    corners = [corner(0, 0), corner(w, 0), corner(w, h), corner(0, h)]
    return picture.transform(
        (w, h), Image.PERSPECTIVE, projection(corners, w, h), Image.BICUBIC, fillcolor=255)


def faint(picture, chance):
    """Little contrast, on something dark or light."""
    low = chance.randrange(40, 160)
    span = chance.randrange(25, 50)
    return paper(picture, chance).point(lambda shade: low + shade * span // 255)


def inverted(picture, chance):
    """As in dark mode."""
    return ImageOps.invert(paper(picture, chance))


def mirrored(picture, chance):
    """As a front camera saves it."""
    return ImageOps.mirror(paper(picture, chance))


def distant(picture, chance):
    """Somewhere in a photograph of 12 megapixels, pressed as telephones do."""
    ground = surface((4000, 3000), chance)
    sheet = ImageOps.expand(picture, border=chance.randrange(10, 60), fill=245)
    sheet = resized(sheet, chance.uniform(0.9, 1.6))
    sheet = sheet.rotate(chance.uniform(-8, 8), Image.BICUBIC, expand=True, fillcolor=200)
    place = (chance.randrange(4000 - sheet.width), chance.randrange(3000 - sheet.height))
    ground.paste(sheet, place)
    return jpeg(noisy(ground, chance, 0.08), 80)


def screenshot(picture, chance):
    """The whole screen of a telephone: bars, words, the code below the middle or above it."""
    dark = chance.random() < 0.4
    screen = Image.new('L', (1170, 2532), 25 if dark else 240)
    draw = ImageDraw.Draw(screen)
    ink = 220 if dark else 40
    for line in range(12):
        y = 140 + line * chance.randrange(55, 75)
        for word in range(chance.randrange(2, 6)):
            x = 60 + word * 200
            draw.rectangle((x, y, x + chance.randrange(60, 180), y + 28), fill=ink)
    width = chance.uniform(520, 980)
    card = ImageOps.expand(picture, border=chance.randrange(4, 40), fill=255)
    card = resized(card, width / card.width)
    x = chance.randrange(max(1, 1170 - card.width))
    y = min(chance.randrange(950, 1700), 2532 - card.height - 20)
    draw.rounded_rectangle((30, y - 60, 1140, y + card.height + 60), 40, fill=255)
    screen.paste(card, (x, y))
    draw.rectangle((300, 2500, 870, 2512), fill=ink)
    return jpeg(screen, chance.randrange(50, 90)) if chance.random() < 0.5 else screen


def photographed(picture, chance):
    """Several at once, as a hurried hand does it: turned, seen from the side, blurred, pressed."""
    picture = slanted(resized(picture, 1.3), chance)
    picture = picture.rotate(chance.uniform(-15, 15), Image.BICUBIC, expand=True, fillcolor=255)
    picture = picture.filter(ImageFilter.GaussianBlur(chance.uniform(0.6, 1.1)))
    return jpeg(noisy(picture, chance, 0.1), 40)


KINDS = {
    'off-centre in 12 megapixels': distant, 'rotated': rotated, 'JPEG 15': pressed,
    'blurred': blurred, 'screenshot': screenshot, 'noise': spotted, 'perspective': slanted,
    'low contrast': faint, 'inverted': inverted, 'mirrored': mirrored, 'all at once': photographed,
}

#: How the file itself is kept, where that is not PNG: as telephones and messengers do.
FILES = {
    'JPEG 15': {'quality': 15}, 'off-centre in 12 megapixels': {'quality': 85},
    'rotated': {'quality': 80, 'progressive': True},
    'perspective': {'quality': 75, 'subsampling': 2}, 'all at once': {'quality': 60},
}


def save(picture, what, path):
    """Writes a picture with that damage as such a file; its path."""
    if what not in FILES:
        picture.save(path + '.png')
        return path + '.png'
    # Some in colours, as cameras make them.
    mode = 'RGB' if 'subsampling' in FILES[what] else picture.mode
    picture.convert(mode).save(path + '.jpg', 'JPEG', **FILES[what])
    return path + '.jpg'
