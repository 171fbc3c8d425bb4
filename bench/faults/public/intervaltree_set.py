"""`intervaltree.IntervalTree`. Before 3.0 `at` was called `search`, and took names from `collections` that Python has moved since."""

import collections
import collections.abc

for name in ("Mapping", "MutableMapping", "MutableSet", "Sequence", "MutableSequence", "Set", "KeysView", "ValuesView", "ItemsView"):
    if not hasattr(collections, name):
        setattr(collections, name, getattr(collections.abc, name))

from intervaltree import IntervalTree  # noqa: E402

from interplay import System, input, serve  # noqa: E402


class Tree(System):
    def __init__(self):
        self.tree = IntervalTree()

    @input
    def add(self, i):
        self.tree.addi(i["begin"], i["end"])

    @input
    def discard(self, i):
        self.tree.discardi(i["begin"], i["end"])

    @input
    def containing(self, p):
        found = self.tree.at(p) if hasattr(self.tree, "at") else self.tree.search(p)
        return [{"begin": each.begin, "end": each.end} for each in found]


serve(Tree)
