/* The text of floats: the shortest digits that read back as the same value of
 * the same type, of several the nearest, of two equally near the even one, in
 * JavaScript's layout.
 *
 * Digits are found by Schubfach: Raffaello Giulietti, "The Schubfach way to
 * render doubles" (2020). In short: a value v = c * 2^q owns an interval of
 * reals that round to it, from half a unit below to half a unit above. With
 * 10^k just not above the interval's width, the multiples of 10^k always have
 * one inside, and those of 10^(k+1) at most one. If there is one of these it
 * is the shortest; otherwise the multiple of 10^k nearest to v is. Scaling by
 * 10^-k uses one 128-bit approximation g and rounds to odd, which the paper
 * proves to decide every comparison correctly.
 *
 * Sections and names follow the paper where it has one. The table of g comes
 * from rok_pow10.h, which is computed when the runtime is built. */
#include "rok.h"
#include "rok_pow10.h"

#include <string.h>

#define F64_FRACTION 52
#define F64_EXPONENTS 0x7ff
#define F64_BIAS 1075 /* value = significand * 2^(exponent - bias) */
#define F32_FRACTION 23
#define F32_EXPONENTS 0xff
#define F32_BIAS 150

/* digits * 10^exponent */
struct decimal {
    uint64_t digits;
    int exponent;
};

/* floor(log2(10^e)), for |e| up to 1233. */
static int floor_log2_pow10(int e)
{
    return (e * 1741647) >> 19;
}

/* floor(log10(2^q)), or floor(log10(3/4 * 2^q)), for |q| up to 1500. */
static int floor_log10_pow2(int q, int three_quarters)
{
    return (q * 1262611 - (three_quarters ? 524031 : 0)) >> 22;
}

/* g * cp / 2^128, rounded to odd: a remainder that is not 0 sets the lowest
 * bit. g exceeds the true power by less than one unit, so the lowest bit of
 * the fraction kept carries no information. */
static uint64_t round_to_odd(struct rok_pow10 g, uint64_t cp)
{
    unsigned __int128 x = (unsigned __int128)g.low * cp;
    unsigned __int128 y = (unsigned __int128)g.high * cp + (uint64_t)(x >> 64);
    return (uint64_t)(y >> 64) | ((uint64_t)y > 1);
}

/* Picks s or s + 1 on the grid 10^k; vb is four times the scaled value. */
static uint64_t nearest(uint64_t s, uint64_t vb)
{
    uint64_t middle = 4 * s + 2;
    if (vb == middle && (s & 1) == 0 && ROK_BUG(FLOAT_TIE_AWAY))
        return s + 1;
    return s + (vb > middle || (vb == middle && (s & 1)));
}

/* The shortest decimal of c * 2^q > 0. lower_near: the next smaller value is
 * only half a unit away, which is so at a power of two. */
static struct decimal shortest(uint64_t c, int q, int lower_near)
{
    int even = (c & 1) == 0; /* the interval's ends round to c when it is even */
    int k = floor_log10_pow2(q, lower_near);
    int h = q + floor_log2_pow10(-k) + 1;
    struct rok_pow10 g = rok_pow10[-k - ROK_POW10_MIN];
    uint64_t vb = round_to_odd(g, (4 * c) << h);
    uint64_t lower = round_to_odd(g, (4 * c - 2 + (uint64_t)lower_near) << h) + !even;
    uint64_t upper = round_to_odd(g, (4 * c + 2) << h) - !even;
    uint64_t s = vb / 4, coarse = s / 10;
    int down, up;
    if (s >= 10) {
        down = lower <= 40 * coarse;
        up = 40 * coarse + 40 <= upper;
        if (down != up && !(s % 10 && ROK_BUG(FLOAT_NOT_SHORTEST)))
            return (struct decimal){coarse + (uint64_t)up, k + 1};
    }
    down = lower <= 4 * s;
    up = 4 * s + 4 <= upper;
    if (down != up)
        return (struct decimal){s + (uint64_t)up, k};
    return (struct decimal){nearest(s, vb), k};
}

static int same(struct decimal a, struct decimal b)
{
    return a.digits == b.digits && a.exponent == b.exponent;
}

static char *put(char *to, const char *from, int n)
{
    memcpy(to, from, (size_t)n);
    return to + n;
}

static char *zeros(char *to, int n)
{
    memset(to, '0', (size_t)n);
    return to + n;
}

/* d.ddde+21 */
static char *exponential(char *to, const char *digits, int n, int exponent)
{
    char text[ROK_INT_TEXT], *end = text + sizeof text, *p;
    *to++ = digits[0];
    if (n > 1) {
        *to++ = '.';
        to = put(to, digits + 1, n - 1);
    }
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    p = rok_u64_text(end, (uint64_t)(exponent < 0 ? -exponent : exponent));
    return put(to, p, (int)(end - p));
}

/* JavaScript's Number::toString layout. */
static char *layout(char *to, struct decimal d)
{
    char text[ROK_INT_TEXT], *digits;
    int n, point; /* digits before the decimal point; may be <= 0 */
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    digits = rok_u64_text(text + sizeof text, d.digits);
    n = (int)(text + sizeof text - digits);
    point = n + d.exponent;
    if (point > 21 || point <= -6 || (point == 21 && ROK_BUG(FLOAT_LAYOUT_EARLY)))
        return exponential(to, digits, n, point - 1);
    if (point <= 0) {
        to = put(to, "0.", 2);
        to = zeros(to, -point);
        return put(to, digits, n);
    }
    if (n <= point) {
        to = put(to, digits, n);
        return zeros(to, point - n);
    }
    to = put(to, digits, point);
    *to++ = '.';
    return put(to, digits + point, n - point);
}

/* Text of a float given as its parts; exponent is the biased field. */
static size_t text_of(char *to, int negative, uint64_t fraction, int exponent, int fraction_bits,
                      int exponents, int bias)
{
    char *p = to;
    uint64_t hidden = UINT64_C(1) << fraction_bits;
    int lower_near = fraction == 0 && exponent > 1;
    struct decimal d;
    if (exponent == exponents && fraction)
        return (size_t)(put(p, "NaN", 3) - to);
    if (negative && !(exponent == 0 && fraction == 0 && ROK_BUG(FLOAT_MINUS_ZERO)))
        *p++ = '-';
    if (exponent == exponents)
        return (size_t)(put(p, "inf", 3) - to);
    if (exponent == 0 && fraction == 0)
        return (size_t)(put(p, "0", 1) - to);
    if (exponent == 0)
        return (size_t)(layout(p, shortest(fraction, 1 - bias, 0)) - to);
    d = shortest(fraction | hidden, exponent - bias, lower_near);
    if (lower_near && !same(d, shortest(hidden, exponent - bias, 0)) && ROK_BUG(FLOAT_EVEN_SPACING))
        d = shortest(hidden, exponent - bias, 0);
    return (size_t)(layout(p, d) - to);
}

size_t rok_f64_text(char *to, double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return text_of(to, (int)(u >> 63), u & ((UINT64_C(1) << F64_FRACTION) - 1),
                   (int)(u >> F64_FRACTION & F64_EXPONENTS), F64_FRACTION, F64_EXPONENTS,
                   F64_BIAS);
}

static size_t f32_text(char *to, float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return text_of(to, (int)(u >> 31), u & ((1u << F32_FRACTION) - 1),
                   (int)(u >> F32_FRACTION & F32_EXPONENTS), F32_FRACTION, F32_EXPONENTS,
                   F32_BIAS);
}

size_t rok_f32_text(char *to, float x)
{
    size_t n = f32_text(to, x);
    if (ROK_MUTANT) {
        char wide[ROK_FLOAT_TEXT];
        size_t m = rok_f64_text(wide, x);
        if (m != n && ROK_BUG(F32_AS_F64)) {
            memcpy(to, wide, m);
            return m;
        }
    }
    return n;
}
