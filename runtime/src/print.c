/* Printing. Text goes into a buffer that the host empties; print is never a
 * safepoint. */
#include "rok.h"

#include <string.h>

_Thread_local struct rok_out rok_out __attribute__((tls_model("local-exec")));

void rok_out_bytes(const char *p, size_t n)
{
    size_t room;
    while (n > (room = (size_t)(rok_out.limit - rok_out.cursor))) {
        memcpy(rok_out.cursor, p, room);
        rok_out.cursor += room;
        p += room;
        n -= room;
        rok_host_drain();
    }
    memcpy(rok_out.cursor, p, n);
    rok_out.cursor += n;
}

char *rok_u64_text(char *end, uint64_t u)
{
    do {
        *--end = (char)('0' + u % 10);
        u /= 10;
    } while (u);
    return end;
}

/* Prints v, then the suffix unless it is 0. */
static void print_i64(int64_t v, char suffix)
{
    char text[ROK_INT_TEXT + 1], *end = text + ROK_INT_TEXT, *p;
    /* The magnitude of the smallest value only exists unsigned. */
    p = rok_u64_text(end, v < 0 ? -(uint64_t)v : (uint64_t)v);
    if (v < 0 && !(v == INT64_MIN && ROK_BUG(PRINT_DROPS_MINUS)))
        *--p = '-';
    if (suffix)
        *end++ = suffix;
    rok_out_bytes(p, (size_t)(end - p));
}

void mini_print_int(int64_t v)
{
    ROK_ENTRY();
    print_i64(v, '\n');
}

void rok_print_i64(int64_t v)
{
    ROK_ENTRY();
    print_i64(v, 0);
}

void rok_print_u64(uint64_t v)
{
    char text[ROK_INT_TEXT], *p;
    ROK_ENTRY();
    p = rok_u64_text(text + sizeof text, v);
    rok_out_bytes(p, (size_t)(text + sizeof text - p));
}

void rok_print_f32(float x)
{
    char text[ROK_FLOAT_TEXT];
    ROK_ENTRY();
    rok_out_bytes(text, rok_f32_text(text, x));
}

void rok_print_f64(double x)
{
    char text[ROK_FLOAT_TEXT];
    ROK_ENTRY();
    rok_out_bytes(text, rok_f64_text(text, x));
}

void rok_print_bool(uint64_t b)
{
    ROK_ENTRY();
    ROK_REQUIRE(b <= 1, "bool neither 0 nor 1");
    if (b)
        rok_out_bytes("true", 4);
    else
        rok_out_bytes("false", 5);
}

void rok_print_str(const char *p, int64_t n)
{
    ROK_ENTRY();
    ROK_REQUIRE(rok_str_valid(p, n), "malformed str");
    rok_out_bytes(p, (size_t)n);
}

void rok_print_sep(void)
{
    ROK_ENTRY();
    rok_out_bytes(" ", 1);
}

void rok_print_nl(void)
{
    ROK_ENTRY();
    rok_out_bytes("\n", 1);
}
