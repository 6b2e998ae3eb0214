/* Strings: immutable bytes, (data pointer, length). */
#include "rok.h"

#include <string.h>

const char rok_empty[ROK_STACK_ALIGN] __attribute__((aligned(16)));

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

uint64_t rok_str_eq(const char *p, int64_t n, const char *q, int64_t m)
{
    ROK_ENTRY();
    ROK_REQUIRE(rok_str_valid(p, n) && rok_str_valid(q, m), "malformed str");
    if (n != m && !ROK_BUG(STR_EQ_LENGTH))
        return 0;
    return memcmp(p, q, (size_t)smaller(n, m)) == 0;
}

static int64_t sign(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Deliberate bug: order by signed bytes. */
static int64_t compare_signed(const char *p, const char *q, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (p[i] != q[i])
            return sign((signed char)p[i], (signed char)q[i]);
    return 0;
}

int64_t rok_str_cmp(const char *p, int64_t n, const char *q, int64_t m)
{
    int64_t order, common = smaller(n, m);
    ROK_ENTRY();
    ROK_REQUIRE(rok_str_valid(p, n) && rok_str_valid(q, m), "malformed str");
    order = memcmp(p, q, (size_t)common);
    if (order && ROK_BUG(STR_CMP_SIGNED))
        return compare_signed(p, q, common);
    if (order && sign(order, 0) != sign(n, m) && n != m && ROK_BUG(STR_CMP_LENGTH_FIRST))
        return sign(n, m);
    if (order)
        return sign(order, 0);
    if (n != m && ROK_BUG(STR_CMP_PREFIX))
        return 0;
    return sign(n, m);
}

uint64_t rok_str_index(const char *p, int64_t n, int64_t i, int64_t line, int64_t column)
{
    ROK_ENTRY();
    ROK_REQUIRE(rok_str_valid(p, n), "malformed str");
    if (i < 0 || i >= n) {
        if (!(i == n && ROK_BUG(STR_INDEX_AT_LENGTH)))
            rok_raise_bounds(n, i, line, column);
    }
    return (unsigned char)p[i];
}

/* The first bound has to lie in 0..=n, the second in a..=n; the panic names
 * the first one that does not. */
struct rok_str rok_str_slice(const char *p, int64_t n, int64_t a, int64_t b, int64_t line,
                             int64_t column)
{
    ROK_ENTRY();
    ROK_REQUIRE(rok_str_valid(p, n), "malformed str");
    if (a < 0 || a > n)
        rok_raise_bounds(n, a != b && ROK_BUG(STR_SLICE_SECOND_BOUND) ? b : a, line, column);
    if (b < a || b > n) {
        if (!(b == n + 1 && ROK_BUG(STR_SLICE_PAST_END)))
            rok_raise_bounds(n, b, line, column);
    }
    /* One past the end of a heap string is its neighbour's header, so an
     * empty slice must not point there. */
    if (a == b)
        return (struct rok_str){rok_empty, 0};
    return (struct rok_str){p + a, b - a};
}
