"""`cachetools.TLRUCache` as a state machine of Hypothesis: the same rules and values as in cachetools_tlru.play."""

from cachetools import TLRUCache
from hypothesis.strategies import integers, sampled_from
from stateful import Machine, main, rule

KEYS = sampled_from("abc")


class Cache(Machine):
    def __init__(self):
        super().__init__()
        self.now = 0
        self.cache = TLRUCache(maxsize=10, ttu=lambda key, item, now: now + item[1], timer=lambda: self.now)
        self.model = {}

    def present(self):
        return {key: value for key, (value, end) in self.model.items() if end > self.now}

    @rule(k=KEYS, v=integers(1, 2), lives=integers(0, 3))
    def set(self, k, v, lives):
        self.cache[k] = (v, lives)
        self.model[k] = (v, self.now + lives)

    @rule(k=KEYS)
    def get(self, k):
        assert (self.cache[k][0] if k in self.cache else None) == self.present().get(k)

    @rule(k=KEYS)
    def delete(self, k):
        self.cache.pop(k, None)
        self.model.pop(k, None)

    @rule()
    def size(self):
        assert len(self.cache) == len(self.present())

    @rule()
    def tick(self):
        self.now += 1


main(Cache)
