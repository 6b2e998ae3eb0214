/* Conversions between integers and floats, and the float remainder. */
#include "rok.h"

#include <string.h>
#include <emmintrin.h>

/* Truncates toward zero and saturates; NaN gives 0. 2^63 and 2^64 are exact
 * as doubles, the largest i64 and u64 are not. */
static int64_t f64_to_i64(double x)
{
    if (x != x)
        return 0;
    if (x >= 0x1p63)
        return INT64_MAX;
    if (x < -0x1p63)
        return INT64_MIN;
    return (int64_t)x;
}

static uint64_t f64_to_u64(double x)
{
    if (!(x > 0))
        return 0;
    if (x >= 0x1p64)
        return UINT64_MAX;
    return (uint64_t)x;
}

/* Deliberate bug: the bare machine instruction, cut to the width. */
static int64_t bare(double x)
{
    return _mm_cvttsd_si64(_mm_set_sd(x));
}

/* Every f32 is an f64, so both share the code. Narrow types clamp the wide
 * result: a value beyond 64 bits is clamped twice. */
#define TO_INT(name, from, word, type, converted)                \
    word name(from x)                                            \
    {                                                            \
        word v;                                                  \
        ROK_ENTRY();                                             \
        v = converted;                                           \
        if ((word)(type)bare(x) != v && ROK_BUG(FLOAT_TO_INT_WRAPS)) \
            return (type)bare(x);                                \
        return v;                                                \
    }

static inline int64_t clamp_signed(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

static inline uint64_t clamp_unsigned(uint64_t v, uint64_t high)
{
    return v > high ? high : v;
}

#define TO_SIGNED(T, type, low, high)                                                        \
    TO_INT(rok_f32_to_##T, float, int64_t, type, clamp_signed(f64_to_i64(x), low, high))     \
    TO_INT(rok_f64_to_##T, double, int64_t, type, clamp_signed(f64_to_i64(x), low, high))

#define TO_UNSIGNED(T, type, high)                                                           \
    TO_INT(rok_f32_to_##T, float, uint64_t, type, clamp_unsigned(f64_to_u64(x), high))       \
    TO_INT(rok_f64_to_##T, double, uint64_t, type, clamp_unsigned(f64_to_u64(x), high))

TO_SIGNED(i8, int8_t, INT8_MIN, INT8_MAX)
TO_SIGNED(i16, int16_t, INT16_MIN, INT16_MAX)
TO_SIGNED(i32, int32_t, INT32_MIN, INT32_MAX)
TO_SIGNED(i64, int64_t, INT64_MIN, INT64_MAX)
TO_UNSIGNED(u8, uint8_t, UINT8_MAX)
TO_UNSIGNED(u16, uint16_t, UINT16_MAX)
TO_UNSIGNED(u32, uint32_t, UINT32_MAX)
TO_UNSIGNED(u64, uint64_t, UINT64_MAX)

/* The processor only converts signed words. Halving a large one with its lost
 * bit kept sticky lets the one rounding of the conversion see it. */
double rok_u64_to_f64(uint64_t v)
{
    ROK_ENTRY();
    if (v >> 63)
        return (double)(int64_t)(v >> 1 | (v & 1)) * 2;
    return (double)(int64_t)v;
}

float rok_u64_to_f32(uint64_t v)
{
    float once;
    ROK_ENTRY();
    if (v >> 63)
        once = (float)(int64_t)(v >> 1 | (v & 1)) * 2;
    else
        once = (float)(int64_t)v;
    if ((float)(double)v != once && ROK_BUG(U64_TO_F32_TWICE))
        return (float)(double)v;
    return once;
}

/* ---- exact remainder ---- */

#define F64_FRACTION_BITS 52
#define F64_EXPONENT_MAX 0x7ff
#define F64_HIDDEN (UINT64_C(1) << F64_FRACTION_BITS)

static uint64_t bits_of(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

/* A finite positive double is significand * 2^(exponent - 1075). */
struct parts {
    uint64_t significand;
    int exponent; /* from 1 */
};

static struct parts split(uint64_t magnitude)
{
    int e = (int)(magnitude >> F64_FRACTION_BITS);
    uint64_t f = magnitude & (F64_HIDDEN - 1);
    return e ? (struct parts){f | F64_HIDDEN, e} : (struct parts){f, 1};
}

static double join(uint64_t significand, int exponent, uint64_t sign)
{
    double x;
    uint64_t u;
    if (significand == 0) {
        u = sign;
    } else {
        /* Normalise, but not below the smallest exponent. */
        int shift = __builtin_clzll(significand) - (63 - F64_FRACTION_BITS);
        if (shift >= exponent)
            shift = exponent - 1;
        significand <<= shift;
        exponent -= shift;
        if (significand & F64_HIDDEN)
            u = sign | (uint64_t)exponent << F64_FRACTION_BITS | (significand & (F64_HIDDEN - 1));
        else
            u = sign | significand;
    }
    memcpy(&x, &u, sizeof x);
    return x;
}

/* x - y * trunc(x / y), exact, with x's sign. Long division of significands:
 * a 53-bit remainder shifted by 11 still fits a word, so each step takes in
 * up to 11 bits of the exponents' difference. */
static double remainder_of(double x, double y)
{
    const uint64_t sign_bit = UINT64_C(1) << 63;
    uint64_t sign = bits_of(x) & sign_bit, r;
    uint64_t ux = bits_of(x) & ~sign_bit, uy = bits_of(y) & ~sign_bit;
    const uint64_t infinite = (uint64_t)F64_EXPONENT_MAX << F64_FRACTION_BITS;
    struct parts px, py;
    int gap;
    if (ux >= infinite || uy > infinite || uy == 0)
        return __builtin_nan("");
    if (ux < uy)
        return x; /* also for an infinite y */
    px = split(ux);
    py = split(uy);
    r = px.significand % py.significand;
    for (gap = px.exponent - py.exponent; gap > 0 && r;) {
        int step = gap < 11 ? gap : 11;
        r = (r << step) % py.significand;
        gap -= step;
    }
    if (r && sign && ROK_BUG(FMOD_SIGN))
        sign = 0;
    return join(r, py.exponent, sign);
}

double rok_fmod_f64(double x, double y)
{
    ROK_ENTRY();
    return remainder_of(x, y);
}

/* The remainder of two f32 is a multiple of the finer of their units and
 * smaller than both in magnitude, so it is an f32 and the narrowing exact. */
float rok_fmod_f32(float x, float y)
{
    ROK_ENTRY();
    return (float)remainder_of(x, y);
}
