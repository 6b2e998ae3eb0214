/* The runner: a process that runs compiled programs one after another and
 * survives whatever they do. Its driver is package runtime/runner; the memory
 * they share and the letters they exchange are in rok_runner.h.
 *
 * The process that the driver starts, the zygote, maps the regions and forks a
 * worker; it never runs foreign code itself. The worker runs batches. A
 * program that faults, runs too long or comes back with broken registers may
 * have damaged the worker, so the worker reports it and ends, and the zygote
 * forks a fresh one.
 *
 * Each program runs on a stack of its own with a guard below it. Faults are
 * handled on a third stack and left by siglongjmp.
 *
 * Damaged code may write anywhere and jump anywhere. What the worker reads but
 * does not write is read-only for it; what it has written for the driver is
 * sealed, so that later writes are noticed; and of the processes only the
 * zygote can say that a worker has ended. */
#define _GNU_SOURCE
#include "rok_worker.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <xmmintrin.h>

#define SIGNAL_STACK_SIZE (64 << 10)
#define SMALL_PAGES (2 << 20) /* of the stack, from its top */
#define MXCSR_DEFAULT 0x1f80 /* round to nearest, all exceptions masked */
#define MXCSR_CONTROL 0xffc0 /* without the sticky exception flags */
#define IDLE_TICKS 200 /* of 5 ms, in which the worker prepares a program at most */
#define FLAGS_CHECKED (1 << 10 | 1 << 18) /* direction, alignment check */

static char *shared; /* the control file */
static const volatile struct batch_header *header;
static const struct request *requests;
static volatile struct progress *progress;
static volatile struct result *results;
static char *stack_lowest;
static char *signal_stack;
static uint64_t thread_block; /* the thread pointer */
static uint64_t zygote_tag; /* on the zygote's messages; 0 in the worker */

#define COLD_STACK (ROK_STACK_SIZE - FILLED_STACK)

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "rokrig runner: %s: %s\n", what, strerror(errno));
    exit(ROK_STATUS_SETUP);
}

static void reply(char letter, uint32_t value, uint64_t tag)
{
    struct message m = {(uint32_t)letter, value, tag};
    if (write(FD_REPLY, &m, sizeof m) != sizeof m)
        _exit(0); /* the driver is gone */
}

/* ---- one program ---- */

/* Variables that the worker writes while it works. The first one aligns the
 * section, so that everything else can be made read-only. */
#define STATE __attribute__((section("rok_state")))

/* What the handlers need to know about the running program. */
static STATE __attribute__((aligned(ROK_PAGE_SIZE))) struct {
    volatile sig_atomic_t running;
    volatile struct result *result;
    uint64_t entered;    /* counts programs, for the watchdog */
    uint64_t tick_seen;  /* entered at the last tick */
    uint32_t ticks;      /* ticks that saw the same program */
    char *output, *error; /* its output in the output area */
    uint64_t used;       /* bytes of the data region that are not 0 */
    uint32_t filled;     /* what the stack is filled with */
    uint64_t cpu;        /* CPU time when it began, ns */
    sigjmp_buf recover;
} run = {.running = 0};

/* Registers as the program left them, written by rok_enter. */
struct exit_state {
    uint64_t rbx, rbp, r12, r13, r14, r15, rsp, flags, mxcsr;
};
#define REGISTER_SENTINELS 9
#define SENTINEL_COUNT 13

/* Calls entry with rsp = top and sentinels in the registers that a function
 * preserves, and notes what they hold afterwards. The other registers hold the
 * fill pattern: whoever reads them uninitialised reads something unlikely to
 * be right, and something else under the other pattern. */
STATE struct exit_state rok_exit_state = {0};
STATE uint64_t rok_runner_rsp = 0, rok_entry = 0;
void rok_enter(uint64_t entry, char *top, uint64_t pattern, uint64_t sentinel);
__asm__(".text\n"
        ".type rok_enter, @function\n"
        "rok_enter:\n"
        "    push %rbp\n    push %rbx\n    push %r12\n    push %r13\n    push %r14\n    push %r15\n"
        "    mov %rsp, rok_runner_rsp\n"
        "    mov %rdi, rok_entry\n"
        "    mov %rsi, %rsp\n"
        "    mov %rdx, %rax\n"
        "    mov %rcx, %rbx\n"
        "    lea 1(%rbx), %rbp\n    lea 2(%rbx), %r12\n    lea 3(%rbx), %r13\n"
        "    lea 4(%rbx), %r14\n    lea 5(%rbx), %r15\n"
        "    mov %rax, %rcx\n    mov %rax, %rsi\n    mov %rax, %rdi\n    mov %rax, %r8\n"
        "    mov %rax, %r9\n    mov %rax, %r10\n    mov %rax, %r11\n"
        "    movq %rax, %xmm0\n    punpcklqdq %xmm0, %xmm0\n"
        "    .irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "    movaps %xmm0, %xmm\\n\n"
        "    .endr\n"
        "    call *rok_entry\n"
        "    mov %rbx, rok_exit_state\n"
        "    mov %rbp, rok_exit_state + 8\n"
        "    mov %r12, rok_exit_state + 16\n"
        "    mov %r13, rok_exit_state + 24\n"
        "    mov %r14, rok_exit_state + 32\n"
        "    mov %r15, rok_exit_state + 40\n"
        "    mov %rsp, rok_exit_state + 48\n"
        "    mov rok_runner_rsp, %rsp\n"
        "    pushfq\n    pop rok_exit_state + 56\n"
        "    stmxcsr rok_exit_state + 64\n"
        "    push $2\n    popfq\n" /* no flag set but the one that always is */
        "    pop %r15\n    pop %r14\n    pop %r13\n    pop %r12\n    pop %rbx\n    pop %rbp\n"
        "    ret\n"
        ".size rok_enter, . - rok_enter\n");

static uint64_t cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Gives the program its data. Only what the last program can have changed is
 * cleared. */
static void reset_data(const struct request *q)
{
    char *data = (char *)DATA_BASE;
    const char *initial = shared + header->staging_at + q->data_at;
    uint64_t used = q->data_size + q->bss_size;
    if (run.used > q->data_size)
        memset(data + q->data_size, 0, run.used - q->data_size);
    if (!(run.used == used && memcmp(data, initial, q->data_size) && ROK_BUG(DATA_NOT_COPIED)))
        memcpy(data, initial, q->data_size);
    run.used = used;
}

/* The fill pattern: a byte in all bytes of a word. Its two values have no bit
 * in common. */
static uint64_t pattern(void)
{
    return header->fill * 0x0101010101010101;
}

/* What a program can read uninitialised holds the fill pattern. */
static void fill(char *from, char *to)
{
    memset(from, (int)header->fill, (size_t)(to - from));
}

static int is_filled(const char *page)
{
    uint64_t first;
    memcpy(&first, page, sizeof first);
    return first == pattern() && memcmp(page, page + 8, ROK_PAGE_SIZE - 8) == 0;
}

/* Fills the stack: its top, and what the last program changed below that, as
 * far as two pages in a row that it left alone. Deeper than FILLED_STACK the
 * stack is zero, and goes back to the system. */
static void reset_stack(void)
{
    char *top = stack_lowest + ROK_STACK_SIZE, *low = top - FILLED_STACK;
    char *from = top - HOT_STACK;
    if (run.filled != header->fill) {
        from = low;
        run.filled = header->fill;
    }
    for (char *page = from; page > low && page + 2 * ROK_PAGE_SIZE > from;) {
        page -= ROK_PAGE_SIZE;
        if (!is_filled(page))
            from = page;
    }
    fill(from, top);
    madvise(stack_lowest, COLD_STACK, MADV_DONTNEED);
}

static void reset_processor(void)
{
    _mm_setcsr(MXCSR_DEFAULT);
    __asm__ volatile("push $2\n\tpopfq\n\tfninit" ::: "memory", "cc");
}

/* The first register sentinel. */
static uint64_t sentinel(void)
{
    return pattern() ^ 0x5e17e10000000001;
}

/* Compares what the program left in the registers with what it found. */
static void check_registers(volatile struct result *r)
{
    const uint64_t first = sentinel();
    uint64_t want[REGISTER_SENTINELS] = {first, first + 1, first + 2, first + 3, first + 4, first + 5};
    uint64_t got[REGISTER_SENTINELS];
    want[6] = (uint64_t)(stack_lowest + ROK_STACK_SIZE);
    want[8] = MXCSR_DEFAULT & MXCSR_CONTROL;
    rok_exit_state.flags &= FLAGS_CHECKED;
    rok_exit_state.mxcsr &= MXCSR_CONTROL;
    memcpy(got, &rok_exit_state, sizeof got);
    for (int i = 0; i < REGISTER_SENTINELS; i++) {
        r->registers[i] = got[i];
        if (got[i] != want[i])
            r->broken_mask |= 1u << i;
    }
}

/* Not __builtin_thread_pointer: what matters is what %fs is now. */
static uint64_t thread_pointer(void)
{
    uint64_t p;
    __asm__ volatile("mov %%fs:0, %0" : "=r"(p));
    return p;
}

/* Looks at what else the next program relies on: the signal mask and stack,
 * which a wild jump to rt_sigreturn can change, and the thread block. */
static void check_worker(volatile struct result *r)
{
    const uint64_t want[] = {0, (uint64_t)signal_stack, thread_block, (uint64_t)run.output};
    uint64_t got[SENTINEL_COUNT - REGISTER_SENTINELS] = {0};
    uint64_t written = (uint64_t)(rok_out.cursor - run.output);
    stack_t alternate;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &got[0], sizeof got[0]);
    sigaltstack(NULL, &alternate);
    got[1] = alternate.ss_size == SIGNAL_STACK_SIZE ? (uint64_t)alternate.ss_sp : 0;
    got[2] = thread_pointer();
    got[3] = written <= header->output_limit ? (uint64_t)run.output : (uint64_t)rok_out.cursor;
    for (int i = 0; i < SENTINEL_COUNT - REGISTER_SENTINELS; i++) {
        r->registers[REGISTER_SENTINELS + i] = got[i];
        if (got[i] != want[i])
            r->broken_mask |= 1u << (REGISTER_SENTINELS + i);
    }
}

/* The state is set last: a worker that ends before that was broken by an
 * earlier program. */
static void begin(volatile struct result *r, const struct request *q, char *output)
{
    r->ending = ROK_END_DIED; /* until known better */
    progress->execution++;
    run.result = r;
    run.output = output;
    rok_out = (struct rok_out){output, output, output + header->output_limit};
    run.error = NULL;
    r->signal = 0;
    r->error_len = 0;
    r->broken_mask = 0;
#if ROK_MUTANT
    rok_mutant = (int)header->mutant;
    rok_mutant_reached = 0;
#endif
    reset_data(q);
    reset_stack();
    reset_processor();
    rok_thread_start((const struct rok_module *)q->module, stack_lowest, (int)header->force_yield);
    run.entered++;
    r->state = STATE_RUNNING;
}

/* Mixes n bytes, eight at a time, into h. The driver computes the same
 * (seal.go). */
static uint64_t mix(uint64_t h, const char *p, uint64_t n)
{
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = (h ^ word) * SEAL_MULTIPLIER;
        h ^= h >> 32;
    }
    if (n) {
        uint64_t word = 0;
        memcpy(&word, p, n);
        h = (h ^ word) * SEAL_MULTIPLIER;
        h ^= h >> 32;
    }
    return h;
}

/* Seals a result and its output with the batch's tag: whatever later programs
 * write there shows. */
static void seal(volatile struct result *r)
{
    uint64_t h = mix(header->tag, (const char *)r, offsetof(struct result, seal));
    r->seal = mix(h, shared + r->output_at, r->output_len + r->error_len);
}

/* Whether the worker may be damaged. */
static int faulted(const volatile struct result *r)
{
    switch (r->ending) {
    case ROK_END_RETURNED:
    case ROK_END_PANICKED:
    case ROK_END_OUTPUT_LIMIT:
    case ROK_END_MISALIGNED:
    case ROK_END_CHECK_FAILED:
        return 0;
    }
    return 1;
}

static void end(volatile struct result *r)
{
    uint64_t now = cpu_time();
    r->cpu_nanos = now - run.cpu;
    run.cpu = now;
    r->output_at = (uint64_t)(run.output - shared);
    r->output_len = (uint64_t)(rok_out.cursor - run.output);
    r->polls = rok_tls.poll_count;
#if ROK_MUTANT
    r->mutant_reached = (uint32_t)rok_mutant_reached;
#endif
    if (!faulted(r))
        check_worker(r);
    if (r->broken_mask) {
        r->ending = ROK_END_SENTINEL_BROKEN;
        if (r->output_len > header->output_limit)
            r->output_len = r->error_len = 0;
    }
    r->state = STATE_COMPLETE;
    seal(r);
}

static void run_program(volatile struct result *r, const struct request *q, char *output)
{
    begin(r, q, output);
    if (sigsetjmp(run.recover, 0) == 0) {
        run.running = 1;
        rok_enter(q->entry, stack_lowest + ROK_STACK_SIZE, pattern(), sentinel());
        run.running = 0;
        r->ending = ROK_END_RETURNED;
        check_registers(r);
    }
    reset_processor();
    end(r);
}

/* ---- the runtime's host ---- */

static _Noreturn void leave(int ending)
{
    run.running = 0;
    run.result->ending = (uint32_t)ending;
    siglongjmp(run.recover, 1);
}

/* The buffer is as large as the limit. */
void rok_host_drain(void)
{
    leave(ROK_END_OUTPUT_LIMIT);
}

/* Standard error follows standard output in the output area, where
 * run_batch has left room for both limits. */
_Noreturn void rok_host_end(int ending, const struct rok_piece *pieces, int count)
{
    char *to = rok_out.cursor;
    size_t room = header->output_limit;
    for (int i = 0; i < count; i++) {
        size_t n = pieces[i].n < room ? pieces[i].n : room;
        memcpy(to, pieces[i].p, n);
        to += n;
        room -= n;
        if (n < pieces[i].n)
            ending = ROK_END_OUTPUT_LIMIT;
    }
    run.result->error_len = (uint64_t)(to - rok_out.cursor);
    leave(ending);
}

/* ---- faults and time ---- */

static void note_registers(volatile struct result *r, const ucontext_t *context)
{
    /* The kernel's order: r8..r15 rdi rsi rbp rbx rdx rax rcx rsp rip efl. */
    for (int i = 0; i < REGISTER_COUNT; i++)
        r->registers[i] = (uint64_t)context->uc_mcontext.gregs[i];
    r->pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
}

/* A program may have set the alignment-check flag, which the kernel leaves
 * alone and compiled C does not survive. */
static inline void clear_alignment_check(void)
{
    __asm__ volatile("pushfq\n\tandq $~0x40000, (%%rsp)\n\tpopfq" ::: "memory", "cc");
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
    volatile struct result *r = run.result;
    char *at = info->si_addr;
    clear_alignment_check();
    if (!run.running) {
        /* Not the program's: an earlier one has broken the worker. */
        _exit(128 + sig);
    }
    run.running = 0;
    note_registers(r, context);
    r->signal = (uint32_t)sig;
    r->signal_code = info->si_code;
    r->fault_addr = (uint64_t)at;
    if (sig == SIGSEGV && at >= stack_lowest - ROK_STACK_GUARD && at < stack_lowest)
        leave(ROK_END_STACK_OVERFLOW);
    leave(ROK_END_SIGNAL);
}

/* Runs every TICK_MICROS of CPU time. */
static void on_tick(int sig, siginfo_t *info, void *context)
{
    (void)sig, (void)info;
    clear_alignment_check();
    if (run.tick_seen != run.entered) {
        run.tick_seen = run.entered;
        run.ticks = 0;
    }
    if (++run.ticks <= header->tick_limit)
        return;
    if (!run.running) {
        if (run.ticks > 2 * header->tick_limit + IDLE_TICKS)
            _exit(128 + sig); /* the worker itself goes astray */
        return;
    }
    run.running = 0;
    note_registers(run.result, context);
    leave(ROK_END_TIMEOUT);
}

static void handle(int sig, void (*handler)(int, siginfo_t *, void *))
{
    /* Handlers are left by siglongjmp without restoring a mask, so the signal
     * must not be blocked in them. */
    struct sigaction action = {.sa_sigaction = handler,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(sig, &action, NULL) != 0)
        fail("sigaction");
}

/* ---- the worker ---- */

/* Runs what the header asks for, until a program may have damaged the worker
 * or the output area could become too small. */
static void run_batch(void)
{
    char *output = shared + header->output_at, *limit = output + header->output_size;
    run.cpu = cpu_time();
    for (uint32_t i = header->first; i < header->count; i++) {
        if (output + 2 * header->output_limit > limit)
            return;
        run_program(&results[i], &requests[i], output);
        if (faulted(&results[i]))
            _exit(0);
        output += results[i].output_len + results[i].error_len;
    }
}

static _Noreturn void work(pid_t zygote)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    struct itimerval tick = {{0, TICK_MICROS}, {0, TICK_MICROS}};
    stack_t alternate = {.ss_sp = signal_stack, .ss_size = SIGNAL_STACK_SIZE};
    sigset_t none;
    char byte;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != zygote)
        _exit(0);
    signal(SIGCHLD, SIG_DFL);
    if (sigaltstack(&alternate, NULL) != 0)
        fail("sigaltstack");
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        handle(faults[i], on_fault);
    handle(SIGPROF, on_tick);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (setitimer(ITIMER_PROF, &tick, NULL) != 0)
        fail("setitimer");
    close(FD_CONTROL);
    if (header->symfiles_at) {
        if (!rok_make_visible((void *)(shared + header->symfiles_at), shared))
            fail("code region");
        reply(REPLY_READY, (uint32_t)getpid(), zygote_tag);
    }
    zygote_tag = 0;
    rok_protect_variables();
    rok_forbid_system_calls(stack_lowest, COLD_STACK);
    while (read(FD_BATCH, &byte, 1) == 1) {
        run_batch();
        if (header->symfiles_at)
            break; /* so that a debugger sees an end */
        reply(REPLY_DONE, 0, header->tag);
    }
    _exit(0);
}

/* ---- the zygote ---- */

static void *map(void *at, size_t size, int protection, int flags, int fd, const char *what)
{
    void *p = mmap(at, size, protection, flags | (at ? MAP_FIXED_NOREPLACE : 0), fd, 0);
    if (p == MAP_FAILED || (at && p != at))
        fail(what);
    return p;
}

/* A stack of size bytes above an inaccessible guard; its lowest address. */
static char *map_stack(size_t guard, size_t size, const char *what)
{
    char *p = map(NULL, guard + size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, what);
    if (mprotect(p, guard, PROT_NONE) != 0)
        fail(what);
    return p + guard;
}

/* What driver and zygote tell each other once. */
static void take_header(volatile struct batch_header *h)
{
    header = h;
    h->tp_off = (char *)&rok_tls - (char *)__builtin_thread_pointer();
    thread_block = (uint64_t)__builtin_thread_pointer();
    zygote_tag = h->zygote_tag;
    h->zygote_tag = 0;
}

static void set_up(void)
{
    off_t size = lseek(FD_SHARED, 0, SEEK_END);
    struct rlimit no_core = {0, 0};
    if (size <= 0)
        fail("control file");
    shared = map(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, FD_SHARED, "control file");
    take_header((void *)shared);
    requests = (void *)(shared + REQUESTS_AT);
    progress = (void *)(shared + PROGRESS_AT);
    results = (void *)(shared + RESULTS_AT);
    if (mprotect(shared, PROGRESS_AT, PROT_READ) != 0)
        fail("mprotect");
    map((void *)CODE_BASE, CODE_SIZE, PROT_READ | PROT_EXEC, MAP_SHARED, FD_CODE, "code region");
    map((void *)DATA_BASE, DATA_SIZE, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, "data region");
    stack_lowest = map_stack(ROK_STACK_GUARD, ROK_STACK_SIZE, "program stack");
    /* Deep recursion then costs a fault for each 2 MiB instead of each page.
     * Most programs stay in the part above. */
    (void)madvise(stack_lowest, ROK_STACK_SIZE - SMALL_PAGES, MADV_HUGEPAGE);
    signal_stack = map_stack(ROK_PAGE_SIZE, SIGNAL_STACK_SIZE, "signal stack");
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGPIPE, SIG_IGN);
    close(FD_SHARED);
    close(FD_CODE);
    /* Whatever the driver itself was started with. */
    (void)syscall(SYS_close_range, FD_BATCH + 1, ~0u, 0);
}

static void on_child(int sig)
{
    (void)sig;
}

/* Waits for the worker's end; kills it on command, and with the driver gone
 * ends altogether. A command that was meant for an earlier worker comes too
 * late. */
static void watch(pid_t worker, uint32_t number, const sigset_t *mask)
{
    struct pollfd control = {.fd = FD_CONTROL, .events = POLLIN};
    int status;
    for (;;) {
        struct command c;
        if (waitpid(worker, &status, WNOHANG) == worker) {
            reply(REPLY_DEAD, (uint32_t)status, zygote_tag);
            return;
        }
        /* The end of a child is only let in here, so it cannot slip by. */
        if (ppoll(&control, 1, NULL, mask) <= 0)
            continue;
        if (read(FD_CONTROL, &c, sizeof c) != sizeof c) {
            kill(worker, SIGKILL);
            waitpid(worker, &status, 0); /* only then its CPU time counts as ours */
            _exit(0);
        }
        if (c.letter == COMMAND_KILL && c.worker == number)
            kill(worker, SIGKILL);
    }
}

int main(void)
{
    sigset_t child, before;
    pid_t self = getpid();
    set_up();
    signal(SIGCHLD, on_child);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    if (header->symfiles_at)
        signal(SIGINT, SIG_IGN); /* it is meant for the debugger */
    reply(REPLY_READY, 0, zygote_tag);
    for (uint32_t number = 0;; number++) {
        pid_t worker = fork();
        if (worker < 0)
            fail("fork");
        if (worker == 0)
            work(self);
        watch(worker, number, &before);
    }
}
