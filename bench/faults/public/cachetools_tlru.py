"""`cachetools.TLRUCache` with a clock of our own."""

from cachetools import TLRUCache

from interplay import System, input, serve


class Cache(System):
    def __init__(self):
        self.now = 0
        self.cache = TLRUCache(maxsize=10, ttu=lambda key, item, now: now + item[1], timer=lambda: self.now)

    @input
    def set(self, k, v, lives):
        self.cache[k] = (v, lives)

    @input
    def get(self, k):
        return self.cache[k][0] if k in self.cache else None

    @input
    def delete(self, k):
        self.cache.pop(k, None)

    @input
    def size(self):
        return len(self.cache)

    @input
    def tick(self):
        self.now += 1


serve(Cache)
