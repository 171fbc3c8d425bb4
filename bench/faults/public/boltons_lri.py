"""`boltons.cacheutils.LRI`, as it is."""

from boltons.cacheutils import LRI

from interplay import System, input, serve


class Cache(System):
    def __init__(self):
        self.cache = LRI(max_size=3)

    @input
    def set(self, k, v):
        self.cache[k] = v

    @input
    def get(self, k):
        return self.cache.get(k)

    @input
    def size(self):
        return len(self.cache)


serve(Cache)
