"""`boltons.cacheutils.LRU` as a state machine of Hypothesis: the same rules and values as in boltons_lru.play.

`python3 boltons_lru_hypothesis.py SEED RUNS STEPS set_and_get` leaves everything else out.
"""

import sys

from boltons.cacheutils import LRU
from hypothesis.strategies import integers, sampled_from
from stateful import Machine, main, rule

KEYS = sampled_from("abcde")


class Cache(Machine):
    def __init__(self):
        super().__init__()
        self.cache = LRU(max_size=3)
        self.kept = {}  # in the order of use

    @rule(k=KEYS, v=integers(1, 2))
    def set(self, k, v):
        self.cache[k] = v
        self.kept.pop(k, None)
        self.kept[k] = v
        if len(self.kept) > 3:
            del self.kept[next(iter(self.kept))]

    @rule(k=KEYS)
    def get(self, k):
        found = self.kept.get(k)
        if k in self.kept:
            self.kept[k] = self.kept.pop(k)
        assert self.cache.get(k) == found


class Everything(Cache):
    @rule(k=KEYS)
    def pop(self, k):
        assert self.cache.pop(k, None) == self.kept.pop(k, None)

    @rule()
    def items(self):
        assert dict(self.cache.items()) == self.kept


main(Cache if "set_and_get" in sys.argv else Everything)
