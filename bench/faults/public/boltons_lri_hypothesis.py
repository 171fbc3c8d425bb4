"""`boltons.cacheutils.LRI` as a state machine of Hypothesis: the same rules and values as in boltons_lri.play."""

from boltons.cacheutils import LRI
from hypothesis.strategies import integers, sampled_from
from stateful import Machine, main, rule

KEYS = sampled_from("abcde")


class Cache(Machine):
    def __init__(self):
        super().__init__()
        self.cache = LRI(max_size=3)
        self.kept = {}  # in the order of insertion

    @rule(k=KEYS, v=integers(1, 2))
    def set(self, k, v):
        self.cache[k] = v
        self.kept.pop(k, None)
        self.kept[k] = v
        if len(self.kept) > 3:
            del self.kept[next(iter(self.kept))]

    @rule(k=KEYS)
    def get(self, k):
        assert self.cache.get(k) == self.kept.get(k)

    @rule()
    def size(self):
        assert len(self.cache) == len(self.kept)


main(Cache)
