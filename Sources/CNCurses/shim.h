// SPDX-License-Identifier: Apache-2.0
#pragma once
/* What Swift does not see of ncurses: macros, its globals, and glibc's wcwidth. */
#define NCURSES_WIDECHAR 1
#include <locale.h>
#include <ncurses.h>
#include <term.h>
#include <wchar.h>
/* term.h names terminal capabilities by words that others use. */
#undef lines
#undef columns
#undef newline
#undef tab
#undef bell

static const attr_t nc_bold = A_BOLD, nc_dim = A_DIM, nc_reverse = A_REVERSE,
                    nc_underline = A_UNDERLINE;
/* Every button, coming up too: where ncurses drops an event it waits for the next key. */
static const mmask_t nc_mouse = BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON1_CLICKED
                                | BUTTON2_PRESSED | BUTTON2_RELEASED | BUTTON3_PRESSED
                                | BUTTON3_RELEASED | BUTTON4_PRESSED | BUTTON4_RELEASED
                                | BUTTON5_PRESSED | BUTTON5_RELEASED;
static const mmask_t nc_press = BUTTON1_PRESSED | BUTTON1_CLICKED;
static const mmask_t nc_wheel_up = BUTTON4_PRESSED, nc_wheel_down = BUTTON5_PRESSED;
static inline WINDOW *nc_screen(void) { return stdscr; }
static inline int nc_colours(void) { return COLORS; }
/* NULL where initscr() would end the process. */
static inline SCREEN *nc_open(void) { return newterm(0, stdout, stdin); }
/* Whether the terminal can put its cursor anywhere; a dumb one cannot. */
static inline int nc_can_move(void) {
    int error;
    if (setupterm(0, 1, &error) != OK) return 0;
    char *move = tigetstr("cup");
    return move && move != (char *)-1;
}
/* A capability of the terminal, "" where it has none. */
static inline const char *nc_capability(const char *name) {
    char *text = tigetstr((char *)name);
    return text && text != (char *)-1 ? text : "";
}
