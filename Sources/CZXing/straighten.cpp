// SPDX-License-Identifier: Apache-2.0
// A code that lies or stands aslant in a picture, laid flat.
#include "picture.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace czxing {
namespace {

struct Point {
    double x = 0;
    double y = 0;
};

/// Twice the area of the triangle; above 0 where c lies to the left of the way from a to b.
double turn(Point a, Point b, Point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The convex hull of points that are sorted by x, then y.
std::vector<Point> hull(const std::vector<Point> &points) {
    std::vector<Point> around;
    auto pass = [&around](auto begin, auto end) {
        const size_t start = around.size();
        for (auto p = begin; p != end; ++p) {
            while (around.size() >= start + 2
                   && turn(around[around.size() - 2], around.back(), *p) <= 0)
                around.pop_back();
            around.push_back(*p);
        }
        around.pop_back();
    };
    pass(points.begin(), points.end());
    pass(points.rbegin(), points.rend());
    return around;
}

/// Where the lines through a and b, and through c and d, meet.
bool meet(Point a, Point b, Point c, Point d, Point &where) {
    const double x = b.x - a.x, y = b.y - a.y, u = d.x - c.x, v = d.y - c.y;
    const double across = x * v - y * u;
    if (std::abs(across) < 1e-9) return false;
    const double part = ((c.x - a.x) * v - (c.y - a.y) * u) / across;
    where = {a.x + part * x, a.y + part * y};
    return true;
}

/// Four corners around all of the hull: the side that adds the least when left out goes first.
std::vector<Point> corners(std::vector<Point> around) {
    while (around.size() > 4) {
        const size_t count = around.size();
        size_t best = count;
        double least = 0;
        Point corner;
        for (size_t i = 0; i < count; i++) {
            const Point before = around[(i + count - 1) % count], start = around[i];
            const Point end = around[(i + 1) % count], behind = around[(i + 2) % count];
            Point where;
            if (!meet(before, start, behind, end, where)) continue;
            // On the other side, the two neighbours never meet outside.
            if (turn(start, end, where) >= 0) continue;
            const double added = -turn(start, end, where);
            if (best < count && added >= least) continue;
            best = i, least = added, corner = where;
        }
        if (best == count) return {};
        around[best] = corner;
        around.erase(around.begin() + static_cast<long>((best + 1) % count));
    }
    return around.size() == 4 ? around : std::vector<Point>();
}

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// Takes the unit square to four corners (Heckbert's projective mapping).
struct Projection {
    double a, b, c, d, e, f, g, h;

    explicit Projection(const std::vector<Point> &to) {
        const Point p = to[0], q = to[1], r = to[2], s = to[3];
        const double sx = p.x - q.x + r.x - s.x, sy = p.y - q.y + r.y - s.y;
        const double x1 = q.x - r.x, x2 = s.x - r.x, y1 = q.y - r.y, y2 = s.y - r.y;
        const double across = x1 * y2 - x2 * y1;
        g = (sx * y2 - x2 * sy) / across;
        h = (x1 * sy - sx * y1) / across;
        a = q.x - p.x + g * q.x, b = s.x - p.x + h * s.x, c = p.x;
        d = q.y - p.y + g * q.y, e = s.y - p.y + h * s.y, f = p.y;
    }

    Point at(double u, double v) const {
        const double depth = g * u + h * v + 1;
        return {(a * u + b * v + c) / depth, (d * u + e * v + f) / depth};
    }
};

/// The shade at a place between pixels.
uint8_t between(const Picture &picture, Point place) {
    const double x = std::clamp(place.x - 0.5, 0.0, picture.width - 1.001);
    const double y = std::clamp(place.y - 0.5, 0.0, picture.height - 1.001);
    const int left = static_cast<int>(x), top = static_cast<int>(y);
    const double p = x - left, q = y - top;
    const uint8_t *upper = picture.row(top) + left, *lower = picture.row(top + 1) + left;
    return static_cast<uint8_t>(
        (upper[0] * (1 - p) + upper[1] * p) * (1 - q) + (lower[0] * (1 - p) + lower[1] * p) * q
        + 0.5);
}

/// The ends of the lines, as points sorted by x, then y.
std::vector<Point> ends(const std::vector<Area> &lines, double scale) {
    std::vector<Point> points;
    for (const Area &line : lines) {
        for (int y : {line.top, line.top + 1}) {
            points.push_back({line.left * scale, y * scale});
            points.push_back({(line.left + line.width) * scale, y * scale});
        }
    }
    std::sort(points.begin(), points.end(), [](Point a, Point b) {
        return a.x != b.x ? a.x < b.x : a.y < b.y;
    });
    return points;
}

/// In each row, from the first to the last pixel that is darker than the middle of all.
std::vector<Area> dark(const Picture &picture) {
    uint64_t sum = 0;
    for (uint8_t pixel : picture.pixels) sum += pixel;
    const int middle = static_cast<int>(sum / picture.area());
    std::vector<Area> lines;
    for (int y = 0; y < picture.height; y++) {
        const uint8_t *row = picture.row(y);
        int first = 0, last = picture.width - 1;
        while (first < picture.width && row[first] >= middle) first++;
        while (last > first && row[last] >= middle) last--;
        if (first < last) lines.push_back({first, y, last - first + 1, 1});
    }
    return lines;
}

/// What lies between the four corners, seen from the front.
Picture lay(const Picture &picture, const std::vector<Point> &square, int width, int height) {
    const Projection projection(square);
    Picture flat(width, height);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            flat.row(y)[x] =
                between(picture, projection.at((x + 0.5) / width, (y + 0.5) / height));
        }
    }
    return flat;
}

/// The corners moved a little, so that the modules of a square code lie in rows and columns best.
std::vector<Point> settle(const Picture &picture, std::vector<Point> square) {
    const int side = 256;
    const Regularity regularity(lay(picture, square, side, side));
    auto fit = [&] { return regularity.of(lay(picture, square, side, side)); };
    double best = fit();
    // One corner, or the two of an edge; across or down; one way or the other.
    auto move = [&](int kind, double by) {
        const size_t first = static_cast<size_t>(kind / 2 % 4), second = (first + 1) % 4;
        (kind % 2 ? square[first].y : square[first].x) += by;
        if (kind >= 8) (kind % 2 ? square[second].y : square[second].x) += by;
    };
    for (double step : {0.03, 0.015, 0.007, 0.004}) {
        for (int round = 0; round < 3; round++) {
            const double before = best;
            for (int kind = 0; kind < 16; kind++) {
                for (double by : {step * picture.width, -step * picture.width}) {
                    move(kind, by);
                    const double now = fit();
                    if (now > best) best = now; else move(kind, -by);
                }
            }
            if (best == before) break;
        }
    }
    return square;
}

/// The corners moved away from the middle, by a share of the way.
std::vector<Point> widened(const std::vector<Point> &square, double share) {
    Point middle;
    for (const Point &corner : square)
        middle.x += corner.x / 4, middle.y += corner.y / 4;
    std::vector<Point> wide;
    for (const Point &corner : square) {
        wide.push_back({
            corner.x + share * (corner.x - middle.x), corner.y + share * (corner.y - middle.y)});
    }
    return wide;
}

/// The same of the four corners around the lines, with some room around them.
std::optional<Picture> flatten(
    const Picture &picture, const std::vector<Area> &lines, double scale, double room,
    bool isExact) {
    if (lines.size() < 2) return {};
    std::vector<Point> square = corners(hull(ends(lines, scale)));
    if (square.empty()) return {};
    square = widened(square, room);
    double width = (distance(square[0], square[1]) + distance(square[2], square[3])) / 2;
    double height = (distance(square[1], square[2]) + distance(square[3], square[0])) / 2;
    const double longest = std::max(picture.width, picture.height) * 1.5;
    if (!(width >= 24 && height >= 24 && width <= longest && height <= longest)) return {};
    // Codes are square, or far from it.
    const bool isSquare = width / height > 0.75 && height / width > 0.75;
    if (isSquare) width = height = std::max(width, height);
    if (isExact && !isSquare) return {};
    // What was cut off at the edges comes back.
    if (isExact) square = widened(settle(picture, square), 0.08);
    return lay(picture, square, static_cast<int>(width), static_cast<int>(height));
}

}  // namespace

std::optional<Picture> straighten(const Picture &picture, bool isExact) {
    if (picture.width < 24 || picture.height < 24) return {};
    const Picture small = shrink(picture, 400);
    const double scale = static_cast<double>(picture.width) / small.width;
    const std::optional<Picture> rough = flatten(picture, busiest(small, 7), scale, 0.1, false);
    if (!rough) return {};
    // What is around the code is gone, so that its dark corners are found.
    std::optional<Picture> exact = flatten(*rough, dark(*rough), 1, 0, isExact);
    return exact || isExact ? exact : rough;
}

}  // namespace czxing
