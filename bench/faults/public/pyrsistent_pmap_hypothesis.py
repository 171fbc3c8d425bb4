"""`pyrsistent.pmap` as a state machine of Hypothesis: the same rules and values as in pyrsistent_pmap.play."""

from hypothesis.strategies import integers
from pyrsistent import pmap
from stateful import Machine, main, rule

KEYS = integers(0, 31)


class Present(Machine):
    def __init__(self):
        super().__init__()
        self.map = pmap()
        self.model = {}

    @rule(k=KEYS, v=integers(1, 2))
    def set(self, k, v):
        self.map = self.map.set(k, v)
        self.model[k] = v

    @rule(k=KEYS)
    def discard(self, k):
        self.map = self.map.discard(k)
        self.model.pop(k, None)

    @rule(k=KEYS)
    def get(self, k):
        assert self.map.get(k) == self.model.get(k)

    @rule()
    def size(self):
        assert len(self.map) == len(self.model)


main(Present)
