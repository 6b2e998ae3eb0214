/* What the parts of the runtime share. Compiled code sees none of this; its
 * side of the contract is rok_abi.h, generated from package runtime/abi.
 *
 * The runtime is host-independent: print.c, panic.c and the rest never touch
 * the operating system. A host (entry.c for executables, runner.c for the
 * rig's runner) takes the output and ends the program. */
#ifndef ROK_H
#define ROK_H

#include "rok_abi.h"

#if !defined(__x86_64__) || !defined(__GNUC__)
#error "the runtime needs gcc on x86-64"
#endif

/* Exactly one of ROK_RELEASE, ROK_CHECK and ROK_MUTANT is 1. */
#ifndef ROK_CHECK
#define ROK_CHECK 0
#endif
#ifndef ROK_MUTANT
#define ROK_MUTANT 0
#endif

/* ---- thread block (thread.c) ---- */

extern _Thread_local struct rok_thread rok_tls
    __attribute__((aligned(ROK_THREAD_ALIGN), tls_model("local-exec")));

/* Sets the thread block up for one run of a program. */
void rok_thread_start(const struct rok_module *module, char *stack_lowest, int force_yield);

/* ---- output (print.c) ---- */

/* Bytes printed but not yet taken by the host lie in start..cursor. */
struct rok_out {
    char *start, *cursor, *limit;
};
extern _Thread_local struct rok_out rok_out __attribute__((tls_model("local-exec")));

void rok_out_bytes(const char *p, size_t n);

/* Longest text of a 64-bit integer, with its sign. */
#define ROK_INT_TEXT 20
/* Writes u in decimal so that it ends just before end; returns its start. */
char *rok_u64_text(char *end, uint64_t u);

/* Longest text of a float: "-", 17 digits, ".", "0.00000" or "e-308". */
#define ROK_FLOAT_TEXT 32
/* Write the text of x; return its length (float.c). */
size_t rok_f32_text(char *to, float x);
size_t rok_f64_text(char *to, double x);

/* ---- the host (entry.c or runner.c) ---- */

/* Makes room in rok_out, or ends the program. */
void rok_host_drain(void);

/* Ends the program: everything printed reaches standard output, then the
 * pieces standard error. ending is one of the ROK_END_ numbers. */
struct rok_piece {
    const char *p;
    size_t n;
};
_Noreturn void rok_host_end(int ending, const struct rok_piece *pieces, int count);

/* ---- panics and faults (panic.c) ---- */

_Noreturn void rok_raise(const char *message, size_t n, int64_t line, int64_t column);
#define ROK_RAISE(literal, line, column) \
    rok_raise(literal, sizeof(literal) - 1, line, column)
_Noreturn void rok_raise_bounds(int64_t len, int64_t index, int64_t line, int64_t column);

/* Report a broken promise of compiled code in a call of entry point name. */
_Noreturn void rok_misaligned(const char *name, void *return_address);
_Noreturn void rok_check_failed(const char *what, const char *name, void *return_address);

/* ---- entry into the runtime ---- */

/* ROK_ENTRY stands first in every entry point. The calling convention wants
 * rsp to be a multiple of 16 at the call, which makes rbp one after the usual
 * prologue: two instructions see it, in every build. The test is in assembly
 * because the compiler would take the promise for granted and drop it. */
#define ROK_ENTRY()                                                           \
    do {                                                                      \
        __label__ misaligned, aligned;                                        \
        __asm__ goto("test $15, %b0\n\tjnz %l[misaligned]"                    \
                     :                                                        \
                     : "r"(__builtin_frame_address(0))                        \
                     : "cc"                                                   \
                     : misaligned);                                           \
        goto aligned;                                                         \
    misaligned:                                                               \
        rok_misaligned(__func__, __builtin_return_address(0));                \
    aligned:                                                                  \
        ROK_REQUIRE(!rok_direction_flag(), "direction flag set");             \
    } while (0)

/* A check of the check build alone. */
#define ROK_REQUIRE(condition, what)                                          \
    do {                                                                      \
        if (ROK_CHECK && !(condition))                                        \
            rok_check_failed(what, __func__, __builtin_return_address(0));    \
    } while (0)

static inline int rok_direction_flag(void)
{
    return (__builtin_ia32_readeflags_u64() >> 10) & 1;
}

/* A str handed over: a string of length 0 has one address. */
extern const char rok_empty[];
static inline int rok_str_valid(const char *p, int64_t n)
{
    return n > 0 ? p != NULL : n == 0 && p == rok_empty;
}

/* ---- deliberate bugs ---- */

/* ROK_BUG(NAME) is true where the deliberate bug NAME shows its effect. It
 * stands last in its condition, so that reaching it means that the bug made a
 * difference there. Only the mutant build has any code for it. */
#if ROK_MUTANT
extern int rok_mutant;         /* a ROK_MUTANT_ number, chosen per run */
extern int rok_mutant_reached; /* set when its place was reached */
static inline int rok_bug(int number)
{
    if (rok_mutant != number)
        return 0;
    rok_mutant_reached = 1;
    return 1;
}
#define ROK_BUG(name) __builtin_expect(rok_bug(ROK_MUTANT_##name), 0)
#else
#define ROK_BUG(name) 0
#endif

#endif
