/* The thread block, and what a run of a program needs set in it. */
#include "rok.h"

_Thread_local struct rok_thread rok_tls
    __attribute__((aligned(ROK_THREAD_ALIGN), tls_model("local-exec")));

#if ROK_MUTANT
/* Where the runner keeps what it changes between programs. */
__attribute__((section("rok_state"))) int rok_mutant = 0;
__attribute__((section("rok_state"))) int rok_mutant_reached = 0;
#endif

void rok_thread_start(const struct rok_module *module, char *stack_lowest, int force_yield)
{
    rok_tls = (struct rok_thread){
        .module = module,
        .types = module ? module->types : NULL,
        .statics = module ? module->statics : NULL,
        .yield_forced = force_yield != 0,
        .stack_lowest = stack_lowest,
        .yield_flag = force_yield != 0,
        .poll_count = rok_tls.poll_count && ROK_BUG(POLLS_KEPT) ? rok_tls.poll_count : 0,
    };
}
