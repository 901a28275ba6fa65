#include "commit.h"

// Package.swift defines where git notes each move of HEAD. The compiler reads that file while it
// compiles these lines, so a commit compiles them again, and nothing else but the linker runs.
// Alone in its module, and in C++, for what it computes then: the file itself stays out.

#if defined(__has_embed) && defined(SEATAGENT_MOVES)
#if __has_embed(SEATAGENT_MOVES) == 1
#pragma clang diagnostic ignored "-Wc23-extensions"
#pragma clang diagnostic ignored "-Wunused-const-variable"
#define SEATAGENT_HAS_MOVES
#endif
#endif

namespace {

struct Commit {
    char digits[8] = {};
};

#ifdef SEATAGENT_HAS_MOVES
constexpr unsigned char moves[] = {
#embed SEATAGENT_MOVES
};

// The last line is `OLD NEW who when<TAB>what`, OLD and NEW of equal length.
consteval Commit last_move() {
    Commit commit;
    unsigned long start = sizeof moves - 1;
    while (start > 0 && moves[start - 1] != '\n') start--;
    unsigned long end = start;
    while (end < sizeof moves && moves[end] != ' ') end++;
    for (unsigned long i = 0; i < 7 && end + 1 + i < sizeof moves; i++)
        commit.digits[i] = static_cast<char>(moves[end + 1 + i]);
    return commit;
}
constexpr Commit commit = last_move();
#else
constexpr Commit commit = {SEATAGENT_COMMIT};
#endif

}  // namespace

extern "C" const char *seatagent_commit(void) { return commit.digits; }
