# SPDX-License-Identifier: Apache-2.0
"""Draws how likely a scattered family sits together, as SVG: a line for each size."""

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 400, 60, 30, 110, 50
COLOURS = {2: "#1b6ca8", 3: "#2e8b57", 4: "#b8860b", 5: "#a83232"}


def svg(found):
    shares = sorted({share for _, share in found})
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(share):
        return LEFT + wide * shares.index(share) / max(len(shares) - 1, 1)

    def y(part):
        return TOP + high * (1 - part)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
           'font-family="sans-serif" font-size="13">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for percent in range(0, 101, 20):
        line = y(percent / 100)
        out.append(f'<line x1="{LEFT}" y1="{line:.1f}" x2="{LEFT + wide}" y2="{line:.1f}" '
                   'stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{line + 4:.1f}" text-anchor="end">{percent} %</text>')
    for share in shares:
        out.append(f'<text x="{x(share):.1f}" y="{HEIGHT - BOTTOM + 20}" '
                   f'text-anchor="middle">{share} %</text>')
    out.append(f'<text x="{LEFT + wide / 2:.1f}" y="{HEIGHT - 10}" text-anchor="middle">'
               'parties aboard that take part</text>')
    out.append(f'<text x="{LEFT}" y="{TOP - 12}">flights on which all of the family sit '
               'together</text>')
    for family in sorted({family for family, _ in found}):
        points = []
        for share in shares:
            flights, *shapes, _ = found[family, share]
            points.append((x(share), y(sum(shapes) / flights)))
        path = " ".join(f"{one:.1f},{two:.1f}" for one, two in points)
        colour = COLOURS.get(family, "#555")
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for one, two in points:
            out.append(f'<circle cx="{one:.1f}" cy="{two:.1f}" r="3" fill="{colour}"/>')
        out.append(f'<text x="{points[-1][0] + 10:.1f}" y="{points[-1][1] + 4:.1f}" '
                   f'fill="{colour}">family of {family}</text>')
    return "\n".join([*out, "</svg>", ""])
