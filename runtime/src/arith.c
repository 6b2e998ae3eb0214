/* Checked integer arithmetic. Operands and results are 64-bit words kept
 * normalised: sign- or zero-extended from the type's width. */
#include "rok.h"

#define DIVISION_BY_ZERO "division by zero"
#define INTEGER_OVERFLOW "integer overflow"
#define NEGATIVE_EXPONENT "negative exponent"

static _Noreturn void raise_zero(int64_t line, int64_t column)
{
    if (ROK_BUG(DIV_ZERO_MESSAGE))
        ROK_RAISE(INTEGER_OVERFLOW, line, column);
    ROK_RAISE(DIVISION_BY_ZERO, line, column);
}

/* a to the b-th modulo 2^64, by squaring. Cutting the result to the type's
 * width gives the power modulo 2^width. */
static uint64_t power(uint64_t a, uint64_t b)
{
    uint64_t r = 1;
    if (b >> 32 && ROK_BUG(POW_EXPONENT_CUT))
        b = (uint32_t)b;
    for (; b; b >>= 1, a *= a)
        if (b & 1)
            r *= a;
    return r;
}

/* MIN / -1 and MIN % -1 have no result; the processor would trap. */
#define SIGNED_CORE(T, type, min)                                                        \
    static inline int64_t div_##T(int64_t a, int64_t b, int64_t line, int64_t column)    \
    {                                                                                    \
        if (b == 0)                                                                      \
            raise_zero(line, column);                                                    \
        if (a == min && b == -1) {                                                       \
            if (ROK_BUG(DIV_MIN_UNCHECKED))                                              \
                return a;                                                                \
            ROK_RAISE(INTEGER_OVERFLOW, line, column);                                   \
        }                                                                                \
        return (type)a / (type)b;                                                        \
    }                                                                                    \
    static inline int64_t mod_##T(int64_t a, int64_t b, int64_t line, int64_t column)    \
    {                                                                                    \
        type r;                                                                          \
        if (b == 0)                                                                      \
            raise_zero(line, column);                                                    \
        if (a == min && b == -1) {                                                       \
            if (ROK_BUG(DIV_MIN_UNCHECKED))                                              \
                return 0;                                                                \
            ROK_RAISE(INTEGER_OVERFLOW, line, column);                                   \
        }                                                                                \
        r = (type)((type)a % (type)b);                                                   \
        if (r != 0 && (r < 0) != (b < 0) && ROK_BUG(MOD_SIGN_OF_DIVISOR))                \
            return r + b;                                                                \
        return r;                                                                        \
    }                                                                                    \
    static inline int64_t pow_##T(int64_t a, int64_t b, int64_t line, int64_t column)    \
    {                                                                                    \
        uint64_t r;                                                                      \
        if (b < 0) {                                                                     \
            if (ROK_BUG(POW_NEGATIVE))                                                   \
                return 1;                                                                \
            ROK_RAISE(NEGATIVE_EXPONENT, line, column);                                  \
        }                                                                                \
        r = power((uint64_t)a, (uint64_t)b);                                             \
        if ((type)r != (int64_t)r && ROK_BUG(POW_NO_WRAP))                               \
            return (int64_t)r;                                                           \
        return (type)r;                                                                  \
    }

#define UNSIGNED_CORE(T, type)                                                             \
    static inline uint64_t div_##T(uint64_t a, uint64_t b, int64_t line, int64_t column)   \
    {                                                                                      \
        if (b == 0)                                                                        \
            raise_zero(line, column);                                                      \
        return (type)a / (type)b;                                                          \
    }                                                                                      \
    static inline uint64_t mod_##T(uint64_t a, uint64_t b, int64_t line, int64_t column)   \
    {                                                                                      \
        if (b == 0)                                                                        \
            raise_zero(line, column);                                                      \
        return (type)a % (type)b;                                                          \
    }                                                                                      \
    static inline uint64_t pow_##T(uint64_t a, uint64_t b, int64_t line, int64_t column)   \
    {                                                                                      \
        uint64_t r = power(a, b);                                                          \
        (void)line, (void)column;                                                          \
        if ((type)r != r && ROK_BUG(POW_NO_WRAP))                                          \
            return r;                                                                      \
        return (type)r;                                                                    \
    }

#define ENTRY_POINT(name, core, word, type)                                    \
    word name(word a, word b, int64_t line, int64_t column)                    \
    {                                                                          \
        ROK_ENTRY();                                                           \
        ROK_REQUIRE((type)a == a && (type)b == b, "operand not normalised");   \
        return core(a, b, line, column);                                       \
    }

#define ENTRY_POINTS(T, word, type)                    \
    ENTRY_POINT(rok_div_##T, div_##T, word, type)      \
    ENTRY_POINT(rok_mod_##T, mod_##T, word, type)      \
    ENTRY_POINT(rok_pow_##T, pow_##T, word, type)

SIGNED_CORE(i8, int8_t, INT8_MIN)
SIGNED_CORE(i16, int16_t, INT16_MIN)
SIGNED_CORE(i32, int32_t, INT32_MIN)
SIGNED_CORE(i64, int64_t, INT64_MIN)
UNSIGNED_CORE(u8, uint8_t)
UNSIGNED_CORE(u16, uint16_t)
UNSIGNED_CORE(u32, uint32_t)
UNSIGNED_CORE(u64, uint64_t)

ENTRY_POINTS(i8, int64_t, int8_t)
ENTRY_POINTS(i16, int64_t, int16_t)
ENTRY_POINTS(i32, int64_t, int32_t)
ENTRY_POINTS(i64, int64_t, int64_t)
ENTRY_POINTS(u8, uint64_t, uint8_t)
ENTRY_POINTS(u16, uint64_t, uint16_t)
ENTRY_POINTS(u32, uint64_t, uint32_t)
ENTRY_POINTS(u64, uint64_t, uint64_t)

/* The names of the small language. Functions of their own, not aliases, so
 * that a report names what was called. */
ENTRY_POINT(mini_div, div_i64, int64_t, int64_t)
ENTRY_POINT(mini_mod, mod_i64, int64_t, int64_t)
ENTRY_POINT(mini_pow, pow_i64, int64_t, int64_t)
