/* What the parts of the runner share. */
#ifndef ROK_WORKER_H
#define ROK_WORKER_H

#include "rok.h"
#include "rok_runner.h"

/* confine.c; stack is the program's, of which cold bytes are given back to the
 * system before each program. */
void rok_forbid_system_calls(char *stack, size_t cold);
void rok_protect_variables(void);

/* visible.c; returns 0 if the system refuses. */
int rok_make_visible(const struct symfiles *s, const char *shared);

#endif
