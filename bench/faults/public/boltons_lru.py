"""`boltons.cacheutils.LRU`, as it is."""

from boltons.cacheutils import LRU

from interplay import System, input, serve


class Cache(System):
    def __init__(self):
        self.cache = LRU(max_size=3)

    @input
    def set(self, k, v):
        self.cache[k] = v

    @input
    def get(self, k):
        return self.cache.get(k)

    @input
    def pop(self, k):
        return self.cache.pop(k, None)

    @input
    def items(self):
        return dict(self.cache.items())


serve(Cache)
