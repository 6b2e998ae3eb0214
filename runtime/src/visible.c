/* Makes programs visible to tools: the GDB JIT interface (GDB manual, "JIT
 * Compilation Interface"), and code in memory of its own, so that gdb can set
 * breakpoints there and perf looks for its map file. Only on request; a worker
 * then runs one batch. */
#define _GNU_SOURCE
#include "rok_worker.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

/* ---- what gdb knows by these names ---- */

struct jit_code_entry {
    struct jit_code_entry *next, *prev;
    const char *symfile_addr;
    uint64_t symfile_size;
};

struct jit_descriptor {
    uint32_t version;
    uint32_t action; /* JIT_REGISTER_FN: the relevant entry is new */
    struct jit_code_entry *relevant, *first;
};
#define JIT_REGISTER_FN 1

struct jit_descriptor __jit_debug_descriptor = {1, 0, NULL, NULL};

/* gdb has a breakpoint here. */
void __attribute__((noinline)) __jit_debug_register_code(void)
{
    __asm__ volatile("" ::: "memory");
}

/* ---- */

static struct jit_code_entry entries[MAX_BATCH];

static void register_symfile(struct jit_code_entry *e, const char *symfile, uint64_t size)
{
    e->symfile_addr = symfile;
    e->symfile_size = size;
    e->next = __jit_debug_descriptor.first;
    if (e->next)
        e->next->prev = e;
    __jit_debug_descriptor.first = __jit_debug_descriptor.relevant = e;
    __jit_debug_descriptor.action = JIT_REGISTER_FN;
    __jit_debug_register_code();
}

/* Puts private memory with the same code in the place of the shared one. perf
 * is told of it by mmap and mprotect, not by mremap. */
static int own_code(size_t size)
{
    char *code = (char *)CODE_BASE;
    char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return 0;
    memcpy(copy, code, size);
    if (mmap(code, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != code)
        return 0;
    memcpy(code, copy, size);
    return munmap(copy, size) == 0 && mprotect(code, size, PROT_READ | PROT_EXEC) == 0;
}

int rok_make_visible(const struct symfiles *s, const char *shared)
{
    /* The debugger is no ancestor of this process. */
    (void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    for (uint32_t i = 0; i < s->count; i++)
        register_symfile(&entries[i], shared + s->at[i], s->size[i]);
    return s->code_size == 0 || own_code(s->code_size);
}
