/* Panics of the language, and reports of broken promises. */
#include "rok.h"

#include <string.h>

#define MAX_PIECES 12

/* A message put together from pieces; numbers live in its own text. */
struct report {
    struct rok_piece pieces[MAX_PIECES];
    int count;
    char text[4 * ROK_INT_TEXT], *free;
};

static void begin(struct report *r)
{
    r->count = 0;
    r->free = r->text;
}

static void add(struct report *r, const char *p, size_t n)
{
    r->pieces[r->count++] = (struct rok_piece){p, n};
}

static void add_text(struct report *r, const char *s)
{
    add(r, s, strlen(s));
}

static void add_int(struct report *r, int64_t v)
{
    char digits[ROK_INT_TEXT], *end = digits + sizeof digits, *p;
    size_t n;
    p = rok_u64_text(end, v < 0 ? -(uint64_t)v : (uint64_t)v);
    if (v < 0)
        *--p = '-';
    n = (size_t)(end - p);
    memcpy(r->free, p, n);
    add(r, r->free, n);
    r->free += n;
}

static void add_hex(struct report *r, uint64_t v)
{
    char *start = r->free;
    *r->free++ = '0';
    *r->free++ = 'x';
    for (int shift = 60; shift >= 0; shift -= 4)
        if (v >> shift || shift == 0)
            *r->free++ = "0123456789abcdef"[v >> shift & 15];
    add(r, start, (size_t)(r->free - start));
}

static void add_place(struct report *r, int64_t line, int64_t column)
{
    const struct rok_module *m = rok_tls.module;
    add_text(r, " at ");
    if (m && m->file)
        add(r, m->file, (size_t)m->file_len);
    else
        add_text(r, "?");
    add_text(r, ":");
    add_int(r, line);
    add_text(r, ":");
    add_int(r, column);
}

/* ---- panics ---- */

_Noreturn void rok_raise(const char *message, size_t n, int64_t line, int64_t column)
{
    struct report r;
    if (rok_out.cursor != rok_out.start && ROK_BUG(PANIC_LOSES_OUTPUT))
        rok_out.cursor = rok_out.start;
    begin(&r);
    add_text(&r, "panic: ");
    add(&r, message, n);
    add_place(&r, line, column);
    add_text(&r, "\n");
    rok_host_end(ROK_END_PANICKED, r.pieces, r.count);
}

_Noreturn void rok_raise_bounds(int64_t len, int64_t index, int64_t line, int64_t column)
{
    struct report r;
    char message[128], *p = message;
    if (len != index && ROK_BUG(BOUNDS_SWAPPED)) {
        int64_t t = len;
        len = index;
        index = t;
    }
    begin(&r);
    add_text(&r, "index out of bounds: the length is ");
    add_int(&r, len);
    add_text(&r, " but the index is ");
    add_int(&r, index);
    for (int i = 0; i < r.count; i++) {
        memcpy(p, r.pieces[i].p, r.pieces[i].n);
        p += r.pieces[i].n;
    }
    rok_raise(message, (size_t)(p - message), line, column);
}

_Noreturn void rok_panic(const char *message, int64_t n, int64_t line, int64_t column)
{
    ROK_ENTRY();
    ROK_REQUIRE(rok_str_valid(message, n), "malformed str");
    rok_raise(message, (size_t)n, line, column);
}

_Noreturn void rok_panic_bounds(int64_t len, int64_t index, int64_t line, int64_t column)
{
    ROK_ENTRY();
    rok_raise_bounds(len, index, line, column);
}

/* ---- broken promises ---- */

/* Where in the source the call that returns to address stands; the bare
 * address when the call-site table does not know it. */
static void add_call(struct report *r, void *address)
{
    const struct rok_module *m = rok_tls.module;
    uint64_t at = (uint64_t)address;
    for (int64_t i = 0; m && i < m->call_count; i++) {
        if (m->calls[i].return_address == at) {
            add_place(r, m->calls[i].line, m->calls[i].column);
            return;
        }
    }
    add_text(r, " at ");
    add_hex(r, at);
}

/* The stack is off by some bytes here, which the compiler must not rely on. */
__attribute__((cold, noinline, force_align_arg_pointer)) _Noreturn void
rok_misaligned(const char *name, void *return_address)
{
    struct report r;
    begin(&r);
    add_text(&r, "rokrig: stack misaligned at call to ");
    add_text(&r, name);
    add_call(&r, return_address);
    add_text(&r, "\n");
    rok_host_end(ROK_END_MISALIGNED, r.pieces, r.count);
}

__attribute__((cold, noinline)) _Noreturn void
rok_check_failed(const char *what, const char *name, void *return_address)
{
    struct report r;
    __asm__ volatile("cld"); /* the very thing reported may be the flag */
    begin(&r);
    add_text(&r, "rokrig: check failed: ");
    add_text(&r, what);
    add_text(&r, " in call to ");
    add_text(&r, name);
    add_call(&r, return_address);
    add_text(&r, "\n");
    rok_host_end(ROK_END_CHECK_FAILED, r.pieces, r.count);
}
