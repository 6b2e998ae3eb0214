/* Tries the kernel features that running compiled programs needs, each in a
 * child process of its own, and prints one line for each:
 *
 *     name <tab> ok|failed <tab> what was found, or why it failed
 *
 * Features are tried the way runtime/src/runner.c uses them. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REGION ((void *)0x60000000)
#define REGION_SIZE (64 << 20)
#define SIGNAL_STACK_SIZE (64 << 10)

static const char *current;

static _Noreturn void done(const char *state, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    printf("%s\t%s\t%s\n", current, state, text);
    fflush(stdout);
    _exit(0);
}

static _Noreturn void failed(const char *call)
{
    done("failed", "%s: %s", call, strerror(errno));
}

static int memory_file(size_t size)
{
    int fd = memfd_create("rokrig-probe", MFD_CLOEXEC);
    if (fd < 0)
        failed("memfd_create");
    if (ftruncate(fd, (off_t)size) != 0)
        failed("ftruncate");
    return fd;
}

static void try_memfd(void)
{
    char byte = 'x', back = 0;
    int fd = memory_file(1);
    if (pwrite(fd, &byte, 1, 0) != 1 || pread(fd, &back, 1, 0) != 1)
        failed("write and read");
    if (back != byte)
        done("failed", "read something else than was written");
    done("ok", "");
}

/* One file, written through one mapping and executed through another. */
static void try_execute(void)
{
    static const unsigned char code[] = {0xb8, 0x2a, 0, 0, 0, 0xc3}; /* mov $42, %eax; ret */
    int fd = memory_file(REGION_SIZE);
    char *w = mmap(NULL, REGION_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (w == MAP_FAILED)
        failed("mmap rw-");
    void *x = mmap(REGION, REGION_SIZE, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
    if (x == MAP_FAILED)
        failed("mmap r-x");
    memcpy(w, code, sizeof code);
    int got = ((int (*)(void))x)();
    if (got != 42)
        done("failed", "code returned %d instead of 42", got);
    done("ok", "at %p", x);
}

static void try_fork(void)
{
    int status;
    pid_t child = fork();
    if (child < 0)
        failed("fork");
    if (child == 0)
        _exit(7);
    if (waitpid(child, &status, 0) != child)
        failed("waitpid");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 7)
        done("failed", "the child's status is %#x", status);
    done("ok", "");
}

static sigjmp_buf recover;

static void leave(int sig)
{
    (void)sig;
    siglongjmp(recover, 1);
}

static void handle(int sig, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    if (sigaction(sig, &action, NULL) != 0)
        failed("sigaction");
}

static volatile char *volatile no_memory;

/* Two faults one after the other: the first must not leave the signal blocked. */
static void try_recover(void)
{
    stack_t alternate = {.ss_sp = malloc(SIGNAL_STACK_SIZE), .ss_size = SIGNAL_STACK_SIZE};
    if (sigaltstack(&alternate, NULL) != 0)
        failed("sigaltstack");
    handle(SIGSEGV, leave, SA_ONSTACK | SA_NODEFER);
    for (volatile int i = 0; i < 2; i++) {
        if (sigsetjmp(recover, 0) == 0) {
            *no_memory = 1;
            done("failed", "a store to address 0 went through");
        }
    }
    done("ok", "");
}

static volatile sig_atomic_t ticks;

static void tick(int sig)
{
    (void)sig;
    ticks++;
}

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The watchdog: a signal for every 5 ms of CPU time. */
static void try_timer(void)
{
    struct itimerval every = {{0, 5000}, {0, 5000}};
    double begun = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID);
    handle(SIGPROF, tick, SA_RESTART);
    if (setitimer(ITIMER_PROF, &every, NULL) != 0)
        failed("setitimer");
    while (ticks < 3)
        if (now(CLOCK_MONOTONIC) - begun > 20)
            done("failed", "%d signals in 20 s", (int)ticks);
    done("ok", "a signal every %.0f ms of CPU time", (now(CLOCK_THREAD_CPUTIME_ID) - cpu) / 3 * 1e3);
}

/* The runner must not outlive who started it. */
static void try_parent_death(void)
{
    int ready[2], gone[2];
    char byte;
    if (pipe(ready) != 0 || pipe(gone) != 0)
        failed("pipe");
    pid_t parent = fork();
    if (parent < 0)
        failed("fork");
    if (parent == 0) {
        if (fork() == 0) {
            if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
                _exit(1);
            if (write(ready[1], "x", 1) != 1)
                _exit(1);
            sleep(20); /* holds the write end of gone open until killed */
            _exit(0);
        }
        close(ready[1]);
        _exit(read(ready[0], &byte, 1) == 1 ? 0 : 1);
    }
    int status;
    double begun = now(CLOCK_MONOTONIC);
    close(gone[1]);
    if (waitpid(parent, &status, 0) != parent)
        failed("waitpid");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        done("failed", "prctl(PR_SET_PDEATHSIG) is refused");
    if (read(gone[0], &byte, 1) != 0)
        failed("read");
    if (now(CLOCK_MONOTONIC) - begun > 19)
        done("failed", "the orphan was not ended");
    done("ok", "");
}

/* A filter under which getppid is trapped and everything else goes on. */
static void try_seccomp(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    handle(SIGSYS, leave, SA_NODEFER);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        failed("prctl(PR_SET_NO_NEW_PRIVS)");
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        failed("prctl(PR_SET_SECCOMP)");
    if (sigsetjmp(recover, 0) == 0) {
        syscall(SYS_getppid);
        done("failed", "a forbidden system call went through");
    }
    done("ok", "");
}

static void try_perf(void)
{
    struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE, .size = sizeof attr,
                                   .config = PERF_COUNT_HW_INSTRUCTIONS,
                                   .exclude_kernel = 1, .exclude_hv = 1};
    unsigned long long count = 0;
    int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
    if (fd < 0)
        failed("perf_event_open");
    for (volatile int i = 0; i < 1000000; i++)
        ;
    if (read(fd, &count, sizeof count) != sizeof count)
        failed("read");
    if (count < 1000000)
        done("failed", "counted %llu instructions where at least 1000000 ran", count);
    done("ok", "");
}

static const struct {
    const char *name;
    void (*attempt)(void);
} features[] = {
    {"memfd_create", try_memfd},
    {"shared r-x mapping", try_execute},
    {"fork", try_fork},
    {"fault recovery", try_recover},
    {"CPU timer", try_timer},
    {"parent-death signal", try_parent_death},
    {"seccomp", try_seccomp},
    {"perf counters", try_perf},
};

int main(void)
{
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        int status;
        current = features[i].name;
        pid_t child = fork();
        if (child == 0) {
            features[i].attempt();
            done("failed", "no result");
        }
        if (child < 0)
            printf("%s\tfailed\tfork: %s\n", current, strerror(errno));
        else if (waitpid(child, &status, 0) == child && WIFSIGNALED(status))
            printf("%s\tfailed\tended by signal %d (%s)\n", current, WTERMSIG(status), strsignal(WTERMSIG(status)));
        fflush(stdout);
    }
    return 0;
}
