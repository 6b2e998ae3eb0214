/* The slow path of a safepoint poll. */
#include "rok.h"

/* Called when a poll found the yield flag set. Without a collector there is
 * nothing to wait for: it counts, and clears the flag unless the run asked for
 * every poll to come here. */
void rok_runtime_yield(void)
{
    ROK_ENTRY();
    if (!ROK_BUG(POLL_NOT_COUNTED))
        rok_tls.poll_count++;
    if (!rok_tls.yield_forced)
        rok_tls.yield_flag = 0;
}
