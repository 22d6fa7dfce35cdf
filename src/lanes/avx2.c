/* Four games a vector, two vectors in flight: the step of lanes.h in AVX2, which has no
 * counts of zeros or ones of its own and no masks but vectors. */
#include "lanes.h"

#if (defined(__x86_64__) || defined(__amd64__)) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,popcnt")))
#define INLINE static inline TARGET __attribute__((always_inline))
#define STEPS_BETWEEN_LOOKS 1024

typedef __m256i vector;

/* The names are those of portable.c. */
typedef struct {
    vector claimant, payer, claimant_values, payer_values;
    vector pile, pile_values, end, due;
    /* Two for each value on the pile and in the hands: there is no count of ones. */
    vector pile_bits, claimant_bits, payer_bits;
    vector count; /* cards below, tricks above bit 32 */
    vector seat;  /* the claimant's: 0, or all ones */
    uint64_t number[4];
    unsigned alive; /* lanes with a game, a bit each */
} lane;

typedef struct {
    const lanes_deals *deals;
    size_t games, dealt;
    uint64_t *ends;
} batch;

INLINE vector all(uint64_t word) { return _mm256_set1_epi64x((long long)word); }
INLINE vector pick(vector no, vector yes, vector mask) {
    return _mm256_blendv_epi8(no, yes, mask);
}

/* Leading zeros of words that are not zero: by the exponents of their halves as floats. */
INLINE vector leading_zeros(vector words) {
    vector halves, high, low;
    /* Only the first eight bits, so that no float is rounded up. */
    halves = _mm256_andnot_si256(_mm256_srli_epi32(words, 8), words);
    halves = _mm256_castps_si256(_mm256_cvtepi32_ps(halves));
    /* A set top bit makes the float negative: saturation gives 0 for it. */
    halves = _mm256_subs_epu16(_mm256_set1_epi32(158), _mm256_srli_epi32(halves, 23));
    halves = _mm256_min_epi16(halves, _mm256_set1_epi32(32));
    high = _mm256_srli_epi64(halves, 32);
    low = _mm256_and_si256(halves, _mm256_cmpeq_epi64(high, all(32)));
    return _mm256_add_epi64(high, _mm256_and_si256(low, all(0xFFFFFFFF)));
}

/* Write the ends of the lanes of `over` and give them the next games. */
static TARGET __attribute__((noinline)) void finish(lane *l, unsigned over, vector end,
                                                    batch *b) {
    uint64_t ends[4];
    unsigned i;
    _mm256_storeu_si256((vector *)ends, end);
    for (i = 0; i < 4; i++) {
        if (!(over >> i & 1))
            continue;
        b->ends[l->number[i]] = ends[i];
        if (b->dealt == b->games) {
            l->alive &= ~(1u << i);
            continue;
        }
#define PUT(field, word) ((uint64_t *)&l->field)[i] = (word)
        PUT(claimant, b->deals->hand[0][b->dealt]);
        PUT(payer, b->deals->hand[1][b->dealt]);
        PUT(claimant_values, b->deals->values[0][b->dealt]);
        PUT(payer_values, b->deals->values[1][b->dealt]);
        PUT(pile, 0);
        PUT(pile_values, 0);
        PUT(pile_bits, 0);
        PUT(claimant_bits, 2 * _mm_popcnt_u64(b->deals->hand[0][b->dealt]) - 2);
        PUT(payer_bits, 2 * _mm_popcnt_u64(b->deals->hand[1][b->dealt]) - 2);
        PUT(due, 0);
        PUT(end, LANES_TOP);
        PUT(seat, 0);
        /* The start counts as a trick paid: begin one short. */
        PUT(count, UINT64_C(0xFFFFFFFF00000000));
#undef PUT
        l->number[i] = b->dealt++;
    }
}

INLINE unsigned bits_of(vector mask) {
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(mask));
}

INLINE void step(lane *l, const lanes_rules *rules, batch *b) {
    const vector one = all(1), top = all(LANES_TOP);
    vector zeros, paid, turned, bare, end, mine, other, first, least, by_other, kept, pushed;
    vector paid_up, ordinary, stays, empty, code;
    unsigned over;

    /* Payment. */
    zeros = leading_zeros(l->payer);
    paid = _mm256_cmpgt_epi64(_mm256_add_epi64(zeros, one), l->due);
    turned = pick(_mm256_add_epi64(zeros, one), l->due, paid);
    l->payer = _mm256_sllv_epi64(l->payer, turned);
    end = _mm256_srlv_epi64(l->end, turned);
    l->count = _mm256_add_epi64(l->count, turned);

    /* Where it is paid: the pile goes under the claimant's hand. */
    bare = _mm256_and_si256(l->claimant, _mm256_sub_epi64(l->claimant, one));
    kept = _mm256_srlv_epi64(_mm256_or_si256(l->pile, end),
                             leading_zeros(_mm256_xor_si256(l->claimant, bare)));
    l->claimant_values = _mm256_or_si256(
        l->claimant_values,
        _mm256_and_si256(_mm256_srlv_epi64(l->pile_values, l->claimant_bits), paid));
    l->claimant_bits = _mm256_add_epi64(l->claimant_bits, _mm256_and_si256(l->pile_bits, paid));
    l->claimant = pick(l->claimant, _mm256_or_si256(bare, kept), paid);
    l->count = _mm256_add_epi64(l->count, _mm256_and_si256(paid, all(UINT64_C(1) << 32)));
    paid_up = _mm256_and_si256(paid, _mm256_cmpeq_epi64(l->payer, top));
    ordinary = _mm256_andnot_si256(paid_up, paid);

    /* And ordinary play, to the next penalty card: the claimant leads. */
    mine = leading_zeros(l->claimant);
    /* A payer that turned its sentinel is zero; what comes of it is not looked at. */
    other = leading_zeros(l->payer);
    first = _mm256_cmpgt_epi64(_mm256_add_epi64(other, one), mine);
    least = _mm256_add_epi64(pick(other, mine, first), one);
    by_other = pick(least, mine, first);
    least = _mm256_and_si256(least, ordinary);
    by_other = _mm256_and_si256(by_other, ordinary);
    turned = _mm256_add_epi64(least, by_other);
    l->claimant = _mm256_sllv_epi64(l->claimant, least);
    l->payer = _mm256_sllv_epi64(l->payer, by_other);
    l->end = _mm256_srlv_epi64(pick(end, top, ordinary), turned);
    l->count = _mm256_add_epi64(l->count, turned);

    /* Who turned a penalty card claims, and the other pays. */
    stays = _mm256_or_si256(_mm256_and_si256(ordinary, first), paid_up);
    kept = l->claimant;
    l->claimant = pick(l->payer, kept, stays);
    l->payer = pick(kept, l->payer, stays);
    kept = l->claimant_values;
    l->claimant_values = pick(l->payer_values, kept, stays);
    l->payer_values = pick(kept, l->payer_values, stays);
    kept = l->claimant_bits;
    l->claimant_bits = _mm256_sub_epi64(pick(l->payer_bits, kept, stays), all(2));
    l->payer_bits = pick(kept, l->payer_bits, stays);
    l->seat = _mm256_xor_si256(_mm256_xor_si256(l->seat, stays), all(UINT64_MAX));
    empty = _mm256_cmpeq_epi64(l->claimant, _mm256_setzero_si256());

    /* The penalty card goes onto the pile, a new one after a trick. */
    /* The table of four tributes is one of eight halves: code c is halves 2 c and 2 c + 1. */
    code = _mm256_srli_epi64(l->claimant_values, 62);
    code = _mm256_or_si256(_mm256_slli_epi64(code, 1), _mm256_slli_epi64(code, 33));
    l->due = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const vector *)rules->tribute),
                                         _mm256_add_epi64(code, all(UINT64_C(1) << 32)));
    l->pile = _mm256_andnot_si256(ordinary, l->pile);
    l->pile_bits = _mm256_andnot_si256(ordinary, l->pile_bits);
    pushed = _mm256_srlv_epi64(_mm256_and_si256(l->claimant_values, all(UINT64_C(3) << 62)),
                               l->pile_bits);
    l->pile_bits = _mm256_add_epi64(l->pile_bits, all(2));
    l->pile = _mm256_or_si256(l->pile, _mm256_add_epi64(l->end, l->end));
    l->pile_values = _mm256_or_si256(_mm256_andnot_si256(ordinary, l->pile_values), pushed);
    l->claimant_values = _mm256_slli_epi64(l->claimant_values, 2);

    /* Over: where the claimant is to turn and has no card, or the payer paid with its last. */
    over = bits_of(_mm256_or_si256(empty, paid_up)) & l->alive;
    if (__builtin_expect(over, 0)) {
        lane copy = *l;
        vector by_default = _mm256_andnot_si256(paid_up, empty);
        vector seat = _mm256_xor_si256(l->seat, by_default);
        vector word = _mm256_add_epi64(
            l->count, _mm256_and_si256(by_default, all(LANES_BY_DEFAULT + (UINT64_C(1) << 32) - 1)));
        word = _mm256_or_si256(word,
                               _mm256_and_si256(seat, all(UINT64_C(1) << LANES_WINNER_SHIFT)));
        finish(&copy, over, word, b);
        *l = copy;
    }
}

/* Leave the games unfinished that are past the cut-off. */
INLINE void cut(lane *l, uint64_t cut_off, batch *b) {
    /* Tricks count up from one short of zero, so compare them as signed. */
    vector tricks = _mm256_srli_epi64(_mm256_add_epi64(l->count, all(UINT64_C(1) << 32)), 32);
    unsigned past = bits_of(_mm256_cmpgt_epi64(tricks, all(cut_off + 1))) & l->alive;
    if (past) {
        lane copy = *l;
        finish(&copy, past, all(LANES_UNFINISHED), b);
        *l = copy;
    }
}

static TARGET void begin(lane *l, batch *b) {
    unsigned n = b->games - b->dealt < 4 ? (unsigned)(b->games - b->dealt) : 4, i;
    uint64_t aside[4];
    batch starts = *b;
    /* As if four games had ended; what they wrote goes nowhere. */
    l->claimant = l->payer = all(LANES_TOP);
    l->claimant_values = l->payer_values = l->pile = l->pile_values = all(0);
    l->pile_bits = l->claimant_bits = l->payer_bits = all(0);
    l->end = l->due = l->count = l->seat = all(0);
    for (i = 0; i < 4; i++)
        l->number[i] = i;
    l->alive = (1u << n) - 1;
    starts.ends = aside;
    finish(l, l->alive, all(0), &starts);
    b->dealt = starts.dealt;
}

TARGET void lanes_avx2(const lanes_deals *deals, size_t games, const lanes_rules *rules,
                       uint64_t cut_off, uint64_t *ends) {
    batch b = {deals, games, 0, ends};
    lane one, two;
    begin(&one, &b);
    begin(&two, &b);
    while (one.alive | two.alive) {
        int steps;
        for (steps = 0; steps < STEPS_BETWEEN_LOOKS && (one.alive | two.alive); steps++) {
            step(&one, rules, &b);
            step(&two, rules, &b);
        }
        cut(&one, cut_off, &b);
        cut(&two, cut_off, &b);
    }
}

#else
void lanes_avx2(const lanes_deals *deals, size_t games, const lanes_rules *rules,
                uint64_t cut_off, uint64_t *ends) {
    lanes_portable(deals, games, rules, cut_off, ends);
}
#endif
