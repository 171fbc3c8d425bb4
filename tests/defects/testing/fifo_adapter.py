"""A first-in-first-out queue with a visibility time-out, as a server of this kind behaves: after the time-out it forgets the order."""
from interplay import System, input, serve


class Fifo(System):
    def __init__(self):
        self.queue, self.hidden = [], set()

    @input
    def send(self, b):
        self.queue.append(b)

    @input
    def receive(self):
        if self.hidden:
            return []
        self.hidden = set(self.queue)
        return list(self.queue)

    @input
    def delete(self, b):
        self.queue = [q for q in self.queue if q != b]
        self.hidden.discard(b)

    @input
    def wait_out(self):
        pass  # it never comes back


serve(Fifo)
