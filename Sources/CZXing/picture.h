// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace czxing {

/// A picture in shades of grey, one byte a pixel, row after row.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<uint8_t> pixels;

    Picture() = default;
    Picture(int width, int height, uint8_t shade = 255)
        : width(width), height(height), pixels(static_cast<size_t>(width) * height, shade) {}

    const uint8_t *row(int y) const { return pixels.data() + static_cast<size_t>(y) * width; }
    uint8_t *row(int y) { return pixels.data() + static_cast<size_t>(y) * width; }
    size_t area() const { return static_cast<size_t>(width) * height; }
};

/// A part of a picture.
struct Area {
    int left = 0;
    int top = 0;
    int width = 0;
    int height = 0;
};

/// Why a file is no picture.
enum class Refusal { noPicture, tooLarge, noMemory };

/// The picture that a PNG or JPEG file holds; what is transparent is white.
std::optional<Picture> load(const uint8_t *file, size_t count, Refusal &refusal);

/// What is busiest in the picture as if seen from the front, with nothing around it. `isExact`
/// takes longer, and moves the corners of a square code until its modules lie in rows and columns.
std::optional<Picture> straighten(const Picture &picture, bool isExact = false);

/// How regular a square code lies, compared with a first try.
class Regularity {
    double across = 0, down = 0;

public:
    /// Finds how many modules there are.
    explicit Regularity(const Picture &picture);
    /// 0 to 2; with nearly as many modules as were found.
    double of(const Picture &picture) const;
};

/// A square code that fills the picture, drawn anew in the ways that are likely.
std::vector<Picture> redrawn(const Picture &picture);

// Filters: each makes a new picture.

/// The part, as far as it lies inside.
Picture crop(const Picture &picture, Area area);
/// No side longer than `side`, by the mean of the pixels that fall together.
Picture shrink(const Picture &picture, int side);
/// From black to white: the darkest and the lightest hundredth are the ends.
Picture stretch(const Picture &picture);
/// Black for white.
Picture invert(const Picture &picture);
/// Left for right.
Picture mirror(const Picture &picture);
/// Twice as wide and as high, with cubic curves between the pixels.
Picture enlarge(const Picture &picture);
/// Edges made steeper.
Picture sharpen(const Picture &picture);
/// Each pixel the median of its neighbours: takes dots away.
Picture median(const Picture &picture);
/// Each pixel the mean of its neighbours.
Picture smooth(const Picture &picture);
/// White all around.
Picture border(const Picture &picture, int width);
/// Turned by so many degrees, white where nothing was.
Picture rotate(const Picture &picture, double degrees);

/// Parts of the picture in which light and dark change as often as in a code, the likeliest first.
std::vector<Area> regions(const Picture &picture);
/// The largest part that is busy, row by row; `box` pixels each way count for one.
std::vector<Area> busiest(const Picture &picture, int box);
/// Square parts all over the picture, as far as anything changes in them.
std::vector<Area> windows(const Picture &picture);

}  // namespace czxing
