/* Breeding: states like known ones, to be tried by the hundred thousand.
 *
 * A parent is a state at the start of a trick: the leader's hand and the other's, one after
 * another, each card 0 or its code plus one, and how many of them are the leader's. A child is
 * a parent with some of the cards put in that its deck still lacks, some cards swapped, some
 * moved, and perhaps another cut between the hands. Children are laid out as deals whose seat 0
 * leads; they may be of different sizes.
 */
#ifndef BEGGAR_BREEDING_H
#define BEGGAR_BREEDING_H

#include "lanes.h"
#include "numpy/random/bitgen.h"

typedef struct {
    uint8_t cards[LANES_MOST_CARDS + 1]; /* zeros behind the last */
    uint8_t length, first;
    uint8_t missing[5]; /* of each code plus one, what its deck lacks */
} lanes_parent;

/* How often, in 256ths. */
typedef struct {
    uint32_t insert_more; /* after each card put in, whether to put in another */
    uint32_t swap_none, swap_more;
    uint32_t move, cut;
} lanes_habits;

/* Make `games` children of parents drawn at random. Penalty cards are at most
 * LANES_MOST_PENALTIES with all that is missing put in, which the caller sees to. */
void lanes_breed(bitgen_t *bits, const lanes_parent *parents, uint32_t many,
                 const lanes_habits *habits, size_t games, const lanes_deals *deals);

#endif
