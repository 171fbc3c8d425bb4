"""`persistqueue.SQLiteAckQueue` in a folder of its own, which is in memory if there is such a place."""

import os
import shutil
import tempfile

from persistqueue import Empty, SQLiteAckQueue

from interplay import System, input, serve

MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None


class Queue(System):
    raises = {Empty: None}

    def __init__(self):
        self.folder = tempfile.mkdtemp(dir=MEMORY)
        self.number = 0
        self.open()

    def open(self):
        self.queue = SQLiteAckQueue(self.folder)

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    @input
    def put(self):
        self.queue.put(self.number)
        self.number += 1

    @input
    def take(self):
        return self.queue.get(block=False)

    @input
    def ack(self, i):
        self.queue.ack(i)

    @input
    def nack(self, i):
        self.queue.nack(i)

    @input
    def size(self):
        return self.queue.qsize()

    @input
    def reopen(self):
        self.open()


serve(Queue)
