// SPDX-License-Identifier: Apache-2.0
#pragma once
/* Reads the bar code of a boarding pass from a picture: ZXing-C++ 1.4 and stb_image behind a C
   interface. Every exception ends here. Meant for a process of its own that ends soon: both
   libraries make copies that nobody can overwrite. */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum czxing_outcome {
    /* `take` took a text. */
    czxing_found,
    /* There is no code in the picture that can be read. */
    czxing_nothing,
    /* There are codes, and `take` wanted none of them. */
    czxing_others,
    /* Neither PNG nor JPEG, or cut off. */
    czxing_no_picture,
    /* More than `czxing_widest` pixels on a side or `czxing_largest` in all. */
    czxing_too_large,
    /* It needs more memory than there is. */
    czxing_no_memory,
    /* The time was over before all was tried. */
    czxing_no_time,
};

/* Pixels on a side, at most. */
static const int czxing_widest = 16384;
/* Pixels in all, at most: the largest sensors of telephones have 50 million in one picture. */
static const int czxing_largest = 64 * 1000 * 1000;

/* `ZXing-C++ 1.4.0`. */
const char *czxing_version(void);

/* Is given the bytes of each code that is read, and says with 1 that it is the one. */
typedef int (*czxing_take)(void *context, const uint8_t *text, size_t count);

/* Looks for codes in a PNG or JPEG file of `count` bytes, for no longer than `milliseconds` of the
   processor, or two and a half times that of the clock on the wall. */
enum czxing_outcome czxing_read(
    const uint8_t *file, size_t count, int64_t milliseconds, czxing_take take, void *context);

#ifdef __cplusplus
}
#endif
