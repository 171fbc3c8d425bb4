"""`persistqueue.SQLiteAckQueue` as a state machine of Hypothesis: the same rules and values as in persistqueue_ack.play."""

import os
import shutil
import tempfile

from hypothesis.stateful import precondition
from hypothesis.strategies import data, sampled_from
from persistqueue import Empty, SQLiteAckQueue
from stateful import Machine, main, rule

MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None


class Queue(Machine):
    def __init__(self):
        super().__init__()
        self.folder = tempfile.mkdtemp(dir=MEMORY)
        self.queue = SQLiteAckQueue(self.folder)
        self.number, self.ready, self.taken = 0, set(), set()

    def teardown(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    @rule()
    def put(self):
        self.queue.put(self.number)
        self.ready.add(self.number)
        self.number += 1

    @rule()
    def take(self):
        first = min(self.ready, default=None)
        try:
            found = self.queue.get(block=False)
        except Empty:
            found = None
        if first is not None:
            self.ready.remove(first)
            self.taken.add(first)
        assert found == first

    @precondition(lambda self: self.taken)
    @rule(data=data())
    def ack(self, data):
        i = data.draw(sampled_from(sorted(self.taken)))
        self.queue.ack(i)
        self.taken.remove(i)

    @precondition(lambda self: self.taken)
    @rule(data=data())
    def nack(self, data):
        i = data.draw(sampled_from(sorted(self.taken)))
        self.queue.nack(i)
        self.taken.remove(i)
        self.ready.add(i)

    @rule()
    def size(self):
        assert self.queue.qsize() == len(self.ready)

    @rule()
    def reopen(self):
        self.queue = SQLiteAckQueue(self.folder)
        self.ready |= self.taken
        self.taken = set()


main(Queue)
