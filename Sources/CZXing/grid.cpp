// SPDX-License-Identifier: Apache-2.0
// A square code that lies flat, drawn anew: one shade for each of its modules.
#include "picture.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace czxing {
namespace {

/// Modules on a side that Aztec, QR and DataMatrix codes of a pass may have.
const int fewest = 15, most = 109;

/// How much shades change from column to column, at each place; of all rows together.
std::vector<double> changes(const Picture &picture, bool isDown) {
    std::vector<double> sums(static_cast<size_t>(isDown ? picture.height : picture.width), 0);
    for (int y = 1; y < picture.height; y++) {
        const uint8_t *row = picture.row(y), *above = picture.row(y - 1);
        for (int x = 1; x < picture.width; x++) {
            if (isDown)
                sums[static_cast<size_t>(y)] += std::abs(row[x] - above[x]);
            else
                sums[static_cast<size_t>(x)] += std::abs(row[x] - row[x - 1]);
        }
    }
    return sums;
}

/// Where the borders of modules lie along one side: the first at `start`, the next `step` later.
struct Ruler {
    double start = 0;
    double step = 0;
    double fit = 0;
    int count = 0;
};

/// How well changes fall on borders of which `count` go into the whole length, and not between.
Ruler measure(const std::vector<double> &changes, double count) {
    const double length = static_cast<double>(changes.size()), step = length / count;
    std::complex<double> sum = 0;
    double all = 0;
    for (size_t place = 0; place < changes.size(); place++) {
        sum += std::polar(changes[place], 2 * std::numbers::pi * static_cast<double>(place) / step);
        all += changes[place];
    }
    if (all <= 0) return {};
    double start = std::arg(sum) / (2 * std::numbers::pi) * step;
    if (start > step / 2) start -= step;
    // Every whole part of a module is a border too: fewer are likelier.
    return {start, step, std::abs(sum) / all / (1 + count / 300),
            static_cast<int>(std::floor((length - start) / step + 0.5))};
}

/// The two likeliest, which are not neighbours.
std::vector<Ruler> rulers(const std::vector<double> &changes) {
    const double end = std::min<double>(most, static_cast<double>(changes.size()) / 2);
    std::vector<Ruler> best;
    for (double count = fewest - 1; count <= end; count += 0.1)
        best.push_back(measure(changes, count));
    auto isBetter = [](const Ruler &a, const Ruler &b) { return a.fit > b.fit; };
    std::sort(best.begin(), best.end(), isBetter);
    std::vector<Ruler> chosen;
    for (const Ruler &ruler : best) {
        auto isNear = [&ruler](const Ruler &other) {
            return std::abs(other.step / ruler.step - 1) < 0.04;
        };
        if (std::none_of(chosen.begin(), chosen.end(), isNear)) chosen.push_back(ruler);
        if (chosen.size() == 2) break;
    }
    return chosen;
}

/// The mean of the middle of a module.
double sample(const Picture &picture, double left, double top, double width, double height) {
    double sum = 0;
    for (double v : {0.35, 0.5, 0.65}) {
        for (double u : {0.35, 0.5, 0.65}) {
            const int x = std::clamp(static_cast<int>(left + u * width), 0, picture.width - 1);
            const int y = std::clamp(static_cast<int>(top + v * height), 0, picture.height - 1);
            sum += picture.row(y)[x];
        }
    }
    return sum / 9;
}

/// The code; `edge` is how much each module differs from its neighbours because light ran over.
Picture redraw(const Picture &picture, const Ruler &across, const Ruler &down, double edge) {
    const int pixels = 4, quiet = 16;
    std::vector<double> shades;
    double sum = 0;
    for (int row = 0; row < down.count; row++) {
        for (int column = 0; column < across.count; column++) {
            shades.push_back(sample(
                picture, across.start + column * across.step, down.start + row * down.step,
                across.step, down.step));
            sum += shades.back();
        }
    }
    const double middle = sum / static_cast<double>(shades.size());
    auto at = [&](int column, int row) {
        // White around it.
        if (column < 0 || row < 0 || column >= across.count || row >= down.count) return 255.0;
        return shades[static_cast<size_t>(row) * across.count + column];
    };
    Picture fresh(across.count * pixels + 2 * quiet, down.count * pixels + 2 * quiet);
    for (int row = 0; row < down.count; row++) {
        for (int column = 0; column < across.count; column++) {
            const double own = at(column, row);
            const double near = (at(column - 1, row) + at(column + 1, row) + at(column, row - 1)
                                 + at(column, row + 1)) / 4;
            const uint8_t shade = own + edge * (own - near) < middle ? 0 : 255;
            for (int y = 0; y < pixels; y++) {
                uint8_t *line = fresh.row(quiet + row * pixels + y) + quiet + column * pixels;
                std::fill(line, line + pixels, shade);
            }
        }
    }
    return fresh;
}

/// The best fit near `count` modules.
double near(const std::vector<double> &changes, double count) {
    double best = 0;
    for (double c = count - 1.5; c <= count + 1.5; c += 0.1)
        best = std::max(best, measure(changes, c).fit);
    return best;
}

}  // namespace

Regularity::Regularity(const Picture &picture) {
    const std::vector<Ruler> x = rulers(changes(picture, false));
    const std::vector<Ruler> y = rulers(changes(picture, true));
    if (x.empty() || y.empty()) return;
    across = picture.width / x[0].step, down = picture.height / y[0].step;
    // One of the two was measured better than the other, and the code is square.
    if (x[0].fit > y[0].fit) down = across; else across = down;
}

double Regularity::of(const Picture &picture) const {
    if (across < fewest) return 0;
    return near(changes(picture, false), across) + near(changes(picture, true), down);
}

std::vector<Picture> redrawn(const Picture &picture) {
    const double ratio = static_cast<double>(picture.width) / std::max(picture.height, 1);
    if (picture.height < 2 * fewest || ratio < 0.9 || ratio > 1.1) return {};
    const Picture small = shrink(picture, 600);
    std::vector<Picture> pictures;
    for (const Ruler &across : rulers(changes(small, false)))
        for (const Ruler &down : rulers(changes(small, true)))
            for (double edge : {0.0, 0.5, 1.0})
                if (across.count >= 8 && down.count >= 8 && std::abs(across.count - down.count) < 6)
                    pictures.push_back(redraw(small, across, down, edge));
    return pictures;
}

}  // namespace czxing
