/* The host of ordinary executables: main, the program's stack, standard output
 * and the ways to end. */
#include "rok.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BUFFER_SIZE (1 << 16)
#define SIGNAL_STACK_SIZE (1 << 16)

void rok_main(void);
extern const struct rok_module rok_module;

static char buffer[BUFFER_SIZE];
static char signal_stack[SIGNAL_STACK_SIZE];

/* Writes it all; returns 0 or an errno. */
static int write_all(int fd, const char *p, size_t n)
{
    while (n) {
        ssize_t done = write(fd, p, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return errno;
        p += done;
        n -= (size_t)done;
    }
    return 0;
}

static void complain(const char *s)
{
    /* Nothing is left to be done if standard error is gone as well. */
    (void)write_all(STDERR_FILENO, s, strlen(s));
}

/* Empties the buffer into standard output; 0 if that failed. */
static int flush(void)
{
    int err = write_all(STDOUT_FILENO, rok_out.start, (size_t)(rok_out.cursor - rok_out.start));
    rok_out.cursor = rok_out.start;
#if ROK_CHECK
    memset(buffer, 0xa5, sizeof buffer); /* stale text must not look like output */
#endif
    if (!err)
        return 1;
    complain("rokrig: cannot write output: ");
    complain(strerror(err));
    complain("\n");
    return 0;
}

void rok_host_drain(void)
{
    if (!flush())
        _exit(ROK_STATUS_WRITE_FAILED);
}

static int status_of(int ending)
{
    switch (ending) {
    case ROK_END_RETURNED:
        return ROK_STATUS_RETURNED;
    case ROK_END_PANICKED:
        return ROK_STATUS_PANICKED;
    case ROK_END_MISALIGNED:
        return ROK_STATUS_MISALIGNED;
    case ROK_END_STACK_OVERFLOW:
        return ROK_STATUS_STACK_OVERFLOW;
    }
    return ROK_STATUS_CHECK_FAILED;
}

_Noreturn void rok_host_end(int ending, const struct rok_piece *pieces, int count)
{
    int written = flush();
    for (int i = 0; i < count; i++)
        (void)write_all(STDERR_FILENO, pieces[i].p, pieces[i].n);
    /* Lost output outweighs how the program ended: its reader must not take
     * what there is for everything. */
    _exit(written ? status_of(ending) : ROK_STATUS_WRITE_FAILED);
}

/* ---- the program's stack ---- */

static void on_fault(int sig, siginfo_t *info, void *context)
{
    static const struct rok_piece message = {"rokrig: out of stack\n", 21};
    char *at = info->si_addr, *lowest = rok_tls.stack_lowest;
    (void)context;
    if (lowest && at >= lowest - ROK_STACK_GUARD && at < lowest)
        rok_host_end(ROK_END_STACK_OVERFLOW, &message, 1);
    /* Not ours: let the fault happen again with its usual consequence. */
    signal(sig, SIG_DFL);
}

static void catch_overflow(void)
{
    stack_t alternate = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&alternate, NULL);
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);
}

/* The lowest usable address of a fresh stack, or null. */
static char *make_stack(void)
{
    char *p = mmap(NULL, ROK_STACK_GUARD + ROK_STACK_SIZE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED || mprotect(p, ROK_STACK_GUARD, PROT_NONE) != 0)
        return NULL;
    return p + ROK_STACK_GUARD;
}

/* Calls f with rsp = top, a multiple of 16. */
void rok_call_on_stack(void (*f)(void), char *top);
__asm__(".text\n"
        ".type rok_call_on_stack, @function\n"
        "rok_call_on_stack:\n"
        "    push %rbp\n"
        "    mov %rsp, %rbp\n"
        "    mov %rsi, %rsp\n"
        "    call *%rdi\n"
        "    mov %rbp, %rsp\n"
        "    pop %rbp\n"
        "    ret\n"
        ".size rok_call_on_stack, . - rok_call_on_stack\n");

#if ROK_MUTANT
/* ROK_MUTANT in the environment names the deliberate bug. */
static void choose_mutant(void)
{
    static const char *const names[] = {ROK_MUTANT_NAMES};
    const char *name = getenv("ROK_MUTANT");
    if (!name)
        return;
    for (int i = 0; i < ROK_MUTANT_COUNT; i++) {
        if (strcmp(name, names[i]) == 0) {
            rok_mutant = i;
            return;
        }
    }
    complain("rokrig: ROK_MUTANT names no runtime mutant\n");
    _exit(ROK_STATUS_SETUP);
}
#endif

int main(void)
{
    char *lowest = make_stack();
    if (!lowest) {
        complain("rokrig: no memory for the stack\n");
        return ROK_STATUS_SETUP;
    }
#if ROK_MUTANT
    choose_mutant();
#endif
    catch_overflow();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a write error like any other */
    rok_out = (struct rok_out){buffer, buffer, buffer + sizeof buffer};
    rok_thread_start(&rok_module, lowest, 0);
    rok_call_on_stack(rok_main, lowest + ROK_STACK_SIZE);
    rok_host_end(ROK_END_RETURNED, NULL, 0);
}
