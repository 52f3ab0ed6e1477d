"""Random values of settings: by the type and range of the row, and by a maker of its own where a row cannot say what
fits."""

import math

# Largest values that are drawn, by unit, where the range of a row says what is legal and not what is quick.
USUAL_MOST = {"cycles": 300, "packets": 40, "cells": 300, "phits": 40, "bytes": 64, "queues": 6, "nodes": 64,
              "links": 4}
# Of latencies and the like one in ten is far longer: legal, and longer than anything that was thought of.
FAR_CYCLES = (1000, 200_000)


def whole(row, rng):
    """A whole number: the ends of the range, near the default, or anything small, small ones as often as large ones."""
    least, most = row["least"], row["most"] if row["most"] is not None else 2**62
    usual = row["default"] if row["default"] is not None else max(1, least)
    small = min(most, max(least, USUAL_MOST.get(row["unit"], 16)))
    if row["unit"] == "cycles" and rng.random() < 0.1:
        return max(least, min(most, round(math.exp(rng.uniform(*map(math.log, FAR_CYCLES))))))
    drawn = least - 1 + math.floor(math.exp(rng.uniform(0, math.log(max(1, small - least) + 1))))
    return rng.choice([least, min(small, least + 1), min(most, max(least, usual)),
                       min(most, max(least, usual + rng.choice([-1, 1]))),
                       min(small, drawn), min(small, drawn), min(small, drawn)])


def real(row, rng):
    least, most = row["least"], row["most"] if row["most"] is not None else 1e9
    usual = row["default"] if row["default"] else 1.0
    scaled = usual * 2 ** rng.randint(-4, 4)
    ends = [least] if most > 1 else [least, most]
    return float(min(most, max(least, rng.choice([*ends, usual, scaled,
                                                  round(rng.uniform(least, min(most, 1.0)), 3)]))))


def value(row, rng):
    """A value within the range of the row; None for texts and lists, whose meaning a row does not say."""
    kind = row["type"]
    if kind == "integer":
        return whole(row, rng)
    if kind == "real":
        return real(row, rng)
    if kind == "boolean":
        return rng.random() < 0.5
    if kind == "choice":
        return rng.choice(row["choices"])
    return None


class Deck:
    """An endless list in which everything comes once before anything comes again, in an order of its own each time."""

    def __init__(self, name, items, random_of):
        self.name, self.items, self.random_of = name, list(items), random_of

    def __getitem__(self, number):
        turn, place = divmod(number, len(self.items))
        order = list(self.items)
        self.random_of(self.name, turn).shuffle(order)
        return order[place]
