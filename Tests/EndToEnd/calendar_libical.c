// SPDX-License-Identifier: Apache-2.0
/* Reads a calendar file from standard input with libical. Prints a line for each thing that it
   finds wrong; nothing for a file that it takes. */
#include <libical/ical.h>
#include <stdio.h>

static int complaints(icalcomponent *part) {
    int count = 0;
    icalproperty *line = icalcomponent_get_first_property(part, ICAL_XLICERROR_PROPERTY);
    for (; line; line = icalcomponent_get_next_property(part, ICAL_XLICERROR_PROPERTY)) {
        printf("%s\n", icalproperty_get_xlicerror(line));
        count++;
    }
    icalcomponent *inner = icalcomponent_get_first_component(part, ICAL_ANY_COMPONENT);
    for (; inner; inner = icalcomponent_get_next_component(part, ICAL_ANY_COMPONENT))
        count += complaints(inner);
    return count;
}

int main(void) {
    static char text[1 << 20];
    size_t length = fread(text, 1, sizeof text - 1, stdin);
    text[length] = 0;
    icalerror_set_errors_are_fatal(0);
    icalcomponent *calendar = icalparser_parse_string(text);
    if (!calendar) return puts("it cannot be read"), 0;
    if (icalcomponent_isa(calendar) != ICAL_VCALENDAR_COMPONENT) puts("it is no VCALENDAR");
    int fine = icalrestriction_check(calendar);
    int count = complaints(calendar);
    int errors = icalcomponent_count_errors(calendar);
    if (!count && (!fine || errors)) printf("restrictions %d, errors %d\n", fine, errors);
    icalcomponent_free(calendar);
    return 0;
}
