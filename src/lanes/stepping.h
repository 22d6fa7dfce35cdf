/* Stepping: the arrangements of a deck in order, one after another.
 *
 * The order is the lexicographic one of the dealt sequence (hand 0, then hand 1, each from
 * its top), a numeral before every penalty card and these by their codes.
 *
 * The last few cards, the tail, run through all arrangements of what they are before any
 * card ahead of them, the head, changes. So the arrangements of every tail there can be are
 * listed once, in order, as the bits that its mask and values begin with; a step is then the
 * next entry of a list, shifted behind the head. Only where a list ends is the head stepped,
 * in the usual way: the last card that a later and greater one can replace, and all behind
 * it in rising order.
 */
#ifndef BEGGAR_STEPPING_H
#define BEGGAR_STEPPING_H

#include "lanes.h"

typedef struct lanes_stepper lanes_stepper;

/* A stepper through the arrangements of `cards` cards, of which `first` are hand 0 and
 * `counts[c]` are penalty cards of code c. NULL if memory runs out. The caller sees that
 * there are at most LANES_MOST_CARDS and LANES_MOST_PENALTIES. */
lanes_stepper *lanes_stepper_new(unsigned cards, unsigned first, const unsigned counts[4]);
void lanes_stepper_free(lanes_stepper *stepper);

/* Begin at an arrangement: each card 0 or its code plus one. */
void lanes_stepper_set(lanes_stepper *stepper, const uint8_t *deck);

/* Deal up to `games` arrangements, from where it stands on, and stand behind them. Returns
 * how many there were. */
size_t lanes_step(lanes_stepper *stepper, size_t games, const lanes_deals *deals);

/* Make the next arrangement of `n` cards in place; 0 if it was the last one. */
int lanes_next(uint8_t *cards, size_t n);

#endif
