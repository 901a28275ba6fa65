// SPDX-License-Identifier: Apache-2.0
// Reads the bar code in a picture, as another program does: a portable graymap (P5) on standard
// input, the bytes of the first code on standard output.
#include <cstdint>
#include <cstdio>
#include <vector>

#define ZX_USE_UTF8 1
#include <ZXing/ReadBarcode.h>

int main() {
    int width = 0, height = 0, most = 0;
    if (scanf("P5 %d %d %d", &width, &height, &most) != 3 || getchar() == EOF) return 2;
    if (width < 1 || height < 1 || width > 4096 || height > 4096 || most != 255) return 2;
    std::vector<uint8_t> pixels(static_cast<size_t>(width) * static_cast<size_t>(height));
    if (fread(pixels.data(), 1, pixels.size(), stdin) != pixels.size()) return 2;
    const ZXing::ImageView view(pixels.data(), width, height, ZXing::ImageFormat::Lum);
    for (const ZXing::Result &result : ZXing::ReadBarcodes(view)) {
        if (!result.isValid()) continue;
        fwrite(result.bytes().data(), 1, result.bytes().size(), stdout);
        return 0;
    }
    return 1;
}
