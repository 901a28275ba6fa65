// SPDX-License-Identifier: Apache-2.0
// The files of the page, compiled in.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// A file of the page.
struct page_file {
    /// The path under which it is served, and its media type.
    const char *path, *type;
    const uint8_t *bytes;
    size_t count;
};

/// The file of that number; its path is NULL behind the last.
struct page_file page_file_at(size_t number);

/// Packs as gzip does (RFC 1952), with no date and no name, so that the same bytes give the same
/// bytes; gives how many it wrote into `room`, 0 if they do not fit.
size_t page_gzip(const uint8_t *bytes, size_t count, uint8_t *room, size_t size);

/// The version of the library that packs.
const char *page_zlib(void);
