# SPDX-License-Identifier: Apache-2.0
"""Bar codes of boarding passes, drawn by three makers that share no code.

zint (Debian), ZXing's writer (Debian, zxing-cpp-tools), and one Python package for each kind of
code (PyPI: aztec_code_generator, pdf417gen, segno). All pictures are grey, modules some pixels
wide, white around them.
"""

import os
import subprocess
import tempfile

from PIL import Image, ImageOps

KINDS = ('Aztec', 'PDF417', 'QR')
MAKERS = ('zint', 'ZXing', 'Python')
MODULE = 4
QUIET = 16

# What each text must give: number, date as seen on 2026-03-01, and seat of each flight.
TEXTS = {
    'short': ('M1DOE/JOHN            EABC123 DUBSTNFR 0202 064Y017A0042 100',
              [('FR202', '2026-03-05', '17A')]),
    'usual': ('M1GRANDMAIRE/MELANIE  EQLMNOP GVACDGAF 0123 066C002F0025 148>5180WW6060BAF         '
              '     2A0571234567890 0AF AF 1234567890123456  20KN',
              [('AF123', '2026-03-07', '2F')]),
    'two flights, signed': (
        'M2DESMARAIS/LUC       EZYX987 YULFRAAC 0834 064F001A0025 14D>6181WW6060BAC 0014123456003'
        '2A0141234567890 1AC AC 1234567890123    20KYLX58ZDEF456 FRAGVALH 3664 065C012C0002 12E2A'
        '0140987654321 1AC AC 1234567890123    2PCNWQ^164GIWVC5EH7JNT684FVNJ91W2QA4DVN5J8K4F0L0GE'
        'Q3DF5TGBN8709HKT5D3DW3GBHFCVHMY7J5T6HFR41W2QA4DVN5J8K4F0L0GE',
        [('AC834', '2026-03-05', '1A'), ('LH3664', '2026-03-06', '12C')]),
}


def draw(kind, maker, text):
    """The picture of a code, with its white border."""
    picture = {'zint': zint, 'ZXing': zxing, 'Python': python}[maker](kind, text)
    picture = picture.convert('L')
    dark = ImageOps.invert(picture).getbbox()
    return ImageOps.expand(picture.crop(dark), border=QUIET, fill=255)


def run(words, path):
    subprocess.run(words, check=True, timeout=60, stdout=subprocess.DEVNULL)
    with Image.open(path) as picture:
        return picture.convert('L')


def zint(kind, text):
    number = {'Aztec': '92', 'PDF417': '55', 'QR': '58'}[kind]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'code.png')
        words = ['zint', '-b', number, '-o', path, f'--scale={MODULE / 2}', '-d', text]
        if kind == 'PDF417':
            words += ['--cols=8', '--secure=4']
        return run(words, path)


def zxing(kind, text):
    name = {'Aztec': 'Aztec', 'PDF417': 'PDF417', 'QR': 'QRCode'}[kind]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'code.png')
        small = run(['ZXingWriter', '-size', '1x1', '-margin', '0', name, text, path], path)
    return small.resize((small.width * MODULE, small.height * MODULE), Image.NEAREST)


def python(kind, text):
    if kind == 'Aztec':
        import aztec_code_generator
        code = aztec_code_generator.AztecCode(text)
        dots = code.matrix
        picture = Image.new('L', (code.size, code.size), 255)
        for y, row in enumerate(dots):
            for x, dot in enumerate(row):
                if dot:
                    picture.putpixel((x, y), 0)
        return picture.resize((code.size * MODULE, code.size * MODULE), Image.NEAREST)
    if kind == 'PDF417':
        import pdf417gen
        codes = pdf417gen.encode(text, columns=8, security_level=4)
        return pdf417gen.render_image(codes, scale=2, ratio=3, padding=8)
    import segno
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'code.png')
        segno.make(text, error='m', micro=False).save(path, scale=MODULE, border=4)
        with Image.open(path) as picture:
            return picture.convert('L')
