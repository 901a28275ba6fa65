// SPDX-License-Identifier: Apache-2.0
#include "page.h"
#include <string.h>
#include <zlib.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t html[] = {
#embed "page/index.html"
};
static const uint8_t style[] = {
#embed "page/page.css"
};
// The first picture, in one script: each script more has heads of its own, and is packed by itself.
// The long one stands in front: gzip looks back no more than 32 KB, where the others must be.
static const uint8_t first[] = {
#embed "page/strict.js"
    ,
#embed "page/nacl/nacl-fast.min.js"
    , '\n',
#embed "page/wire.js"
    ,
#embed "page/cabin.js"
    ,
#embed "page/door.js"
    ,
#embed "page/start.js"
};
// What comes behind the first picture.
static const uint8_t tabs[] = {
#embed "page/talk.js"
    ,
#embed "page/requests.js"
    ,
#embed "page/people.js"
    ,
#embed "page/self.js"
};
static const uint8_t game[] = {
#embed "page/game.js"
};
static const uint8_t pass[] = {
#embed "page/pass.js"
};
static const uint8_t codewords[] = {
#embed "page/codewords.txt"
};
static const uint8_t en[] = {
#embed "page/words/en.json"
};
static const uint8_t de[] = {
#embed "page/words/de.json"
};
static const uint8_t fr[] = {
#embed "page/words/fr.json"
};
static const uint8_t es[] = {
#embed "page/words/es.json"
};
static const uint8_t it[] = {
#embed "page/words/it.json"
};
static const uint8_t pl[] = {
#embed "page/words/pl.json"
};
static const uint8_t pt[] = {
#embed "page/words/pt.json"
};
static const uint8_t codes_de[] = {
#embed "page/codes/de.json"
};
static const uint8_t codes_fr[] = {
#embed "page/codes/fr.json"
};
static const uint8_t codes_es[] = {
#embed "page/codes/es.json"
};
static const uint8_t codes_it[] = {
#embed "page/codes/it.json"
};
static const uint8_t codes_pl[] = {
#embed "page/codes/pl.json"
};
static const uint8_t codes_pt[] = {
#embed "page/codes/pt.json"
};
static const uint8_t venue[] = {
#embed "page/venue/venue.js"
};
static const uint8_t venue_style[] = {
#embed "page/venue/venue.css"
};
static const uint8_t venue_en[] = {
#embed "page/venue/words/en.json"
};
static const uint8_t venue_de[] = {
#embed "page/venue/words/de.json"
};
static const uint8_t venue_fr[] = {
#embed "page/venue/words/fr.json"
};
static const uint8_t venue_es[] = {
#embed "page/venue/words/es.json"
};
static const uint8_t venue_it[] = {
#embed "page/venue/words/it.json"
};
static const uint8_t venue_pl[] = {
#embed "page/venue/words/pl.json"
};
static const uint8_t venue_pt[] = {
#embed "page/venue/words/pt.json"
};
static const uint8_t take[] = {
#embed "page/take/take.js"
};
static const uint8_t take_en[] = {
#embed "page/take/words/en.json"
};
static const uint8_t take_de[] = {
#embed "page/take/words/de.json"
};
static const uint8_t take_fr[] = {
#embed "page/take/words/fr.json"
};
static const uint8_t take_es[] = {
#embed "page/take/words/es.json"
};
static const uint8_t take_it[] = {
#embed "page/take/words/it.json"
};
static const uint8_t take_pl[] = {
#embed "page/take/words/pl.json"
};
static const uint8_t take_pt[] = {
#embed "page/take/words/pt.json"
};

#define SCRIPT "text/javascript; charset=utf-8"
#define FILE_AT(path, type, bytes) { path, type, bytes, sizeof bytes }

static const struct page_file files[] = {
    FILE_AT("/", "text/html; charset=utf-8", html),
    FILE_AT("/page.css", "text/css; charset=utf-8", style),
    FILE_AT("/first.js", SCRIPT, first),
    FILE_AT("/tabs.js", SCRIPT, tabs),
    FILE_AT("/game.js", SCRIPT, game),
    FILE_AT("/pass.js", SCRIPT, pass),
    FILE_AT("/codewords", "text/plain; charset=utf-8", codewords),
    FILE_AT("/venue/venue.js", SCRIPT, venue),
    FILE_AT("/venue/venue.css", "text/css; charset=utf-8", venue_style),
    FILE_AT("/venue/words/en", "application/json", venue_en),
    FILE_AT("/venue/words/de", "application/json", venue_de),
    FILE_AT("/venue/words/fr", "application/json", venue_fr),
    FILE_AT("/venue/words/es", "application/json", venue_es),
    FILE_AT("/venue/words/it", "application/json", venue_it),
    FILE_AT("/venue/words/pl", "application/json", venue_pl),
    FILE_AT("/venue/words/pt", "application/json", venue_pt),
    FILE_AT("/take/take.js", SCRIPT, take),
    FILE_AT("/take/words/en", "application/json", take_en),
    FILE_AT("/take/words/de", "application/json", take_de),
    FILE_AT("/take/words/fr", "application/json", take_fr),
    FILE_AT("/take/words/es", "application/json", take_es),
    FILE_AT("/take/words/it", "application/json", take_it),
    FILE_AT("/take/words/pl", "application/json", take_pl),
    FILE_AT("/take/words/pt", "application/json", take_pt),
    FILE_AT("/words/en", "application/json", en),
    FILE_AT("/words/de", "application/json", de),
    FILE_AT("/words/fr", "application/json", fr),
    FILE_AT("/words/es", "application/json", es),
    FILE_AT("/words/it", "application/json", it),
    FILE_AT("/words/pl", "application/json", pl),
    FILE_AT("/words/pt", "application/json", pt),
    FILE_AT("/codes/de", "application/json", codes_de),
    FILE_AT("/codes/fr", "application/json", codes_fr),
    FILE_AT("/codes/es", "application/json", codes_es),
    FILE_AT("/codes/it", "application/json", codes_it),
    FILE_AT("/codes/pl", "application/json", codes_pl),
    FILE_AT("/codes/pt", "application/json", codes_pt),
};

struct page_file page_file_at(size_t number) {
    struct page_file none = { NULL, NULL, NULL, 0 };
    return number < sizeof files / sizeof *files ? files[number] : none;
}

size_t page_gzip(const uint8_t *bytes, size_t count, uint8_t *room, size_t size) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    // 15 bits of window, and 16 more for gzip's own head.
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY))
        return 0;
    stream.next_in = (uint8_t *)bytes;
    stream.avail_in = (unsigned)count;
    stream.next_out = room;
    stream.avail_out = (unsigned)size;
    int said = deflate(&stream, Z_FINISH);
    size_t written = stream.total_out;
    deflateEnd(&stream);
    return said == Z_STREAM_END ? written : 0;
}

const char *page_zlib(void) { return zlibVersion(); }
