# A bag of strings; with `wrong` it returns what was never put.
import sys

from interplay import System, input, serve

class Bag(System):
    outputs = []
    def __init__(self):
        self.there = set()
    @input
    def put(self, b):
        self.there.add(b)
    @input
    def some_of(self):
        return sorted(self.there)[:1]
    @input
    def one_of(self):
        return sorted(self.there)[:1]
    @input
    def take(self):
        taken = ["z"] if "wrong" in sys.argv else sorted(self.there)[:1]
        self.there -= set(taken)
        return taken
serve(Bag)
