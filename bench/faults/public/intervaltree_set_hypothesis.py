"""`intervaltree.IntervalTree` as a state machine of Hypothesis: the same rules and values as in intervaltree_set.play."""

import collections
import collections.abc

for name in ("Mapping", "MutableMapping", "MutableSet", "Sequence", "MutableSequence", "Set", "KeysView", "ValuesView", "ItemsView"):
    if not hasattr(collections, name):
        setattr(collections, name, getattr(collections.abc, name))

from hypothesis.stateful import precondition  # noqa: E402
from hypothesis.strategies import data, integers, sampled_from  # noqa: E402
from intervaltree import IntervalTree  # noqa: E402
from stateful import Machine, main, rule  # noqa: E402

INTERVALS = integers(0, 5).flatmap(lambda begin: integers(begin + 1, 6).map(lambda end: (begin, end)))


class Tree(Machine):
    def __init__(self):
        super().__init__()
        self.tree = IntervalTree()
        self.model = set()

    @rule(i=INTERVALS)
    def add(self, i):
        self.tree.addi(*i)
        self.model.add(i)

    @precondition(lambda self: self.model)
    @rule(data=data())
    def discard(self, data):
        i = data.draw(sampled_from(sorted(self.model)))
        self.tree.discardi(*i)
        self.model.discard(i)

    @rule(p=integers(0, 6))
    def containing(self, p):
        found = self.tree.at(p) if hasattr(self.tree, "at") else self.tree.search(p)
        assert {(each.begin, each.end) for each in found} == {(begin, end) for begin, end in self.model if begin <= p < end}


main(Tree)
