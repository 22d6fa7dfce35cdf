/* Eight games a vector, two vectors in flight: the step of lanes.h in AVX-512. */
#include "lanes.h"

#if (defined(__x86_64__) || defined(__amd64__)) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>

#define TARGET                                                                      \
    __attribute__((target("avx512f,avx512cd,avx512dq,avx512vl,avx512bw,avx512vpopcntdq," \
                          "bmi,bmi2,lzcnt,popcnt")))
#define INLINE static inline TARGET __attribute__((always_inline))
#define STEPS_BETWEEN_LOOKS 1024

/* The names are those of portable.c. */
typedef struct {
    __m512i claimant, payer, claimant_values, payer_values;
    __m512i pile, pile_values, end, due;
    __m512i count;  /* cards below, tricks above bit 32 */
    __m512i number; /* of the game in its batch */
    __mmask8 seat;  /* the claimant's */
    __mmask8 alive; /* lanes with a game */
} lane;

typedef struct {
    const lanes_deals *deals;
    size_t games, dealt;
    uint64_t *ends;
} batch;

INLINE __m512i all(uint64_t word) { return _mm512_set1_epi64((long long)word); }

/* Give the lanes of `free` the next games, as far as there are any. */
INLINE void refill(lane *l, __mmask8 free, batch *b) {
    size_t left = b->games - b->dealt;
    size_t n = (size_t)__builtin_popcount(free);
    __mmask8 kept;
    if (__builtin_expect(n > left, 0)) {
        __mmask8 taken = (__mmask8)_pdep_u32((1u << left) - 1, free);
        l->alive = (__mmask8)(l->alive & ~(free & ~taken));
        free = taken;
        n = left;
    }
    kept = (__mmask8)~free;
#define NEXT(field, array) \
    l->field = _mm512_mask_expand_epi64(l->field, free, _mm512_loadu_si512((array) + b->dealt))
    NEXT(claimant, b->deals->hand[0]);
    NEXT(payer, b->deals->hand[1]);
    NEXT(claimant_values, b->deals->values[0]);
    NEXT(payer_values, b->deals->values[1]);
#undef NEXT
    l->number = _mm512_mask_expand_epi64(
        l->number, free,
        _mm512_add_epi64(all(b->dealt), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0)));
    l->pile = _mm512_maskz_mov_epi64(kept, l->pile);
    l->pile_values = _mm512_maskz_mov_epi64(kept, l->pile_values);
    l->due = _mm512_maskz_mov_epi64(kept, l->due);
    l->end = _mm512_mask_mov_epi64(all(LANES_TOP), kept, l->end);
    /* The start counts as a trick paid: begin one short. */
    l->count = _mm512_mask_mov_epi64(all(UINT64_C(0xFFFFFFFF00000000)), kept, l->count);
    l->seat &= kept;
    b->dealt += n;
}

/* Write how the games of some lanes ended. */
INLINE void write(const lane *l, __mmask8 over, __m512i end, batch *b) {
    uint64_t ends[8], numbers[8];
    unsigned n = (unsigned)__builtin_popcount(over), i = 0;
    _mm512_storeu_si512(ends, _mm512_maskz_compress_epi64(over, end));
    _mm512_storeu_si512(numbers, _mm512_maskz_compress_epi64(over, l->number));
    do
        b->ends[numbers[i]] = ends[i];
    while (++i < n);
}

INLINE void step(lane *l, __m512i tributes, batch *b) {
    const __m512i one = all(1), top = all(LANES_TOP);
    __m512i zeros, turned, bare, sentinel, bits, end, mine, other, least, by_other, kept;
    __mmask8 paid, paid_up, ordinary, first, stays, empty, goes_on;

    /* Payment. */
    zeros = _mm512_lzcnt_epi64(l->payer);
    paid = _mm512_cmpge_epu64_mask(zeros, l->due);
    turned = _mm512_min_epu64(_mm512_add_epi64(zeros, one), l->due);
    l->payer = _mm512_sllv_epi64(l->payer, turned);
    end = _mm512_srlv_epi64(l->end, turned);
    l->count = _mm512_add_epi64(l->count, turned);

    /* Where it is paid: the pile goes under the claimant's hand. */
    bare = _mm512_and_epi64(l->claimant, _mm512_sub_epi64(l->claimant, one));
    sentinel = _mm512_xor_epi64(l->claimant, bare);
    bits = _mm512_popcnt_epi64(bare);
    bits = _mm512_add_epi64(bits, bits);
    l->claimant_values = _mm512_mask_or_epi64(l->claimant_values, paid, l->claimant_values,
                                              _mm512_srlv_epi64(l->pile_values, bits));
    l->claimant = _mm512_mask_or_epi64(
        l->claimant, paid, bare,
        _mm512_srlv_epi64(_mm512_or_epi64(l->pile, end), _mm512_lzcnt_epi64(sentinel)));
    l->count = _mm512_mask_add_epi64(l->count, paid, l->count, all(UINT64_C(1) << 32));
    paid_up = _mm512_mask_cmpeq_epi64_mask(paid, l->payer, top);
    ordinary = (__mmask8)(paid & ~paid_up);
    goes_on = (__mmask8)~ordinary;

    /* And ordinary play, to the next penalty card: the claimant leads. */
    mine = _mm512_lzcnt_epi64(l->claimant);
    other = _mm512_lzcnt_epi64(l->payer);
    first = _mm512_cmple_epu64_mask(mine, other);
    least = _mm512_add_epi64(_mm512_min_epu64(mine, other), one);
    by_other = _mm512_mask_mov_epi64(least, first, mine);
    turned = _mm512_add_epi64(least, by_other);
    l->claimant = _mm512_mask_sllv_epi64(l->claimant, ordinary, l->claimant, least);
    l->payer = _mm512_mask_sllv_epi64(l->payer, ordinary, l->payer, by_other);
    l->end = _mm512_mask_srlv_epi64(end, ordinary, top, turned);
    l->count = _mm512_mask_add_epi64(l->count, ordinary, l->count, turned);

    /* Who turned a penalty card claims, and the other pays. */
    stays = (__mmask8)((ordinary & first) | paid_up);
    kept = l->claimant;
    l->claimant = _mm512_mask_mov_epi64(l->payer, stays, kept);
    l->payer = _mm512_mask_mov_epi64(kept, stays, l->payer);
    kept = l->claimant_values;
    l->claimant_values = _mm512_mask_mov_epi64(l->payer_values, stays, kept);
    l->payer_values = _mm512_mask_mov_epi64(kept, stays, l->payer_values);
    l->seat = (__mmask8)(l->seat ^ ~stays);
    empty = _mm512_testn_epi64_mask(l->claimant, l->claimant);

    /* The penalty card goes onto the pile, a new one after a trick. */
    l->due = _mm512_permutexvar_epi64(_mm512_srli_epi64(l->claimant_values, 62), tributes);
    bits = _mm512_maskz_popcnt_epi64(goes_on, l->pile);
    bits = _mm512_add_epi64(bits, bits);
    kept = _mm512_add_epi64(l->end, l->end);
    l->pile = _mm512_mask_or_epi64(kept, goes_on, l->pile, kept);
    kept = _mm512_srlv_epi64(_mm512_and_epi64(l->claimant_values, all(UINT64_C(3) << 62)), bits);
    l->pile_values = _mm512_mask_or_epi64(kept, goes_on, l->pile_values, kept);
    l->claimant_values = _mm512_slli_epi64(l->claimant_values, 2);

    /* Over: where the claimant is to turn and has no card, or the payer paid with its last. */
    empty = (__mmask8)((empty | paid_up) & l->alive);
    if (__builtin_expect(empty, 0)) {
        __mmask8 by_default = (__mmask8)(empty & ~paid_up);
        __m512i over = l->count;
        over = _mm512_mask_add_epi64(over, by_default, over,
                                     all(LANES_BY_DEFAULT + (UINT64_C(1) << 32) - 1));
        over = _mm512_mask_add_epi64(over, (__mmask8)(l->seat ^ by_default), over,
                                     all(UINT64_C(1) << LANES_WINNER_SHIFT));
        write(l, empty, over, b);
        refill(l, empty, b);
    }
}

/* Leave the games unfinished that are past the cut-off. */
INLINE void cut(lane *l, uint64_t cut_off, batch *b) {
    /* Tricks count up from one short of zero, so compare them as signed. */
    __mmask8 past = _mm512_cmpgt_epi64_mask(_mm512_srai_epi64(l->count, 32), all(cut_off));
    past &= l->alive;
    if (past) {
        write(l, past, all(LANES_UNFINISHED), b);
        refill(l, past, b);
    }
}

TARGET void lanes_avx512(const lanes_deals *deals, size_t games, const lanes_rules *rules,
                         uint64_t cut_off, uint64_t *ends) {
    batch b = {deals, games, 0, ends};
    lane one, two;
    const __m512i tributes =
        _mm512_broadcast_i64x4(_mm256_loadu_si256((const __m256i *)rules->tribute));
    one.claimant = one.payer = one.claimant_values = one.payer_values = all(0);
    one.pile = one.pile_values = one.end = one.due = one.count = one.number = all(0);
    one.seat = 0;
    one.alive = 0xFF;
    two = one;
    refill(&one, 0xFF, &b);
    refill(&two, 0xFF, &b);
    while (one.alive | two.alive) {
        int steps;
        for (steps = 0; steps < STEPS_BETWEEN_LOOKS && (one.alive | two.alive); steps++) {
            step(&one, tributes, &b);
            step(&two, tributes, &b);
        }
        cut(&one, cut_off, &b);
        cut(&two, cut_off, &b);
    }
}

#else
void lanes_avx512(const lanes_deals *deals, size_t games, const lanes_rules *rules,
                  uint64_t cut_off, uint64_t *ends) {
    lanes_portable(deals, games, rules, cut_off, ends);
}
#endif
