"""`boltons.setutils.IndexedSet` as a state machine of Hypothesis: the same rules and values as in boltons_indexedset.play.

`python3 boltons_indexedset_hypothesis.py SEED RUNS STEPS without_slices` leaves slices out.
"""

import sys

from boltons.setutils import IndexedSet
from hypothesis.stateful import precondition
from hypothesis.strategies import data, integers
from stateful import Machine, main, rule

ITEMS = integers(1, 16)
PLACES = integers(0, 16)


class Items(Machine):
    def __init__(self):
        super().__init__()
        self.items = IndexedSet()
        self.model = []

    @rule(x=ITEMS)
    def add(self, x):
        self.items.add(x)
        if x not in self.model:
            self.model.append(x)

    @rule(x=ITEMS)
    def discard(self, x):
        self.items.discard(x)
        self.model = [other for other in self.model if other != x]

    @rule()
    def pop(self):
        try:
            last = self.items.pop()
        except (IndexError, KeyError):
            last = None
        assert last == (self.model.pop() if self.model else None)

    @rule(x=ITEMS)
    def index(self, x):
        try:
            place = self.items.index(x)
        except ValueError:
            place = None
        assert place == (self.model.index(x) if x in self.model else None)

    @rule(i=PLACES)
    def item(self, i):
        try:
            item = self.items[i]
        except IndexError:
            item = None
        assert item == (self.model[i] if i < len(self.model) else None)


class Slices(Items):
    @precondition(lambda self: self.model)
    @rule(data=data())
    def slice(self, data):
        stop = data.draw(integers(1, len(self.model)))
        start = data.draw(integers(0, stop - 1))
        assert list(self.items[start:stop]) == self.model[start:stop]


main(Items if "without_slices" in sys.argv else Slices)
