// SPDX-License-Identifier: Apache-2.0
// The order in which a picture is searched: the whole, likely parts, windows, then with filters.
#include "czxing.h"
#include "picture.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <new>

#define ZX_USE_UTF8 1
#include <ZXing/ReadBarcode.h>
#include <ZXing/ZXVersion.h>

namespace czxing {
namespace {

using Span = std::chrono::nanoseconds;

/// So much more time passes on the wall, in tenths, than a thread has of a busy machine's
/// processor.
const int busy = 25;

Span read(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return std::chrono::seconds(time.tv_sec) + Span(time.tv_nsec);
}

/// When to stop: what this thread has had of the processor counts, for a machine may be busy.
class Deadline {
    Span own, wall;

public:
    explicit Deadline(Span span)
        : own(read(CLOCK_THREAD_CPUTIME_ID) + span),
          wall(read(CLOCK_MONOTONIC) + span * busy / 10) {}

    bool isOver() const {
        return read(CLOCK_THREAD_CPUTIME_ID) >= own || read(CLOCK_MONOTONIC) >= wall;
    }

    /// Not later than `other`.
    void bring(const Deadline &other) {
        own = std::min(own, other.own);
        wall = std::min(wall, other.wall);
    }
};

/// Reads codes until one is taken or the time is over.
class Search {
    czxing_take take;
    void *context;
    Deadline deadline;
    bool seen = false;

    bool tryWith(const Picture &picture, ZXing::Binarizer binarizer) {
        if (picture.width < 8 || picture.height < 8) return false;
        using ZXing::BarcodeFormat;
        const auto hints =
            ZXing::DecodeHints()
                .setFormats(
                    BarcodeFormat::Aztec | BarcodeFormat::PDF417 | BarcodeFormat::QRCode
                    | BarcodeFormat::DataMatrix)
                .setBinarizer(binarizer);
        const ZXing::ImageView view(
            picture.pixels.data(), picture.width, picture.height, ZXing::ImageFormat::Lum);
        for (const ZXing::Result &result : ZXing::ReadBarcodes(view, hints)) {
            const ZXing::ByteArray &bytes = result.bytes();
            if (!result.isValid() || bytes.empty()) continue;
            // Whoever took the picture of something else need not wait for long.
            if (!seen) deadline.bring(Deadline(std::chrono::seconds(5)));
            seen = true;
            if (take(context, bytes.data(), bytes.size())) return true;
        }
        return false;
    }

public:
    Search(int64_t milliseconds, czxing_take take, void *context)
        : take(take), context(context),
          deadline(std::chrono::milliseconds(milliseconds)) {}

    bool isLate() const { return deadline.isOver(); }
    bool sawOthers() const { return seen; }

    /// Whether a code of the picture was taken.
    bool reads(const Picture &picture) {
        return tryWith(picture, ZXing::Binarizer::LocalAverage);
    }

    /// The same once it lies flat, and once each module of it is drawn anew.
    bool readsFlattened(const Picture &picture, bool isExact = false) {
        const std::optional<Picture> flat = straighten(picture, isExact);
        if (!flat) return false;
        if (reads(border(*flat, 30))) return true;
        for (const Picture &fresh : redrawn(*flat))
            if (reads(fresh)) return true;
        return false;
    }

    /// The same with one threshold for all of it: better for what is blurred.
    bool readsFlat(const Picture &picture) {
        return tryWith(picture, ZXing::Binarizer::GlobalHistogram);
    }
};

/// One thing to try on a picture.
using Step = std::function<bool(Search &, const Picture &)>;

/// Pixels up to which a picture is made larger, and up to which it is turned.
const size_t enlarged = 1500 * 1000, turned = 4 * 1000 * 1000;

/// What helps, the cheap first.
std::vector<Step> ladder() {
    std::vector<Step> steps{
        [](Search &s, const Picture &p) { return s.readsFlattened(p); },
        [](Search &s, const Picture &p) { return s.readsFlattened(invert(p)); },
        [](Search &s, const Picture &p) { return s.readsFlat(p); },
        [](Search &s, const Picture &p) { return s.reads(border(stretch(p), 30)); },
        [](Search &s, const Picture &p) { return s.reads(border(invert(stretch(p)), 30)); },
        [](Search &s, const Picture &p) { return s.reads(border(mirror(p), 30)); },
        [](Search &s, const Picture &p) {
            return s.reads(border(shrink(p, std::max(p.width, p.height) / 2), 30));
        },
        [](Search &s, const Picture &p) { return s.reads(smooth(p)); },
        [](Search &s, const Picture &p) { return s.reads(border(median(p), 30)); },
        [](Search &s, const Picture &p) {
            if (p.area() > enlarged) return false;
            const Picture large = enlarge(p);
            if (s.reads(border(large, 30)) || s.readsFlat(large)) return true;
            const Picture sharp = sharpen(large);
            return s.reads(border(sharp, 30)) || s.reads(border(sharpen(sharp), 30));
        },
        [](Search &s, const Picture &p) {
            return p.area() <= enlarged && s.reads(border(enlarge(median(p)), 30));
        },
    };
    for (int degrees : {3, 6, 10, 15, 22, 30, 38, 45}) {
        for (int sign : {1, -1}) {
            steps.push_back([degrees, sign](Search &s, const Picture &p) {
                return p.area() <= turned && s.reads(rotate(p, sign * degrees));
            });
        }
    }
    steps.push_back([](Search &s, const Picture &p) {
        return p.area() <= turned && s.readsFlattened(shrink(p, 1000), true);
    });
    return steps;
}

/// Whether a code was taken; stops when it is late.
bool search(const Picture &picture, Search &search) {
    if (search.reads(picture)) return true;
    if (search.isLate()) return false;
    const Picture small = shrink(picture, 1600);
    std::vector<Picture> parts;
    for (const Area &area : regions(picture)) {
        parts.push_back(crop(picture, area));
        if (search.reads(border(parts.back(), 30))) return true;
        if (search.isLate()) return false;
    }
    for (const Area &area : windows(small)) {
        if (search.reads(crop(small, area))) return true;
        if (search.isLate()) return false;
    }
    parts.insert(parts.begin(), small);
    for (const Step &step : ladder()) {
        for (const Picture &part : parts) {
            if (step(search, part)) return true;
            if (search.isLate()) return false;
        }
    }
    return false;
}

czxing_outcome run(const uint8_t *file, size_t count, Search &state) {
    Refusal refusal;
    const std::optional<Picture> picture = load(file, count, refusal);
    if (!picture) {
        switch (refusal) {
        case Refusal::noPicture: return czxing_no_picture;
        case Refusal::tooLarge: return czxing_too_large;
        case Refusal::noMemory: return czxing_no_memory;
        }
    }
    if (search(*picture, state)) return czxing_found;
    if (state.sawOthers()) return czxing_others;
    return state.isLate() ? czxing_no_time : czxing_nothing;
}

}  // namespace
}  // namespace czxing

#define ZXING_TEXT(number) #number
#define ZXING_WORDS(major, minor, patch) \
    "ZXing-C++ " ZXING_TEXT(major) "." ZXING_TEXT(minor) "." ZXING_TEXT(patch)

const char *czxing_version() {
    return ZXING_WORDS(ZXING_VERSION_MAJOR, ZXING_VERSION_MINOR, ZXING_VERSION_PATCH);
}

czxing_outcome czxing_read(
    const uint8_t *file, size_t count, int64_t milliseconds, czxing_take take, void *context) {
    try {
        czxing::Search search(milliseconds, take, context);
        return czxing::run(file, count, search);
    } catch (const std::bad_alloc &) {
        return czxing_no_memory;
    } catch (...) {
        return czxing_nothing;
    }
}
