"""`boltons.setutils.IndexedSet`; what is not there raises an exception, which means none."""

from boltons.setutils import IndexedSet

from interplay import System, input, serve


class Items(System):
    raises = {IndexError: None, ValueError: None, KeyError: None}

    def __init__(self):
        self.items = IndexedSet()

    @input
    def add(self, x):
        self.items.add(x)

    @input
    def discard(self, x):
        self.items.discard(x)

    @input
    def pop(self):
        return self.items.pop()

    @input
    def index(self, x):
        return self.items.index(x)

    @input
    def item(self, i):
        return self.items[i]

    @input
    def slice(self, start, stop):
        return list(self.items[start:stop])


serve(Items)
