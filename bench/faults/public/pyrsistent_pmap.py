"""`pyrsistent.pmap`: the present map is replaced by what an operation gives."""

from pyrsistent import pmap

from interplay import System, input, serve


class Present(System):
    def __init__(self):
        self.map = pmap()

    @input
    def set(self, k, v):
        self.map = self.map.set(k, v)

    @input
    def discard(self, k):
        self.map = self.map.discard(k)

    @input
    def get(self, k):
        return self.map.get(k)

    @input
    def size(self):
        return len(self.map)


serve(Present)
