/* What a program in the runner's worker cannot do: make system calls of its
 * own, and change the memory on which the worker relies. */
#define _GNU_SOURCE
#include "rok_worker.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

/* ---- system calls ---- */

#define MAX_CONDITIONS 6
#define MAX_FILTER 128

/* Half an argument of a system call, and the only value it may have. */
struct condition {
    int argument, high;
    uint32_t value;
};

/* A system call that is allowed, and with which arguments. */
struct rule {
    uint32_t number;
    int count;
    struct condition conditions[MAX_CONDITIONS];
};

struct filter {
    struct sock_filter code[MAX_FILTER];
    int length;
};

static void add(struct filter *f, struct sock_filter instruction)
{
    f->code[f->length++] = instruction;
}

static void load(struct filter *f, size_t offset)
{
    add(f, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

/* Skips so many instructions unless the loaded word compares as asked. */
static void unless(struct filter *f, int comparison, uint32_t value, int skip)
{
    add(f, (struct sock_filter)BPF_JUMP((uint16_t)(BPF_JMP | comparison | BPF_K), value, 0, (uint8_t)skip));
}

static void answer(struct filter *f, uint32_t action)
{
    add(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/* Expects the number of the system call loaded, and leaves it so for the next
 * rule when it is another one. */
static void allow(struct filter *f, const struct rule *r)
{
    unless(f, BPF_JEQ, r->number, 2 * r->count + 2);
    for (int i = 0; i < r->count; i++) {
        const struct condition *c = &r->conditions[i];
        load(f, offsetof(struct seccomp_data, args) + 8 * (size_t)c->argument + 4 * (size_t)c->high);
        unless(f, BPF_JEQ, c->value, 2 * (r->count - i) - 1);
    }
    answer(f, SECCOMP_RET_ALLOW);
    answer(f, SECCOMP_RET_TRAP);
}

static void build(struct filter *f, const struct rule *rules, size_t count)
{
    load(f, offsetof(struct seccomp_data, arch));
    unless(f, BPF_JEQ, AUDIT_ARCH_X86_64, 6);
    /* Nothing from the code region, which lies in the lowest 4 GiB. */
    load(f, offsetof(struct seccomp_data, instruction_pointer) + 4);
    unless(f, BPF_JEQ, 0, 5);
    load(f, offsetof(struct seccomp_data, instruction_pointer));
    unless(f, BPF_JGE, CODE_BASE, 3);
    unless(f, BPF_JGT, CODE_BASE + CODE_SIZE, 1);
    add(f, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 1));
    answer(f, SECCOMP_RET_TRAP);
    load(f, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < count; i++)
        allow(f, &rules[i]);
    answer(f, SECCOMP_RET_TRAP);
}

/* From the code region no system call is allowed. From elsewhere, where a wild
 * jump may lead, only those that the worker makes, with the arguments that it
 * passes; the rest gets SIGSYS. Kernels without seccomp go without. */
void rok_forbid_system_calls(char *stack, size_t cold)
{
    const struct rule rules[] = {
        {SYS_rt_sigreturn, 0, {{0}}},
        {SYS_exit_group, 0, {{0}}},
        {SYS_clock_gettime, 1, {{0, 0, CLOCK_THREAD_CPUTIME_ID}}},
        {SYS_madvise, 4, {{0, 0, (uint32_t)(uint64_t)stack}, {0, 1, (uint32_t)((uint64_t)stack >> 32)},
                          {1, 0, (uint32_t)cold}, {2, 0, MADV_DONTNEED}}},
        {SYS_rt_sigprocmask, 2, {{1, 0, 0}, {1, 1, 0}}}, /* to ask, not to set */
        {SYS_sigaltstack, 2, {{0, 0, 0}, {0, 1, 0}}},
        {SYS_read, 2, {{0, 0, FD_BATCH}, {2, 0, 1}}},
        {SYS_write, 2, {{0, 0, FD_REPLY}, {2, 0, sizeof(struct message)}}},
    };
    struct filter f = {.length = 0};
    build(&f, rules, sizeof rules / sizeof *rules);
    struct sock_fprog program = {(unsigned short)f.length, f.code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        (void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* ---- memory ---- */

extern char __data_start[], _end[], __start_rok_state[], __stop_rok_state[]; /* by the linker */

static void make_read_only(uint64_t from, uint64_t to)
{
    from = (from + ROK_PAGE_SIZE - 1) & -(uint64_t)ROK_PAGE_SIZE;
    to &= -(uint64_t)ROK_PAGE_SIZE;
    if (from < to)
        (void)mprotect((void *)from, to - from, PROT_READ);
}

/* Variables outside the section rok_state are not written any more once the
 * worker is ready, the C library's among them. */
void rok_protect_variables(void)
{
    make_read_only((uint64_t)__data_start, (uint64_t)__start_rok_state);
    make_read_only((uint64_t)__stop_rok_state, (uint64_t)_end + ROK_PAGE_SIZE - 1);
}
