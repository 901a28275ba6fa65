#pragma once
/* Libraries that are loaded when one of their functions is called first: a command that asks the agent
   something needs none of them, and to load all takes longer than the command.

   `names.h` lists the functions. Each has an entry in the program that is called by its own name and with
   its own type, as the library's header says it. Where the library cannot be loaded, the program ends
   there, and says which package has it. See docs/decisions/0005-libraries-at-first-call.md. */

#ifdef __cplusplus
extern "C" {
#endif

/* Loads one (`libzip`) with all of its functions, before a process gives up its right to open files.
   NULL, or what went wrong: a text to be read at once. */
const char *late_load(const char *name);

/* The package that has it; NULL where it is not among those of names.h. */
const char *late_package(const char *name);

/* Where a variable of a library lies; loads the library. */
void *late_variable(const char *name, const char *variable);

#ifdef __cplusplus
}
#endif
