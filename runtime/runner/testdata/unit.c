/* The C sources' own test: calls every entry point on edge values, compares
 * with wider or library arithmetic, and catches panics. Built with the address
 * and undefined-behaviour sanitizers. Prints each failure; status 1 if any. */
#include "rok.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a host that remembers how a call ended ---- */

static char buffer[64], printed[1 << 12], message[512];
static size_t printed_len;
static int ending;
static jmp_buf back;
static int failures;

void rok_host_drain(void)
{
    size_t n = (size_t)(rok_out.cursor - rok_out.start);
    memcpy(printed + printed_len, rok_out.start, n);
    printed_len += n;
    rok_out.cursor = rok_out.start;
}

_Noreturn void rok_host_end(int how, const struct rok_piece *pieces, int count)
{
    size_t n = 0;
    rok_host_drain();
    for (int i = 0; i < count; i++) {
        memcpy(message + n, pieces[i].p, pieces[i].n);
        n += pieces[i].n;
    }
    message[n] = 0;
    ending = how;
    longjmp(back, 1);
}

static void expect(int ok, const char *what, long line)
{
    if (ok)
        return;
    failures++;
    printf("line %ld: %s; printed \"%.*s\", message \"%s\"\n", line, what, (int)printed_len, printed, message);
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

/* Runs a statement; what it printed and how it ended are then in the above. */
#define RUN(statement)                                                      \
    do {                                                                    \
        printed_len = 0;                                                    \
        message[0] = 0;                                                     \
        ending = ROK_END_RETURNED;                                          \
        rok_out = (struct rok_out){buffer, buffer, buffer + sizeof buffer}; \
        if (setjmp(back) == 0) {                                            \
            statement;                                                      \
        }                                                                   \
        rok_host_drain();                                                   \
        printed[printed_len] = 0;                                           \
    } while (0)

#define PRINTS(statement, text)                                           \
    do {                                                                  \
        RUN(statement);                                                   \
        expect(strcmp(printed, text) == 0, #statement, __LINE__);         \
    } while (0)

#define PANICS(statement, text)                                                              \
    do {                                                                                     \
        RUN(statement);                                                                      \
        expect(ending == ROK_END_PANICKED && strcmp(message, "panic: " text " at u.rok:7:8\n") == 0, \
               #statement, __LINE__);                                                        \
    } while (0)

/* ---- printing ---- */

static void test_print(void)
{
    char long_text[1000];
    PRINTS(mini_print_int(INT64_MIN), "-9223372036854775808\n");
    PRINTS(mini_print_int(0), "0\n");
    PRINTS(rok_print_i64(INT64_MAX), "9223372036854775807");
    PRINTS(rok_print_u64(UINT64_MAX), "18446744073709551615");
    PRINTS(rok_print_bool(0); rok_print_sep(); rok_print_bool(1); rok_print_nl(), "false true\n");
    PRINTS(rok_print_str(rok_empty, 0), "");
    PRINTS(rok_print_f64(0.1); rok_print_sep(); rok_print_f32(0.1f), "0.1 0.1");
    PRINTS(rok_print_f64(1e21); rok_print_sep(); rok_print_f64(1e20), "1e+21 100000000000000000000");
    PRINTS(rok_print_f64(-0.0); rok_print_sep(); rok_print_f64(-INFINITY); rok_print_f32(-NAN), "-0 -infNaN");
    PRINTS(rok_print_f64(-2.2250738585072014e-308), "-2.2250738585072014e-308");
    PRINTS(rok_print_f64(-0.0000012345678901234567), "-0.0000012345678901234567");
    memset(long_text, 'x', sizeof long_text);
    RUN(rok_print_str(long_text, sizeof long_text)); /* many times the buffer */
    EXPECT(printed_len == sizeof long_text && memcmp(printed, long_text, printed_len) == 0);
}

static void test_float_reads_back(void)
{
    uint64_t u = 88172645463325252u;
    for (int i = 0; i < 200000; i++) {
        char text[ROK_FLOAT_TEXT + 1];
        double x;
        float y;
        uint32_t half;
        u ^= u << 13, u ^= u >> 7, u ^= u << 17;
        memcpy(&x, &u, sizeof x);
        half = (uint32_t)u;
        memcpy(&y, &half, sizeof y);
        text[rok_f64_text(text, x)] = 0;
        expect(x != x || strtod(text, NULL) == x, text, __LINE__);
        text[rok_f32_text(text, y)] = 0;
        expect(y != y || strtof(text, NULL) == y, text, __LINE__);
    }
}

/* ---- arithmetic, against 128-bit arithmetic ---- */

typedef __int128 wide;

static const int64_t values[] = {
    0, 1, -1, 2, -2, 3, -3, 5, 7, -7, 10, 63, 64, 100, 127, -127, -128, 255, 32767, -32768, 65535,
    2147483647, -2147483648, 4294967295, 6700417, INT64_MAX, INT64_MAX - 1, INT64_MIN, INT64_MIN + 1,
};
#define VALUES (int)(sizeof values / sizeof *values)

static int negative(wide v)
{
    return v < 0;
}

static wide wide_pow(wide a, wide b, uint64_t mask)
{
    unsigned __int128 r = 1, base = (unsigned __int128)a & mask;
    if (b > 100000) { /* by parts, so that the loop ends */
        wide half = wide_pow(a, b / 2, mask);
        r = (unsigned __int128)half * (unsigned __int128)half & mask;
        return (wide)(b % 2 ? r * base & mask : r);
    }
    for (wide i = 0; i < b; i++)
        r = r * base & mask;
    return (wide)r;
}

#define TEST_ARITH(T, word, type, minimum)                                                \
    static void test_arith_##T(void)                                                      \
    {                                                                                     \
        for (volatile int i = 0; i < VALUES; i++) {                                       \
            for (volatile int j = 0; j < VALUES; j++) {                                   \
                type a = (type)values[i], b = (type)values[j];                            \
                volatile word r = 0;                                                      \
                if (b == 0) {                                                             \
                    PANICS(rok_div_##T(a, b, 7, 8), "division by zero");                  \
                    PANICS(rok_mod_##T(a, b, 7, 8), "division by zero");                  \
                } else if (negative(minimum) && a == (type)minimum && b == (type)-1) {    \
                    PANICS(rok_div_##T(a, b, 7, 8), "integer overflow");                  \
                    PANICS(rok_mod_##T(a, b, 7, 8), "integer overflow");                  \
                } else {                                                                  \
                    RUN(r = rok_div_##T(a, b, 7, 8));                                     \
                    EXPECT((wide)r == (wide)a / (wide)b);                                 \
                    RUN(r = rok_mod_##T(a, b, 7, 8));                                     \
                    EXPECT((wide)r == (wide)a % (wide)b);                                 \
                }                                                                         \
                if (negative(b)) {                                                        \
                    PANICS(rok_pow_##T(a, b, 7, 8), "negative exponent");                 \
                } else {                                                                  \
                    RUN(r = rok_pow_##T(a, b, 7, 8));                                     \
                    EXPECT(r == (word)(type)wide_pow(a, b, UINT64_MAX));                  \
                }                                                                         \
            }                                                                             \
        }                                                                                 \
    }

TEST_ARITH(i8, int64_t, int8_t, INT8_MIN)
TEST_ARITH(i16, int64_t, int16_t, INT16_MIN)
TEST_ARITH(i32, int64_t, int32_t, INT32_MIN)
TEST_ARITH(i64, int64_t, int64_t, INT64_MIN)
TEST_ARITH(u8, uint64_t, uint8_t, 0)
TEST_ARITH(u16, uint64_t, uint16_t, 0)
TEST_ARITH(u32, uint64_t, uint32_t, 0)
TEST_ARITH(u64, uint64_t, uint64_t, 0)

static void test_mini(void)
{
    volatile int64_t r = 0;
    RUN(r = mini_div(-7, 2, 7, 8));
    EXPECT(r == -3);
    RUN(r = mini_mod(-7, 2, 7, 8));
    EXPECT(r == -1);
    RUN(r = mini_pow(-2, 63, 7, 8));
    EXPECT(r == INT64_MIN);
    RUN(r = mini_pow(0, 0, 7, 8));
    EXPECT(r == 1);
    PANICS(mini_div(1, 0, 7, 8), "division by zero");
    PANICS(mini_mod(INT64_MIN, -1, 7, 8), "integer overflow");
    PANICS(mini_pow(2, INT64_MIN, 7, 8), "negative exponent");
}

/* ---- conversions, against long double, which holds all of both ---- */

static const double floats[] = {
    0, -0.0, 0.5, -0.5, 0.99999999999999989, -0.99999999999999989, 1, -1, 1.5, 126.9, 127, 127.5, 128, -128, -128.5, -129,
    255, 255.5, 256, 32767.9, 32768, -32768.9, -32769, 65535.9, 65536, 2147483647, 2147483647.5, 2147483648.0,
    -2147483648.5, -2147483649.0, 4294967295.5, 4294967296.0, 9007199254740993.0, 0x1p62, 0x1.fffffffffffffp62,
    0x1p63, -0x1p63, -0x1.0000000000001p63, 0x1.fffffffffffffp63, 0x1p64, 1e19, 1e30, -1e30, 1e308, -1e308,
    INFINITY, -INFINITY, NAN, 0x1p-1074, -0x1p-1074, 0x1p-149, 0x1.fffffep127,
};
#define FLOATS (int)(sizeof floats / sizeof *floats)

#define TEST_CONVERT(T, word, low, high)                                                         \
    static void test_convert_##T(void)                                                           \
    {                                                                                            \
        for (int i = 0; i < FLOATS; i++) {                                                       \
            long double d = truncl(floats[i]), f = truncl((float)floats[i]);                     \
            word of_d = d != d ? 0 : d < (long double)low ? low : d > (long double)high ? high : (word)d; \
            word of_f = f != f ? 0 : f < (long double)low ? low : f > (long double)high ? high : (word)f; \
            EXPECT(rok_f64_to_##T(floats[i]) == of_d);                                           \
            EXPECT(rok_f32_to_##T((float)floats[i]) == of_f);                                    \
        }                                                                                        \
    }

TEST_CONVERT(i8, int64_t, INT8_MIN, INT8_MAX)
TEST_CONVERT(i16, int64_t, INT16_MIN, INT16_MAX)
TEST_CONVERT(i32, int64_t, INT32_MIN, INT32_MAX)
TEST_CONVERT(i64, int64_t, INT64_MIN, INT64_MAX)
TEST_CONVERT(u8, uint64_t, 0, UINT8_MAX)
TEST_CONVERT(u16, uint64_t, 0, UINT16_MAX)
TEST_CONVERT(u32, uint64_t, 0, UINT32_MAX)
TEST_CONVERT(u64, uint64_t, 0, UINT64_MAX)

static void test_u64_to_float(void)
{
    EXPECT(rok_u64_to_f64(UINT64_MAX) == 0x1p64);
    EXPECT(rok_u64_to_f64(0x8000000000000400) == 0x1p63); /* a tie goes to even */
    EXPECT(rok_u64_to_f64(0x8000000000000401) == 0x1.0000000000001p63);
    /* Through f64 this would become a tie and lose its last unit. */
    EXPECT(rok_u64_to_f32(0x8000008000000001) == 0x1.000002p63f);
    EXPECT(rok_u64_to_f32(0x0020000020000001) == 0x1.000002p53f);
    for (int shift = 0; shift < 64; shift++) {
        for (int delta = -3; delta <= 3; delta++) {
            uint64_t v = (UINT64_C(0x8000008000000000) >> shift) + (uint64_t)delta;
            EXPECT(rok_u64_to_f64(v) == (double)(long double)v);
            EXPECT(rok_u64_to_f32(v) == (float)(long double)v);
        }
    }
}

/* Equal with sign of zero; NaN equals NaN. */
static int same(double x, double y)
{
    return x != x ? y != y : x == y && signbit(x) == signbit(y);
}

static void test_fmod(void)
{
    uint64_t u = 88172645463325252u;
    for (int i = 0; i < FLOATS; i++) {
        for (int j = 0; j < FLOATS; j++) {
            EXPECT(same(rok_fmod_f64(floats[i], floats[j]), fmod(floats[i], floats[j])));
            EXPECT(same(rok_fmod_f32((float)floats[i], (float)floats[j]), fmodf((float)floats[i], (float)floats[j])));
        }
    }
    for (int i = 0; i < 100000; i++) {
        double x, y;
        u ^= u << 13, u ^= u >> 7, u ^= u << 17;
        memcpy(&x, &u, sizeof x);
        u ^= u << 13, u ^= u >> 7, u ^= u << 17;
        memcpy(&y, &u, sizeof y);
        EXPECT(same(rok_fmod_f64(x, y), fmod(x, y)));
        EXPECT(same(rok_fmod_f32((float)x, (float)y), fmodf((float)x, (float)y)));
    }
}

/* ---- strings ---- */

static void test_str(void)
{
    static const char s[] = "abc\xff", t[] = "abc\x01z";
    struct rok_str r = {NULL, 0};
    volatile uint64_t byte = 0;
    EXPECT(rok_str_eq(s, 3, t, 3) == 1 && rok_str_eq(s, 4, t, 4) == 0 && rok_str_eq(s, 3, t, 4) == 0);
    EXPECT(rok_str_eq(rok_empty, 0, rok_empty, 0) == 1 && rok_str_eq(rok_empty, 0, s, 1) == 0);
    EXPECT(rok_str_cmp(s, 3, t, 3) == 0 && rok_str_cmp(s, 3, t, 4) == -1 && rok_str_cmp(s, 4, t, 3) == 1);
    EXPECT(rok_str_cmp(s, 4, t, 5) == 1 && rok_str_cmp(t, 5, s, 4) == -1); /* 0xff > 0x01 */
    EXPECT(rok_str_cmp(rok_empty, 0, s, 1) == -1 && rok_str_cmp(rok_empty, 0, rok_empty, 0) == 0);
    RUN(byte = rok_str_index(s, 4, 3, 7, 8));
    EXPECT(byte == 0xff);
    PANICS(rok_str_index(s, 4, 4, 7, 8), "index out of bounds: the length is 4 but the index is 4");
    PANICS(rok_str_index(s, 4, -1, 7, 8), "index out of bounds: the length is 4 but the index is -1");
    PANICS(rok_str_index(rok_empty, 0, 0, 7, 8), "index out of bounds: the length is 0 but the index is 0");
    RUN(r = rok_str_slice(s, 4, 1, 4, 7, 8));
    EXPECT(r.data == s + 1 && r.length == 3);
    RUN(r = rok_str_slice(s, 4, 0, 4, 7, 8));
    EXPECT(r.data == s && r.length == 4);
    RUN(r = rok_str_slice(s, 4, 4, 4, 7, 8));
    EXPECT(r.data == rok_empty && r.length == 0);
    RUN(r = rok_str_slice(s, 4, 2, 2, 7, 8));
    EXPECT(r.data == rok_empty && r.length == 0);
    PANICS(rok_str_slice(s, 4, 5, 5, 7, 8), "index out of bounds: the length is 4 but the index is 5");
    PANICS(rok_str_slice(s, 4, -1, 9, 7, 8), "index out of bounds: the length is 4 but the index is -1");
    PANICS(rok_str_slice(s, 4, 2, 1, 7, 8), "index out of bounds: the length is 4 but the index is 1");
    PANICS(rok_str_slice(s, 4, 2, 5, 7, 8), "index out of bounds: the length is 4 but the index is 5");
    PANICS(rok_str_slice(s, 4, 0, INT64_MIN, 7, 8), "index out of bounds: the length is 4 but the index is -9223372036854775808");
}

/* ---- panics, polls, checks ---- */

static void test_panics(const struct rok_module *module)
{
    PANICS(rok_panic("no", 2, 7, 8), "no");
    PANICS(rok_panic(rok_empty, 0, 7, 8), "");
    PANICS(rok_panic_bounds(-3, INT64_MIN, 7, 8), "index out of bounds: the length is -3 but the index is -9223372036854775808");
    PANICS(rok_print_i64(12); rok_panic("no", 2, 7, 8), "no");
    EXPECT(strcmp(printed, "12") == 0);
    rok_thread_start(NULL, NULL, 0);
    RUN(rok_panic("no", 2, INT64_MIN, INT64_MIN)); /* without a module, with the longest numbers */
    EXPECT(strcmp(message, "panic: no at ?:-9223372036854775808:-9223372036854775808\n") == 0);
    RUN(rok_misaligned("rok_x", (void *)UINT64_C(0xfedcba9876543210)));
    EXPECT(ending == ROK_END_MISALIGNED &&
           strcmp(message, "rokrig: stack misaligned at call to rok_x at 0xfedcba9876543210\n") == 0);
    rok_thread_start(module, NULL, 0);
    RUN(rok_misaligned("rok_x", (void *)100));
    EXPECT(strcmp(message, "rokrig: stack misaligned at call to rok_x at u.rok:5:6\n") == 0);
}

static void test_polls(const struct rok_module *module)
{
    rok_thread_start(module, NULL, 1);
    EXPECT(rok_tls.yield_flag == 1);
    rok_runtime_yield();
    EXPECT(rok_tls.yield_flag == 1 && rok_tls.poll_count == 1);
    rok_thread_start(module, NULL, 0);
    EXPECT(rok_tls.yield_flag == 0 && rok_tls.poll_count == 0);
    rok_tls.yield_flag = 1;
    rok_runtime_yield();
    EXPECT(rok_tls.yield_flag == 0 && rok_tls.poll_count == 1);
}

#if ROK_CHECK
#define REFUSES(statement, start)                                                              \
    do {                                                                                       \
        RUN(statement);                                                                        \
        expect(ending == ROK_END_CHECK_FAILED && strncmp(message, start, strlen(start)) == 0,  \
               #statement, __LINE__);                                                          \
    } while (0)

static void test_checks(void)
{
    REFUSES(rok_print_bool(2), "rokrig: check failed: bool neither 0 nor 1 in call to rok_print_bool at 0x");
    REFUSES(rok_print_str("", 0), "rokrig: check failed: malformed str in call to rok_print_str at 0x");
    REFUSES(rok_print_str("x", -1), "rokrig: check failed: malformed str");
    REFUSES(rok_print_str(NULL, 1), "rokrig: check failed: malformed str");
    REFUSES(rok_div_i8(128, 1, 7, 8), "rokrig: check failed: operand not normalised in call to rok_div_i8");
    REFUSES(rok_mod_u32(1, UINT64_C(1) << 32, 7, 8), "rokrig: check failed: operand not normalised");
}
#endif

int main(void)
{
    static const struct rok_call calls[] = {{.return_address = 1}, {.return_address = 100, .line = 5, .column = 6}};
    static const struct rok_module module = {.file = "u.rok", .file_len = 5, .calls = calls, .call_count = 2};
    rok_thread_start(&module, NULL, 0);
    test_print();
    test_float_reads_back();
    test_arith_i8(), test_arith_i16(), test_arith_i32(), test_arith_i64();
    test_arith_u8(), test_arith_u16(), test_arith_u32(), test_arith_u64();
    test_mini();
    test_convert_i8(), test_convert_i16(), test_convert_i32(), test_convert_i64();
    test_convert_u8(), test_convert_u16(), test_convert_u32(), test_convert_u64();
    test_u64_to_float();
    test_fmod();
    test_str();
    test_panics(&module);
    test_polls(&module);
#if ROK_CHECK
    test_checks();
#endif
    printf("%d failures\n", failures);
    return failures != 0;
}
