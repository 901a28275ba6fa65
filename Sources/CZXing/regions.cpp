// SPDX-License-Identifier: Apache-2.0
// Where in a picture a code may be: ZXing 1.4 looks for Aztec codes from the middle outward only.
#include "picture.h"

#include <algorithm>
#include <cstdlib>

namespace czxing {
namespace {

/// Sums over all rectangles, in one step each.
class Sums {
    int width;
    std::vector<uint32_t> sums;

public:
    /// Of how much light and dark change at each pixel; sharp edges count no more than 120.
    explicit Sums(const Picture &picture)
        : width(picture.width + 1),
          sums(static_cast<size_t>(picture.width + 1) * (picture.height + 1)) {
        for (int y = 0; y < picture.height; y++) {
            const uint8_t *row = picture.row(y);
            const uint8_t *next = picture.row(std::min(y + 1, picture.height - 1));
            uint32_t sum = 0;
            for (int x = 0; x < picture.width; x++) {
                const int right = row[std::min(x + 1, picture.width - 1)];
                sum += std::min(std::abs(right - row[x]) + std::abs(next[x] - row[x]), 120);
                at(x + 1, y + 1) = at(x + 1, y) + sum;
            }
        }
    }

    uint32_t &at(int x, int y) { return sums[static_cast<size_t>(y) * width + x]; }
    uint32_t at(int x, int y) const { return sums[static_cast<size_t>(y) * width + x]; }

    /// The mean in the rectangle, which lies inside and is not empty.
    int mean(int left, int top, int right, int bottom) const {
        const uint32_t sum = at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
        return static_cast<int>(sum / (static_cast<uint32_t>(right - left) * (bottom - top)));
    }
};

/// An area and how likely it is.
struct Candidate {
    Area area;
    double weight;
};

/// How much of the two areas together both have.
double shared(const Area &a, const Area &b) {
    const int w = std::min(a.left + a.width, b.left + b.width) - std::max(a.left, b.left);
    const int h = std::min(a.top + a.height, b.top + b.height) - std::max(a.top, b.top);
    if (w <= 0 || h <= 0) return 0;
    const double both = static_cast<double>(w) * h;
    return both / (static_cast<double>(a.width) * a.height + b.width * b.height - both);
}

/// A connected part of a mask.
struct Part {
    /// The rectangle around it.
    Area area;
    /// Its pixels.
    size_t count = 0;
    /// From its first to its last pixel in each row.
    std::vector<Area> lines;
};

/// The connected part of `mask` that `start` belongs to, taken out of it.
Part takePart(std::vector<uint8_t> &mask, int width, int height, size_t start) {
    std::vector<size_t> open{start};
    std::vector<Area> lines(static_cast<size_t>(height));
    mask[start] = 0;
    Part part;
    int left = width, right = 0;
    for (; !open.empty(); part.count++) {
        const size_t place = open.back();
        open.pop_back();
        const int x = static_cast<int>(place % width), y = static_cast<int>(place / width);
        left = std::min(left, x), right = std::max(right, x);
        Area &line = lines[static_cast<size_t>(y)];
        const int end = line.width ? std::max(line.left + line.width, x + 1) : x + 1;
        line.left = line.width ? std::min(line.left, x) : x;
        line.width = end - line.left, line.top = y, line.height = 1;
        auto visit = [&](bool isInside, size_t next) {
            if (!isInside || !mask[next]) return;
            mask[next] = 0;
            open.push_back(next);
        };
        visit(x > 0, place - 1);
        visit(x + 1 < width, place + 1);
        visit(y > 0, place - static_cast<size_t>(width));
        visit(y + 1 < height, place + static_cast<size_t>(width));
    }
    for (const Area &line : lines)
        if (line.width) part.lines.push_back(line);
    const int top = part.lines.front().top, bottom = part.lines.back().top;
    part.area = {left, top, right - left + 1, bottom - top + 1};
    return part;
}

/// Where the mean of `box` pixels each way is over `threshold`.
std::vector<uint8_t> busy(const Picture &small, const Sums &sums, int box, int threshold) {
    std::vector<uint8_t> mask(small.area());
    for (int y = 0; y < small.height; y++) {
        const int top = std::max(y - box / 2, 0), bottom = std::min(y + box / 2 + 1, small.height);
        for (int x = 0; x < small.width; x++) {
            const int left = std::max(x - box / 2, 0);
            const int right = std::min(x + box / 2 + 1, small.width);
            mask[static_cast<size_t>(y) * small.width + x] =
                sums.mean(left, top, right, bottom) > threshold;
        }
    }
    return mask;
}

/// Parts in which the mean of `box` pixels each way is over `threshold`.
void collect(
    const Picture &small, const Sums &sums, int box, int threshold, std::vector<Candidate> &found) {
    std::vector<uint8_t> mask = busy(small, sums, box, threshold);
    for (size_t start = 0; start < mask.size(); start++) {
        if (!mask[start]) continue;
        const Part part = takePart(mask, small.width, small.height, start);
        const Area area = part.area;
        const double ratio = static_cast<double>(area.width) / area.height;
        if (std::min(area.width, area.height) < 16 || ratio < 0.2 || ratio > 8) continue;
        // A code fills its rectangle; lines of text and the edges of things do not.
        const double full =
            static_cast<double>(part.count) / (static_cast<double>(area.width) * area.height);
        const int mean = sums.mean(
            area.left, area.top, area.left + area.width, area.top + area.height);
        found.push_back({area, full * mean});
    }
}

}  // namespace

std::vector<Area> regions(const Picture &picture) {
    const Picture small = shrink(picture, 800);
    const double scale = static_cast<double>(picture.width) / small.width;
    const Sums sums(small);
    std::vector<Candidate> found;
    for (int box : {9, 17, 31})
        for (int threshold : {25, 40, 55}) collect(small, sums, box, threshold, found);
    std::sort(found.begin(), found.end(), [](const Candidate &a, const Candidate &b) {
        return a.weight > b.weight;
    });
    std::vector<Area> kept;
    for (const Candidate &candidate : found) {
        const Area &area = candidate.area;
        auto isSame = [&area](const Area &other) { return shared(other, area) > 0.8; };
        if (std::none_of(kept.begin(), kept.end(), isSame)) kept.push_back(area);
        if (kept.size() == 40) break;
    }
    for (Area &area : kept) {
        const double pad = 0.08 * std::max(area.width, area.height) + 2;
        area = {
            static_cast<int>((area.left - pad) * scale), static_cast<int>((area.top - pad) * scale),
            static_cast<int>((area.width + 2 * pad) * scale),
            static_cast<int>((area.height + 2 * pad) * scale)};
    }
    return kept;
}

std::vector<Area> busiest(const Picture &picture, int box) {
    const Sums sums(picture);
    // Half as busy as the whole: what is around a code is quiet.
    const int threshold = std::max(sums.mean(0, 0, picture.width, picture.height) / 2, 6);
    std::vector<uint8_t> mask = busy(picture, sums, box, threshold);
    Part largest;
    for (size_t start = 0; start < mask.size(); start++) {
        if (!mask[start]) continue;
        Part part = takePart(mask, picture.width, picture.height, start);
        if (part.count > largest.count) largest = std::move(part);
    }
    return largest.lines;
}

std::vector<Area> windows(const Picture &picture) {
    const Sums sums(picture);
    const int side = std::min(picture.width, picture.height);
    std::vector<Area> areas;
    for (int percent : {60, 40, 28, 20}) {
        const int size = side * percent / 100, step = std::max(size / 4, 1);
        if (size < 32) break;
        for (int top = 0; top + size <= picture.height; top += step)
            for (int left = 0; left + size <= picture.width; left += step)
                if (sums.mean(left, top, left + size, top + size) >= 10)
                    areas.push_back({left, top, size, size});
    }
    return areas;
}

}  // namespace czxing
