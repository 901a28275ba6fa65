// SPDX-License-Identifier: Apache-2.0
// What is done to a picture so that a code in it can be read.
#include "picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

namespace czxing {
namespace {

uint8_t shade(double value) {
    return static_cast<uint8_t>(std::clamp(value + 0.5, 0.0, 255.0));
}

/// The nearest place inside.
int inside(int place, int end) { return std::clamp(place, 0, end - 1); }

/// How much each of four pixels in a row counts for the place at `part` between the middle two.
std::array<double, 4> cubic(double part) {
    const double a = -0.5, p = part, q = 1 - part;
    auto outer = [a](double d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
    auto inner = [a](double d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
    return {outer(1 + p), inner(p), inner(q), outer(1 + q)};
}

}  // namespace

Picture crop(const Picture &picture, Area area) {
    const int left = std::max(area.left, 0), top = std::max(area.top, 0);
    const int right = std::min(area.left + area.width, picture.width);
    const int bottom = std::min(area.top + area.height, picture.height);
    if (right <= left || bottom <= top) return {};
    Picture part(right - left, bottom - top);
    for (int y = 0; y < part.height; y++)
        memcpy(part.row(y), picture.row(top + y) + left, static_cast<size_t>(part.width));
    return part;
}

Picture shrink(const Picture &picture, int side) {
    const int longest = std::max(picture.width, picture.height);
    if (longest <= side) return picture;
    const double scale = static_cast<double>(longest) / side;
    Picture small(
        std::max(1, static_cast<int>(picture.width / scale)),
        std::max(1, static_cast<int>(picture.height / scale)));
    for (int y = 0; y < small.height; y++) {
        const int top = static_cast<int>(y * scale);
        const int bottom = inside(static_cast<int>((y + 1) * scale) - 1, picture.height) + 1;
        for (int x = 0; x < small.width; x++) {
            const int left = static_cast<int>(x * scale);
            const int right = inside(static_cast<int>((x + 1) * scale) - 1, picture.width) + 1;
            unsigned sum = 0, count = 0;
            for (int v = top; v < std::max(bottom, top + 1); v++) {
                const uint8_t *row = picture.row(v);
                for (int u = left; u < std::max(right, left + 1); u++, count++) sum += row[u];
            }
            small.row(y)[x] = static_cast<uint8_t>(sum / count);
        }
    }
    return small;
}

Picture stretch(const Picture &picture) {
    std::array<size_t, 256> counts{};
    for (uint8_t pixel : picture.pixels) counts[pixel]++;
    const size_t share = picture.area() / 100;
    int dark = 0, light = 255;
    for (size_t sum = counts[0]; dark < 254 && sum <= share;) sum += counts[++dark];
    for (size_t sum = counts[255]; light > dark + 1 && sum <= share;) sum += counts[--light];
    Picture wide(picture.width, picture.height);
    for (size_t index = 0; index < picture.area(); index++)
        wide.pixels[index] = shade((picture.pixels[index] - dark) * 255.0 / (light - dark));
    return wide;
}

Picture invert(const Picture &picture) {
    Picture other = picture;
    for (uint8_t &pixel : other.pixels) pixel = static_cast<uint8_t>(255 - pixel);
    return other;
}

Picture mirror(const Picture &picture) {
    Picture other = picture;
    for (int y = 0; y < other.height; y++) std::reverse(other.row(y), other.row(y) + other.width);
    return other;
}

Picture enlarge(const Picture &picture) {
    // Of two new pixels one lies a quarter before the old one's middle, the other one behind it.
    const std::array<double, 4> before = cubic(0.75), behind = cubic(0.25);
    Picture wide(picture.width * 2, picture.height);
    for (int y = 0; y < picture.height; y++) {
        const uint8_t *row = picture.row(y);
        for (int x = 0; x < wide.width; x++) {
            const auto &weights = x % 2 ? behind : before;
            const int first = x / 2 - (x % 2 ? 1 : 2);
            double sum = 0;
            for (int i = 0; i < 4; i++) sum += weights[i] * row[inside(first + i, picture.width)];
            wide.row(y)[x] = shade(sum);
        }
    }
    Picture large(wide.width, wide.height * 2);
    for (int y = 0; y < large.height; y++) {
        const auto &weights = y % 2 ? behind : before;
        const int first = y / 2 - (y % 2 ? 1 : 2);
        const uint8_t *rows[4];
        for (int i = 0; i < 4; i++) rows[i] = wide.row(inside(first + i, wide.height));
        for (int x = 0; x < large.width; x++) {
            double sum = 0;
            for (int i = 0; i < 4; i++) sum += weights[i] * rows[i][x];
            large.row(y)[x] = shade(sum);
        }
    }
    return large;
}

Picture smooth(const Picture &picture) {
    Picture soft(picture.width, picture.height);
    for (int y = 0; y < picture.height; y++) {
        const uint8_t *rows[3];
        for (int i = 0; i < 3; i++) rows[i] = picture.row(inside(y + i - 1, picture.height));
        for (int x = 0; x < picture.width; x++) {
            int sum = 0;
            for (int i = -1; i <= 1; i++) {
                const int u = inside(x + i, picture.width);
                sum += rows[0][u] + rows[1][u] + rows[2][u];
            }
            soft.row(y)[x] = static_cast<uint8_t>(sum / 9);
        }
    }
    return soft;
}

Picture sharpen(const Picture &picture) {
    const Picture soft = smooth(smooth(picture));
    Picture sharp(picture.width, picture.height);
    for (size_t index = 0; index < picture.area(); index++) {
        const int pixel = picture.pixels[index];
        sharp.pixels[index] = shade(pixel + 1.8 * (pixel - soft.pixels[index]));
    }
    return sharp;
}

Picture median(const Picture &picture) {
    Picture clean(picture.width, picture.height);
    for (int y = 0; y < picture.height; y++) {
        const uint8_t *rows[3];
        for (int i = 0; i < 3; i++) rows[i] = picture.row(inside(y + i - 1, picture.height));
        for (int x = 0; x < picture.width; x++) {
            std::array<uint8_t, 9> near;
            for (int i = 0; i < 9; i++) near[i] = rows[i / 3][inside(x + i % 3 - 1, picture.width)];
            std::nth_element(near.begin(), near.begin() + 4, near.end());
            clean.row(y)[x] = near[4];
        }
    }
    return clean;
}

Picture border(const Picture &picture, int width) {
    Picture framed(picture.width + 2 * width, picture.height + 2 * width);
    for (int y = 0; y < picture.height; y++)
        memcpy(framed.row(y + width) + width, picture.row(y), static_cast<size_t>(picture.width));
    return framed;
}

Picture rotate(const Picture &picture, double degrees) {
    const double angle = degrees * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
    const double w = picture.width, h = picture.height;
    Picture turned(
        static_cast<int>(std::abs(w * c) + std::abs(h * s)) + 1,
        static_cast<int>(std::abs(w * s) + std::abs(h * c)) + 1);
    for (int y = 0; y < turned.height; y++) {
        const double dy = y + 0.5 - turned.height / 2.0;
        for (int x = 0; x < turned.width; x++) {
            const double dx = x + 0.5 - turned.width / 2.0;
            const double u = c * dx + s * dy + w / 2 - 0.5, v = c * dy - s * dx + h / 2 - 0.5;
            if (u < -0.5 || v < -0.5 || u > w - 0.5 || v > h - 0.5) continue;
            const double left = std::floor(u), top = std::floor(v), p = u - left, q = v - top;
            const int l = inside(static_cast<int>(left), picture.width);
            const int r = inside(static_cast<int>(left) + 1, picture.width);
            const uint8_t *upper = picture.row(inside(static_cast<int>(top), picture.height));
            const uint8_t *lower = picture.row(inside(static_cast<int>(top) + 1, picture.height));
            turned.row(y)[x] = shade(
                (upper[l] * (1 - p) + upper[r] * p) * (1 - q)
                + (lower[l] * (1 - p) + lower[r] * p) * q);
        }
    }
    return turned;
}

}  // namespace czxing
