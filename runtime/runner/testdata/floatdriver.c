/* Prints floats for a test: reads requests on standard input, answers each on
 * standard output with a hash of the texts, or with one text.
 *
 *   kind 1: f32 patterns first, first + stride, ... (count of them) -> hash
 *   kind 2: count f64 patterns, which follow                        -> hash
 *   kind 3: the f32 pattern first                                   -> 32 bytes of text
 *   kind 4: the f64 pattern first                                   -> 32 bytes of text
 *
 * In a mutant build the first argument is the number of the deliberate bug. */
#include "rok.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rok_host_drain(void)
{
    abort();
}

_Noreturn void rok_host_end(int ending, const struct rok_piece *pieces, int count)
{
    (void)ending, (void)pieces, (void)count;
    abort();
}

/* A text padded with zeroes to four words, mixed in word by word. */
static uint64_t mix(uint64_t h, const char *text)
{
    uint64_t w[4];
    memcpy(w, text, sizeof w);
    for (int i = 0; i < 4; i++) {
        h = (h ^ w[i]) * 0x9e3779b97f4a7c15;
        h ^= h >> 29;
    }
    return h;
}

static void f32_text(char *text, uint64_t pattern)
{
    uint32_t u = (uint32_t)pattern;
    float x;
    memcpy(&x, &u, sizeof x);
    memset(text, 0, ROK_FLOAT_TEXT);
    rok_f32_text(text, x);
}

static void f64_text(char *text, uint64_t pattern)
{
    double x;
    memcpy(&x, &pattern, sizeof x);
    memset(text, 0, ROK_FLOAT_TEXT);
    rok_f64_text(text, x);
}

static void take(void *to, size_t n)
{
    if (fread(to, 1, n, stdin) != n)
        exit(1);
}

int main(int argc, char **argv)
{
    struct {
        uint64_t kind, count, first, stride;
    } q;
#if ROK_MUTANT
    if (argc > 1)
        rok_mutant = atoi(argv[1]);
#else
    (void)argc, (void)argv;
#endif
    while (fread(&q, 1, sizeof q, stdin) == sizeof q) {
        char text[ROK_FLOAT_TEXT];
        uint64_t h = 0, u;
        for (uint64_t i = 0; q.kind == 1 && i < q.count; i++) {
            f32_text(text, q.first + i * q.stride);
            h = mix(h, text);
        }
        for (uint64_t i = 0; q.kind == 2 && i < q.count; i++) {
            take(&u, sizeof u);
            f64_text(text, u);
            h = mix(h, text);
        }
        if (q.kind == 3)
            f32_text(text, q.first);
        if (q.kind == 4)
            f64_text(text, q.first);
        if (q.kind <= 2)
            fwrite(&h, 1, sizeof h, stdout);
        else
            fwrite(text, 1, sizeof text, stdout);
        fflush(stdout);
    }
    return 0;
}
