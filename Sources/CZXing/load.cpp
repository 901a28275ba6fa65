// SPDX-License-Identifier: Apache-2.0
// The picture that a file holds, by stb_image.
#include "czxing.h"
#include "picture.h"

#include <climits>
#include <cstring>
#include <memory>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_MAX_DIMENSIONS 16384
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#pragma clang diagnostic ignored "-Wunused-but-set-variable"
#include <stb/stb_image.h>
#pragma clang diagnostic pop

namespace czxing {
namespace {

struct Free {
    void operator()(uint8_t *pixels) const { stbi_image_free(pixels); }
};

/// Grey on white: a bar code on nothing is a bar code on white paper.
Picture flatten(const uint8_t *pixels, int width, int height) {
    Picture picture(width, height);
    for (size_t index = 0; index < picture.area(); index++) {
        const int grey = pixels[index * 2], opaque = pixels[index * 2 + 1];
        picture.pixels[index] = static_cast<uint8_t>((grey * opaque + 255 * (255 - opaque)) / 255);
    }
    return picture;
}

}  // namespace

std::optional<Picture> load(const uint8_t *file, size_t count, Refusal &refusal) {
    refusal = Refusal::noPicture;
    int width = 0, height = 0, channels = 0;
    if (count > INT_MAX) return {};
    const int length = static_cast<int>(count);
    if (!stbi_info_from_memory(file, length, &width, &height, &channels)) {
        // Only the reader itself says why, and before it unpacks anything.
        const std::unique_ptr<uint8_t, Free> none(
            stbi_load_from_memory(file, length, &width, &height, &channels, 1));
        const char *reason = stbi_failure_reason();
        if (!none && reason && !strcmp(reason, "too large")) refusal = Refusal::tooLarge;
        return {};
    }
    if (width < 1 || height < 1) return {};
    // Asked before anything is unpacked.
    if (width > czxing_widest || height > czxing_widest || czxing_largest / width < height) {
        refusal = Refusal::tooLarge;
        return {};
    }
    const bool hasAlpha = channels == 2 || channels == 4;
    const int wanted = hasAlpha ? 2 : 1;
    std::unique_ptr<uint8_t, Free> pixels(
        stbi_load_from_memory(file, length, &width, &height, &channels, wanted));
    if (!pixels) {
        const char *reason = stbi_failure_reason();
        if (reason && !strcmp(reason, "outofmem")) refusal = Refusal::noMemory;
        return {};
    }
    if (hasAlpha) return flatten(pixels.get(), width, height);
    Picture picture(width, height);
    memcpy(picture.pixels.data(), pixels.get(), picture.area());
    return picture;
}

}  // namespace czxing
